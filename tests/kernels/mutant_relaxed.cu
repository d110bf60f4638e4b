/*
 * The shortest ways from one node along edges, where ways longer than a limit do not count.
 * MISTAKE none is sound.
 *
 * rounds_16       sixteen rounds
 * rounds_64       sixty-four rounds
 * from_0          from the first node
 * overflows       adds to what stands for none
 * no_limit        no limit
 * one_way         an edge from a higher to a lower node leads nowhere
 * in_order        one round, edge by edge
 * ends_unchanged  ends when the last node has not changed
 * zero_free       an edge of 0 does not count
 * cost_short      costs have eight bits
 *
 * Each METHOD is sound:
 *
 * rounds       as many rounds as nodes
 * until_still  until nothing changes
 * in_one       one thread, edge by edge, until nothing changes
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_relaxed(const int *from, const int *to, const int *cost, int *far,
	int *next, int start, int none, int limit, int n, int e)
{
	__shared__ int changed;
	int t = threadIdx.x, rounds = IS(rounds_16) ? 16 : IS(rounds_64) ? 64 : IS(in_order) ? 1 : n;

	if (IS(from_0))
		start = 0;
	for (int i = t; i < n; i += blockDim.x) {
		far[i] = i == start ? 0 : none;
		next[i] = 0;
	}
	__syncthreads();
	if (BY(in_one)) {
		bool is_more = t == 0;

		while (is_more) {
			is_more = false;
			for (int k = 0; k < e; k++)
				if (far[from[k]] != none && far[from[k]] + cost[k] <= limit &&
					far[from[k]] + cost[k] < far[to[k]]) {
					far[to[k]] = far[from[k]] + cost[k];
					is_more = true;
				}
		}
		return;
	}
	for (int round = 0; round < rounds; round++) {
		int last = n - 1, old;

		__syncthreads();
		if (t == 0)
			changed = 0;
		old = far[last];
		__syncthreads();
		for (int k = t; k < e; k += blockDim.x) {
			int own = far[from[k]], by = IS(cost_short) ? cost[k] & 255 : cost[k];

			if (own == none && !IS(overflows))
				continue;
			if (IS(one_way) && from[k] > to[k])
				continue;
			if (IS(zero_free) && by == 0)
				continue;
			by += own;
			if (by > limit && !IS(no_limit) && !(IS(overflows) && own == none))
				continue;
			if (by < atomicMin(&far[to[k]], by))
				changed = 1;
		}
		__syncthreads();
		if (!changed && !BY(rounds))
			break;
		if (IS(ends_unchanged) && far[last] == old && old != none)
			break;
	}
}

extern "C" __global__ void mutant_relaxed_reference(const int *from, const int *to, const int *cost,
	int *far, int *next, int start, int none, int limit, int n, int e)
{
	bool is_more = true;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n; i++)
		far[i] = i == start ? 0 : none;
	while (is_more) {
		is_more = false;
		for (int k = 0; k < e; k++)
			if (far[from[k]] != none && far[from[k]] + cost[k] <= limit &&
				far[from[k]] + cost[k] < far[to[k]]) {
				far[to[k]] = far[from[k]] + cost[k];
				is_more = true;
			}
	}
}
