/*
 * What whole numbers of each type are used for; MISTAKE none is sound.
 *
 * low_word        counts the bits of 32 of 64
 * signed_shift    shifts the sign in
 * bytes_unsigned  takes a byte with a sign for one without
 * wraps           adds in a byte, and does not stop at 255
 * high_unsigned   does not extend the sign of the upper half of a byte
 * narrow_sum      adds up squares in 32 bits
 * one_digit       sorts by the lowest byte of a key
 * signed_keys     sorts as if keys had a sign
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

static __device__ int rank_of(const unsigned *keys, int i, int n)
{
	unsigned digits = IS(one_digit) ? 0xff : 0xffffffffu, own = keys[i] & digits;
	int rank = 0;

	for (int j = 0; j < n; j++) {
		unsigned other = keys[j] & digits;
		bool less = IS(signed_keys) ? (int)other < (int)own : other < own;

		rank += less || (other == own && j < i);
	}
	return rank;
}

extern "C" __global__ void mutant_unsaid(const unsigned long long *words, const unsigned *keys,
	const short *samples, const signed char *weights, const unsigned char *packed,
	int *bits, unsigned long long *shifted, int *product, unsigned char *brighter,
	int *nibbles, long long *energy, int *rank, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, high, sum, narrow = 0;
	long long wide = 0;

	if (i >= n)
		return;
	bits[i] = IS(low_word) ? __popc((unsigned)words[i]) : __popcll(words[i]);
	shifted[i] = IS(signed_shift) ? (unsigned long long)((long long)words[i] >> 5)
				      : words[i] >> 5;
	product[i] = (IS(bytes_unsigned) ? (int)(unsigned char)weights[i] : (int)weights[i]) *
		samples[i];
	sum = packed[i] + packed[n - 1 - i];
	brighter[i] = sum > 255 && !IS(wraps) ? 255 : sum;
	high = packed[i] >> 4;
	nibbles[i] = high > 7 && !IS(high_unsigned) ? high - 16 : high;
	for (int j = 0; j <= i; j++) {
		wide += (long long)samples[j] * samples[j];
		narrow = (int)((unsigned)narrow + (unsigned)(samples[j] * samples[j]));
	}
	energy[i] = IS(narrow_sum) ? narrow : wide;
	rank[i] = rank_of(keys, i, n);
}

extern "C" __global__ void mutant_unsaid_reference(const unsigned long long *words,
	const unsigned *keys, const short *samples, const signed char *weights,
	const unsigned char *packed, int *bits, unsigned long long *shifted, int *product,
	unsigned char *brighter, int *nibbles, long long *energy, int *rank, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int sum = packed[i] + packed[n - 1 - i], high = packed[i] >> 4;
		long long squares = 0;

		bits[i] = __popcll(words[i]);
		shifted[i] = words[i] >> 5;
		product[i] = weights[i] * samples[i];
		brighter[i] = sum > 255 ? 255 : sum;
		nibbles[i] = high > 7 ? high - 16 : high;
		for (int j = 0; j <= i; j++)
			squares += (long long)samples[j] * samples[j];
		energy[i] = squares;
		rank[i] = rank_of(keys, i, n);
	}
}
