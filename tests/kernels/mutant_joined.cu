/*
 * For each row of one table those of the other with its key: how many, the first one,
 * and the sum of their values; a key of 0 has no value and joins nothing. MISTAKE none
 * is sound.
 *
 * first_only     the first one alone
 * zero_joins     0 joins as others do
 * last_first     tells the last one
 * by_digits      compares twelve bits of keys
 * key_as_place   takes the key for a place
 * four_at_most   four at most
 * outer_ignored  rows without any are left as they were
 * square         takes both tables for as long
 *
 * Each METHOD is sound:
 *
 * hashed         by a table of heads in shared memory
 * backwards      from the last row on
 * one_thread     the first thread does all
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define BUCKETS 64

extern "C" __global__ void mutant_joined(const int *left, const int *right,
	const int *value, int *many, int *first, long long *sum, int m, int n)
{
	__shared__ int bucket_count[BUCKETS];
	int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0, found = -1;
	long long all = 0;

	if (BY(hashed)) {
		for (int k = threadIdx.x; k < BUCKETS; k += blockDim.x)
			bucket_count[k] = 0;
		__syncthreads();
		for (int k = threadIdx.x; k < n; k += blockDim.x)
			atomicAdd(&bucket_count[right[k] & (BUCKETS - 1)], 1);
		__syncthreads();
	}
	if (BY(one_thread)) {
		if (i)
			return;
		for (int k = 0; k < m; k++) {
			many[k] = 0;
			first[k] = -1;
			sum[k] = 0;
			for (int j = n - 1; j >= 0; j--)
				if (left[k] && left[k] == right[j]) {
					many[k]++;
					first[k] = j;
					sum[k] += value[j];
				}
		}
		return;
	}
	if (i >= m)
		return;
	if (IS(square))
		n = min(n, m);
	for (int k = 0; k < n; k++) {
		int j = BY(backwards) ? n - 1 - k : k;
		bool same = left[i] == right[j];

		if (BY(hashed) && !bucket_count[left[i] & (BUCKETS - 1)])
			break;
		if (IS(by_digits))
			same = (left[i] & 4095) == (right[j] & 4095);
		if (IS(key_as_place))
			same = left[i] == j + 1;
		if (!same || (left[i] == 0 && !IS(zero_joins)))
			continue;
		if (IS(four_at_most) && count == 4)
			continue;
		if (!count || BY(backwards) || IS(last_first))
			found = j;
		count++;
		all += value[j];
		if (IS(first_only))
			break;
	}
	if (IS(outer_ignored) && !count && left[i])
		return;
	many[i] = count;
	first[i] = found;
	sum[i] = all;
}

extern "C" __global__ void mutant_joined_reference(const int *left, const int *right,
	const int *value, int *many, int *first, long long *sum, int m, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m;
		i += gridDim.x * blockDim.x) {
		many[i] = 0;
		first[i] = -1;
		sum[i] = 0;
		for (int j = 0; j < n; j++)
			if (left[i] != 0 && left[i] == right[j]) {
				if (!many[i]++)
					first[i] = j;
				sum[i] += value[j];
			}
	}
}
