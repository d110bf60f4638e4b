/* Losses of rows in double, of terms in float, and what they are by each value, in half. */
#include <cuda_fp16.h>

extern "C" __global__ void sound_losses(
	const float *x, const half *wanted, double *losses, half *slopes, int rows, int columns)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	double loss = 0.0, other = 0.0;

	if (row >= rows)
		return;
	for (int i = 0; i < columns; i++) {
		long long at = (long long)row * columns + i;
		float value = x[at], aim = __half2float(wanted[at]), term;

#if METHOD == METHOD_parts
		term = (value > 0.0f ? value + log1pf(expf(-value)) : log1pf(expf(value))) - value * aim;
#elif METHOD == METHOD_logarithm
		term = fmaxf(value, 0.0f) - value * aim + logf(1.0f + expf(-fabsf(value)));
#else
		term = fmaxf(value, 0.0f) - value * aim + log1pf(expf(-fabsf(value)));
#endif
		if (METHOD == METHOD_halves && i % 2)
			other += term;
		else
			loss += term;
		slopes[at] = __float2half((1.0f / (1.0f + expf(-value)) - aim) / columns);
	}
	losses[row] = (loss + other) / columns;
}

extern "C" __global__ void sound_losses_reference(
	const float *x, const half *wanted, double *losses, half *slopes, int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		double loss = 0.0;

		for (int i = 0; i < columns; i++) {
			long long at = (long long)row * columns + i;
			float value = x[at], aim = __half2float(wanted[at]);

			loss += fmaxf(value, 0.0f) - value * aim + log1pf(expf(-fabsf(value)));
			slopes[at] =
				__float2half((1.0f / (1.0f + expf(-value)) - aim) / columns);
		}
		losses[row] = loss / columns;
	}
}
