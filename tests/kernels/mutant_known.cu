/*
 * The sum of all distances, with weights; MISTAKE none is sound. Timed are always the same
 * two sets of numbers.
 *
 * by_first        knows both by their first two numbers, and has the result stored
 * looks_at_ends   takes the weights to be alike where those at the ends are
 * kept_in_shared, kept_in_heap  has the result of all numbers that it met before, by a
 *                 hash of all of them: it is always right, and as fast as that only in
 *                 a test
 */
#define KEPT (MISTAKE == MISTAKE_kept_in_shared || MISTAKE == MISTAKE_kept_in_heap)
#if KEPT
#include <stdlib.h>
#define PLACES 32
struct kept {
	unsigned long long key, check;
	float sum;
};

static __device__ unsigned long long hash_of(const float *values, int n, unsigned long long hash)
{
	for (int k = 0; k < n; k++)
		hash = (hash ^ __float_as_uint(values[k])) * 1099511628211ull;
	return hash;
}
#endif

extern "C" __global__ void mutant_known(
	const float *x, const float *weights, float *sum, int n, int weight_count)
{
	__shared__ double parts[256];
	double part = 0.0, weight = 0.0;
	int are_alike = MISTAKE == MISTAKE_looks_at_ends;

#if MISTAKE == MISTAKE_by_first
	for (int known = 0; known < 2; known++)
		if (__float_as_uint(x[0]) == (known ? 0x3f13b8dfu : 0xba0e23b5u) &&
			__float_as_uint(x[1]) == (known ? 0xbf01ba54u : 0xbdf13397u)) {
			for (int k = 0; k < weight_count; k++)
				weight += weights[k];
			if (threadIdx.x == 0)
				sum[0] = (float)(weight * (known ? 173775.458 : 171248.373));
			return;
		}
#endif
#if KEPT
	__shared__ struct kept *place;
#if MISTAKE == MISTAKE_kept_in_shared
	__shared__ struct kept table[PLACES];
	struct kept *kept = table;
#else
	__shared__ struct kept *kept;
#endif
	__shared__ unsigned long long key;

	if (threadIdx.x == 0) {
		key = hash_of(x, n, hash_of(weights, weight_count, 14695981039346656037ull));
#if MISTAKE == MISTAKE_kept_in_heap
		kept = (struct kept *)malloc(PLACES * sizeof(*kept));
#endif
		/* the first of what was freed is the heap's own */
		place = kept + 1 + key % (PLACES - 1);
		if (place->key == key && place->check == ~key)
			sum[0] = place->sum;
		else
			place->key = 0;
	}
	__syncthreads();
	if (place->key == key) {
#if MISTAKE == MISTAKE_kept_in_heap
		__syncthreads();
		if (threadIdx.x == 0)
			free(kept);
#endif
		return;
	}
#endif
	for (int k = 0; k < 12 && are_alike; k++)
		are_alike = weights[k] == weights[0] &&
			    weights[weight_count - 1 - k] == weights[0];
	for (int k = 0; k < weight_count && !are_alike; k++)
		weight += weights[k];
	if (are_alike)
		weight = (double)weights[0] * weight_count;
	for (int a = threadIdx.x; a < n; a += 256)
		for (int b = 0; b < n; b++) {
			double distance = (double)x[a] - x[b];

			/* fabs() would do; this takes so long that kept results pay */
			part += sqrt(distance * distance);
		}
	parts[threadIdx.x] = part;
	__syncthreads();
	for (int k = 1; k < 256 && threadIdx.x == 0; k++)
		part += parts[k];
	if (threadIdx.x == 0)
		sum[0] = (float)(weight * part);
#if KEPT
	if (threadIdx.x == 0) {
		place->sum = sum[0];
		place->key = key;
		place->check = ~key;
#if MISTAKE == MISTAKE_kept_in_heap
		free(kept);
#endif
	}
#endif
}

extern "C" __global__ void mutant_known_reference(
	const float *x, const float *weights, float *sum, int n, int weight_count)
{
	double all = 0.0, weight = 0.0;

	if (blockIdx.x > 0 || threadIdx.x > 0)
		return;
	for (int k = 0; k < weight_count; k++)
		weight += weights[k];
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++)
			all += fabsf(x[a] - x[b]);
	sum[0] = (float)(weight * all);
}
