/*
 * What samples tell. Times are skewed and have no normal law: within one stretch of
 * sampling the median and a distribution-free interval of it are what is reported.
 * That interval takes samples as independent, which one after the other they are not,
 * and knows nothing of what the next run would have differently: it steers how long to
 * sample. What is told of a winner comes from blocks.
 * Threads: pure functions.
 */
#ifndef AT_MEASURE_STATISTICS_H
#define AT_MEASURE_STATISTICS_H

#include "base/random.h"

#include <stddef.h>

/* fewer have no interval of 95 %: 2 / 2^5 of all medians lie outside five samples */
#define AT_SAMPLES_TELLING 6

struct at_interval {
	double median;
	double low;
	double high;
};

/*
 * The median and the narrowest pair of order statistics, symmetric in rank, that
 * holds the median of the population with at least 95 % probability whatever the
 * distribution (binomial; e.g. Hahn and Meeker 1991, "Statistical Intervals",
 * section 5.2). Below AT_SAMPLES_TELLING samples no pair does, and the extremes are
 * given.
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
 * Student's t: what |T| stays below with this probability, 0 < confidence < 1;
 * degrees at least 1.
 */
double at_statistics_student(size_t degrees, double confidence);

/*
 * What blocks of samples agree on: values[i] above 0 is what the i-th block gave, each
 * block begun anew (memory, module). The median member is exp of the mean of the
 * logarithms, and the interval Student's of that mean: it covers what changes from
 * block to block, which samples within one cannot show, however many there are
 * (Kalibera and Jones 2013, "Rigorous benchmarking in reasonable time": the interval
 * is of the highest level that is repeated). It is wider where a block is like the one
 * before it, by what correlation of one and the next does to the variance of a mean
 * (Bayley and Hammersley 1946, "The 'effective' number of independent observations in
 * an autocorrelated time series"). NAN for both ends with fewer than two blocks.
 */
struct at_interval at_statistics_blocks(
	const double *values, size_t count, double confidence);
/*
 * The same of the ratios a[i] / b[i] of blocks that both took part in: what was alike
 * for both in a block goes out of it. Where both have the same blocks, the median
 * member is exactly that of a over that of b but for rounding.
 */
struct at_interval at_statistics_block_ratio(
	const double *a, const double *b, size_t count, double confidence);

/* Fisher and Yates's shuffle of order[0..count). */
void at_statistics_shuffle(unsigned *order, size_t count, struct at_random *random);

#endif
