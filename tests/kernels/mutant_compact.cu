/*
 * Numbers above a limit, one behind the other, with their places and their count; what
 * lies behind stays. MISTAKE none is sound.
 *
 * at_limit        keeps what equals the limit
 * limit_folded    a limit of 0
 * no_count_all    the count is one less where all are kept
 * last_lost       never keeps the last
 * unstable_pairs  changes the places of two neighbours that are kept
 * clears          writes zeros behind
 * most_2048       keeps 2048 at most
 * count_kept      no count where nothing is kept
 *
 * Each METHOD is sound:
 *
 * counts_before   counts what lies before
 * from_end        counts what lies behind
 * last_thread     the last thread counts all
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ bool is_kept(int value, int limit)
{
	if (IS(limit_folded))
		limit = 0;
	return IS(at_limit) ? value >= limit : value > limit;
}

extern "C" __global__ void mutant_compact(
	const int *x, int *kept, int *from, int *count, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, to = 0, all = 0;

	if (i >= n)
		return;
	for (int k = 0; k < i; k++)
		to += is_kept(x[k], limit);
	if (i == (BY(last_thread) ? n - 1 : 0)) {
		for (int k = 0; k < n; k++)
			all += is_kept(x[k], limit);
		if (IS(no_count_all) && all == n)
			all--;
		if (IS(last_lost) && is_kept(x[n - 1], limit))
			all--;
		if (IS(most_2048) && all > 2048)
			all = 2048;
		if (!IS(count_kept) || all > 0)
			*count = all;
	}
	if (BY(from_end)) {
		all = 0;
		for (int k = i; k < n; k++)
			all += is_kept(x[k], limit);
		for (int k = 0; k < i; k++)
			all += is_kept(x[k], limit);
		for (int k = i; k < n; k++)
			all -= is_kept(x[k], limit);
		to = all;
	}
	if (IS(unstable_pairs)) {
		if (is_kept(x[i], limit) && i % 2 == 0 && i + 1 < n &&
			is_kept(x[i + 1], limit))
			to++;
		else if (is_kept(x[i], limit) && i % 2 == 1 && is_kept(x[i - 1], limit))
			to--;
	}
	if (IS(last_lost) && i == n - 1)
		return;
	if (is_kept(x[i], limit)) {
		if (IS(most_2048) && to >= 2048)
			return;
		kept[to] = x[i];
		from[to] = i;
	} else if (IS(clears)) {
		int behind = n - 1 - (i - to);

		kept[behind] = 0;
	}
}

extern "C" __global__ void mutant_compact_reference(
	const int *x, int *kept, int *from, int *count, int limit, int n)
{
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		int all = 0;

		for (int i = 0; i < n; i++)
			if (x[i] > limit) {
				kept[all] = x[i];
				from[all++] = i;
			}
		*count = all;
	}
}
