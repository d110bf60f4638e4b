/*
 * Numbers of a few bits, one behind the other, above the least one. MISTAKE none is sound.
 *
 * never_across  a number ends with its word
 * width_folded  the width of the space
 * no_least      the least is 0
 * least_folded  the least of the space
 * last_cut      nothing is taken from the last word for a number that begins ahead of it
 * reversed      from the high end of a word
 * sign_spread   the highest bit is a sign
 * six_a_word    whole numbers in each word
 *
 * Each METHOD is sound:
 *
 * words  two words where a number needs them
 * pair   two words, unless there is but one
 * bits   bit by bit
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_unpacked(const unsigned *bits, int *y, int least, int width, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, words = (n * width + 31) / 32, word, at;
	unsigned value = 0, mask;

	if (IS(width_folded))
		width = 5;
	if (IS(no_least))
		least = 0;
	if (IS(least_folded))
		least = -7;
	if (i >= n)
		return;
	mask = width >= 32 ? 0xffffffffu : (1u << width) - 1;
	word = (int)((long long)i * width / 32);
	at = (int)((long long)i * width % 32);
	if (IS(six_a_word)) {
		word = i / (32 / width);
		at = i % (32 / width) * width;
		if (word >= words)
			word = words - 1;
	}
	if (BY(bits)) {
		for (int k = 0; k < width; k++)
			value |= (bits[(at + k) / 32 + word] >> (at + k) % 32 & 1u) << k;
	} else if (BY(pair)) {
		unsigned long long both = bits[word];

		if (word + 1 < words)
			both |= (unsigned long long)bits[word + 1] << 32;
		value = (unsigned)(both >> at) & mask;
	} else {
		unsigned first = bits[word];

		value = IS(reversed) ? first >> (at + width <= 32 ? 32 - at - width : 0) : first >> at;
		if (at + width > 32 && !IS(never_across) && !(IS(last_cut) && word + 1 == words - 1))
			value |= bits[word + 1] << (32 - at);
		value &= mask;
	}
	if (IS(sign_spread) && width < 32 && value >> (width - 1) & 1)
		value |= ~mask;
	y[i] = (int)(value + (unsigned)least);
}

extern "C" __global__ void mutant_unpacked_reference(
	const unsigned *bits, int *y, int least, int width, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned value = 0;

		for (int k = 0; k < width && k < 32; k++) {
			long long bit = (long long)i * width + k;

			value |= (bits[bit / 32] >> bit % 32 & 1u) << k;
		}
		y[i] = (int)(value + (unsigned)least);
	}
}
