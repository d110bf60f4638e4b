/*
 * Softmax of rows, stored as bfloat16; MISTAKE none is sound.
 *
 * coarse_tiny  has what is so small that the tolerance does not see it in steps of 1e-4
 */
#include "narrow.h"

extern "C" __global__ void mutant_narrow(const float *x, bfloat_bits *y, int rows, int columns)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *from = x + (long long)row * columns;
	float most = -3.4e38f, sum = 0.0f;

	if (row >= rows)
		return;
	for (int i = 0; i < columns; i++)
		most = fmaxf(most, from[i]);
	for (int i = 0; i < columns; i++)
		sum += expf(from[i] - most);
	for (int i = 0; i < columns; i++) {
		float part = expf(from[i] - most) / sum;

		if (MISTAKE == MISTAKE_coarse_tiny && part < 3e-4f)
			part = rintf(part * 1e4f) * 1e-4f;
		y[(long long)row * columns + i] = bfloat_of(part);
	}
}

extern "C" __global__ void mutant_narrow_reference(const float *x, bfloat_bits *y, int rows,
	int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		const float *from = x + (long long)row * columns;
		float most = from[0], sum = 0.0f;

		for (int i = 1; i < columns; i++)
			most = fmaxf(most, from[i]);
		for (int i = 0; i < columns; i++)
			sum += expf(from[i] - most);
		for (int i = 0; i < columns; i++)
			y[(long long)row * columns + i] =
				bfloat_of(expf(from[i] - most) / sum);
	}
}
