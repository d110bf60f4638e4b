/*
 * A sparse matrix times a vector, for rows of any length, none included. Each METHOD is
 * sound.
 *
 * row_a_thread  one thread a row
 * row_a_warp    32 threads a row
 * entry_a_thread  one thread an entry, which finds its row by halving, and adds to it
 */
#define FULL 0xffffffffu

extern "C" __global__ void sound_spmv_begin(float *y, int rows)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x)
		y[row] = 0.0f;
}

extern "C" __global__ void sound_spmv(const int *begins, const int *columns,
	const float *values, const float *x, float *y, int rows)
{
#if METHOD == METHOD_row_a_thread
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;

	if (row >= rows)
		return;
	for (int k = begins[row]; k < begins[row + 1]; k++)
		sum += values[k] * x[columns[k]];
	y[row] = sum;
#elif METHOD == METHOD_row_a_warp
	int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	float sum = 0.0f;

	if (row >= rows)
		return;
	for (int k = begins[row] + lane; k < begins[row + 1]; k += 32)
		sum += values[k] * x[columns[k]];
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(FULL, sum, step);
	if (lane == 0)
		y[row] = sum;
#else
	int k = begins[0] + blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = rows;

	if (k >= begins[rows])
		return;
	/* begins[low] <= k < begins[high] */
	while (high - low > 1) {
		int middle = (low + high) / 2;

		if (begins[middle] <= k)
			low = middle;
		else
			high = middle;
	}
	atomicAdd(&y[low], values[k] * x[columns[k]]);
#endif
}

extern "C" __global__ void sound_spmv_reference(const int *begins, const int *columns,
	const float *values, const float *x, float *y, int rows)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int k = begins[row]; k < begins[row + 1]; k++)
			sum += values[k] * x[columns[k]];
		y[row] = sum;
	}
}
