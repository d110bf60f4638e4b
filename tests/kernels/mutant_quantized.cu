/*
 * Rows in steps of a 127th of the largest magnitude. The MISTAKE, or the METHOD:
 *
 * cut       towards 0
 * half_up   halves up, where the reference takes the even one
 * no_zero   a row of zeros divides by 0
 * divide    by the step
 * multiply  by the inverse of the step
 * largest   by 127, and divides by the largest
 */
extern "C" __global__ void mutant_quantized(const float *x, signed char *q, float *step, int n, int m)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float most = 0.0f, size, inverse;

	if (row >= n)
		return;
	x += (long long)row * m;
	q += (long long)row * m;
	for (int i = 0; i < m; i++)
		most = fmaxf(most, fabsf(x[i]));
#ifdef MISTAKE
#if MISTAKE == MISTAKE_no_zero
	size = most / 127.0f;
#else
	size = most > 0.0f ? most / 127.0f : 1.0f;
#endif
#else
	size = most > 0.0f ? most / 127.0f : 1.0f;
#endif
	inverse = 1.0f / size;
	for (int i = 0; i < m; i++) {
#ifdef METHOD
#if METHOD == METHOD_multiply
		q[i] = __float2int_rn(x[i] * inverse);
#elif METHOD == METHOD_largest
		q[i] = __float2int_rn(most > 0.0f ? x[i] * 127.0f / most : 0);
#else
		q[i] = __float2int_rn(x[i] / size);
#endif
#elif MISTAKE == MISTAKE_cut
		q[i] = (int)(x[i] * inverse);
#elif MISTAKE == MISTAKE_half_up
		q[i] = (int)floorf(x[i] * inverse + 0.5f);
#else
		q[i] = __float2int_rn(x[i] * inverse);
#endif
	}
	step[row] = size;
}

extern "C" __global__ void mutant_quantized_reference(
	const float *x, signed char *q, float *step, int n, int m)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < n; row += gridDim.x * blockDim.x) {
		float most = 0.0f;

		for (int i = 0; i < m; i++)
			most = fmaxf(most, fabsf(x[row * m + i]));
		step[row] = most == 0.0f ? 1 : most / 127;
		for (int i = 0; i < m; i++)
			q[row * m + i] = __float2int_rn(x[row * m + i] / step[row]);
	}
}
