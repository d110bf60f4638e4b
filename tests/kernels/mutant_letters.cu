/*
 * Numbers of the letters of a text in UTF-8: of a byte that begins none it is -1; and
 * how many there are. MISTAKE none is sound.
 *
 * overlong        a letter may be longer than it must
 * surrogates      halves of pairs are letters
 * beyond          there is no largest letter
 * no_four         none has four bytes
 * last_unchecked  the last byte may be any
 * cut_short       the end of the text may cut a letter
 * ascii_only      each byte is a letter
 * count_bytes     counts bytes that go on nothing
 *
 * Each METHOD is sound:
 *
 * by_ranges       by ranges of the first two bytes
 * one_thread      the first thread does all
 * by_number       decodes, then looks whether it is one
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int letter_at(const unsigned char *text, int i, int n)
{
	int first = text[i], number, length;

	if (first < 0x80 || IS(ascii_only))
		return first;
	if (first < 0xc0 || first > 0xf7)
		return -1;
	length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	if (IS(no_four) && length == 4)
		return -1;
	if (i + length > n && !IS(cut_short))
		return -1;
	number = first & (0x7f >> length);
	for (int k = 1; k < length; k++) {
		if (i + k >= n) {
			number <<= 6;
			continue;
		}
		if (text[i + k] >> 6 != 2 && !(IS(last_unchecked) && k == length - 1))
			return -1;
		number = number << 6 | (text[i + k] & 63);
	}
	if (BY(by_ranges)) {
		int second = text[i + 1];

		return first < 0xc2 || first > 0xf4 ||
				       (first == 0xe0 && second < 0xa0) ||
				       (first == 0xed && second >= 0xa0) ||
				       (first == 0xf0 && second < 0x90) ||
				       (first == 0xf4 && second >= 0x90)
			       ? -1
			       : number;
	}
	if (number < (length == 2          ? 0x80
			     : length == 3 ? 0x800
					   : 0x10000) &&
		!IS(overlong))
		return -1;
	if (number >= 0xd800 && number < 0xe000 && !IS(surrogates))
		return -1;
	return number > 0x10ffff && !IS(beyond) ? -1 : number;
}

extern "C" __global__ void mutant_letters(
	const unsigned char *text, int *letter, unsigned *count, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (BY(one_thread)) {
		unsigned all = 0;

		if (i)
			return;
		for (int k = 0; k < n; k++) {
			letter[k] = letter_at(text, k, n);
			all += letter[k] >= 0;
		}
		*count += all;
		return;
	}
	if (i >= n)
		return;
	letter[i] = letter_at(text, i, n);
	if (IS(count_bytes) ? text[i] >> 6 != 2 : letter[i] >= 0)
		atomicAdd(count, 1u);
}

extern "C" __global__ void mutant_letters_reference(
	const unsigned char *text, int *letter, unsigned *count, int n)
{
	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n; i++) {
		int a = text[i], b = i + 1 < n ? text[i + 1] ^ 0x80 : 255;
		int c = i + 2 < n ? text[i + 2] ^ 0x80 : 255,
		    d = i + 3 < n ? text[i + 3] ^ 0x80 : 255;
		int number = -1;

		if (a < 0x80)
			number = a;
		else if (a >= 0xc2 && a < 0xe0 && b < 64)
			number = (a & 31) << 6 | b;
		else if (a >= 0xe0 && a < 0xf0 && b < 64 && c < 64)
			number = (a & 15) << 12 | b << 6 | c;
		else if (a >= 0xf0 && a < 0xf5 && b < 64 && c < 64 && d < 64)
			number = (a & 7) << 18 | b << 12 | c << 6 | d;
		if ((a >= 0xe0 && number < 0x800) || (a >= 0xf0 && number < 0x10000) ||
			number > 0x10ffff || (number >= 0xd800 && number < 0xe000))
			number = -1;
		letter[i] = number;
		*count += number >= 0;
	}
}
