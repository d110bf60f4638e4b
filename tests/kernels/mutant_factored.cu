/*
 * Solves (M M^T + ridge I) x = b by Cholesky factors, and takes the determinant.
 * MISTAKE none is sound.
 *
 * no_ridge        leaves the ridge out
 * six             systems of six
 * last_row        leaves out the last step of the way back
 * half_factor     keeps factors in half
 * root_twice      the determinant is that of one factor
 * lower           takes M for its lower half
 * diagonal_first  divides by the first of the diagonal
 *
 * Each METHOD is sound:
 *
 * by_rows         factors by rows
 * by_columns      factors by columns
 * no_roots        factors without roots
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

#define MOST 16

extern "C" __global__ void mutant_factored(const float *m, const float *b, float *x,
	float *determinant, float ridge, int n, int d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float a[MOST][MOST], v[MOST], product = 1.0f;

	if (i >= n)
		return;
	m += (long long)i * d * d;
	b += (long long)i * d;
	if (IS(six))
		d = 6;
	for (int r = 0; r < d; r++)
		for (int c = 0; c <= r; c++) {
			float sum = r == c && !IS(no_ridge) ? ridge : 0.0f;

			for (int k = 0; k < (IS(lower) ? c + 1 : d); k++)
				sum += m[r * d + k] * m[c * d + k];
			a[r][c] = sum;
		}
	if (BY(no_roots)) {
		for (int c = 0; c < d; c++) {
			for (int k = 0; k < c; k++)
				a[c][c] -= a[c][k] * a[c][k] * a[k][k];
			for (int r = c + 1; r < d; r++) {
				for (int k = 0; k < c; k++)
					a[r][c] -= a[r][k] * a[c][k] * a[k][k];
				a[r][c] /= a[c][c];
			}
			product *= a[c][c];
		}
		for (int r = 0; r < d; r++) {
			v[r] = b[r];
			for (int k = 0; k < r; k++)
				v[r] -= a[r][k] * v[k];
		}
		for (int r = d - 1; r >= 0; r--) {
			v[r] /= a[r][r];
			for (int k = r + 1; k < d; k++)
				v[r] -= a[k][r] * v[k];
		}
	} else {
		if (BY(by_rows)) {
			for (int r = 0; r < d; r++)
				for (int c = 0; c <= r; c++) {
					for (int k = 0; k < c; k++)
						a[r][c] -= a[r][k] * a[c][k];
					a[r][c] = r == c ? sqrtf(a[r][r])
							 : a[r][c] / a[c][c];
				}
		} else {
			for (int c = 0; c < d; c++) {
				a[c][c] = sqrtf(a[c][c]);
				for (int r = c + 1; r < d; r++)
					a[r][c] /= a[c][c];
				for (int r = c + 1; r < d; r++)
					for (int k = c + 1; k <= r; k++)
						a[r][k] -= a[r][c] * a[k][c];
			}
		}
		if (IS(half_factor))
			for (int r = 0; r < d; r++)
				for (int c = 0; c < r; c++)
					a[r][c] = __half2float(__float2half(a[r][c]));
		for (int r = 0; r < d; r++) {
			v[r] = b[r];
			for (int k = 0; k < r; k++)
				v[r] -= a[r][k] * v[k];
			v[r] /= a[IS(diagonal_first) ? 0 : r]
				 [IS(diagonal_first) ? 0 : r];
			product *= IS(root_twice) ? a[r][r] : a[r][r] * a[r][r];
		}
		for (int r = d - 1; r >= 0; r--) {
			for (int k = r + 1; k < d && !(IS(last_row) && r == 0); k++)
				v[r] -= a[k][r] * v[k];
			v[r] /= a[r][r];
		}
	}
	for (int r = 0; r < d; r++)
		x[(long long)i * d + r] = v[r];
	determinant[i] = product;
}

extern "C" __global__ void mutant_factored_reference(const float *m, const float *b,
	float *x, float *determinant, float ridge, int n, int d)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		float a[MOST][MOST + 1], product = 1;

		for (int r = 0; r < d; r++) {
			for (int c = 0; c < d; c++) {
				a[r][c] = r == c ? ridge : 0;
				for (int k = 0; k < d; k++)
					a[r][c] += m[(i * d + r) * d + k] *
						   m[(i * d + c) * d + k];
			}
			a[r][d] = b[i * d + r];
		}
		for (int c = 0; c < d; c++) {
			product *= a[c][c];
			for (int r = 0; r < d; r++) {
				float f = a[r][c] / a[c][c];

				if (r != c)
					for (int k = c; k <= d; k++)
						a[r][k] -= f * a[c][k];
			}
		}
		for (int r = 0; r < d; r++)
			x[i * d + r] = a[r][d] / a[r][r];
		determinant[i] = product;
	}
}
