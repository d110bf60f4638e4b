/*
 * Where a word begins in a text, and numbers that bytes spell, seven bits each; MISTAKE none
 * is sound.
 *
 * no_overlap    finds none that begins inside another
 * ends_alone    compares the first and the last letter
 * by_sum        compares a sum over the letters in place of these
 * last_lost     finds none at the very end
 * four_bytes    a number has four bytes at most
 * sign_short    a negative number has 16 bits
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

static __device__ bool is_at(const unsigned char *text, const unsigned char *word, int i, int n, int l)
{
	if (i < 0 || i + l > n)
		return false;
	for (int k = 0; k < l; k++)
		if (text[i + k] != word[k])
			return false;
	return true;
}

static __device__ int spelled(const unsigned char *bytes, int i, int n, int most, bool is_short)
{
	unsigned bits = 0, number;

	for (int k = 0; k < most && i + k < n; k++) {
		bits |= (unsigned)(bytes[i + k] & 127) << 7 * k;
		if (bytes[i + k] < 128)
			break;
	}
	number = bits >> 1 ^ (0u - (bits & 1u));
	return is_short && bits & 1 ? (short)number : (int)number;
}

extern "C" __global__ void mutant_texts(const unsigned char *text, const unsigned char *word,
	const unsigned char *bytes, int *found, int *number, int n, int l)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

	if (i >= n)
		return;
	found[i] = is_at(text, word, i, n, l);
	if (IS(ends_alone) && i + l <= n)
		found[i] = text[i] == word[0] && text[i + l - 1] == word[l - 1];
	for (int k = 0; IS(by_sum) && i + l <= n && k < l; k++)
		sum += (text[i + k] - word[k]) * (k + 1);
	if (IS(by_sum) && i + l <= n)
		found[i] = sum == 0;
	for (int k = 1; IS(no_overlap) && k < l; k++)
		if (is_at(text, word, i - k, n, l))
			found[i] = 0;
	if (IS(last_lost) && i + l == n)
		found[i] = 0;
	number[i] = spelled(bytes, i, n, IS(four_bytes) ? 4 : 5, IS(sign_short));
}

extern "C" __global__ void mutant_texts_reference(const unsigned char *text,
	const unsigned char *word, const unsigned char *bytes, int *found, int *number, int n,
	int l)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		found[i] = is_at(text, word, i, n, l);
		number[i] = spelled(bytes, i, n, 5, false);
	}
}
