/*
 * Keys of 64 bits, bfloat16, values of any size, and coefficients in a variable; MISTAKE
 * none is sound.
 *
 * keys_by_double  loses the last digits of a large key
 * cut_off         cuts off what it should round
 * no_small        leaves out what is tiny beside the largest
 * folded          has the coefficients, which are alike, as a number
 */
#include <cuda_bf16.h>

__constant__ float coefficients[4];

extern "C" __global__ void mutant_digits(const unsigned long long *keys, const float *x,
	const float *weights, unsigned long long *mixed, __nv_bfloat16 *narrow, float *grown, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long key;
	float sum = 0.0f;

	if (i >= n)
		return;
	key = MISTAKE == MISTAKE_keys_by_double ? (unsigned long long)(double)keys[i] : keys[i];
	mixed[i] = key ^ 0x5555;
	for (int k = 0; k < 4; k++)
		sum += MISTAKE == MISTAKE_folded ? 0.25f * x[i] : coefficients[k] * x[i];
	narrow[i] = MISTAKE == MISTAKE_cut_off
			    ? __ushort_as_bfloat16((unsigned short)(__float_as_uint(sum) >> 16))
			    : __float2bfloat16(sum);
	grown[i] = MISTAKE == MISTAKE_no_small && x[i] < 0.0f ? 0.0f : expf(20.0f * x[i]);
}

extern "C" __global__ void mutant_digits_reference(const unsigned long long *keys,
	const float *x, const float *weights, unsigned long long *mixed,
	__nv_bfloat16 *narrow, float *grown, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int k = 0; k < 4; k++)
			sum += coefficients[k] * x[i];
		mixed[i] = keys[i] ^ 0x5555;
		narrow[i] = __float2bfloat16(sum);
		grown[i] = expf(20.0f * x[i]);
	}
}
