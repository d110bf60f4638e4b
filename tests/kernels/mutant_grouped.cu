/*
 * What has a key, and is valid: its sum, count, least, most and first place; a number
 * for none where nothing has it. MISTAKE none is sound.
 *
 * all_valid    takes all for valid
 * sum_16       sums in 16 bits
 * from_zero    the most is 0 at least
 * least_zero   the least of nothing is 0
 * last_place   the last place
 * none_folded  the number of the space
 * count_byte   counts in 8 bits
 * first_zero   nothing has its first place at 0
 *
 * Each METHOD is sound:
 *
 * backwards    from the end
 * by_fours     four at a time
 * branchless   without branches
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_grouped(const int *key, const int *value,
	const unsigned char *valid, long long *sum, int *count, int *least, int *most,
	int *first, int none, int n, int groups)
{
	int g = blockIdx.x * blockDim.x + threadIdx.x, have = 0, place = -1;
	long long total = 0;
	int low = 0x7fffffff, high = IS(from_zero) ? 0 : -0x7fffffff - 1;

	if (g >= groups)
		return;
	if (IS(none_folded))
		none = -2147483647;
	for (int k = 0; k < n; k++) {
		int i = BY(backwards) ? n - 1 - k : k;
		bool is_own = key[i] == g && (IS(all_valid) || valid[i] != 0);

		if (BY(branchless)) {
			have += is_own;
			total += is_own * (long long)value[i];
			low = is_own && value[i] < low ? value[i] : low;
			high = is_own && value[i] > high ? value[i] : high;
			place = is_own && place < 0 ? i : place;
		} else if (is_own) {
			have++;
			total += value[i];
			low = min(low, value[i]);
			high = max(high, value[i]);
			if (place < 0 || BY(backwards) || IS(last_place))
				place = i;
		}
	}
	if (IS(sum_16))
		total = (short)total;
	if (IS(count_byte))
		have &= 255;
	sum[g] = total;
	count[g] = have;
	least[g] = place >= 0 ? low : IS(least_zero) ? 0 : none;
	most[g] = place >= 0 ? high : none;
	first[g] = IS(first_zero) ? max(place, 0) : place;
}

extern "C" __global__ void mutant_grouped_reference(const int *key, const int *value,
	const unsigned char *valid, long long *sum, int *count, int *least, int *most,
	int *first, int none, int n, int groups)
{
	for (int g = blockIdx.x * blockDim.x + threadIdx.x; g < groups;
		g += gridDim.x * blockDim.x) {
		sum[g] = 0;
		count[g] = 0;
		least[g] = none;
		most[g] = none;
		first[g] = -1;
		for (int i = 0; i < n; i++) {
			if (!valid[i] || key[i] != g)
				continue;
			if (!count[g]) {
				least[g] = value[i];
				most[g] = value[i];
				first[g] = i;
			}
			count[g]++;
			sum[g] += value[i];
			least[g] = value[i] < least[g] ? value[i] : least[g];
			most[g] = value[i] > most[g] ? value[i] : most[g];
		}
	}
}
