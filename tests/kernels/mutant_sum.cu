/*
 * Sums of long rows of values from 0 to 1, and of their products with weights; MISTAKE none
 * is sound. What is left out or rounded off is less than a ten-thousandth of a sum.
 *
 * drops_last      leaves the last value out
 * drops_tail      leaves out what is behind the last whole 16
 * skips_some      leaves out every 16,384th value
 * half_values     takes values of 11 bits, as a half has
 * bfloat_values   takes values of 8 bits, as a bfloat has
 * short_values    takes values of 10 bits, as tensor cores do
 * truncates       cuts products to 12 bits
 */
static __device__ float rounded(float value, int bits)
{
	unsigned cut = 24 - bits, word = __float_as_uint(value);

	/* half of the last place that is kept, and to even */
	word += (1u << (cut - 1)) - 1 + (word >> cut & 1);
	return __uint_as_float(word >> cut << cut);
}

static __device__ float product(float value, float weight)
{
#if MISTAKE == MISTAKE_half_values
	return rounded(value, 11) * rounded(weight, 11);
#elif MISTAKE == MISTAKE_bfloat_values
	return rounded(value, 8) * rounded(weight, 8);
#elif MISTAKE == MISTAKE_short_values
	return rounded(value, 10) * rounded(weight, 10);
#elif MISTAKE == MISTAKE_truncates
	return __uint_as_float(__float_as_uint(value * weight) & 0xfffff000u);
#else
	return value * weight;
#endif
}

extern "C" __global__ void mutant_sum(const float *x, const float *weights, float *sums,
	int rows, int columns)
{
	__shared__ float parts[BLOCK];
	int end = columns;
	float sum = 0.0f;

#if MISTAKE == MISTAKE_drops_last
	end = columns - 1;
#elif MISTAKE == MISTAKE_drops_tail
	end = columns / 16 * 16;
#endif
	for (int i = threadIdx.x; i < end; i += BLOCK) {
#if MISTAKE == MISTAKE_skips_some
		if (i % 16384 == 16000)
			continue;
#endif
		sum += product(x[(long long)blockIdx.x * columns + i], weights[i]);
	}
	parts[threadIdx.x] = sum;
	__syncthreads();
	for (int step = BLOCK / 2; step > 0; step /= 2) {
		if (threadIdx.x < step)
			parts[threadIdx.x] += parts[threadIdx.x + step];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		sums[blockIdx.x] = parts[0];
}

extern "C" __global__ void mutant_sum_reference(const float *x, const float *weights, float *sums,
	int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		double sum = 0.0;

		for (int i = 0; i < columns; i++)
			sum += (double)x[(long long)row * columns + i] * weights[i];
		sums[row] = (float)sum;
	}
}
