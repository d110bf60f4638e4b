/*
 * *total += the sum of n floats. The caller zeroes *total.
 *
 * BLOCK                      threads of a block
 * UNROLL                     loads in flight in each thread, a sum of its own each
 * VECTOR                     floats of a load: 1, 2, 4
 * METHOD                     how a block adds up its threads' sums: shuffle, warp by
 *                            warp, or tree, halving in shared memory
 * FINISH                     how the blocks' sums are added up: atomic: each block adds
 *                            its own to the total; launch: reduction_add does, in one
 *                            block, and the result is the same in each run
 * BLOCKS_PER_MULTIPROCESSOR  the grid: fewer blocks, fewer atomics; the launch uses it
 */
struct __align__(4 * VECTOR) pack {
	float at[VECTOR];
};

/* the sum over the block, in thread 0 */
static __device__ __forceinline__ float add_up(float sum)
{
#if METHOD == METHOD_shuffle
	__shared__ float warps[BLOCK / 32];

	for (int lanes = 16; lanes > 0; lanes /= 2)
		sum += __shfl_down_sync(0xffffffffu, sum, lanes);
	if (threadIdx.x % 32 == 0)
		warps[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x < 32) {
		sum = threadIdx.x < BLOCK / 32 ? warps[threadIdx.x] : 0.0f;
		for (int lanes = 16; lanes > 0; lanes /= 2)
			sum += __shfl_down_sync(0xffffffffu, sum, lanes);
	}
	return sum;
#else
	__shared__ float sums[BLOCK];

	sums[threadIdx.x] = sum;
	for (int half = BLOCK / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			sums[threadIdx.x] += sums[threadIdx.x + half];
	}
	return sums[0];
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK)
reduction(const float *__restrict__ x, float *total, float *parts, int n)
{
	const size_t packs = n / VECTOR;
	const size_t stride = (size_t)gridDim.x * BLOCK * UNROLL;
	float sums[UNROLL] = {};
	float sum = 0.0f;

	for (size_t first = (size_t)blockIdx.x * BLOCK * UNROLL + threadIdx.x; first < packs;
		first += stride) {
#pragma unroll
		for (int j = 0; j < UNROLL; j++) {
			pack value = {};

			if (first + j * BLOCK < packs)
				value = ((const pack *)x)[first + j * BLOCK];
#pragma unroll
			for (int i = 0; i < VECTOR; i++)
				sums[j] += value.at[i];
		}
	}
	/* what does not fill a vector */
	if (blockIdx.x == 0 && threadIdx.x < n % VECTOR)
		sum = x[packs * VECTOR + threadIdx.x];
#pragma unroll
	for (int j = 0; j < UNROLL; j++)
		sum += sums[j];
	sum = add_up(sum);
	if (threadIdx.x == 0) {
#if FINISH == FINISH_atomic
		atomicAdd(total, sum);
#else
		parts[blockIdx.x] = sum;
#endif
	}
}

/* one block */
extern "C" __global__ void __launch_bounds__(BLOCK)
reduction_add(const float *parts, float *total, int count)
{
	float sum = 0.0f;

	for (int i = threadIdx.x; i < count; i += BLOCK)
		sum += parts[i];
	sum = add_up(sum);
	if (threadIdx.x == 0)
		*total += sum;
}

/* one block of 1024 threads, all sums in double */
extern "C" __global__ void reduction_reference(const float *x, float *total, int n)
{
	__shared__ double sums[1024];
	double sum = 0.0;

	for (int i = threadIdx.x; i < n; i += 1024)
		sum += x[i];
	sums[threadIdx.x] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		sum = *total;
		for (int i = 0; i < 1024; i++)
			sum += sums[i];
		*total = (float)sum;
	}
}
