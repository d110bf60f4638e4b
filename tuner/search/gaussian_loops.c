/* The loops, compiled with -O3 and without contraction of a * b + c
   (CMakeLists.txt). */
#include "search/gaussian_loops.h"

#include <math.h>

/* Each loop has several compiled versions, for wider vectors where the processor has
   them. Not under sanitizers, which are not initialized when the version is chosen. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && \
	!defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__)
#define VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORS
#endif

/* to -= by[k] * row k of `from`, for AT_GAUSSIAN_ROWS rows */
static inline void subtract_doubles(double *restrict to, const double *restrict from,
	size_t stride, const double by[AT_GAUSSIAN_ROWS], size_t count)
{
	const double *restrict from1 = from + stride, *restrict from2 = from1 + stride;
	const double *restrict from3 = from2 + stride;
	double by0 = by[0], by1 = by[1], by2 = by[2], by3 = by[3];

	for (size_t i = 0; i < count; i++)
		to[i] = to[i] - by0 * from[i] - by1 * from1[i] - by2 * from2[i] -
			by3 * from3[i];
}

/* Likewise for AT_GAUSSIAN_ROWS rows of `to`: by[row of to][row of from]. */
static inline void subtract_square(double *restrict to, const double *restrict from,
	size_t stride, double by[AT_GAUSSIAN_ROWS][AT_GAUSSIAN_ROWS], size_t count)
{
	double *restrict to1 = to + stride, *restrict to2 = to1 + stride;
	double *restrict to3 = to2 + stride;
	const double *restrict from1 = from + stride, *restrict from2 = from1 + stride;
	const double *restrict from3 = from2 + stride;
	double by00 = by[0][0], by01 = by[0][1], by02 = by[0][2], by03 = by[0][3];
	double by10 = by[1][0], by11 = by[1][1], by12 = by[1][2], by13 = by[1][3];
	double by20 = by[2][0], by21 = by[2][1], by22 = by[2][2], by23 = by[2][3];
	double by30 = by[3][0], by31 = by[3][1], by32 = by[3][2], by33 = by[3][3];

	for (size_t i = 0; i < count; i++) {
		double a = from[i], b = from1[i], c = from2[i], d = from3[i];

		to[i] = to[i] - by00 * a - by01 * b - by02 * c - by03 * d;
		to1[i] = to1[i] - by10 * a - by11 * b - by12 * c - by13 * d;
		to2[i] = to2[i] - by20 * a - by21 * b - by22 * c - by23 * d;
		to3[i] = to3[i] - by30 * a - by31 * b - by32 * c - by33 * d;
	}
}

/* Completes rows i .. i + row_count - 1, from which earlier rows were subtracted:
   subtracts them from each other and divides by the pivots. */
static inline void finish_rows(double *matrix, size_t stride, size_t i,
	size_t row_count, size_t first, size_t length, double pivot_least)
{
	for (size_t r = 0; r < row_count; r++) {
		double *restrict row = matrix + (i + r) * stride + first, pivot;

		for (size_t s = 0; s < r; s++) {
			const double *restrict above =
				matrix + (i + s) * stride + first;
			double by = above[i + r - first];

			for (size_t j = 0; j < length; j++)
				row[j] -= by * above[j];
		}
		pivot = row[i + r - first];
		pivot = sqrt(pivot < pivot_least ? pivot_least : pivot);
		for (size_t j = 0; j < length; j++)
			row[j] /= pivot;
		row[i + r - first] = pivot;
	}
}

/*
 * Subtracts from each row the rows above it, the first one first. Lengths are
 * multiples of AT_GAUSSIAN_WHOLE, which the masks show to the compiler: it then makes
 * whole vectors only, without a remainder loop, which would take longer than the
 * vectors.
 */
VECTORS void at_gaussian_factorize(
	double *matrix, size_t stride, size_t count, double pivot_least)
{
	size_t end = (count + AT_GAUSSIAN_WHOLE - 1) & ~(size_t)(AT_GAUSSIAN_WHOLE - 1);

	for (size_t i = 0; i < count; i += AT_GAUSSIAN_ROWS) {
		size_t rows =
			count - i < AT_GAUSSIAN_ROWS ? count - i : AT_GAUSSIAN_ROWS;
		size_t first = i & ~(size_t)(AT_GAUSSIAN_WHOLE - 1);
		size_t length = (end - first) & ~(size_t)(AT_GAUSSIAN_WHOLE - 1);

		for (size_t k = 0; k < i; k += AT_GAUSSIAN_ROWS) {
			const double *from = matrix + k * stride + first;
			double by[AT_GAUSSIAN_ROWS][AT_GAUSSIAN_ROWS];

			for (size_t r = 0; r < rows; r++)
				for (size_t s = 0; s < AT_GAUSSIAN_ROWS; s++)
					by[r][s] = matrix[(k + s) * stride + i + r];
			if (rows == AT_GAUSSIAN_ROWS)
				subtract_square(matrix + i * stride + first, from,
					stride, by, length);
			else
				for (size_t r = 0; r < rows; r++)
					subtract_doubles(
						matrix + (i + r) * stride + first, from,
						stride, by[r], length);
		}
		finish_rows(matrix, stride, i, rows, first, length, pivot_least);
	}
}

/*
 * Solves for AT_GAUSSIAN_WHOLE unknowns at a time, so that the unknowns after them
 * make whole vectors. Subtracts from each unknown the earlier ones, the first one
 * first.
 */
VECTORS void at_gaussian_solve(
	const double *restrict factor, size_t stride, double *restrict x, size_t count)
{
	size_t end = (count + AT_GAUSSIAN_WHOLE - 1) & ~(size_t)(AT_GAUSSIAN_WHOLE - 1);

	for (size_t k = 0; k < end; k += AT_GAUSSIAN_WHOLE) {
		const double *from = factor + k * stride;
		size_t next = k + AT_GAUSSIAN_WHOLE;
		size_t length = (end - next) & ~(size_t)(AT_GAUSSIAN_WHOLE - 1);
		size_t rows =
			count - k < AT_GAUSSIAN_WHOLE ? count - k : AT_GAUSSIAN_WHOLE;

		for (size_t r = 0; r < rows; r++) {
			x[k + r] /= from[r * stride + k + r];
			for (size_t s = r + 1; s < rows; s++)
				x[k + s] -= x[k + r] * from[r * stride + k + s];
		}
		for (size_t r = 0; r < rows && length > 0; r += AT_GAUSSIAN_ROWS)
			subtract_doubles(x + next, from + r * stride + next, stride,
				x + k + r, length);
	}
}

VECTORS void at_gaussian_subtract_rows(float *restrict to, const float *restrict rows,
	size_t stride, const float *restrict by, size_t row_count, size_t count)
{
	for (size_t k = 0; k + AT_GAUSSIAN_ROWS <= row_count; k += AT_GAUSSIAN_ROWS) {
		const float *restrict row0 = rows + k * stride;
		const float *restrict row1 = row0 + stride, *restrict row2 =
								    row1 + stride;
		const float *restrict row3 = row2 + stride;
		float by0 = by[k], by1 = by[k + 1], by2 = by[k + 2], by3 = by[k + 3];

		for (size_t i = 0; i < count; i++)
			to[i] = to[i] - by0 * row0[i] - by1 * row1[i] - by2 * row2[i] -
				by3 * row3[i];
	}
	for (size_t k = row_count - row_count % AT_GAUSSIAN_ROWS; k < row_count; k++) {
		const float *restrict row = rows + k * stride;
		float by0 = by[k];

		for (size_t i = 0; i < count; i++)
			to[i] -= by0 * row[i];
	}
}

VECTORS void at_gaussian_subtract_rows_from_two(float *restrict to,
	float *restrict other, const float *restrict rows, size_t stride,
	const float *restrict by, const float *restrict by_other, size_t row_count,
	size_t count)
{
	for (size_t k = 0; k + AT_GAUSSIAN_ROWS <= row_count; k += AT_GAUSSIAN_ROWS) {
		const float *restrict row0 = rows + k * stride;
		const float *restrict row1 = row0 + stride, *restrict row2 =
								    row1 + stride;
		const float *restrict row3 = row2 + stride;
		float by0 = by[k], by1 = by[k + 1], by2 = by[k + 2], by3 = by[k + 3];
		float other0 = by_other[k], other1 = by_other[k + 1];
		float other2 = by_other[k + 2], other3 = by_other[k + 3];

		for (size_t i = 0; i < count; i++) {
			float a = row0[i], b = row1[i], c = row2[i], d = row3[i];

			to[i] = to[i] - by0 * a - by1 * b - by2 * c - by3 * d;
			other[i] = other[i] - other0 * a - other1 * b - other2 * c -
				   other3 * d;
		}
	}
}

VECTORS void at_gaussian_subtract_rows_from_rows(float *restrict to,
	const float *restrict rows, size_t stride, const float *restrict by,
	size_t by_stride, size_t row_count, size_t count)
{
	float *restrict to1 = to + stride, *restrict to2 = to1 + stride;
	float *restrict to3 = to2 + stride;

	for (size_t k = 0; k + AT_GAUSSIAN_ROWS <= row_count; k += AT_GAUSSIAN_ROWS) {
		const float *restrict row0 = rows + k * stride;
		const float *restrict row1 = row0 + stride, *restrict row2 =
								    row1 + stride;
		const float *restrict row3 = row2 + stride;
		const float *by0 = by + k, *by1 = by0 + by_stride;
		const float *by2 = by1 + by_stride, *by3 = by2 + by_stride;
		float by00 = by0[0], by01 = by0[1], by02 = by0[2], by03 = by0[3];
		float by10 = by1[0], by11 = by1[1], by12 = by1[2], by13 = by1[3];
		float by20 = by2[0], by21 = by2[1], by22 = by2[2], by23 = by2[3];
		float by30 = by3[0], by31 = by3[1], by32 = by3[2], by33 = by3[3];

		for (size_t i = 0; i < count; i++) {
			float a = row0[i], b = row1[i], c = row2[i], d = row3[i];

			to[i] = to[i] - by00 * a - by01 * b - by02 * c - by03 * d;
			to1[i] = to1[i] - by10 * a - by11 * b - by12 * c - by13 * d;
			to2[i] = to2[i] - by20 * a - by21 * b - by22 * c - by23 * d;
			to3[i] = to3[i] - by30 * a - by31 * b - by32 * c - by33 * d;
		}
	}
}

VECTORS void at_gaussian_distances(float *restrict distances, const float *restrict x,
	size_t stride, const float *restrict point, size_t point_stride,
	const float *restrict weights, size_t feature_count, size_t count)
{
	size_t c = 0;

	for (size_t i = 0; i < count; i++)
		distances[i] = 0;
	for (; c + AT_GAUSSIAN_ROWS <= feature_count; c += AT_GAUSSIAN_ROWS) {
		const float *restrict x0 = x + c * stride, *restrict x1 = x0 + stride;
		const float *restrict x2 = x1 + stride, *restrict x3 = x2 + stride;
		const float *at = point + c * point_stride;
		float p0 = at[0], p1 = at[point_stride];
		float p2 = at[2 * point_stride], p3 = at[3 * point_stride];
		float w0 = weights[c], w1 = weights[c + 1];
		float w2 = weights[c + 2], w3 = weights[c + 3];

		for (size_t i = 0; i < count; i++) {
			float a = x0[i] - p0, b = x1[i] - p1;
			float e = x2[i] - p2, f = x3[i] - p3;

			distances[i] = distances[i] + w0 * a * a + w1 * b * b +
				       w2 * e * e + w3 * f * f;
		}
	}
	for (; c < feature_count; c++) {
		const float *restrict x0 = x + c * stride;
		float p0 = point[c * point_stride], w0 = weights[c];

		for (size_t i = 0; i < count; i++) {
			float difference = x0[i] - p0;

			distances[i] += w0 * difference * difference;
		}
	}
}

/*
 * exp(-r) for 0 <= r <= 80: a power of two times a polynomial of the remainder, which
 * is at most half of ln 2 in magnitude. Accurate to a few ulp. The library's function
 * is slower, and prevents vectorization.
 */
static inline float exp_of_minus(float r)
{
	float power = r * 1.44269504f;
	int whole = (int)(power + 0.5f);
	float x = ((float)whole - power) * 0.69314718f;
	union {
		int bits;
		float value;
	} scale = { (127 - whole) << 23 };

	x = 1 +
	    x * (1 + x * (0.5f + x * (0.16666667f +
					     x * (0.041666668f +
							 x * (0.0083333338f +
								     x * 0.0013888889f)))));
	return x * scale.value;
}

VECTORS void at_gaussian_matern(
	float *restrict covariances, const float *restrict distances, size_t count)
{
	/*
	 * Beyond 80 the power of two would underflow, and the covariance is
	 * negligible. This is a separate loop, because inside the other one it would
	 * become a branch and prevent vectorization.
	 */
	for (size_t i = 0; i < count; i++) {
		float r = sqrtf(3 * distances[i]);

		covariances[i] = r < 80 ? r : 80;
	}
	for (size_t i = 0; i < count; i++)
		covariances[i] = (1 + covariances[i]) * exp_of_minus(covariances[i]);
}

VECTORS void at_gaussian_normalize(
	float *restrict known, float *restrict variances, float by, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		known[i] *= by;
		variances[i] -= known[i] * known[i];
	}
}

/* A variance below this is rounding error; see at_gaussian_deviation(). */
#define VARIANCE_LEAST 1e-9f

/*
 * In units of the deviation, the expected improvement at u is the density at u minus
 * |u| times the tail beyond it, plus u if u is above 0. The ratio of tail to density,
 * Mills' ratio, is at least Boyd's bound ("Inequalities for Mills' ratio", 1959), so
 * the result is at most 2.5 % larger than the improvement. Three margins allow for
 * single precision: for a difference of terms that may be nearly equal, for 1 minus a
 * number near 1, and for everything else.
 */
VECTORS void at_gaussian_add_improvements(float *restrict most,
	const float *restrict means, const float *restrict trends,
	const float *restrict variances, float constant, float slope, float scale,
	float incumbent, size_t count)
{
	const float pi = 3.14159265f;

	for (size_t i = 0; i < count; i++) {
		float variance =
			variances[i] > VARIANCE_LEAST ? variances[i] : VARIANCE_LEAST;
		float deviation = scale * sqrtf(variance);
		float trend = slope * trends[i];
		float margin = 1e-6f * (fabsf(incumbent) + fabsf(constant) +
					       fabsf(trend) + fabsf(means[i]));
		float u = (incumbent - (constant + trend + means[i]) + margin) /
			  deviation;
		float a = fabsf(u), x = a * a / 2;
		float ratio = pi / ((pi - 1) * a + sqrtf(a * a + 2 * pi));
		float density = 0.39894228f * exp_of_minus(x < 80 ? x : 80);

		most[i] += deviation * 1.0001f *
			   (density * (1 - a * ratio + 2e-6f) + (u > 0 ? u : 0));
	}
}
