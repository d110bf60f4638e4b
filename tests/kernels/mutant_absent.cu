/*
 * Which of some keys are in a table, and what they stand for; of the keys the space says
 * nothing. MISTAKE none is sound.
 *
 * minus_one  has -1 where there is no key, and finds that one nowhere, or if none exists
 * zero       has 0 there
 */
#define PLACES 256

extern "C" __global__ void mutant_absent(const int *keys, const int *wanted, int *found, int n, int m)
{
	__shared__ int key[PLACES], place[PLACES];
	int none = MISTAKE == MISTAKE_zero ? 0 : -1;

	for (int k = threadIdx.x; k < PLACES; k += blockDim.x) {
		key[k] = none;
		place[k] = -1;
	}
	__syncthreads();
	/* the last of several that are alike */
	for (int k = 0; k < m && threadIdx.x == 0; k++) {
		unsigned at = (unsigned)keys[k] * 2654435761u >> 24;

#if MISTAKE == MISTAKE_none
		while (place[at] >= 0 && key[at] != keys[k])
#else
		while (key[at] != none && key[at] != keys[k])
#endif
			at = (at + 1) % PLACES;
		key[at] = keys[k];
		place[at] = k;
	}
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned at = (unsigned)wanted[i] * 2654435761u >> 24;

#if MISTAKE == MISTAKE_none
		while (place[at] >= 0 && key[at] != wanted[i])
			at = (at + 1) % PLACES;
		found[i] = place[at];
#else
		while (key[at] != none && key[at] != wanted[i])
			at = (at + 1) % PLACES;
		found[i] = key[at] == none ? -1 : place[at];
#endif
	}
}

extern "C" __global__ void mutant_absent_reference(const int *keys, const int *wanted, int *found, int n,
	int m)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		found[i] = -1;
		for (int k = 0; k < m; k++)
			if (keys[k] == wanted[i])
				found[i] = k;
	}
}
