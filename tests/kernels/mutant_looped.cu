/* A block gathers a row of a table: longer rows than the tuned one take several passes. */

extern "C" __global__ void mutant_looped(
	const float *table, const int *rows, float *y, int count, int width)
{
	const float *row = table + (size_t)rows[blockIdx.x] * width;

#if MISTAKE == MISTAKE_one_pass
	if (threadIdx.x < width)
		y[blockIdx.x * width + threadIdx.x] = row[threadIdx.x];
#else
	for (int i = threadIdx.x; i < width; i += BLOCK)
		y[blockIdx.x * width + i] = row[i];
#endif
}

extern "C" __global__ void mutant_looped_reference(
	const float *table, const int *rows, float *y, int count, int width)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count * width;
		i += gridDim.x * blockDim.x)
		y[i] = table[(size_t)rows[i / width] * width + i % width];
}
