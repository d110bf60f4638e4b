/*
 * Sums over windows of rows, down strips of columns: rows go through a ring of shared
 * memory, and each is added together with those before it and with the neighbours to its
 * right; MISTAKE none is sound.
 *
 * one_slot_short  the ring has as many rows as the window: with one barrier a row, who is
 *                 ahead writes over a row that others still add up
 * no_barrier      no barrier between the write and the sum
 * barrier_every_other_row  a barrier in every second row
 * unsafe_end      the last window is read behind a barrier that comes before its row
 */
#define WINDOW 4
#if MISTAKE == MISTAKE_one_slot_short
#define SLOTS WINDOW
#else
#define SLOTS (WINDOW + 1)
#endif

extern "C" __global__ void mutant_ring(const float *x, float *y, int height, int width)
{
	__shared__ float ring[SLOTS][BLOCK];
	int thread = threadIdx.x, column = blockIdx.x * BLOCK + thread;
	int end = min(BLOCK, width - blockIdx.x * BLOCK);

	for (int row = 0; row < height; row++) {
		float sum = 0.0f;

		ring[row % SLOTS][thread] = column < width ? x[row * width + column] : 0.0f;
#if MISTAKE == MISTAKE_no_barrier
#elif MISTAKE == MISTAKE_barrier_every_other_row
		if (row % 2)
			__syncthreads();
#elif MISTAKE == MISTAKE_unsafe_end
		if (row + 1 < height)
			__syncthreads();
#else
		__syncthreads();
#endif
		for (int k = 0; k < WINDOW && k <= row; k++)
			for (int j = thread; j < thread + 48 && j < end; j++)
				sum += ring[(row - k) % SLOTS][j];
		if (column < width)
			y[row * width + column] = sum;
	}
}

extern "C" __global__ void mutant_ring_reference(const float *x, float *y, int height, int width)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < height * width;
		i += gridDim.x * blockDim.x) {
		int row = i / width, column = i % width;
		int end = min((column / BLOCK + 1) * BLOCK, width);
		double sum = 0.0;

		for (int k = 0; k < WINDOW && k <= row; k++)
			for (int j = column; j < column + 48 && j < end; j++)
				sum += x[(row - k) * width + j];
		y[i] = (float)sum;
	}
}
