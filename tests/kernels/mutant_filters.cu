/*
 * Whether all bits that a key hashes to are set by some key, and how many bits are.
 * MISTAKE none is sound.
 *
 * low_key      the low half of a key
 * one_hash     one hash less
 * by_mask      takes bits for a power of two
 * no_seed      leaves the seed out
 * any_bit      any bit
 * counts_keys  counts keys and not bits
 * three        three hashes
 * exact        compares keys
 *
 * Each METHOD is sound:
 *
 * words        bits in words
 * backwards    from the last key
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define MOST 8192

static __device__ unsigned hash(unsigned long long key, unsigned seed, int which)
{
	unsigned h = (unsigned)key * 0x85ebca6bu ^
		     (IS(low_key) ? 0 : (unsigned)(key >> 32)) * 0xc2b2ae35u;

	h = (h ^ (IS(no_seed) ? 0 : seed) ^ which * 0x9e3779b9u) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return h ^ h >> 16;
}

extern "C" __global__ void mutant_filters(const unsigned long long *key,
	const unsigned long long *query, unsigned char *found, int *set, unsigned seed,
	int n, int queries, int bits, int hashes)
{
	__shared__ unsigned words[MOST / 32];
	int i = blockIdx.x * blockDim.x + threadIdx.x, hits = 0, count = 0;

	if (bits > MOST)
		return;
	if (IS(one_hash) && hashes > 1)
		hashes--;
	if (IS(three))
		hashes = 3;
	for (int k = threadIdx.x; k < MOST / 32; k += blockDim.x)
		words[k] = 0;
	__syncthreads();
	for (int k = threadIdx.x; k < n; k += blockDim.x)
		for (int h = 0; h < hashes; h++) {
			unsigned at = hash(key[BY(backwards) ? n - 1 - k : k], seed, h);

			at = IS(by_mask) ? at & (bits - 1) : at % bits;
			atomicOr(&words[at / 32], 1u << at % 32);
		}
	__syncthreads();
	if (i == 0) {
		for (int k = 0; k < MOST / 32; k++)
			count += __popc(words[k]);
		*set = IS(counts_keys) ? n * hashes : count;
	}
	if (i >= queries)
		return;
	for (int h = 0; h < hashes; h++) {
		unsigned at = hash(query[i], seed, h);

		at = IS(by_mask) ? at & (bits - 1) : at % bits;
		hits += words[at / 32] >> at % 32 & 1;
	}
	if (IS(exact)) {
		hits = 0;
		for (int k = 0; k < n; k++)
			hits = key[k] == query[i] ? hashes : hits;
	}
	found[i] = IS(any_bit) ? hits > 0 : hits == hashes;
}

extern "C" __global__ void mutant_filters_reference(const unsigned long long *key,
	const unsigned long long *query, unsigned char *found, int *set, unsigned seed,
	int n, int queries, int bits, int hashes)
{
	__shared__ unsigned char is_set[MOST];

	if (blockIdx.x || bits > MOST)
		return;
	if (threadIdx.x == 0) {
		int count = 0;

		for (int k = 0; k < bits; k++)
			is_set[k] = 0;
		for (int k = 0; k < n; k++)
			for (int h = 0; h < hashes; h++) {
				unsigned x = (unsigned)key[k] * 0x85ebca6bu ^
					     (unsigned)(key[k] >> 32) * 0xc2b2ae35u;

				x = (x ^ seed ^ h * 0x9e3779b9u) * 0x85ebca6bu;
				x = (x ^ x >> 13) * 0xc2b2ae35u;
				is_set[(x ^ x >> 16) % bits] = 1;
			}
		for (int k = 0; k < bits; k++)
			count += is_set[k];
		*set = count;
		for (int q = 0; q < queries; q++) {
			found[q] = 1;
			for (int h = 0; h < hashes; h++) {
				unsigned x = (unsigned)query[q] * 0x85ebca6bu ^
					     (unsigned)(query[q] >> 32) * 0xc2b2ae35u;

				x = (x ^ seed ^ h * 0x9e3779b9u) * 0x85ebca6bu;
				x = (x ^ x >> 13) * 0xc2b2ae35u;
				found[q] = found[q] && is_set[(x ^ x >> 16) % bits];
			}
		}
	}
}
