/*
 * Sums of rows and of their squares, and a third of each value; MISTAKE none is sound.
 *
 * half_sums      adds values that are rounded to half
 * float_squares  squares in float what is added up in double
 * half_squares   squares values that are rounded to half
 */
#include <cuda_fp16.h>

extern "C" __global__ void mutant_mixed(
	const float *x, half *y, float *sums, double *squares, int rows, int columns)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;
	double square = 0.0;

	if (row >= rows)
		return;
	for (int i = 0; i < columns; i++) {
		float value = x[(long long)row * columns + i];
		float rounded = __half2float(__float2half(value));

		sum += MISTAKE == MISTAKE_half_sums ? rounded : value;
		if (MISTAKE == MISTAKE_float_squares)
			square += value * value;
		else if (MISTAKE == MISTAKE_half_squares)
			square += (double)rounded * rounded;
		else
			square += (double)value * value;
		y[(long long)row * columns + i] = __float2half(value / 3.0f);
	}
	sums[row] = sum;
	squares[row] = square;
}

extern "C" __global__ void mutant_mixed_reference(
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
