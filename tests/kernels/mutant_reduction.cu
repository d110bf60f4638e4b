/*
 * The sum of each row, a block a row; MISTAKE none is sound.
 *
 * drops_tail     adds whole passes of the block only: the row of the space file has
 *                one value more
 * uninitialised_sum  `total` begins with what lies in shared memory: the tuner puts
 *                poison there before it looks at the result
 * no_last_barrier  the first thread reads the total when its own warp has added its
 *                part; the 7 others still wait for their rows or for each other
 * no_syncwarp    lanes of a warp add what others wrote as if they were in step. A
 *                GPU may keep them so, and then the result is right; a CPU does not
 */
extern "C" __global__ void mutant_reduction(const float *x, float *y, int rows, int columns)
{
	__shared__ float total, parts[BLOCK];
	int thread = threadIdx.x, lane = threadIdx.x % 32;
#if MISTAKE == MISTAKE_drops_tail
	int end = columns / BLOCK * BLOCK;
#else
	int end = columns;
#endif
	float sum = 0.0f;

#if MISTAKE != MISTAKE_uninitialised_sum
	if (thread == 0)
		total = 0.0f;
#endif
	for (int i = thread; i < end; i += BLOCK)
		sum += x[(long long)blockIdx.x * columns + i];
	parts[thread] = sum;
	__syncthreads();
	for (int step = 16; step > 0; step /= 2) {
		if (lane < step)
			parts[thread] += parts[thread + step];
#if MISTAKE != MISTAKE_no_syncwarp
		__syncwarp();
#endif
	}
	if (lane == 0)
		atomicAdd(&total, parts[thread]);
#if MISTAKE != MISTAKE_no_last_barrier
	__syncthreads();
#endif
	if (thread == 0)
		y[blockIdx.x] = total;
}

extern "C" __global__ void mutant_reduction_reference(const float *x, float *y, int rows,
	int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		double sum = 0.0;

		for (int i = 0; i < columns; i++)
			sum += x[(long long)row * columns + i];
		y[row] = (float)sum;
	}
}
