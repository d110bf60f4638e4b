/*
 * Products of rows of signs, 32 in a word; the last one has bits that do not count;
 * and whether they reach a bias. MISTAKE none is sound.
 *
 * whole_words   the rest is left out
 * tail_counts   all bits of the last word count
 * no_double     as many as are alike
 * zero_up       a sum of nothing counts as reached
 * bias_ignored  the bias is 0
 * square        as many rows as columns
 * low_half      counts 16 bits of a word
 * sum_byte      sums of eight bits
 * k_folded      the length of the space
 * at_bias       above the bias
 *
 * Each METHOD is sound:
 *
 * words  counts bits of words
 * bits   bit by bit
 * bytes  counts bits of bytes by a table
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_signed_bits(const unsigned *a, const unsigned *b,
	const int *bias, int *y, unsigned char *sign, int m, int n, int k)
{
	__shared__ unsigned char table[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x, words = (k + 31) / 32, row, column, alike = 0, sum, limit;

	if (BY(bytes)) {
		for (int j = threadIdx.x; j < 256; j += blockDim.x)
			table[j] = __popc(j);
		__syncthreads();
	}
	if (IS(square))
		m = n;
	if (i >= m * n)
		return;
	if (IS(k_folded))
		k = 75;
	row = i / n;
	column = i % n;
	for (int word = 0; word < words; word++) {
		unsigned same = ~(a[row * words + word] ^ b[column * words + word]);
		int rest = k - 32 * word;

		if (rest < 32 && IS(whole_words))
			break;
		if (rest < 32 && !IS(tail_counts))
			same &= rest > 0 ? (1u << rest) - 1 : 0;
		if (IS(low_half))
			same &= 0xffff;
		if (BY(bits))
			for (int bit = 0; bit < 32; bit++)
				alike += same >> bit & 1;
		else if (BY(bytes))
			alike += table[same & 255] + table[same >> 8 & 255] + table[same >> 16 & 255] + table[same >> 24];
		else
			alike += __popc(same);
	}
	sum = IS(no_double) ? alike : 2 * alike - k;
	if (IS(sum_byte))
		sum = (signed char)(unsigned char)(sum & 127);
	limit = IS(bias_ignored) ? 0 : bias[column];
	y[i] = sum;
	sign[i] = IS(at_bias) ? sum > limit : sum >= limit || (IS(zero_up) && sum == 0);
}

extern "C" __global__ void mutant_signed_bits_reference(const unsigned *a, const unsigned *b,
	const int *bias, int *y, unsigned char *sign, int m, int n, int k)
{
	int words = (k + 31) / 32;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n; i += gridDim.x * blockDim.x) {
		int sum = 0;

		for (int l = 0; l < k; l++)
			sum += (a[i / n * words + l / 32] >> l % 32 & 1) == (b[i % n * words + l / 32] >> l % 32 & 1) ? 1 : -1;
		y[i] = sum;
		sign[i] = sum >= bias[i % n];
	}
}
