/*
 * Running sums over all values: each block adds up its own and needs the total of all
 * blocks before it; MISTAKE none is sound: a block takes its number when it begins to run,
 * so that whom it waits for has begun too.
 *
 * waits_by_index  waits for the block whose index is one less, which need not have begun
 * takes_as_done   does not wait: the block before has surely ended
 * all_resident    waits until all blocks have come
 * waits_for_next  waits for the block whose index is one more
 * flag_first      tells of its total before it is there
 */
__device__ unsigned tickets;
__device__ unsigned ended;

extern "C" __global__ void mutant_order(const int *x, int *y, volatile int *totals,
	volatile unsigned *flags, int n)
{
	__shared__ int sums[2][BLOCK];
	__shared__ int before;
	__shared__ unsigned number;
	int from = 0, i;

	if (threadIdx.x == 0) {
#if MISTAKE == MISTAKE_waits_by_index || MISTAKE == MISTAKE_takes_as_done || \
	MISTAKE == MISTAKE_all_resident || MISTAKE == MISTAKE_waits_for_next
		number = blockIdx.x;
		atomicAdd(&tickets, 1u);
#else
		number = atomicAdd(&tickets, 1u);
#endif
	}
	__syncthreads();
	i = number * BLOCK + threadIdx.x;
	sums[0][threadIdx.x] = i < n ? x[i] : 0;
	__syncthreads();
	for (int step = 1; step < BLOCK; step *= 2) {
		int sum = sums[from][threadIdx.x];

		if (threadIdx.x >= step)
			sum += sums[from][threadIdx.x - step];
		sums[1 - from][threadIdx.x] = sum;
		from = 1 - from;
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		int own = sums[from][BLOCK - 1];

		before = 0;
#if MISTAKE == MISTAKE_all_resident
		totals[number] = own;
		__threadfence();
		atomicAdd(&ended, 1u);
		while (atomicAdd(&ended, 0u) < gridDim.x)
			;
		for (unsigned block = 0; block < number; block++)
			before += totals[block];
#elif MISTAKE == MISTAKE_takes_as_done
		if (number > 0)
			before = totals[number - 1];
		totals[number] = before + own;
#elif MISTAKE == MISTAKE_waits_for_next
		/* from the last to the first: all there is less what is behind */
		if (number + 1 < gridDim.x)
			while (flags[number + 1] != 1u)
				;
		totals[number] = own + (number + 1 < gridDim.x ? totals[number + 1] : 0);
		__threadfence();
		flags[number] = 1;
		for (unsigned k = 0; k < number * BLOCK; k++)
			before += x[k];
#else
		if (number > 0) {
			while (flags[number - 1] != 1u)
				;
			__threadfence();
			before = totals[number - 1];
		}
#if MISTAKE == MISTAKE_flag_first
		flags[number] = 1;
		totals[number] = before + own;
#else
		totals[number] = before + own;
		__threadfence();
		flags[number] = 1;
#endif
#endif
	}
	__syncthreads();
	if (i < n)
		y[i] = before + sums[from][threadIdx.x];
	/* the last of all puts back what the next launch begins with */
	__syncthreads();
	if (threadIdx.x == 0) {
#if MISTAKE != MISTAKE_all_resident
		if (atomicInc(&ended, gridDim.x - 1) == gridDim.x - 1)
			tickets = 0;
#else
		if (atomicAdd(&ended, 1u) == 2 * gridDim.x - 1)
			ended = 0;
#endif
	}
}

/* flags[] must begin as 0: scratch memory holds anything */
extern "C" __global__ void mutant_order_begin(unsigned *flags)
{
	for (unsigned i = threadIdx.x; i < BLOCKS_MAX; i += blockDim.x)
		flags[i] = 0;
}

extern "C" __global__ void mutant_order_reference(const int *x, int *y, int *totals,
	unsigned *flags, int n)
{
	int sum = 0;

	if (blockIdx.x == 0 && threadIdx.x == 0)
		for (int i = 0; i < n; i++)
			y[i] = sum += x[i];
}
