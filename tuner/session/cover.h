/*
 * Which few configurations serve all problems: of costs by problem and configuration
 * the fewest whose worst loss is within a limit, or the best of so many.
 *
 * The loss of a configuration on a problem is its cost over the least that any has
 * there, less 1. Fewest members is minimum set cover: exact for what a space has in
 * finalists (branch and bound on the problem that fewest can serve), the greedy cover,
 * which is at most ln n times as large (Chvatal 1979), where that would take too long.
 *
 * Threads: pure function.
 */
#ifndef AT_SESSION_COVER_H
#define AT_SESSION_COVER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_NO_MEMBER SIZE_MAX

struct at_cover_costs {
	size_t problem_count;
	size_t configuration_count;
	/* problem by problem, above 0; NAN: it is not for this problem, or not right.
	   Each problem has one at least. */
	const double *costs;
};

struct at_cover {
	size_t member_count;
	size_t *members; /* configurations, ascending; heap */
	size_t *assigned; /* per problem a configuration: the member that costs least;
			     heap */
	double *losses; /* of it, per problem; heap */
	double worst; /* of the losses */
	/* every problem is within the limit that was asked for */
	bool is_within;
};

/*
 * limit: of the loss, 0.05 is 5 %; INFINITY: none. most: members; 0: as many as the
 * limit needs. With both, the best of so many where the limit needs more: is_within
 * tells. Of equally many the ones whose mean loss is smaller. *out is the caller's:
 * at_cover_release().
 */
enum at_status at_cover_find(const struct at_cover_costs *costs, double limit,
	size_t most, struct at_cover *out, struct at_error *err);
void at_cover_release(struct at_cover *self);

#endif
