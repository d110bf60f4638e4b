/*
 * A pass of a stable sort by one digit of some bits; the highest digit has a sign. MISTAKE
 * none is sound.
 *
 * unstable      equal digits in any order
 * shift_folded  the digit of the space
 * digits_16     four bits
 * not_flipped   the highest digit has no sign
 * count_byte    counts of a thread have eight bits
 * by_halves     each half by itself, the second one behind the first
 * logical       keys without a sign in any digit
 * keeps_sign    every digit has a sign
 * last_digit    the highest digit comes first
 *
 * Each METHOD is sound:
 *
 * chunks     each thread counts a piece, then moves it
 * one_digit  each thread moves what has its digit
 * ranks      each element counts who goes ahead of it
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int digit_of(int key, int shift, int bits, int top)
{
	int digit;

	if (IS(shift_folded))
		shift = 4;
	if (IS(digits_16))
		bits = 4;
	digit = (int)((unsigned)key >> shift) & ((1 << bits) - 1);
	if ((shift == top || IS(keeps_sign)) && !IS(not_flipped) && !IS(logical))
		digit ^= 1 << (bits - 1);
	if (IS(last_digit) && digit == (1 << bits) - 1)
		digit = 0;
	return digit;
}

extern "C" __global__ void mutant_radixed(const int *key, const int *tag, int *sorted, int *tags,
	int shift, int bits, int top, int n)
{
	__shared__ int begin[64 * 16];
	int t = threadIdx.x, piece = (n + 63) / 64, from = t * piece;
	int to = from + piece < n ? from + piece : n, digits = 1 << bits;

	if (IS(by_halves)) {
		for (int half = 0; half < 2; half++) {
			int first = half ? n / 2 : 0, end = half ? n : n / 2, at = first;

			if (t)
				return;
			for (int digit = 0; digit < digits; digit++)
				for (int k = first; k < end; k++)
					if (digit_of(key[k], shift, bits, top) == digit) {
						sorted[at] = key[k];
						tags[at++] = tag[k];
					}
		}
		return;
	}
	if (BY(ranks)) {
		for (int i = t; i < n; i += 64) {
			int own = digit_of(key[i], shift, bits, top), at = 0;

			for (int k = 0; k < n; k++) {
				int other = digit_of(key[k], shift, bits, top);

				at += other < own || (other == own && k < i);
			}
			sorted[at] = key[i];
			tags[at] = tag[i];
		}
		return;
	}
	if (BY(one_digit) || digits > 16) {
		for (int digit = t; digit < digits; digit += 64) {
			int at = 0;

			for (int k = 0; k < n; k++)
				at += digit_of(key[k], shift, bits, top) < digit;
			for (int k = 0; k < n; k++)
				if (digit_of(key[k], shift, bits, top) == digit) {
					sorted[at] = key[k];
					tags[at++] = tag[k];
				}
		}
		return;
	}
	for (int digit = 0; digit < 16; digit++)
		begin[digit * 64 + t] = 0;
	for (int k = from; k < to; k++) {
		int *count = &begin[digit_of(key[k], shift, bits, top) * 64 + t];

		*count = IS(count_byte) ? (*count + 1) & 63 : *count + 1;
	}
	__syncthreads();
	if (t == 0) {
		int sum = 0;

		for (int k = 0; k < 64 * 16; k++) {
			int count = begin[k];

			begin[k] = sum;
			sum += count;
		}
	}
	__syncthreads();
	for (int k = 0; k < to - from; k++) {
		int i = IS(unstable) ? to - 1 - k : from + k;
		int at = begin[digit_of(key[i], shift, bits, top) * 64 + t]++;

		sorted[at] = key[i];
		tags[at] = tag[i];
	}
}

extern "C" __global__ void mutant_radixed_reference(const int *key, const int *tag, int *sorted,
	int *tags, int shift, int bits, int top, int n)
{
	int at = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int digit = 0; digit < 1 << bits; digit++)
		for (int k = 0; k < n; k++) {
			int own = (int)((unsigned)key[k] >> shift) & ((1 << bits) - 1);

			if (shift == top)
				own ^= 1 << (bits - 1);
			if (own == digit) {
				sorted[at] = key[k];
				tags[at++] = tag[k];
			}
		}
}
