/*
 * Bytes become letters, three to four, the last ones with signs for what lacks; in one
 * of two alphabets, with a line's end behind so many. MISTAKE none is sound.
 *
 * no_signs        no signs at the end
 * one_sign        always one sign
 * other_alphabet  always the first alphabet
 * signed_bytes    bytes have a sign
 * line_folded     lines of 64
 * no_last_end     no end behind the last line
 * thirds          the last group is lost
 * order           bytes in the other order
 *
 * Each METHOD is sound:
 *
 * by_table        letters by ranges
 * by_letters      each letter by itself
 * one_thread      the first thread does all
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ unsigned char letter_of(int six, int other)
{
	if (IS(other_alphabet))
		other = 0;
	if (BY(by_table)) {
		const char *all =
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

		return six < 62    ? all[six]
		       : six == 62 ? (other ? '-' : '+')
		       : other     ? '_'
				   : '/';
	}
	return six < 26    ? 'A' + six
	       : six < 52  ? 'a' + six - 26
	       : six < 62  ? '0' + six - 52
	       : six == 62 ? (other ? '-' : '+')
			   : (other ? '_' : '/');
}

static __device__ unsigned char letter_at(
	const unsigned char *x, int k, int other, int n)
{
	int group = k / 4, place = k % 4, bits = 0;

	for (int j = 0; j < 3; j++) {
		int byte =
			group * 3 + j < n
				? x[group * 3 +
					  (IS(order) && group * 3 + 2 < n ? 2 - j : j)]
				: 0;

		if (IS(signed_bytes))
			byte = (signed char)byte;
		bits = bits << 8 | byte;
	}
	if (group * 3 + place > n && !IS(no_signs) && !(IS(one_sign) && place == 2))
		return '=';
	return letter_of(bits >> (18 - 6 * place) & 63, other);
}

extern "C" __global__ void mutant_armoured(const unsigned char *x, unsigned char *out,
	int other, int line, int n, int length)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, letters = (n + 2) / 3 * 4;

	if (IS(line_folded))
		line = 64;
	if (IS(thirds))
		letters = n / 3 * 4;
	if (BY(one_thread)) {
		if (i)
			return;
		for (int k = 0, at = 0; k < letters; k++) {
			out[at++] = letter_at(x, k, other, n);
			if (k % line == line - 1 || k == letters - 1)
				out[at++] = '\n';
		}
		return;
	}
	if (i >= letters || i + i / line >= length)
		return;
	out[i + i / line] = letter_at(x, i, other, n);
	if (i + i / line + 1 < length &&
		(i % line == line - 1 || (i == letters - 1 && !IS(no_last_end))))
		out[i + i / line + 1] = '\n';
}

extern "C" __global__ void mutant_armoured_reference(const unsigned char *x,
	unsigned char *out, int other, int line, int n, int length)
{
	const char *all =
		other ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
		      : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	int at = 0, written = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n; i += 3) {
		int a = x[i], b = i + 1 < n ? x[i + 1] : 0,
		    c = i + 2 < n ? x[i + 2] : 0;
		unsigned char four[4] = { (unsigned char)all[a >> 2],
			(unsigned char)all[(a & 3) << 4 | b >> 4],
			(unsigned char)(i + 1 < n ? all[(b & 15) << 2 | c >> 6] : '='),
			(unsigned char)(i + 2 < n ? all[c & 63] : '=') };

		for (int k = 0; k < 4; k++) {
			if (at < length)
				out[at++] = four[k];
			written++;
			if ((written % line == 0 || (i + 3 >= n && k == 3)) &&
				at < length)
				out[at++] = '\n';
		}
	}
}
