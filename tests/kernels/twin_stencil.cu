/*
 * STEPS steps of a smoothing filter on rows of BLOCK cells with zeros around them, a
 * block a row, between two buffers in shared memory; MISTAKE none is sound.
 *
 * no_halo          nobody writes the zeros around the row
 * no_step_barrier  a cell is read before the neighbour has made it
 * one_buffer       a neighbour has made the step already when a cell is read
 *
 * The last two show where two warps meet: 31 places a row, 16 steps. A block of 32
 * warps reads longer than the first of them needs to write what it read.
 */
#define STEPS 16

extern "C" __global__ void twin_stencil(const float *x, float *y, int rows)
{
	__shared__ float cells[2][BLOCK + 2];
	int i = threadIdx.x + 1, from = 0;

	cells[0][i] = x[blockIdx.x * BLOCK + threadIdx.x];
#if MISTAKE != MISTAKE_no_halo
	if (threadIdx.x < 2)
		for (int buffer = 0; buffer < 2; buffer++)
			cells[buffer][threadIdx.x * (BLOCK + 1)] = 0.0f;
#endif
	__syncthreads();
	for (int step = 0; step < STEPS; step++) {
#if MISTAKE == MISTAKE_one_buffer
		int to = from;
#else
		int to = 1 - from;
#endif

		cells[to][i] = 0.25f * cells[from][i - 1] + 0.5f * cells[from][i] +
			0.25f * cells[from][i + 1];
#if MISTAKE != MISTAKE_no_step_barrier
		__syncthreads();
#endif
		from = to;
	}
	y[blockIdx.x * BLOCK + threadIdx.x] = cells[from][i];
}

/* one thread a row, which nobody else sees */
extern "C" __global__ void twin_stencil_reference(const float *x, float *y, int rows)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float *cells = y + row * BLOCK;

		for (int i = 0; i < BLOCK; i++)
			cells[i] = x[row * BLOCK + i];
		for (int step = 0; step < STEPS; step++) {
			float before = 0.0f;

			for (int i = 0; i < BLOCK; i++) {
				float here = cells[i], after = i + 1 < BLOCK ? cells[i + 1] : 0.0f;

				cells[i] = 0.25f * before + 0.5f * here + 0.25f * after;
				before = here;
			}
		}
	}
}
