/*
 * How far the end of each list is, by weights, where an element points to one of a lower
 * number or is the end. MISTAKE none is sound.
 *
 * rounds_8      eight rounds of doubling
 * rounds_10     ten rounds
 * self_only     who points to itself is an end, not who points ahead
 * counts_nodes  counts elements
 * stops_early   stops when the first elements are there
 * byte_far      weights in twelve bits
 * ends_at_0     the first element is every end
 * weights_once  weights do not add up in the first round
 *
 * Each METHOD is sound:
 *
 * walks    each element walks to its end
 * doubles  steps that double
 * back     from the lowest on, in one thread
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_chained(const int *next, const int *weight, int *far, int *end,
	int *to, int *sum, int n)
{
	int t = threadIdx.x;

	if (BY(back)) {
		for (int i = 0; i < n && t == 0; i++) {
			bool is_end = next[i] >= i;

			far[i] = is_end ? 0 : weight[i] + far[next[i]];
			end[i] = is_end ? i : end[next[i]];
		}
		return;
	}
	if (BY(walks)) {
		for (int i = t; i < n; i += 64) {
			int at = i, all = 0;

			while (next[at] < at) {
				all += weight[at];
				at = next[at];
			}
			far[i] = all;
			end[i] = at;
		}
		return;
	}
	for (int i = t; i < n; i += 64) {
		bool is_end = IS(self_only) ? next[i] == i || i == 0 : next[i] >= i;

		end[i] = is_end ? i : min(next[i], n - 1);
		far[i] = is_end || IS(weights_once) ? 0 : IS(counts_nodes) ? 1 : weight[i];
	}
	__syncthreads();
	for (int round = 0; round < (IS(rounds_8) ? 8 : IS(rounds_10) ? 10 : 32); round++) {
		if (1ll << round > n || (IS(stops_early) && end[n / 2] == end[end[n / 2]]))
			break;
		for (int i = t; i < n; i += 64) {
			to[i] = end[end[i]];
			sum[i] = far[i] + far[end[i]];
		}
		__syncthreads();
		for (int i = t; i < n; i += 64) {
			end[i] = to[i];
			far[i] = IS(byte_far) ? sum[i] & 4095 : sum[i];
		}
		__syncthreads();
	}
	for (int i = t; i < n && IS(ends_at_0); i += 64)
		end[i] = 0;
}

extern "C" __global__ void mutant_chained_reference(const int *next, const int *weight, int *far,
	int *end, int *to, int *sum, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int at = i;

		far[i] = 0;
		for (; next[at] < at; at = next[at])
			far[i] += weight[at];
		end[i] = at;
	}
}
