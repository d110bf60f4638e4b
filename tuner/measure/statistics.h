/*
 * Statistics of samples. Times are skewed and not normally distributed, so one stretch
 * of sampling is summarized by its median and a distribution-free interval. That
 * interval assumes independent samples, which successive samples are not. It also
 * cannot cover the differences between runs, so it only decides how long to sample.
 * Reported figures of winners come from blocks.
 *
 * Threads: pure functions.
 */
#ifndef AT_MEASURE_STATISTICS_H
#define AT_MEASURE_STATISTICS_H

#include "base/random.h"

#include <stddef.h>

/* Fewer samples have no 95 % interval: the median lies outside five of them with
   probability 2 / 2^5. */
#define AT_SAMPLES_TELLING 6

struct at_interval {
	double median;
	double low;
	double high;
};

/*
 * The median and the narrowest pair of order statistics, symmetric in rank, that holds
 * the population's median with at least 95 % probability whatever the distribution
 * (binomial; e.g. Hahn and Meeker 1991, "Statistical Intervals", section 5.2). Below
 * AT_SAMPLES_TELLING samples no pair does, and the interval is that of the extremes.
 * samples is sorted in place; count is at least 1.
 */
struct at_interval at_statistics_median(double *samples, size_t count);
/* The same for samples in ascending order. */
struct at_interval at_statistics_median_sorted(const double *sorted, size_t count);

/* Inserts a value (not NaN) into `count` ascending values, with room for count + 1. A
   stopping rule can so check every sample without sorting them all again. */
void at_statistics_insert(double *sorted, size_t count, double value);

/* The quantile of Student's t: |T| with `degrees` (at least 1) degrees of freedom is
   below it with probability `confidence`, 0 < confidence < 1. */
double at_statistics_student(size_t degrees, double confidence);

/*
 * Summarizes blocks of samples: values[i], above 0, is the value of the i-th block, and
 * each block started anew (memory, module). `median` is the geometric mean, and the
 * interval is Student's for the mean of the logarithms. It covers the variation between
 * blocks, which no number of samples within one block can show (Kalibera and Jones
 * 2013, "Rigorous benchmarking in reasonable time": the interval is that of the highest
 * level that is repeated). It is widened by the correlation of successive blocks
 * (Bayley and Hammersley 1946, "The 'effective' number of independent observations in
 * an autocorrelated time series"). Both ends are NAN with fewer than two blocks.
 */
struct at_interval at_statistics_blocks(
	const double *values, size_t count, double confidence);
/* The same for the ratios a[i] / b[i] of paired blocks: effects on both within a block
   cancel out. If both have the same blocks, `median` is the quotient of their medians,
   up to rounding. */
struct at_interval at_statistics_block_ratio(
	const double *a, const double *b, size_t count, double confidence);

/* The Fisher-Yates shuffle of order[0..count). */
void at_statistics_shuffle(unsigned *order, size_t count, struct at_random *random);

#endif
