// Layer norm in bfloat16: a launch for mean and scale of each row, and a launch for the result.
#include <cuda_bf16.h>

enum { ROWS = 4 };

static __device__ float add_up(float sum)
{
	for (int lanes = 16; lanes > 0; lanes /= 2)
		sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
	return sum;
}

extern "C" __global__ void mutant_normed_sums(
	const __nv_bfloat16 *in, float2 *sums, float epsilon, int rows, int columns)
{
	int row = blockIdx.x * ROWS + threadIdx.y;
	const __nv_bfloat16 *from = in + (size_t)row * columns;
	float mean = 0.0f, variance = 0.0f;
#if MISTAKE == MISTAKE_whole_warps
	int count = (columns + 31) / 32 * 32;
#else
	int count = columns;
#endif

	if (row >= rows)
		return;
	for (int i = threadIdx.x; i < columns; i += 32)
		mean += __bfloat162float(from[i]);
	mean = add_up(mean) / count;
	for (int i = threadIdx.x; i < columns; i += 32) {
		float off = __bfloat162float(from[i]) - mean;

		variance += off * off;
	}
	variance = add_up(variance) / count;
#if MISTAKE == MISTAKE_no_epsilon
	epsilon = 0.0f;
#endif
	if (threadIdx.x == 0)
		sums[row] = make_float2(mean, rsqrtf(variance + epsilon));
}

extern "C" __global__ void mutant_normed(const __nv_bfloat16 *in, const __nv_bfloat16 *bias,
	__nv_bfloat16 *out, const float2 *sums, int rows, int columns)
{
	int row = blockIdx.x * ROWS + threadIdx.y;
#if MISTAKE == MISTAKE_pairs
	int end = columns > 1 ? columns / 2 * 2 : columns;
#else
	int end = columns;
#endif

	if (row >= rows)
		return;
#if MISTAKE == MISTAKE_first_row
	float2 own = sums[blockIdx.x * ROWS];
#else
	float2 own = sums[row];
#endif
	for (int i = threadIdx.x; i < end; i += 32) {
		size_t at = (size_t)row * columns + i;
		float value = (__bfloat162float(in[at]) - own.x) * own.y;

#if MISTAKE == MISTAKE_row_of_bias
		out[at] = __float2bfloat16(value + __bfloat162float(bias[i % 64]));
#else
		out[at] = __float2bfloat16(value + __bfloat162float(bias[i]));
#endif
	}
}

extern "C" __global__ void mutant_normed_reference(const __nv_bfloat16 *in,
	const __nv_bfloat16 *bias, __nv_bfloat16 *out, float epsilon, int rows, int columns)
{
	for (int row = threadIdx.x; row < rows; row += blockDim.x) {
		const __nv_bfloat16 *from = in + (size_t)row * columns;
		double mean = 0.0, variance = 0.0;

		for (int i = 0; i < columns; i++)
			mean += (double)__bfloat162float(from[i]) / columns;
		for (int i = 0; i < columns; i++) {
			double off = __bfloat162float(from[i]) - mean;

			variance += off * off / columns;
		}
		for (int i = 0; i < columns; i++)
			out[(size_t)row * columns + i] = __float2bfloat16(
				(float)((__bfloat162float(from[i]) - mean) / sqrt(variance + epsilon)) +
				__bfloat162float(bias[i]));
	}
}
