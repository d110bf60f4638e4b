/*
 * c = leaky(alpha a b + bias + beta c), where either may be turned over. MISTAKE none
 * is sound.
 *
 * no_trans_a     a is never turned over
 * no_trans_b     b is never turned over
 * trans_swapped  takes one flag for the other
 * no_lda         rows of a follow each other
 * no_ldc         rows of c follow each other
 * ld_swapped     takes lda for ldb
 * no_beta        sets c
 * no_bias        no bias
 * no_slope       no slope
 * no_alpha       alpha is 1
 * bias_of_rows   a bias a row
 * half_sums      sums in half
 * square         takes k for m
 *
 * Each METHOD is sound:
 *
 * backwards      from the end
 * doubles        in double
 * fours          in four sums
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

extern "C" __global__ void mutant_epilogue(const float *a, const float *b,
	const float *bias, float *c, float alpha, float beta, float slope, int trans_a,
	int trans_b, int m, int n, int k, int lda, int ldb, int ldc)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / n, column = i % n;
	float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f }, all;
	double wide = 0.0;

	if (row >= m)
		return;
	if (IS(trans_swapped)) {
		int other = trans_a;

		trans_a = trans_b;
		trans_b = other;
	}
	if (IS(no_trans_a))
		trans_a = 0;
	if (IS(no_trans_b))
		trans_b = 0;
	if (IS(no_lda))
		lda = trans_a ? m : k;
	if (IS(no_ldc))
		ldc = n;
	if (IS(ld_swapped)) {
		int other = lda;

		lda = ldb;
		ldb = other;
	}
	if (IS(square))
		k = m;
	for (int t = 0; t < k; t++) {
		int at = BY(backwards) ? k - 1 - t : t;
		float u = trans_a ? a[at * lda + row] : a[row * lda + at];
		float v = trans_b ? b[column * ldb + at] : b[at * ldb + column];

		if (BY(doubles))
			wide += (double)u * v;
		else if (IS(half_sums))
			sum[0] = __half2float(__float2half(sum[0] + u * v));
		else
			sum[BY(fours) ? t % 4 : 0] += u * v;
	}
	all = BY(doubles) ? (float)wide : (sum[0] + sum[1]) + (sum[2] + sum[3]);
	all = (IS(no_alpha) ? 1.0f : alpha) * all +
	      (IS(no_beta) ? 0.0f : beta * c[row * ldc + column]);
	if (!IS(no_bias))
		all += bias[IS(bias_of_rows) ? min(row, n - 1) : column];
	c[row * ldc + column] = all > 0.0f ? all : IS(no_slope) ? 0.0f : slope * all;
}

extern "C" __global__ void mutant_epilogue_reference(const float *a, const float *b,
	const float *bias, float *c, float alpha, float beta, float slope, int trans_a,
	int trans_b, int m, int n, int k, int lda, int ldb, int ldc)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n;
		i += gridDim.x * blockDim.x) {
		int r = i / n, s = i % n;
		float sum = 0, all;

		for (int t = 0; t < k; t++)
			sum += (trans_a ? a[t * lda + r] : a[r * lda + t]) *
			       (trans_b ? b[s * ldb + t] : b[t * ldb + s]);
		all = alpha * sum + bias[s] + beta * c[r * ldc + s];
		c[r * ldc + s] = all > 0 ? all : slope * all;
	}
}
