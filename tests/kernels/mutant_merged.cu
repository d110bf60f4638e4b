/*
 * Two lists in order become one; of equals those of the first one come first, and each
 * says where it was. MISTAKE none is sound.
 *
 * second_first  those of the second one first
 * by_step       knows the step of the first list
 * last_lost     the last one of the second is another
 * as_long       takes both for as long
 * one_more      a number that is in both counts once
 *
 * Each METHOD is sound:
 *
 * ranks         by the rank of each
 * path          by the path between both
 * steps         rank by steps
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int rank_of(const int *list, int count, int value, bool behind)
{
	int first = 0, last = count;

	if (BY(steps)) {
		while (first < count &&
			(list[first] < value || (behind && list[first] == value)))
			first++;
		return first;
	}
	while (first < last) {
		int middle = (first + last) / 2;

		if (list[middle] < value || (behind && list[middle] == value))
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

extern "C" __global__ void mutant_merged(
	const int *a, const int *b, int *key, int *from, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, place;

	if (IS(as_long))
		n = min(n, 2 * m);
	if (i >= m + n)
		return;
	if (BY(path)) {
		int first = max(0, i - n), last = min(i, m);

		while (first < last) {
			int middle = (first + last) / 2;

			if (a[middle] <= b[i - 1 - middle])
				first = middle + 1;
			else
				last = middle;
		}
		if (first < m && (i - first >= n || a[first] <= b[i - first])) {
			key[i] = a[first];
			from[i] = first;
		} else {
			key[i] = b[i - first];
			from[i] = m + i - first;
		}
		return;
	}
	if (i < m) {
		place = i + rank_of(b, n, a[i], IS(second_first));
		if (IS(by_step))
			place = i + rank_of(b, n, a[0] + i * (m > 1 ? a[1] - a[0] : 0),
					    false);
		key[place] = a[i];
		from[place] = i;
	} else {
		place = i - m + rank_of(a, m, b[i - m], !IS(second_first));
		key[place] =
			IS(last_lost) && i == m + n - 1 ? b[max(n - 2, 0)] : b[i - m];
		from[place] = i;
		if (IS(one_more) && place > 0 && m &&
			a[min(m - 1, max(0, rank_of(a, m, b[i - m], true) - 1))] ==
				b[i - m])
			from[place] = i - 1;
	}
}

extern "C" __global__ void mutant_merged_reference(
	const int *a, const int *b, int *key, int *from, int m, int n)
{
	int i = 0, j = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int k = 0; k < m + n; k++)
		if (j >= n || (i < m && a[i] <= b[j])) {
			key[k] = a[i];
			from[k] = i++;
		} else {
			key[k] = b[j];
			from[k] = m + j++;
		}
}
