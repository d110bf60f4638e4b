/*
 * Heaps of sand topple to their four sides while they are as high as a limit, and lose what
 * falls over the edge; how often. MISTAKE none is sound.
 *
 * rounds_60     sixty sweeps
 * once_each     one sweep
 * no_edges      what falls over the edge falls in at the other side
 * keeps_at_4    topples above the limit
 * square        as wide as high
 * last_row      the last row does not topple
 *
 * Each METHOD is sound:
 *
 * sweeps  one heap after the other, again and again
 * whole   as often as it can at once
 * back    from the last one on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_toppled(const int *x, int *y, int *count, int limit, int h, int w, int n)
{
	const int *from = x + (size_t)blockIdx.x * h * w;
	int *z = y + (size_t)blockIdx.x * h * w, times = 0, sweeps = 0;
	bool is_more = true;

	if (threadIdx.x)
		return;
	for (int i = 0; i < h * w; i++)
		z[i] = from[i];
	if (IS(square))
		h = min(h, w);
	while (is_more) {
		if (sweeps++ == (IS(rounds_60) ? 60 : IS(once_each) ? 1 : 0x7fffffff))
			break;
		is_more = false;
		for (int l = 0; l < h * w; l++) {
			int i = BY(back) ? h * w - 1 - l : l, row = i / w, column = i % w, falls;

			if (IS(last_row) && row == h - 1)
				continue;
			if (IS(keeps_at_4) ? z[i] <= limit : z[i] < limit)
				continue;
			falls = BY(whole) ? z[i] / limit : 1;
			z[i] -= falls * limit;
			times += falls;
			is_more = true;
			if (row > 0)
				z[i - w] += falls;
			if (row + 1 < h)
				z[i + w] += falls;
			else if (IS(no_edges) && times < 3000)
				z[column] += falls;
			if (column > 0)
				z[i - 1] += falls;
			if (column + 1 < w)
				z[i + 1] += falls;
		}
	}
	count[blockIdx.x] = times;
}

extern "C" __global__ void mutant_toppled_reference(const int *x, int *y, int *count, int limit, int h, int w, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int *z = y + (size_t)i * h * w;
		bool is_more = limit >= 4;

		count[i] = 0;
		for (int k = 0; k < h * w; k++)
			z[k] = x[(size_t)i * h * w + k];
		while (is_more) {
			is_more = false;
			for (int k = 0; k < h * w; k++) {
				if (z[k] < limit)
					continue;
				is_more = true;
				z[k] -= limit;
				count[i]++;
				if (k / w > 0)
					z[k - w]++;
				if (k / w + 1 < h)
					z[k + w]++;
				if (k % w > 0)
					z[k - 1]++;
				if (k % w + 1 < w)
					z[k + 1]++;
			}
		}
	}
}
