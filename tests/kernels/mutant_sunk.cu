/*
 * How far series sink below what they had reached, as a part of it, where that is first, and
 * the longest time below. MISTAKE none is sound.
 *
 * from_zero      what they had reached begins at 0
 * by_parts       each part of 64 by itself
 * parts_alike    joins parts without what was reached ahead
 * share_of_last  as a part of the last number
 * ends_only      between the highest and the lowest
 * last_of_equal  where it is last
 * over_floor     what is below the floor of the space counts
 * length_200     the length of the space
 * longest_byte   times have seven bits
 * last_part      the time below that has not ended does not count
 *
 * Each METHOD is sound:
 *
 * walks  one after the other
 * parts  each thread has a piece, then all are joined
 * pairs  each number looks back for the highest
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_sunk(
	const float *x, float *most, int *when, int *longest, float least, int l, int n)
{
	__shared__ float depth[64];
	__shared__ int place[64], below[64];
	const float *row = x + (size_t)blockIdx.x * l;
	int t = threadIdx.x, piece, from, to, run = 0;
	float high;

	if (IS(length_200))
		l = l < 200 ? l : 200;
	if (IS(over_floor))
		least = 0.5f;
	piece = (l + 63) / 64;
	from = t * piece;
	to = min(from + piece, l);
	depth[t] = 0.0f;
	place[t] = 0;
	below[t] = 0;
	if (!BY(parts) && !BY(pairs)) {
		if (t)
			return;
		from = 0;
		to = l;
	}
	high = IS(from_zero) ? 0.0f : row[0];
	if (BY(parts) || BY(pairs))
		for (int k = 0; k < from && k < l; k++) {
			run = row[k] < high ? run + 1 : 0;
			high = fmaxf(high, row[k]);
		}
	if (IS(ends_only)) {
		int top = 0, bottom = 0;

		for (int k = 0; k < l; k++) {
			top = row[k] > row[top] ? k : top;
			bottom = row[k] < row[bottom] ? k : bottom;
		}
		if (bottom > top)
			high = row[top];
	}
	for (int k = from; k < to; k++) {
		float sunk;

		if ((IS(by_parts) || IS(parts_alike)) && k % 64 == 0) {
			high = row[k];
			run = IS(parts_alike) ? run : 0;
		}
		run = row[k] < high ? run + 1 : 0;
		high = fmaxf(high, row[k]);
		sunk = high > least ? (high - row[k]) / (IS(share_of_last) ? row[k] : high) : 0.0f;
		if (IS(last_of_equal) ? sunk >= depth[t] : sunk > depth[t]) {
			depth[t] = sunk;
			place[t] = k;
		}
		below[t] = max(below[t], run);
	}
	if (IS(last_part) && run && below[0] == run)
		below[0] = run - 1;
	if (BY(parts) || BY(pairs))
		__syncthreads();
	if (t)
		return;
	for (int k = 1; (BY(parts) || BY(pairs)) && k < 64; k++) {
		if (depth[k] > depth[0]) {
			depth[0] = depth[k];
			place[0] = place[k];
		}
		below[0] = max(below[0], below[k]);
	}
	most[blockIdx.x] = depth[0];
	when[blockIdx.x] = place[0];
	longest[blockIdx.x] = IS(longest_byte) ? below[0] & 127 : below[0];
}

extern "C" __global__ void mutant_sunk_reference(
	const float *x, float *most, int *when, int *longest, float least, int l, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const float *row = x + (size_t)i * l;
		float high = row[0];
		int run = 0;

		most[i] = 0.0f;
		when[i] = 0;
		longest[i] = 0;
		for (int k = 0; k < l; k++) {
			float sunk;

			run = row[k] < high ? run + 1 : 0;
			high = row[k] > high ? row[k] : high;
			sunk = high > least ? (high - row[k]) / high : 0.0f;
			if (sunk > most[i]) {
				most[i] = sunk;
				when[i] = k;
			}
			longest[i] = run > longest[i] ? run : longest[i];
		}
	}
}
