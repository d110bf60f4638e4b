/*
 * The loops in which a Gaussian process spends its time. They run over adjacent
 * elements and do not sum over them, so that the compiler can vectorize them with the
 * same result for every vector width. Output must not overlap input. Private to
 * gaussian.c. Threads: pure functions.
 */
#ifndef AT_SEARCH_GAUSSIAN_LOOPS_H
#define AT_SEARCH_GAUSSIAN_LOOPS_H

#include <stddef.h>

/*
 * Some loops process this many rows in one pass, with the same order of operations
 * for each element. Results equal those of one row at a time, with fewer memory
 * reads.
 */
#define AT_GAUSSIAN_ROWS 4

/* Rows and columns of factors are padded to a multiple of this; the padding only has
   to hold numbers. */
#define AT_GAUSSIAN_WHOLE 8

/*
 * Cholesky's factor, in place, of a matrix whose rows count from the diagonal on. The
 * elements before the diagonal, back to a multiple of AT_GAUSSIAN_WHOLE, must be 0 on
 * entry and are undefined on return. Pivots are at least pivot_least.
 */
void at_gaussian_factorize(
	double *matrix, size_t stride, size_t count, double pivot_least);
/* Solves transposed factor times y = x, and stores y in x, which has `stride`
   elements. */
void at_gaussian_solve(
	const double *restrict factor, size_t stride, double *restrict x, size_t count);

/* to -= by[k] * row k, for each row k; rows lie `stride` elements apart */
void at_gaussian_subtract_rows(float *restrict to, const float *restrict rows,
	size_t stride, const float *restrict by, size_t row_count, size_t count);
/* Also subtracts from `other`, with by_other; row_count must be a multiple of
   AT_GAUSSIAN_ROWS. */
void at_gaussian_subtract_rows_from_two(float *restrict to, float *restrict other,
	const float *restrict rows, size_t stride, const float *restrict by,
	const float *restrict by_other, size_t row_count, size_t count);
/* Also for AT_GAUSSIAN_ROWS rows of `to`, `stride` apart, each with its own `by`. */
void at_gaussian_subtract_rows_from_rows(float *restrict to, const float *restrict rows,
	size_t stride, const float *restrict by, size_t by_stride, size_t row_count,
	size_t count);

/* For each point of x the sum over features of weight * (x - point)^2; features lie a
   stride apart. */
void at_gaussian_distances(float *restrict distances, const float *restrict x,
	size_t stride, const float *restrict point, size_t point_stride,
	const float *restrict weights, size_t feature_count, size_t count);
/* Matérn's covariance with smoothness 3/2 for squared distances: (1 + r) exp(-r), where
   r is sqrt(3) times the distance. */
void at_gaussian_matern(
	float *restrict covariances, const float *restrict distances, size_t count);
/* known *= by; variances -= known^2 */
void at_gaussian_normalize(
	float *restrict known, float *restrict variances, float by, size_t count);
/* Adds to most[i] an upper bound of the expected improvement of i over the incumbent.
   The expected cost is constant + slope * trend + mean. */
void at_gaussian_add_improvements(float *restrict most, const float *restrict means,
	const float *restrict trends, const float *restrict variances, float constant,
	float slope, float scale, float incumbent, size_t count);

#endif
