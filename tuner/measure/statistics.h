/*
 * Order statistics of samples. Times are skewed and have no normal law: the
 * median and a distribution-free interval of it are what is reported.
 * Threads: pure functions.
 */
#ifndef AT_MEASURE_STATISTICS_H
#define AT_MEASURE_STATISTICS_H

#include "base/random.h"

#include <stddef.h>

struct at_interval {
	double median;
	double low;
	double high;
};

/*
 * The median and the narrowest pair of order statistics, symmetric in rank, that
 * holds the median of the population with at least 95 % probability whatever the
 * distribution (binomial; e.g. Hahn and Meeker 1991, "Statistical Intervals",
 * section 5.2). Below 6 samples no pair does, and the extremes are given.
 * samples is sorted in place; count at least 1.
 */
struct at_interval at_statistics_median(double *samples, size_t count);
/* The same of samples that are in ascending order already. */
struct at_interval at_statistics_median_sorted(const double *sorted, size_t count);

/*
 * Puts one more value, not NaN, into `count` ascending ones, so that a rule for
 * stopping can ask after every sample without sorting them all; room for count + 1.
 */
void at_statistics_insert(double *sorted, size_t count, double value);

/*
 * The same of the paired ratios a[i] / b[i]; scratch holds count doubles.
 * Both series must come from the same interleaved rounds.
 */
struct at_interval at_statistics_ratio(
	const double *a, const double *b, size_t count, double *scratch);

/* Fisher and Yates's shuffle of order[0..count). */
void at_statistics_shuffle(unsigned *order, size_t count, struct at_random *random);

#endif
