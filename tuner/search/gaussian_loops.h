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

/* to -= by * from */
void at_gaussian_subtract_scaled(
	double *to, const double *from, double by, size_t count);
void at_gaussian_subtract_scaled_floats(
	float *restrict to, const float *restrict from, float by, size_t count);
/* The same for each of AT_GAUSSIAN_ROWS rows of from. */
void at_gaussian_subtract_rows(float *restrict to, const float *restrict from0,
	const float *restrict from1, const float *restrict from2,
	const float *restrict from3, const float by[AT_GAUSSIAN_ROWS], size_t count);
/* Likewise, each row by its own first element. */
void at_gaussian_subtract_rows_of_doubles(double *restrict to,
	const double *restrict from0, const double *restrict from1,
	const double *restrict from2, const double *restrict from3, size_t count);
/* at_gaussian_subtract_rows() for AT_GAUSSIAN_ROWS rows of `to`: by[row of to][row of
   from]. */
void at_gaussian_subtract_rows_of_rows(float *restrict to0, float *restrict to1,
	float *restrict to2, float *restrict to3, const float *restrict from0,
	const float *restrict from1, const float *restrict from2,
	const float *restrict from3, const float by[AT_GAUSSIAN_ROWS][AT_GAUSSIAN_ROWS],
	size_t count);

/* distances += weight * (x - point)^2 */
void at_gaussian_add_distances(float *restrict distances, const float *restrict x,
	float point, float weight, size_t count);
/* Matérn's covariance with smoothness 3/2 of squared distances: (1 + r) exp(-r), r =
   sqrt(3) times the distance. */
void at_gaussian_matern(
	float *restrict covariances, const float *restrict distances, size_t count);
/* known *= by; variances -= known^2 */
void at_gaussian_normalize(
	float *restrict known, float *restrict variances, float by, size_t count);

#endif
