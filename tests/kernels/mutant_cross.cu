/*
 * Queries of items look at the keys of the same item; lists say where the queries and the
 * keys of an item begin. An item may have queries and no keys, which gives 0, or keys and
 * no queries. MISTAKE none is sound.
 *
 * capped    an item has 16 keys at most
 * last_one  leaves out the last key of items with more keys than the first one
 * by_query  the keys of an item begin in proportion to its queries
 *
 * Each METHOD is sound:
 *
 * forwards   from the first key on
 * backwards  from the last key on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_cross(const float *query, const float *key, const int *queries,
	const int *keys, float *out, int items, int query_count, int key_count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, item = 0, begin, end;
	float sum = 0.0f;

	if (i >= query_count)
		return;
	while (item + 1 < items && queries[item + 1] <= i)
		item++;
	begin = keys[item];
	end = keys[item + 1];
	if (IS(by_query)) {
		begin = (int)((long long)queries[item] * key_count / query_count);
		end = (int)((long long)queries[item + 1] * key_count / query_count);
	}
	if (IS(capped) && end > begin + 16)
		end = begin + 16;
	if (IS(last_one) && end - begin > keys[1] - keys[0] && keys[1] > keys[0])
		end--;
	if (BY(backwards))
		for (int j = end - 1; j >= begin; j--)
			sum += query[i] * key[j];
	else
		for (int j = begin; j < end; j++)
			sum += query[i] * key[j];
	out[i] = sum;
}

extern "C" __global__ void mutant_cross_reference(const float *query, const float *key,
	const int *queries, const int *keys, float *out, int items, int query_count,
	int key_count)
{
	for (int item = 0; item < items; item++)
		for (int i = queries[item]; i < queries[item + 1]; i++) {
			double sum = 0.0;

			for (int j = keys[item]; j < keys[item + 1]; j++)
				sum += (double)query[i] * key[j];
			if (blockIdx.x == 0 && threadIdx.x == 0)
				out[i] = (float)sum;
		}
}
