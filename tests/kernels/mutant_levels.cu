/*
 * A step through a graph: what has no level yet and is next to the last level gets the
 * next one, and whether anything did. MISTAKE none is sound.
 *
 * level_folded  the level of the space
 * goes_on       goes on from what it has just reached
 * by_step       knows how many are next to each
 * always        there is always more
 * again         gives levels anew
 * first_only    the first eight next ones
 * none_is_less  none is anything below 0
 *
 * Each METHOD is sound:
 *
 * pulled        who has none looks for one that has
 * one_thread    the first thread does all
 * from_behind   the last one first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_levels(const int *row_ptr, const int *next, int *level,
	int *parents, int *more, int last, int none, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;

	if (IS(level_folded))
		last = 2;
	if (BY(one_thread) || IS(goes_on)) {
		if (i)
			return;
		for (int k = 0; k < n; k++)
			parents[k] = 0;
		for (int k = 0; k < n; k++)
			if (level[k] == last || (IS(goes_on) && level[k] == last + 1))
				for (int j = row_ptr[k]; j < row_ptr[k + 1]; j++) {
					if (level[next[j]] == none) {
						level[next[j]] = IS(goes_on)
									 ? level[k] + 1
									 : last + 1;
						*more = 1;
					}
					if (level[next[j]] == last + 1)
						parents[next[j]]++;
				}
		/* those that had the level before have none here */
		return;
	}
	if (i >= n)
		return;
	/* each looks at all that lead to it */
	for (int j = 0; j < n; j++) {
		int k = BY(from_behind) ? n - 1 - j : j, end = row_ptr[k + 1];

		if (IS(by_step))
			end = min(end, row_ptr[k] + row_ptr[1]);
		if (IS(first_only))
			end = min(end, row_ptr[k] + 8);
		if (level[k] != last)
			continue;
		for (int l = row_ptr[k]; l < end; l++)
			count += next[l] == i;
	}
	parents[i] = 0;
	if (count && level[i] == last + 1)
		parents[i] = count;
	if (count && (IS(again)                 ? level[i] != last
			     : IS(none_is_less) ? level[i] < 0
						: level[i] == none)) {
		level[i] = last + 1;
		parents[i] = count;
		*more = 1;
	}
	if (IS(always))
		*more = 1;
}

extern "C" __global__ void mutant_levels_reference(const int *row_ptr, const int *next,
	int *level, int *parents, int *more, int last, int none, int n)
{
	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n; i++)
		parents[i] = 0;
	for (int i = 0; i < n; i++) {
		if (level[i] != last)
			continue;
		for (int j = row_ptr[i]; j < row_ptr[i + 1]; j++) {
			if (level[next[j]] == none) {
				level[next[j]] = last + 1;
				*more = 1;
			}
			if (level[next[j]] == last + 1)
				parents[next[j]]++;
		}
	}
}
