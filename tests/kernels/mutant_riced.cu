/*
 * Numbers whose ones up to a zero say how often 2^rest is in them, and bits behind what is
 * left; even numbers are 0, 1, 2 and odd ones -1, -2. A number that the row does not end does
 * not count, and what is behind the last one is 0. MISTAKE none is sound.
 *
 * ones_32      at most 32 ones
 * ones_15      at most 15 ones
 * word_end     ones end with their word
 * rest_folded  the rest of the space
 * no_sign      no number is below 0
 * most_90      the room of the space
 * last_bit     the last bit of a row is not read
 * cut_counts   a number that is cut off counts
 * byte_numbers numbers have seven bits
 * starts_even  each number begins at an even bit
 *
 * Each METHOD is sound:
 *
 * bits   bit by bit
 * words  counts ones of a word at once
 * ahead  finds the zero first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ unsigned bit_at(const unsigned *row, int at)
{
	return row[at / 32] >> at % 32 & 1u;
}

extern "C" __global__ void mutant_riced(
	const unsigned *bits, int *number, int *count, int rest, int words, int most, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0, end = 32 * words, found = 0;
	const unsigned *row = bits + (size_t)i * words;
	int *y = number + (size_t)i * most, room = most;

	if (i >= n)
		return;
	if (IS(rest_folded))
		rest = 2;
	if (IS(most_90))
		most = 90;
	if (IS(last_bit))
		end--;
	while (found < most) {
		unsigned ones = 0, low = 0, value;

		if (IS(starts_even))
			at += at % 2;
		if (BY(words)) {
			while (at < end) {
				unsigned rests = ~(row[at / 32] >> at % 32);
				int left = 32 - at % 32, more = rests ? __ffs(rests) - 1 : 32;

				more = min(more, left);
				ones += more;
				at += more;
				if (more < left)
					break;
			}
		} else if (BY(ahead)) {
			int zero = at;

			while (zero < end && bit_at(row, zero))
				zero++;
			ones = zero - at;
			at = zero;
		} else {
			while (at < end && bit_at(row, at)) {
				ones++;
				at++;
				if ((IS(ones_32) && ones == 32) || (IS(ones_15) && ones == 15) ||
					(IS(word_end) && at % 32 == 0))
					break;
			}
		}
		if (at + 1 + rest > end && !IS(cut_counts))
			break;
		if (at >= end)
			break;
		at++;
		for (int k = 0; k < rest && at < end; k++)
			low |= bit_at(row, at++) << k;
		value = (ones << rest) + low;
		if (IS(byte_numbers))
			value &= 127;
		y[found++] = IS(no_sign) ? (int)(value >> 1) : value & 1 ? -(int)(value >> 1) - 1 : (int)(value >> 1);
	}
	count[i] = found;
	for (int k = found; k < room; k++)
		y[k] = 0;
}

extern "C" __global__ void mutant_riced_reference(
	const unsigned *bits, int *number, int *count, int rest, int words, int most, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const unsigned *row = bits + (size_t)i * words;
		int at = 0, found = 0;

		for (int k = 0; k < most; k++)
			number[i * most + k] = 0;
		while (found < most) {
			int ones = 0, value;

			for (; at < 32 * words && row[at / 32] >> at % 32 & 1; at++)
				ones++;
			if (at + 1 + rest > 32 * words)
				break;
			at++;
			value = ones << rest;
			for (int k = 0; k < rest; k++, at++)
				value += (int)(row[at / 32] >> at % 32 & 1) << k;
			number[i * most + found++] = value & 1 ? -(value >> 1) - 1 : value >> 1;
		}
		count[i] = found;
	}
}
