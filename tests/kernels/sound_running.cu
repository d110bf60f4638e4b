/*
 * Running sums of integers over blocks that wait for each other, as they may. Each METHOD
 * is sound.
 *
 * one_block   one block goes through all of it
 * tickets     a block takes its number when it begins to run, and waits for the one
 *             before it, which has begun
 * atomic_flags  the same, with atomics to look at the flag
 * epochs      flags in a variable, which is not put back: each launch counts one higher
 * recomputes  every block adds up all that is before it
 */
__device__ unsigned tickets, ended, epoch;
__device__ unsigned own_flags[BLOCKS_MAX];

extern "C" __global__ void sound_running_begin(unsigned *flags)
{
	for (int i = threadIdx.x; i < BLOCKS_MAX; i += blockDim.x)
		flags[i] = 0;
}

extern "C" __global__ void sound_running(const int *x, int *y, volatile int *totals,
	unsigned *flags, int n)
{
	__shared__ int sums[2][64];
	__shared__ int before;
	__shared__ unsigned number;
	int from = 0, thread = threadIdx.x;

#if METHOD == METHOD_one_block
	int carry = 0;

	for (int first = 0; first < n; first += 64) {
		int i = first + thread;
#else
	{
		int i;

		if (thread == 0)
#if METHOD == METHOD_recomputes
			number = blockIdx.x;
#else
			number = atomicAdd(&tickets, 1u);
#endif
		__syncthreads();
		i = number * 64 + thread;
#endif
		sums[from][thread] = i < n ? x[i] : 0;
		__syncthreads();
		for (int step = 1; step < 64; step *= 2) {
			int sum = sums[from][thread] + (thread >= step ? sums[from][thread - step] : 0);

			sums[1 - from][thread] = sum;
			from = 1 - from;
			__syncthreads();
		}
#if METHOD == METHOD_one_block
		if (i < n)
			y[i] = carry + sums[from][thread];
		carry += sums[from][63];
		__syncthreads();
	}
#else
		if (thread == 0) {
			before = 0;
#if METHOD == METHOD_recomputes
			for (int k = 0; k < (int)number * 64; k++)
				before += x[k];
#else
			if (number > 0) {
#if METHOD == METHOD_epochs
				while (((volatile unsigned *)own_flags)[number - 1] != epoch + 1)
					;
#elif METHOD == METHOD_atomic_flags
				while (atomicAdd(&flags[number - 1], 0u) == 0u)
					;
#else
				while (((volatile unsigned *)flags)[number - 1] == 0u)
					;
#endif
				__threadfence();
				before = totals[number - 1];
			}
			totals[number] = before + sums[from][63];
			__threadfence();
#if METHOD == METHOD_epochs
			atomicExch(&own_flags[number], epoch + 1);
#else
			atomicExch(&flags[number], 1u);
#endif
#endif
		}
		__syncthreads();
		if (i < n)
			y[i] = before + sums[from][thread];
	}
#if METHOD != METHOD_recomputes
	if (thread == 0 && atomicInc(&ended, gridDim.x - 1) == gridDim.x - 1) {
		tickets = 0;
		epoch++;
	}
#endif
#endif
}

extern "C" __global__ void sound_running_reference(const int *x, int *y, int *totals,
	unsigned *flags, int n)
{
	int sum = 0;

	if (blockIdx.x == 0 && threadIdx.x == 0)
		for (int i = 0; i < n; i++)
			y[i] = sum += x[i];
}
