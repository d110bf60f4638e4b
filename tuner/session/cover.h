/*
 * Chooses a few configurations that serve all problems, from the cost of each
 * configuration on each problem: the fewest whose worst loss is within a limit, or the
 * best set of a given size.
 *
 * The loss of a configuration on a problem is its cost divided by the least cost there,
 * less 1. Finding the fewest members is minimum set cover. The search is exact (branch
 * and bound, on the problem with the fewest configurations that can serve it) for as
 * many finalists as spaces have. If that would take too long, the result is the greedy
 * cover, at most ln n times as large (Chvatal 1979).
 *
 * Threads: pure function.
 */
#ifndef AT_SESSION_COVER_H
#define AT_SESSION_COVER_H

#include "base/error.h"

#include <stddef.h>

/* What to choose from; borrowed for the call. */
struct at_cover_costs {
	size_t problem_count;
	size_t configuration_count;
	/* Costs above 0, problem by problem, each with all configurations. NAN: the
	   configuration is not for this problem, or wrong on it. Each problem needs at
	   least one cost. */
	const double *costs;
};

/*
 * Chooses the members. *out lists, for each problem, the member with the least cost;
 * the caller frees it. limit: of the loss, 0.05 is 5 %; INFINITY: none. most: number of
 * members; 0: as many as the limit needs. If the limit needs more than `most` members,
 * the result is the best set of `most`, with larger losses. Among sets of equal size, a
 * smaller mean loss is preferred. AT_ENOENT: a problem has no configuration.
 */
enum at_status at_cover_find(const struct at_cover_costs *costs, double limit,
	size_t most, size_t **out, struct at_error *err);

#endif
