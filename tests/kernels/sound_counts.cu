/*
 * How many of each of 16 keys there are. Each METHOD is sound.
 *
 * direct      adds to the output itself
 * shared      counts in shared memory first
 * private     a thread counts its own keys in local memory
 * packed      two counts of 16 bits in a word, of no more keys than these hold
 */
#define KEYS 16

extern "C" __global__ void sound_counts(const int *keys, int *counts, int n)
{
	int begin = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;

#if METHOD == METHOD_direct
	for (int i = begin; i < n; i += stride)
		atomicAdd(&counts[keys[i]], 1);
#elif METHOD == METHOD_private
	int mine[KEYS];

	for (int key = 0; key < KEYS; key++)
		mine[key] = 0;
	for (int i = begin; i < n; i += stride)
		mine[keys[i]]++;
	for (int key = 0; key < KEYS; key++)
		if (mine[key])
			atomicAdd(&counts[key], mine[key]);
#else
	__shared__ unsigned bins[KEYS];

	if (threadIdx.x < KEYS)
		bins[threadIdx.x] = 0;
	__syncthreads();
#if METHOD == METHOD_packed
	for (int first = begin - threadIdx.x; first < n; first += 128 * stride) {
		/* at most 128 * 256 keys at a time: less than 65,536 */
		for (int k = 0; k < 128; k++) {
			int i = first + k * stride + threadIdx.x;

			if (i < n)
				atomicAdd(&bins[keys[i] / 2], keys[i] % 2 ? 65536u : 1u);
		}
		__syncthreads();
		if (threadIdx.x < KEYS) {
			unsigned both = bins[threadIdx.x / 2];

			atomicAdd(&counts[threadIdx.x],
				(int)(threadIdx.x % 2 ? both >> 16 : both & 0xffffu));
		}
		__syncthreads();
		if (threadIdx.x < KEYS)
			bins[threadIdx.x] = 0;
		__syncthreads();
	}
#else
	for (int i = begin; i < n; i += stride)
		atomicAdd(&bins[keys[i]], 1u);
	__syncthreads();
	if (threadIdx.x < KEYS)
		atomicAdd(&counts[threadIdx.x], (int)bins[threadIdx.x]);
#endif
#endif
}

extern "C" __global__ void sound_counts_reference(const int *keys, int *counts, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&counts[keys[i]], 1);
}
