/*
 * The sum of all values: each block leaves a part, and the block that finishes last adds
 * the parts up; MISTAKE none is sound.
 *
 * counter_not_put_back  the count goes on in the next launch, which has no last block
 * every_other_launch    the count is put back after two launches
 * total_kept            parts are added to a total that is not put back
 * no_fence              a part may come later than the count that tells of it
 * no_barrier            threads go on before they know whether theirs is the last block, and
 *                       help if what lies there is not 0
 * no_barrier_early      the same, but they help if it is 0
 * last_by_number        the block with the highest number takes itself for the last
 * counter_unset         counts in scratch, from what lies there, as its neighbour tells
 * counter_from_ones     counts in scratch from all ones, as if they lay there
 */
#if MISTAKE == MISTAKE_counter_unset || MISTAKE == MISTAKE_counter_from_ones
#define COUNTER (&scratch[0])
#else
__device__ unsigned counter;
#define COUNTER (&counter)
#endif
__device__ float total;

extern "C" __global__ void mutant_last_block(const float *x, float *y, float *parts,
	unsigned *scratch, int n)
{
	__shared__ float sums[BLOCK];
	__shared__ bool is_last, is_early;
	float sum = 0.0f;

	for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
		sum += x[i];
	sums[threadIdx.x] = sum;
	__syncthreads();
	for (int step = BLOCK / 2; step > 0; step /= 2) {
		if (threadIdx.x < step)
			sums[threadIdx.x] += sums[threadIdx.x + step];
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		unsigned before;

		parts[blockIdx.x] = sums[0];
#if MISTAKE == MISTAKE_total_kept
		atomicAdd(&total, sums[0]);
#endif
#if MISTAKE != MISTAKE_no_fence
		__threadfence();
#endif
#if MISTAKE == MISTAKE_counter_not_put_back
		before = atomicAdd(COUNTER, 1u);
#elif MISTAKE == MISTAKE_every_other_launch
		before = atomicInc(COUNTER, 2 * gridDim.x - 1);
#elif MISTAKE == MISTAKE_counter_unset
		before = atomicAdd(COUNTER, 1u) - scratch[1];
#elif MISTAKE == MISTAKE_counter_from_ones
		before = atomicAdd(COUNTER, 1u) + 1;
#else
		before = atomicInc(COUNTER, gridDim.x - 1);
#endif
		is_last = before == gridDim.x - 1;
#if MISTAKE == MISTAKE_last_by_number
		is_last = blockIdx.x == gridDim.x - 1;
#endif
		is_early = !is_last;
	}
#if MISTAKE != MISTAKE_no_barrier && MISTAKE != MISTAKE_no_barrier_early
	__syncthreads();
#endif
#if MISTAKE == MISTAKE_no_barrier_early
	if (is_early)
		return;
#else
	if (!is_last)
		return;
#endif
#if MISTAKE == MISTAKE_total_kept
	if (threadIdx.x == 0)
		y[0] = total;
#else
	__threadfence();
	sum = 0.0f;
	for (unsigned i = threadIdx.x; i < gridDim.x; i += BLOCK)
		sum += ((volatile float *)parts)[i];
	__syncthreads();
	sums[threadIdx.x] = sum;
	__syncthreads();
	for (int step = BLOCK / 2; step > 0; step /= 2) {
		if (threadIdx.x < step)
			sums[threadIdx.x] += sums[threadIdx.x + step];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		y[0] = sums[0];
#endif
}

extern "C" __global__ void mutant_last_block_reference(const float *x, float *y, float *parts,
	unsigned *scratch, int n)
{
	double sum = 0.0;

	if (blockIdx.x == 0 && threadIdx.x == 0) {
		for (int i = 0; i < n; i++)
			sum += x[i];
		y[0] = (float)sum;
	}
}
