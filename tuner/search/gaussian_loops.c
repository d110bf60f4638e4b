/* This file is compiled with -O3 and without contraction of a * b + c (CMakeLists.txt).
 */
#include "search/gaussian_loops.h"

#include <math.h>

/*
 * The loops are compiled several times, for wider vectors where the processor has them.
 * Sanitizers do not get along with it: they are not ready yet when a version is chosen.
 */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && \
	!defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__)
#define VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORS
#endif

VECTORS void at_gaussian_subtract_scaled(
	double *to, const double *from, double by, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] -= by * from[i];
}

VECTORS void at_gaussian_subtract_rows(float *restrict to, const float *restrict from0,
	const float *restrict from1, const float *restrict from2,
	const float *restrict from3, const float by[AT_GAUSSIAN_ROWS], size_t count)
{
	float by0 = by[0], by1 = by[1], by2 = by[2], by3 = by[3];

	for (size_t i = 0; i < count; i++) {
		float x = to[i];

		x -= by0 * from0[i];
		x -= by1 * from1[i];
		x -= by2 * from2[i];
		x -= by3 * from3[i];
		to[i] = x;
	}
}

VECTORS void at_gaussian_subtract_rows_of_doubles(double *restrict to,
	const double *restrict from0, const double *restrict from1,
	const double *restrict from2, const double *restrict from3, size_t count)
{
	double by0 = from0[0], by1 = from1[0], by2 = from2[0], by3 = from3[0];

	for (size_t i = 0; i < count; i++)
		to[i] = to[i] - by0 * from0[i] - by1 * from1[i] - by2 * from2[i] -
			by3 * from3[i];
}

VECTORS void at_gaussian_subtract_rows_of_rows(float *restrict to0, float *restrict to1,
	float *restrict to2, float *restrict to3, const float *restrict from0,
	const float *restrict from1, const float *restrict from2,
	const float *restrict from3, const float by[AT_GAUSSIAN_ROWS][AT_GAUSSIAN_ROWS],
	size_t count)
{
	float by00 = by[0][0], by01 = by[0][1], by02 = by[0][2], by03 = by[0][3];
	float by10 = by[1][0], by11 = by[1][1], by12 = by[1][2], by13 = by[1][3];
	float by20 = by[2][0], by21 = by[2][1], by22 = by[2][2], by23 = by[2][3];
	float by30 = by[3][0], by31 = by[3][1], by32 = by[3][2], by33 = by[3][3];

	for (size_t i = 0; i < count; i++) {
		float a = from0[i], b = from1[i], c = from2[i], d = from3[i];

		to0[i] = to0[i] - by00 * a - by01 * b - by02 * c - by03 * d;
		to1[i] = to1[i] - by10 * a - by11 * b - by12 * c - by13 * d;
		to2[i] = to2[i] - by20 * a - by21 * b - by22 * c - by23 * d;
		to3[i] = to3[i] - by30 * a - by31 * b - by32 * c - by33 * d;
	}
}

VECTORS void at_gaussian_subtract_scaled_floats(
	float *restrict to, const float *restrict from, float by, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] -= by * from[i];
}

VECTORS void at_gaussian_add_distances(float *restrict distances,
	const float *restrict x, float point, float weight, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		float difference = x[i] - point;

		distances[i] += weight * difference * difference;
	}
}

/*
 * The exponential is 2^-whole times a polynomial of the rest, which is no more than
 * half of ln 2 either way: to a few units in the last place. That of the library takes
 * its time, and is no loop that becomes vectors.
 */
VECTORS void at_gaussian_matern(
	float *restrict covariances, const float *restrict distances, size_t count)
{
	/* beyond 80 the power of two would underflow, and nothing correlates. A loop of
	   its own: the compiler would make a branch of it in the other one, and no
	   vectors. */
	for (size_t i = 0; i < count; i++) {
		float r = sqrtf(3 * distances[i]);

		covariances[i] = r < 80 ? r : 80;
	}
	for (size_t i = 0; i < count; i++) {
		float r = covariances[i], power = r * 1.44269504f;
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
		covariances[i] = (1 + r) * (x * scale.value);
	}
}

VECTORS void at_gaussian_normalize(
	float *restrict known, float *restrict variances, float by, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		known[i] *= by;
		variances[i] -= known[i] * known[i];
	}
}
