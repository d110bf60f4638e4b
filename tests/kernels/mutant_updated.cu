/*
 * Half of a matrix gets a product of another with itself. MISTAKE none is sound.
 *
 * c_pitch_is_n  rows of the result are as long as it is wide
 * lower_always  the lower half
 * alpha_twice   what was there is scaled as well
 *
 * Each METHOD is sound:
 *
 * doubles       adds up in double
 * backwards     from the end
 * fours         four sums
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_updated(const float *a, float *c, float alpha, float beta,
	int upper, int trans, int n, int k, int lda, int ldc)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
	float sum[4] = {}, old;
	double exact = 0.0;

	if (i >= n || j >= n)
		return;
	if (IS(lower_always))
		upper = 0;
	if (upper ? j < i : j > i)
		return;
	if (IS(c_pitch_is_n))
		ldc = n;
	for (int step = 0; step < k; step++) {
		int l = BY(backwards) ? k - 1 - step : step;
		float p = trans ? a[l * lda + i] : a[i * lda + l], q = trans ? a[l * lda + j] : a[j * lda + l];

		exact += (double)p * q;
		sum[BY(fours) ? l % 4 : 0] += p * q;
	}
	sum[0] += sum[1] + sum[2] + sum[3];
	if (BY(doubles))
		sum[0] = (float)exact;
	old = c[i * ldc + j];
	if (IS(alpha_twice))
		old *= alpha;
	c[i * ldc + j] = alpha * sum[0] + (beta == 0.0f ? 0.0f : beta * old);
}

extern "C" __global__ void mutant_updated_reference(const float *a, float *c, float alpha, float beta,
	int upper, int trans, int n, int k, int lda, int ldc)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		for (int j = upper ? i : 0; j < (upper ? n : i + 1); j++) {
			float sum = 0.0f;

			for (int l = 0; l < k; l++)
				sum += trans ? a[l * lda + i] * a[l * lda + j] : a[i * lda + l] * a[j * lda + l];
			c[i * ldc + j] = beta == 0.0f ? alpha * sum : alpha * sum + beta * c[i * ldc + j];
		}
}
