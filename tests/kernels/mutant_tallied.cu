/*
 * How many, sum, least and largest of each group; what is not valid counts for nothing,
 * and a group without any has 0, and the ends of the range. MISTAKE none is sound.
 *
 * nulls_count     what is not valid is counted
 * nulls_zero      what is not valid is 0
 * least_from_0    the least begins at 0
 * largest_from_0  the largest begins at 0
 * few_groups      groups in 5 bits
 * sums_narrow     sums in 16 bits
 * even_only       the last one of an odd number is left out
 * only_valid      takes all for valid
 *
 * Each METHOD is sound:
 *
 * sorted          a thread for each group
 * from_behind     the last one first
 * one_thread      the first thread does all
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define LOW (-2147483647 - 1)
#define HIGH 2147483647

extern "C" __global__ void mutant_tallied(const int *key, const int *value,
	const unsigned char *valid, int *count, long long *sum, int *least,
	int *largest, int groups, int n)
{
	int g = blockIdx.x * blockDim.x + threadIdx.x, many = 0;
	int low = IS(least_from_0) ? 0 : HIGH, high = IS(largest_from_0) ? 0 : LOW;
	long long all = 0;

	if (BY(one_thread)) {
		if (g)
			return;
		for (int k = 0; k < groups; k++) {
			count[k] = 0;
			sum[k] = 0;
			least[k] = HIGH;
			largest[k] = LOW;
		}
		for (int i = 0; i < n; i++)
			if (valid[i]) {
				count[key[i]]++;
				sum[key[i]] += value[i];
				least[key[i]] = min(least[key[i]], value[i]);
				largest[key[i]] = max(largest[key[i]], value[i]);
			}
		return;
	}
	if (g >= groups)
		return;
	if (IS(even_only))
		n -= n % 2;
	for (int j = 0; j < n; j++) {
		int i = BY(from_behind) ? n - 1 - j : j;
		int group = IS(few_groups) ? key[i] & 31 : key[i];

		if (group != g)
			continue;
		many += IS(nulls_count) && !valid[i];
		if (IS(nulls_zero) && !valid[i]) {
			low = min(low, 0);
			high = max(high, 0);
		}
		if (!valid[i] && !IS(only_valid))
			continue;
		many++;
		all += value[i];
		low = min(low, value[i]);
		high = max(high, value[i]);
	}
	count[g] = many;
	sum[g] = IS(sums_narrow) ? (short)all : all;
	least[g] = low;
	largest[g] = high;
}

extern "C" __global__ void mutant_tallied_reference(const int *key, const int *value,
	const unsigned char *valid, int *count, long long *sum, int *least,
	int *largest, int groups, int n)
{
	for (int g = blockIdx.x * blockDim.x + threadIdx.x; g < groups;
		g += gridDim.x * blockDim.x) {
		count[g] = 0;
		sum[g] = 0;
		least[g] = HIGH;
		largest[g] = LOW;
		for (int i = 0; i < n; i++) {
			if (key[i] != g || !valid[i])
				continue;
			count[g]++;
			sum[g] += value[i];
			if (value[i] < least[g])
				least[g] = value[i];
			if (value[i] > largest[g])
				largest[g] = value[i];
		}
	}
}
