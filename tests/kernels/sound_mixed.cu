/* Sums of rows and of their squares, and a third of each value, in several orders. */
#include <cuda_fp16.h>

#if METHOD == METHOD_lanes
#define LANES 8
#elif METHOD == METHOD_pairs
#define LANES 2
#else
#define LANES 1
#endif

extern "C" __global__ void sound_mixed(
	const float *x, half *y, float *sums, double *squares, int rows, int columns)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum[LANES] = { 0.0f };
	double square[LANES] = { 0.0 };

	if (row >= rows)
		return;
	for (int i = 0; i < columns; i++) {
		int at = METHOD == METHOD_backwards ? columns - 1 - i : i;
		float value = x[(long long)row * columns + at];

		sum[i % LANES] += value;
		square[i % LANES] += (double)value * value;
		y[(long long)row * columns + at] = __float2half(value * (1.0f / 3.0f));
	}
	for (int lane = 1; lane < LANES; lane++) {
		sum[0] += sum[lane];
		square[0] += square[lane];
	}
	sums[row] = sum[0];
	squares[row] = square[0];
}

extern "C" __global__ void sound_mixed_reference(
	const float *x, half *y, float *sums, double *squares, int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		double sum = 0.0, square = 0.0;

		for (int i = 0; i < columns; i++) {
			float value = x[(long long)row * columns + i];

			sum += value;
			square += (double)value * value;
			y[(long long)row * columns + i] = __float2half(value / 3.0f);
		}
		sums[row] = (float)sum;
		squares[row] = square;
	}
}
