/*
 * A bit for each number between two, how many are set ahead of a word, and how many follow each
 * other in it. MISTAKE none is sound.
 *
 * open_high   the upper end does not count
 * tail_set    bits behind the last are set
 * reversed    the highest bit first
 * magnitude   compares magnitudes
 * low_folded  the lower end of the space
 * with_own    counts the word itself
 * last_run    the last run in place of the longest
 * no_full     of a full word 31 follow each other
 *
 * Each METHOD is sound:
 *
 * shifts      shifts bits in
 * subtracts   one comparison of unsigned numbers
 * popcounts   counts by words
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_bitmap(
	const int *x, unsigned *bits, unsigned *ahead, int *longest, int low, int high, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, words = (n + 31) / 32, run = 0, most = 0;
	unsigned word = 0, before = 0;

	if (i >= words)
		return;
	if (IS(low_folded))
		low = -20;
	for (int w = 0; w <= i; w++) {
		word = 0;
		for (int b = 0; b < 32; b++) {
			int at = 32 * w + (IS(reversed) ? 31 - b : b);
			bool is_in;

			if (at >= n) {
				word |= IS(tail_set) ? 1u << b : 0;
				continue;
			}
			if (IS(magnitude))
				is_in = abs(x[at]) <= high;
			else if (BY(subtracts))
				is_in = low <= high && (unsigned)x[at] - (unsigned)low <= (unsigned)high - (unsigned)low;
			else
				is_in = x[at] >= low && (IS(open_high) ? x[at] < high : x[at] <= high);
			word |= (unsigned)is_in << b;
		}
		if (w < i || IS(with_own))
			before += __popc(word);
	}
	for (int b = 0; b < 32; b++) {
		run = word >> b & 1 ? run + 1 : 0;
		if (IS(last_run) ? run > 0 : run > most)
			most = run;
	}
	if (IS(no_full) && most == 32)
		most = 31;
	bits[i] = word;
	ahead[i] = before;
	longest[i] = most;
}

extern "C" __global__ void mutant_bitmap_reference(
	const int *x, unsigned *bits, unsigned *ahead, int *longest, int low, int high, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n + 31) / 32; i += gridDim.x * blockDim.x) {
		int run = 0;

		bits[i] = 0;
		ahead[i] = 0;
		longest[i] = 0;
		for (int k = 0; k < 32 * i + 32 && k < n; k++) {
			bool is_in = x[k] >= low && x[k] <= high;

			if (k < 32 * i) {
				ahead[i] += is_in;
				continue;
			}
			bits[i] |= (unsigned)is_in << (k - 32 * i);
			run = is_in ? run + 1 : 0;
			longest[i] = run > longest[i] ? run : longest[i];
		}
	}
}
