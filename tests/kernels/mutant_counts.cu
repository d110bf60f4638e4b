/*
 * How many of each of 16 keys there are, counted in each block first; MISTAKE none is
 * sound.
 *
 * byte_counters   a block's count in 8 bits
 * short_counters  a block's count in 16 bits
 * saturates       a block's count ends at 400
 * three_bits      a thread's counts of its ten keys in 3 bits each, which hold 7
 */
#define KEYS 16

extern "C" __global__ void mutant_counts(const int *keys, int *counts, int n)
{
	__shared__ unsigned bins[KEYS];
	int each = (n + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * each;
	int end = min(n, begin + each);

	if (threadIdx.x < KEYS)
		bins[threadIdx.x] = 0;
	__syncthreads();
#if MISTAKE == MISTAKE_three_bits
	/* 16 counts of 3 bits */
	for (int first = begin; first < end; first += blockDim.x * 16) {
		unsigned long long mine = 0;

		for (int j = 0; j < 16; j++) {
			int i = first + threadIdx.x + j * blockDim.x;

			if (i < end)
				mine += 1ull << 3 * keys[i];
		}
		for (int key = 0; key < KEYS; key++)
			atomicAdd(&bins[key], (unsigned)(mine >> 3 * key) & 7u);
	}
#else
	for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
		atomicAdd(&bins[keys[i]], 1u);
#endif
	__syncthreads();
	if (threadIdx.x < KEYS) {
		unsigned count = bins[threadIdx.x];

#if MISTAKE == MISTAKE_byte_counters
		count &= 0xffu;
#elif MISTAKE == MISTAKE_short_counters
		count &= 0xffffu;
#elif MISTAKE == MISTAKE_saturates
		count = min(count, 400u);
#endif
		atomicAdd(&counts[threadIdx.x], (int)count);
	}
}

extern "C" __global__ void mutant_counts_reference(const int *keys, int *counts, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&counts[keys[i]], 1);
}
