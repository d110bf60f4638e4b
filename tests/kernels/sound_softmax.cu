/*
 * Softmax of rows, and the logarithm of each row's sum of exponentials, of values so large
 * that the exponentials themselves have no room. Each METHOD is sound.
 *
 * three_pass  the largest, the sum, the results
 * online      largest and sum in one pass, which scales the sum when the largest changes
 * logarithm   exp(x - log of the sum), with no division
 * fast        as three_pass, with the device's fast exp()
 */
#define FULL 0xffffffffu

extern "C" __global__ void sound_softmax(const float *x, float *y, float *logarithms, int rows,
	int columns)
{
	int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	const float *values = x + (long long)row * columns;
	float *results = y + (long long)row * columns;
	float most = -3.0e38f, sum = 0.0f;

	if (row >= rows)
		return;
#if METHOD == METHOD_online
	for (int i = lane; i < columns; i += 32) {
		float larger = fmaxf(most, values[i]);

		sum = sum * expf(most - larger) + expf(values[i] - larger);
		most = larger;
	}
	for (int step = 16; step > 0; step /= 2) {
		float other = __shfl_xor_sync(FULL, most, step);
		float other_sum = __shfl_xor_sync(FULL, sum, step);
		float larger = fmaxf(most, other);

		sum = sum * expf(most - larger) + other_sum * expf(other - larger);
		most = larger;
	}
#else
	for (int i = lane; i < columns; i += 32)
		most = fmaxf(most, values[i]);
	for (int step = 16; step > 0; step /= 2)
		most = fmaxf(most, __shfl_xor_sync(FULL, most, step));
	for (int i = lane; i < columns; i += 32)
#if METHOD == METHOD_fast
		sum += __expf(values[i] - most);
#else
		sum += expf(values[i] - most);
#endif
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_xor_sync(FULL, sum, step);
#endif
	for (int i = lane; i < columns; i += 32)
#if METHOD == METHOD_logarithm
		results[i] = expf(values[i] - most - logf(sum));
#elif METHOD == METHOD_fast
		results[i] = __fdividef(__expf(values[i] - most), sum);
#else
		results[i] = expf(values[i] - most) / sum;
#endif
	if (lane == 0)
		logarithms[row] = most + logf(sum);
}

extern "C" __global__ void sound_softmax_reference(const float *x, float *y, float *logarithms,
	int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		const float *values = x + (long long)row * columns;
		float most = values[0], sum = 0.0f;

		for (int i = 1; i < columns; i++)
			most = fmaxf(most, values[i]);
		for (int i = 0; i < columns; i++)
			sum += expf(values[i] - most);
		for (int i = 0; i < columns; i++)
			y[(long long)row * columns + i] = expf(values[i] - most) / sum;
		logarithms[row] = most + logf(sum);
	}
}
