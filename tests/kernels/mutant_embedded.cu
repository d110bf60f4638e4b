/*
 * Gradients of rows of a table that words name, some of them often; they are added to what
 * is there, whole or divided by how often a word comes. MISTAKE none is sound.
 *
 * last_only      the last word of a kind alone
 * sets           does not add to what is there
 * never_divides  whole always
 * pads_too       adds the word that stands for none
 * pad_zero       the word for none is the first one
 * two_only       two words of a kind
 * first_64       the first 64 words
 *
 * Each METHOD is sound:
 *
 * backwards      from the end
 * doubles        adds up in double
 * atomics        word by word
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_embedded(const int *word, const float *dy, float *dw, int none,
	int by_count, int n, int words, int size)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, own, column, count = 0;
	float sum = 0.0f;
	double exact = 0.0;

	if (BY(atomics)) {
		for (; i < n * size; i += gridDim.x * blockDim.x) {
			own = word[i / size];
			if (own == none)
				continue;
			count = 0;
			for (int k = 0; k < n; k++)
				count += word[k] == own;
			atomicAdd(&dw[(long long)own * size + i % size],
				by_count ? dy[i] / count : dy[i]);
		}
		return;
	}
	if (i >= words * size)
		return;
	own = i / size;
	column = i % size;
	if (own == (IS(pad_zero) ? 0 : none) && !IS(pads_too))
		return;
	for (int step = 0; step < (IS(first_64) ? min(n, 64) : n); step++) {
		int k = BY(backwards) ? n - 1 - step : step;

		if (word[k] != own || (IS(two_only) && count == 2))
			continue;
		count++;
		if (IS(last_only))
			sum = 0.0f;
		if (BY(doubles))
			exact += dy[k * size + column];
		else
			sum += dy[k * size + column];
	}
	if (BY(doubles))
		sum = (float)exact;
	if (by_count && count && !IS(never_divides))
		sum /= count;
	dw[i] = IS(sets) ? sum : dw[i] + sum;
}

extern "C" __global__ void mutant_embedded_reference(const int *word, const float *dy, float *dw,
	int none, int by_count, int n, int words, int size)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words * size;
		i += gridDim.x * blockDim.x) {
		float sum = 0.0f;
		int count = 0;

		for (int k = 0; k < n; k++)
			if (word[k] == i / size) {
				sum += dy[k * size + i % size];
				count++;
			}
		if (i / size != none && count)
			dw[i] += by_count ? sum / count : sum;
	}
}
