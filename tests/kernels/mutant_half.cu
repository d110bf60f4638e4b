/* Rows times a vector in half, added up in float; a bfloat16 of each sum beside it. */
#include "narrow.h"

extern "C" __global__ void mutant_half(const half_pair *x, const half_bits *w, half_bits *y,
	bfloat_bits *z, bfloat_bits bias, int rows, int columns)
{
	int row = blockIdx.x * 128 + threadIdx.x;
	int last = MISTAKE == MISTAKE_last_term ? columns - 2 : columns;
	float sum = 0.0f;

	if (row >= rows || (MISTAKE == MISTAKE_unwritten && row == rows - 1))
		return;
	for (int k = 0; k < last; k += 2) {
		half_pair pair = x[(row * columns + k) / 2];
		float first = real(MISTAKE == MISTAKE_swapped ? pair.y : pair.x);
		float second = real(MISTAKE == MISTAKE_swapped ? pair.x : pair.y);

		if (METHOD == METHOD_ahead)
			sum += first * real(w[k]) + second * real(w[k + 1]);
		else if (METHOD == METHOD_backwards)
			sum = second * real(w[k + 1]) + (first * real(w[k]) + sum);
		else
			sum = (sum + first * real(w[k])) + second * real(w[k + 1]);
	}
	sum += MISTAKE == MISTAKE_bias_as_half ? to_float(bias.code, 10, 15, 0x8000) : real(bias);
	y[row] = half_of(sum);
	if (MISTAKE == MISTAKE_half_as_bfloat)
		z[row].code = y[row].code;
	else
		z[row] = bfloat_of(sum);
}

extern "C" __global__ void mutant_half_reference(const half_bits *x, const half_bits *w,
	half_bits *y, bfloat_bits *z, bfloat_bits bias, int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int k = 0; k < columns; k++)
			sum += real(x[row * columns + k]) * real(w[k]);
		sum += real(bias);
		y[row] = half_of(sum);
		z[row] = bfloat_of(sum);
	}
}
