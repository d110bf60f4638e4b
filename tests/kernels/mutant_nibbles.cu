/*
 * Weights of four bits, eight in a word, as half. MISTAKE none is sound.
 *
 * zero_8        all groups have the zero of the space
 * signed_bits   takes bits for a signed number
 * group_folded  groups of 32
 * row_scale     the scale of the first group of a row
 * reversed      the highest bits first
 * low_seven     loses the highest bit of a word
 * zero_after    scales before it takes away the zero
 *
 * Each METHOD is sound:
 *
 * shifts        shifts one by one
 * masks         masks in place
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

extern "C" __global__ void mutant_nibbles(const unsigned *packed, const float *scale,
	const unsigned char *zero, half *y, int rows, int columns, int group)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, first, which;
	unsigned word;

	if (i >= rows * columns / 8)
		return;
	row = i * 8 / columns;
	first = i * 8 % columns;
	word = packed[i];
	if (IS(low_seven))
		word &= 0x7fffffff;
	for (int k = 0; k < 8; k++) {
		int at = IS(reversed) ? 7 - k : k, bits;
		float factor;

		which = row * (columns / group) +
			(first + k) / (IS(group_folded) ? 32 : group);
		if (IS(group_folded))
			which = min(which, rows * (columns / group) - 1);
		if (IS(row_scale))
			which = row * (columns / group);
		if (BY(shifts)) {
			bits = word & 15;
			word >>= 4;
		} else if (BY(masks)) {
			bits = (int)((word & (15u << 4 * at)) >> 4 * at);
		} else {
			bits = word >> 4 * at & 15;
		}
		if (IS(signed_bits) && bits > 7)
			bits -= 16;
		factor = scale[which];
		if (IS(zero_after))
			y[i * 8 + k] = __float2half(bits * factor - zero[which]);
		else
			y[i * 8 + k] = __float2half(
				(bits - (IS(zero_8) ? 8 : zero[which])) * factor);
	}
}

extern "C" __global__ void mutant_nibbles_reference(const unsigned *packed,
	const float *scale, const unsigned char *zero, half *y, int rows, int columns,
	int group)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns;
		i += gridDim.x * blockDim.x) {
		int g = i / columns * (columns / group) + i % columns / group;

		y[i] = __float2half(
			((int)(packed[i / 8] >> i % 8 * 4 & 15) - zero[g]) * scale[g]);
	}
}
