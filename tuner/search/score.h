/*
 * How good a search was, in a space where every cost is known: its best so far,
 * compared with the expectation of random drawing without replacement.
 *
 *   expected = the exact expectation after 1, 2, ... evaluations
 *   area     = the mean over n of (expected[n] - best[n]) / (expected[n] - optimum)
 *
 * 0 is as good as random search, 1 finds the optimum at once, and below 0 is worse
 * than random. A failed configuration counts as an evaluation. Until the first
 * success, the worst cost of the space counts as the best.
 *
 * Must not know: what is searched, where costs come from. Threads: pure functions.
 */
#ifndef AT_SEARCH_SCORE_H
#define AT_SEARCH_SCORE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* What the score needs to know of a space. */
struct at_score_space {
	double optimum; /* the least cost */
	double worst; /* the largest finite cost */
	size_t horizon; /* number of evaluations scored */
	/* expected[n - 1]: the expected least cost of n random draws; `horizon`
	   values on the heap */
	double *expected;
};

/* costs: of all configurations, in any order, INFINITY for a failure. AT_EINVAL: all
   failed. */
enum at_status at_score_space_init(struct at_score_space *self, const double *costs,
	size_t count, size_t horizon, struct at_error *err);
void at_score_space_release(struct at_score_space *self);

/*
 * The area of a search. best[n - 1]: its least cost after n evaluations; `horizon`
 * values. The mean leaves out every n at which random search has nothing left to gain
 * (n is the whole space). NAN: nothing is left to gain from the first evaluation on.
 * The area of a mean curve over runs is the mean of their areas.
 */
double at_score_area(const struct at_score_space *self, const double *best);

/* A value with its uncertainty. */
struct at_score_estimate {
	double value;
	double low; /* the ends of the 95 % confidence interval */
	double high;
};

enum at_score_statistic {
	AT_SCORE_MEAN,
	AT_SCORE_MEDIAN,
};

struct at_score_group {
	const double *values;
	size_t count; /* at least 1 */
};

/*
 * The mean over groups of each group's statistic, with a bootstrap percentile
 * interval: runs are resampled within each group (Efron and Tibshirani 1993, "An
 * Introduction to the Bootstrap", chapter 13). Groups are not resampled: the interval
 * holds for these recordings only.
 */
void at_score_estimate_groups(const struct at_score_group *groups, size_t count,
	enum at_score_statistic statistic, uint64_t seed,
	struct at_score_estimate *out);

/* The quantile below which `share` of the values lie, linearly interpolated. Sorts
   values in place. */
double at_score_quantile(double *values, size_t count, double share);

#endif
