/*
 * Softmax of rows, a block for each. The maximum and the sum go through the same shared
 * memory. MISTAKE none is sound.
 *
 * no_barrier  does not wait for the threads that still read the maximum
 */
extern "C" __global__ void mutant_reused(const float *x, float *y, int columns)
{
	__shared__ float parts[BLOCK / 32];
	const float *row = x + (size_t)blockIdx.x * columns;
	const int warp = threadIdx.x / 32;
	float most = -1e30f, sum = 0.0f;

	for (int i = threadIdx.x; i < columns; i += BLOCK)
		most = fmaxf(most, row[i]);
	for (int step = 16; step > 0; step /= 2)
		most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step));
	if (threadIdx.x % 32 == 0)
		parts[warp] = most;
	__syncthreads();
	most = parts[0];
	for (int i = 1; i < BLOCK / 32; i++)
		most = fmaxf(most, parts[i]);
#if MISTAKE != MISTAKE_no_barrier
	__syncthreads();
#endif
	for (int i = threadIdx.x; i < columns; i += BLOCK)
		sum += expf(row[i] - most);
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, step);
	if (threadIdx.x % 32 == 0)
		parts[warp] = sum;
	__syncthreads();
	sum = parts[0];
	for (int i = 1; i < BLOCK / 32; i++)
		sum += parts[i];
	for (int i = threadIdx.x; i < columns; i += BLOCK)
		y[(size_t)blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

extern "C" __global__ void mutant_reused_reference(const float *x, float *y, int rows, int columns)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
		const float *row = x + (size_t)r * columns;
		double most = -1e30, sum = 0.0;

		for (int i = 0; i < columns; i++)
			most = fmax(most, (double)row[i]);
		for (int i = 0; i < columns; i++)
			sum += exp(row[i] - most);
		for (int i = 0; i < columns; i++)
			y[(size_t)r * columns + i] = (float)(exp(row[i] - most) / sum);
	}
}
