/*
 * What has come so far in each row, with or without the value itself. MISTAKE none is
 * sound.
 *
 * always_with  always with the value itself
 * no_start     the product begins at 1
 * float_sum    sums in float
 * last_place   of equals the last place
 * from_logs    products by sums of logarithms in half
 * block_128    begins anew after 128
 * place_less   the place counts from 1
 *
 * Each METHOD is sound:
 *
 * blocks       by blocks of eight
 * doubles      products in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

extern "C" __global__ void mutant_cumulated(const float *x, float *product, double *sum,
	float *most, int *place, float start, int exclusive, int rows, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, best = -1;
	float p = IS(no_start) ? 1.0f : start, high = -__int_as_float(0x7f800000), logs = 0.0f;
	double s = 0.0, wide = p;

	if (row >= rows)
		return;
	if (IS(always_with))
		exclusive = 0;
	for (int i = 0; i < n; i++) {
		int at = row * n + i;

		if (IS(block_128) && i % 128 == 0)
			p = start;
		if (exclusive) {
			product[at] = BY(doubles) ? (float)wide : p;
			sum[at] = s;
			most[at] = high;
			place[at] = best;
		}
		if (BY(blocks)) {
			float own = 1.0f;

			for (int k = i / 8 * 8; k <= i; k++)
				own *= x[row * n + k];
			if (i % 8 == 7)
				wide = p * own;
			product[at] = exclusive ? product[at] : p * own;
			if (exclusive && i % 8 == 7 && i + 1 < n)
				product[at + 1] = p * own;
			if (exclusive) {
				float before = 1.0f;

				for (int k = i / 8 * 8; k < i; k++)
					before *= x[row * n + k];
				product[at] = p * before;
			}
			if (i % 8 == 7)
				p = p * own;
		} else if (IS(from_logs)) {
			logs = __half2float(__float2half(logs + logf(fabsf(x[at]))));
			p = start * expf(logs);
		} else {
			p *= x[at];
		}
		if (!BY(blocks))
			wide *= x[at];
		s += IS(float_sum) ? (float)(s + x[at]) - (float)s : x[at];
		if (x[at] > high || (IS(last_place) && x[at] == high)) {
			high = x[at];
			best = i + IS(place_less);
		}
		if (!exclusive) {
			if (!BY(blocks))
				product[at] = BY(doubles) ? (float)wide : p;
			sum[at] = s;
			most[at] = high;
			place[at] = best;
		}
	}
}

extern "C" __global__ void mutant_cumulated_reference(const float *x, float *product,
	double *sum, float *most, int *place, float start, int exclusive, int rows,
	int n)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x)
		for (int i = 0; i < n; i++) {
			int at = row * n + i, end = exclusive ? i : i + 1;

			product[at] = start;
			sum[at] = 0;
			most[at] = -__int_as_float(0x7f800000);
			place[at] = -1;
			for (int k = 0; k < end; k++) {
				product[at] *= x[row * n + k];
				sum[at] += x[row * n + k];
				if (x[row * n + k] > most[at]) {
					most[at] = x[row * n + k];
					place[at] = k;
				}
			}
		}
}
