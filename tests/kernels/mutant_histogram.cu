/*
 * How many of each of a few keys, counted in shared memory first; MISTAKE none is
 * sound.
 *
 * bins_not_zeroed  the bins begin with what lies in shared memory
 * no_atomics       lanes of a warp that have the same key add to the same old count:
 *                  of 32 lanes and 16 keys there are always some. The threads of a
 *                  CPU's block take turns at barriers only: none is ever lost there
 */
#define BINS 16

extern "C" __global__ void mutant_histogram(const int *keys, int *counts, int n)
{
	__shared__ int bins[BINS];

#if MISTAKE != MISTAKE_bins_not_zeroed
	if (threadIdx.x < BINS)
		bins[threadIdx.x] = 0;
#endif
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
#if MISTAKE == MISTAKE_no_atomics
		bins[keys[i]]++;
#else
		atomicAdd(&bins[keys[i]], 1);
#endif
	}
	__syncthreads();
	if (threadIdx.x < BINS)
		atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

extern "C" __global__ void mutant_histogram_reference(const int *keys, int *counts, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&counts[keys[i]], 1);
}
