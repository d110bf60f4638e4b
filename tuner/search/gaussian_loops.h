/*
 * The loops that a Gaussian process spends its time in: over neighbouring elements, and
 * without a sum in them, so that the compiler makes vectors of them and the result is
 * the same whatever their width. What is written does not overlap what is read. Private
 * to gaussian.c. Threads: pure functions.
 */
#ifndef AT_SEARCH_GAUSSIAN_LOOPS_H
#define AT_SEARCH_GAUSSIAN_LOOPS_H

#include <stddef.h>

/*
 * Some take so many rows in one pass, each element still row by row in their order:
 * results are those of one row after the other, and memory is read less often.
 */
#define AT_GAUSSIAN_ROWS 4

/* Rows and columns of factors are in memory up to a multiple of it, where what is
   behind the last one only has to be a number. */
#define AT_GAUSSIAN_WHOLE 8

/*
 * Cholesky's factor, in place, of a matrix whose rows count from their diagonals on;
 * what is before the diagonal, down to a multiple of AT_GAUSSIAN_WHOLE, is to be 0, and
 * is anything afterwards. A pivot is pivot_least at least.
 */
void at_gaussian_factorize(
	double *matrix, size_t stride, size_t count, double pivot_least);
/* x becomes what the transposed factor makes x of; it has `stride` elements. */
void at_gaussian_solve(
	const double *restrict factor, size_t stride, double *restrict x, size_t count);

/* to -= by[k] * row k, for each of the rows, which lie one stride apart */
void at_gaussian_subtract_rows(float *restrict to, const float *restrict rows,
	size_t stride, const float *restrict by, size_t row_count, size_t count);
/* The same from `other` as well; row_count is a multiple of AT_GAUSSIAN_ROWS. */
void at_gaussian_subtract_rows_from_two(float *restrict to, float *restrict other,
	const float *restrict rows, size_t stride, const float *restrict by,
	const float *restrict by_other, size_t row_count, size_t count);
/* The same from AT_GAUSSIAN_ROWS rows one stride apart, each with a `by` of its own. */
void at_gaussian_subtract_rows_from_rows(float *restrict to, const float *restrict rows,
	size_t stride, const float *restrict by, size_t by_stride, size_t row_count,
	size_t count);

/* The sums over features of weight * (x - point)^2; a feature is one stride further. */
void at_gaussian_distances(float *restrict distances, const float *restrict x,
	size_t stride, const float *restrict point, size_t point_stride,
	const float *restrict weights, size_t feature_count, size_t count);
/* Matérn's covariance with smoothness 3/2 of squared distances: (1 + r) exp(-r), r =
   sqrt(3) times the distance. */
void at_gaussian_matern(
	float *restrict covariances, const float *restrict distances, size_t count);
/* known *= by; variances -= known^2 */
void at_gaussian_normalize(
	float *restrict known, float *restrict variances, float by, size_t count);
/* Adds to most[i] no less than the improvement of i on the incumbent; constant + slope
   * trend + mean is what it is expected to cost. */
void at_gaussian_add_improvements(float *restrict most, const float *restrict means,
	const float *restrict trends, const float *restrict variances, float constant,
	float slope, float scale, float incumbent, size_t count);

#endif
