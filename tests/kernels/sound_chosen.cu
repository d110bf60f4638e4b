// Sums of rows, which a buffer keeps, in the type that a parameter chooses.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__global__ void sound_chosen(const T *x, T *y, T *kept, int rows, int columns)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (row >= rows)
		return;
#if defined MISTAKE && MISTAKE == MISTAKE_last_left_out
	columns--;
	for (int i = 0; i < columns; i++)
		sum += static_cast<float>(x[row * (columns + 1) + i]);
#else
	for (int i = 0; i < columns; i++)
		sum += static_cast<float>(x[row * columns + i]);
#endif
#if defined MISTAKE && MISTAKE == MISTAKE_writes_beyond
	if (row == rows - 1)
		y[rows] = static_cast<T>(sum);
#endif
	y[row] = static_cast<T>(sum);
	kept[row] = static_cast<T>(static_cast<float>(kept[row]) + sum);
}

extern "C" __global__ void sound_chosen_reference(
	const float *x, float *y, float *kept, int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float sum = 0;

		for (int i = 0; i < columns; i++)
			sum += x[row * columns + i];
		y[row] = sum;
		kept[row] += sum;
	}
}
