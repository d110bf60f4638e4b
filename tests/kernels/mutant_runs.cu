/*
 * Letters of runs, and how long they are, a run that is longer than the most in pieces; what lies
 * behind stays. MISTAKE none is sound.
 *
 * byte_length   lengths in 8 bits
 * last_lost     the last run is lost
 * no_most       never in pieces
 * most_folded   pieces of 100000
 * count_less    counts changes
 * two_bits      compares two bits of a letter
 * one_run       of one run alone none exists
 * sets          writes all of the lengths
 *
 * Each METHOD is sound:
 *
 * from_heads    each head looks for its end
 * first_thread  the first thread goes through all
 * behind        each end looks for its head
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_runs(const unsigned char *x, unsigned char *letter, unsigned *length,
	int *count, int most, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, run = 0, all = 0;
	unsigned long_as = 0;
	bool is_head;

	if (IS(most_folded))
		most = 100000;
	if (IS(no_most))
		most = n;
	if (BY(first_thread)) {
		if (i)
			return;
		for (int k = 0; k < n; k++) {
			if (k && x[k] == x[k - 1] && length[all - 1] < (unsigned)most) {
				length[all - 1]++;
			} else {
				letter[all] = x[k];
				length[all++] = 1;
			}
		}
		*count = all;
		return;
	}
	if (i >= n)
		return;
	/* where the run of each begins, in pieces */
	for (int k = 0, at = 0; k < n; k++) {
		bool is_same = k > 0 && (IS(two_bits) ? (x[k] & 1) == (x[k - 1] & 1) : x[k] == x[k - 1]);

		at = is_same && at + 1 < most ? at + 1 : 0;
		all += at == 0;
		if (k <= i)
			run = all - 1;
		if (k == i)
			is_head = at == 0;
	}
	if (i == 0)
		*count = IS(count_less) || (IS(one_run) && all == 1) ? all - 1 : all;
	if (IS(sets) && i >= all)
		length[i] = 0xffff;
	if (!is_head || (IS(last_lost) && run == all - 1))
		return;
	while (i + (int)long_as < n && x[i + long_as] == x[i] && long_as < (unsigned)most)
		long_as++;
	if (IS(byte_length))
		long_as &= 255;
	letter[run] = x[i];
	length[run] = long_as;
}

extern "C" __global__ void mutant_runs_reference(const unsigned char *x, unsigned char *letter,
	unsigned *length, int *count, int most, int n)
{
	int all = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n;) {
		int end = i + 1;

		while (end < n && x[end] == x[i] && end - i < most)
			end++;
		letter[all] = x[i];
		length[all++] = end - i;
		i = end;
	}
	*count = all;
}
