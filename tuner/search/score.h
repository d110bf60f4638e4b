/*
 * How good a search was, where all configurations are known: its best so far beside
 * what drawing at random without replacement is expected to have found.
 *
 *   expected = the exact expectation after 1, 2, ... evaluations
 *   area     = the mean over n of (expected[n] - best[n]) / (expected[n] - optimum)
 *
 * 0 is random search, 1 the optimum at once, and a search that is worse than random is
 * below 0. A configuration that failed is an evaluation like any other, and until the
 * first success the worst time of the space counts.
 *
 * Must not know: what is searched, where times are from. Threads: pure functions.
 */
#ifndef AT_SEARCH_SCORE_H
#define AT_SEARCH_SCORE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* What is known of a space before anybody searches it. */
struct at_score_space {
	double optimum; /* the least cost */
	double worst; /* the largest of those that are not INFINITY */
	size_t horizon;
	/* expected[n - 1]: the least cost of n that are drawn; heap */
	double *expected;
};

/*
 * costs: of all configurations, INFINITY where it failed, in any order. AT_EINVAL: all
 * of them failed.
 */
enum at_status at_score_space_init(struct at_score_space *self, const double *costs,
	size_t count, size_t horizon, struct at_error *err);
void at_score_space_release(struct at_score_space *self);

/*
 * best[n - 1]: the least cost after n evaluations; horizon values. Where nothing is
 * left that a search could gain on random (n is the whole space) is not in the mean;
 * NAN where that is so from the first evaluation on. The area of several runs' mean
 * curve is the mean of their areas.
 */
double at_score_area(const struct at_score_space *self, const double *best);

struct at_score_estimate {
	double value;
	double low; /* the interval of 95 % */
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
 * The mean over groups of each group's statistic, and its interval by the bootstrap:
 * runs are drawn again within each group, percentiles (Efron and Tibshirani 1993, "An
 * Introduction to the Bootstrap", chapter 13). The groups themselves are not drawn: it
 * says how sure the figure is for these recordings, and nothing of others.
 */
enum at_status at_score_estimate_groups(const struct at_score_group *groups,
	size_t count, enum at_score_statistic statistic, uint64_t seed,
	struct at_score_estimate *out, struct at_error *err);

/* The value below which `share` of them lie, between neighbours in proportion; values
   are sorted in place. */
double at_score_quantile(double *values, size_t count, double share);

#endif
