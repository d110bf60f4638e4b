/*
 * STEPS steps of a smoothing filter on rows of 2 * BLOCK cells with zeros around them, a
 * block a row, two cells a thread, between two buffers in shared memory; MISTAKE none is
 * sound.
 *
 * no_halo          no thread writes the zeros around the row
 * no_step_barrier  a cell is read before the neighbour has made it
 * one_buffer       a neighbour has made the step already when a cell is read
 *
 * The second shows where two warps meet: 31 places a row, 16 steps. The last one shows
 * in any order: a thread's second cell reads its first.
 */
#define STEPS 16
#define CELLS (2 * BLOCK)

extern "C" __global__ void mutant_stencil(const float *x, float *y, int rows)
{
	__shared__ float cells[2][CELLS + 2];
	int first = 2 * threadIdx.x + 1, from = 0;

	for (int i = first; i < first + 2; i++)
		cells[0][i] = x[blockIdx.x * CELLS + i - 1];
#if MISTAKE != MISTAKE_no_halo
	if (threadIdx.x < 2)
		for (int buffer = 0; buffer < 2; buffer++)
			cells[buffer][threadIdx.x * (CELLS + 1)] = 0.0f;
#endif
	__syncthreads();
	for (int step = 0; step < STEPS; step++) {
#if MISTAKE == MISTAKE_one_buffer
		int to = from;
#else
		int to = 1 - from;
#endif

		for (int i = first; i < first + 2; i++)
			cells[to][i] = 0.25f * cells[from][i - 1] + 0.5f * cells[from][i] +
				0.25f * cells[from][i + 1];
#if MISTAKE != MISTAKE_no_step_barrier
		__syncthreads();
#endif
		from = to;
	}
	for (int i = first; i < first + 2; i++)
		y[blockIdx.x * CELLS + i - 1] = cells[from][i];
}

/* one thread a row, which no other thread sees */
extern "C" __global__ void mutant_stencil_reference(const float *x, float *y, int rows)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float *cells = y + row * CELLS;

		for (int i = 0; i < CELLS; i++)
			cells[i] = x[row * CELLS + i];
		for (int step = 0; step < STEPS; step++) {
			float before = 0.0f;

			for (int i = 0; i < CELLS; i++) {
				float here = cells[i], after = i + 1 < CELLS ? cells[i + 1] : 0.0f;

				cells[i] = 0.25f * before + 0.5f * here + 0.25f * after;
				before = here;
			}
		}
	}
}
