/*
 * counts[b] += how many of n bytes are b. The caller zeroes the 256 counts.
 *
 * BLOCK       threads of a block
 * PER_THREAD  bytes that a thread counts
 * VECTOR      bytes of a load: 4, 8, 16
 * ATOMICS     shared: each block counts in shared memory and adds what it has at the
 *             end; global: every byte goes to global memory at once
 * COPIES      counts that a block keeps side by side, so that threads that see the
 *             same byte rarely meet
 * PAD         counts after each copy, which move the next to other banks
 */
#define PITCH (256 + PAD)

struct __align__(VECTOR) pack {
	unsigned int words[VECTOR / 4];
};

static __device__ __forceinline__ void count(unsigned int *counts, unsigned int byte)
{
	atomicAdd(&counts[byte], 1u);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
histogram(const unsigned char *__restrict__ bytes, unsigned int *counts, int n)
{
	const size_t packs = n / VECTOR;
	const size_t first = (size_t)blockIdx.x * BLOCK * (PER_THREAD / VECTOR) + threadIdx.x;
#if ATOMICS == ATOMICS_shared
	__shared__ unsigned int copies[COPIES * PITCH];
	unsigned int *mine = copies + threadIdx.x % COPIES * PITCH;

	for (int i = threadIdx.x; i < COPIES * PITCH; i += BLOCK)
		copies[i] = 0;
	__syncthreads();
#else
	unsigned int *mine = counts;
#endif

#pragma unroll
	for (int j = 0; j < PER_THREAD / VECTOR; j++) {
		if (first + j * BLOCK >= packs)
			break;
		const pack value = ((const pack *)bytes)[first + j * BLOCK];

#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			count(mine, value.words[i / 4] >> i % 4 * 8 & 255);
	}
	/* what does not fill a vector */
	if (blockIdx.x == 0 && threadIdx.x < n % VECTOR)
		count(mine, bytes[packs * VECTOR + threadIdx.x]);
#if ATOMICS == ATOMICS_shared
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += BLOCK) {
		unsigned int sum = 0;

		for (int j = 0; j < COPIES; j++)
			sum += copies[j * PITCH + i];
		if (sum)
			atomicAdd(&counts[i], sum);
	}
#endif
}

/* strides over the grid */
extern "C" __global__ void histogram_reference(
	const unsigned char *bytes, unsigned int *counts, int n)
{
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
		atomicAdd(&counts[bytes[i]], 1u);
}
