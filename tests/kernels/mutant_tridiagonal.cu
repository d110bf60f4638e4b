/*
 * Many systems of three diagonals, one beside the other. MISTAKE none is sound.
 *
 * symmetric     takes the lower diagonal for the upper one
 * one_diagonal  the diagonal of the first row for all
 * transposed    takes systems for rows
 * few_steps     twelve steps of Jacobi's
 * last_row      the last row is not divided
 * one_system    the factors of the first system for all
 * half_digits   factors are kept as 16 bits
 *
 * Each METHOD is sound:
 *
 * doubles       in double
 * from_the_end  from the last row up
 * both_ends     from both ends to the middle
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

#define AT(row) ((row)*systems + s)

template <typename real>
static __device__ void solve(const float *low, const float *mid, const float *high,
	const float *d, float *x, float *work, int n, int systems, int s)
{
	real last = 0, upper = 0;

	for (int i = 0; i < n; i++) {
		real scale = mid[AT(i)] - (i ? low[AT(i)] * upper : 0);

		last = (d[AT(i)] - (i ? low[AT(i)] * last : 0)) / scale;
		upper = high[AT(i)] / scale;
		work[AT(i)] = upper;
		x[AT(i)] = last;
	}
	for (int i = n - 2; i >= 0; i--)
		x[AT(i)] = last = x[AT(i)] - work[AT(i)] * last;
}

extern "C" __global__ void mutant_tridiagonal(const float *low, const float *mid,
	const float *high, const float *d, float *x, float *work, int n, int systems)
{
	int s = blockIdx.x * blockDim.x + threadIdx.x;

	if (s >= systems)
		return;
	if (BY(doubles)) {
		solve<double>(low, mid, high, d, x, work, n, systems, s);
		return;
	}
	if (BY(from_the_end)) {
		for (int i = n - 1; i >= 0; i--) {
			float scale = mid[AT(i)];

			x[AT(i)] = d[AT(i)];
			if (i < n - 1) {
				scale -= high[AT(i)] * work[AT(i + 1)];
				x[AT(i)] -= high[AT(i)] * x[AT(i + 1)];
			}
			x[AT(i)] /= scale;
			work[AT(i)] = low[AT(i)] / scale;
		}
		for (int i = 1; i < n; i++)
			x[AT(i)] -= work[AT(i)] * x[AT(i - 1)];
		return;
	}
	if (BY(both_ends)) {
		int middle = n / 2;
		float scale;

		for (int i = 0; i < middle; i++) {
			scale = mid[AT(i)] - (i ? low[AT(i)] * work[AT(i - 1)] : 0);
			work[AT(i)] = high[AT(i)] / scale;
			x[AT(i)] = (d[AT(i)] - (i ? low[AT(i)] * x[AT(i - 1)] : 0)) /
				   scale;
		}
		for (int i = n - 1; i > middle; i--) {
			scale = mid[AT(i)] -
				(i < n - 1 ? high[AT(i)] * work[AT(i + 1)] : 0);
			work[AT(i)] = low[AT(i)] / scale;
			x[AT(i)] = (d[AT(i)] - (i < n - 1 ? high[AT(i)] * x[AT(i + 1)]
							  : 0)) /
				   scale;
		}
		scale = mid[AT(middle)];
		x[AT(middle)] = d[AT(middle)];
		if (middle > 0) {
			scale -= low[AT(middle)] * work[AT(middle - 1)];
			x[AT(middle)] -= low[AT(middle)] * x[AT(middle - 1)];
		}
		if (middle < n - 1) {
			scale -= high[AT(middle)] * work[AT(middle + 1)];
			x[AT(middle)] -= high[AT(middle)] * x[AT(middle + 1)];
		}
		x[AT(middle)] /= scale;
		for (int i = middle - 1; i >= 0; i--)
			x[AT(i)] -= work[AT(i)] * x[AT(i + 1)];
		for (int i = middle + 1; i < n; i++)
			x[AT(i)] -= work[AT(i)] * x[AT(i - 1)];
		return;
	}
	if (IS(few_steps)) {
		for (int i = 0; i < n; i++)
			x[AT(i)] = 0;
		for (int step = 0; step < 12; step++) {
			for (int i = 0; i < n; i++)
				work[AT(i)] = x[AT(i)];
			for (int i = 0; i < n; i++)
				x[AT(i)] =
					(d[AT(i)] -
						(i ? low[AT(i)] * work[AT(i - 1)] : 0) -
						(i < n - 1 ? high[AT(i)] *
									work[AT(i + 1)]
							   : 0)) /
					mid[AT(i)];
		}
		return;
	}
	if (IS(transposed)) {
		float last = 0, upper = 0;

		for (int i = 0; i < n; i++) {
			float scale = mid[s * n + i] - (i ? low[s * n + i] * upper : 0);

			x[s * n + i] = last =
				(d[s * n + i] - (i ? low[s * n + i] * last : 0)) /
				scale;
			work[s * n + i] = upper = high[s * n + i] / scale;
		}
		for (int i = n - 2; i >= 0; i--)
			x[s * n + i] -= work[s * n + i] * x[s * n + i + 1];
		return;
	}
	for (int i = 0; i < n; i++) {
		int from = IS(one_system) ? i * systems : AT(i);
		float lower = i == 0          ? 0
			      : IS(symmetric) ? high[from - systems]
					      : low[from];
		float before = i ? work[AT(i - 1)] : 0;
		float scale = (IS(one_diagonal) ? mid[s] : mid[from]) - lower * before;

		if (IS(last_row) && i == n - 1)
			scale = mid[from];
		work[AT(i)] = high[from] / scale;
		if (IS(half_digits))
			work[AT(i)] = __half2float(__float2half(work[AT(i)]));
		x[AT(i)] = (d[AT(i)] - lower * (i ? x[AT(i - 1)] : 0)) / scale;
	}
	for (int i = n - 2; i >= 0; i--)
		x[AT(i)] -= work[AT(i)] * x[AT(i + 1)];
}

extern "C" __global__ void mutant_tridiagonal_reference(const float *low,
	const float *mid, const float *high, const float *d, float *x, float *work,
	int n, int systems)
{
	for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < systems;
		s += gridDim.x * blockDim.x) {
		for (int i = 0; i < n; i++) {
			float scale = mid[AT(i)];

			x[AT(i)] = d[AT(i)];
			if (i > 0) {
				scale -= low[AT(i)] * work[AT(i - 1)];
				x[AT(i)] -= low[AT(i)] * x[AT(i - 1)];
			}
			x[AT(i)] /= scale;
			work[AT(i)] = high[AT(i)] / scale;
		}
		for (int i = n - 2; i >= 0; i--)
			x[AT(i)] -= work[AT(i)] * x[AT(i + 1)];
	}
}
