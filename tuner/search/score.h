/*
 * How good a search was, in a space where the cost of every configuration is known: its
 * best so far, compared with what drawing at random without replacement is expected to
 * find.
 *
 *   expected = the exact expectation after 1, 2, ... evaluations
 *   area     = the mean over n of (expected[n] - best[n]) / (expected[n] - optimum)
 *
 * 0 is as good as random search, 1 finds the optimum at once, and below 0 is worse than
 * random. A configuration that failed is an evaluation like any other. Until the first
 * success the worst cost of the space counts as the best.
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
	double worst; /* the largest cost that is not INFINITY */
	size_t horizon; /* evaluations that count */
	/* expected[n - 1]: the expected least cost of n random ones; horizon values,
	   heap */
	double *expected;
};

/* costs: of all configurations, in any order, INFINITY where one failed. AT_EINVAL: all
   have failed. */
enum at_status at_score_space_init(struct at_score_space *self, const double *costs,
	size_t count, size_t horizon, struct at_error *err);
/* Releases expected. */
void at_score_space_release(struct at_score_space *self);

/*
 * The area of a search. best[n - 1]: its least cost after n evaluations; horizon
 * values. Where nothing is left to gain on random search (n is the whole space) the
 * mean leaves n out; NAN where that is so from the first evaluation on. The area of
 * several runs' mean curve is the mean of their areas.
 */
double at_score_area(const struct at_score_space *self, const double *best);

/* A figure and how sure it is. */
struct at_score_estimate {
	double value;
	double low; /* the ends of its interval of 95 % */
	double high;
};

/* What is computed of the runs of a group. */
enum at_score_statistic {
	AT_SCORE_MEAN,
	AT_SCORE_MEDIAN,
};

/* The runs on one recording. */
struct at_score_group {
	const double *values;
	size_t count; /* at least 1 */
};

/*
 * The mean over groups of each group's statistic, with an interval by the bootstrap:
 * runs are drawn again within each group, and percentiles taken (Efron and Tibshirani
 * 1993, "An Introduction to the Bootstrap", chapter 13). The groups themselves are not
 * drawn again: the interval says how sure the figure is for these recordings, and
 * nothing about others.
 */
void at_score_estimate_groups(const struct at_score_group *groups, size_t count,
	enum at_score_statistic statistic, uint64_t seed,
	struct at_score_estimate *out);

/* The value below which `share` of the values lie, interpolated between neighbours.
   Sorts values in place. */
double at_score_quantile(double *values, size_t count, double share);

#endif
