/*
 * y = A * x, A sparse in compressed rows (CSR): the values and columns of row i are
 * those from starts[i] to starts[i + 1].
 *
 * BLOCK            threads of a block
 * THREADS_PER_ROW  1, 2, 4 ... 32 threads of a warp share a row: one suits short rows;
 *                  many read long rows side by side
 * ROWS_PER_BLOCK   rows of a block: its threads go over them in one or more rounds
 * UNROLL           of the loop along a row
 * USE_LDG          loads through the read-only cache
 */
enum { STEPS = UNROLL, GROUPS = BLOCK / THREADS_PER_ROW };

#if USE_LDG
#define LOAD(at) __ldg(&(at))
#else
#define LOAD(at) (at)
#endif

/* no __restrict__: with it the compiler takes the read-only cache unasked */
extern "C" __global__ void __launch_bounds__(BLOCK)
spmv(const int *starts, const int *columns, const float *values, const float *x, float *y,
	int rows)
{
	const int lane = threadIdx.x % THREADS_PER_ROW;
	const int first_row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / THREADS_PER_ROW;

	for (int r = 0; r < ROWS_PER_BLOCK; r += GROUPS) {
		const int row = first_row + r;
		/* a thread without a row comes along to the shuffles */
		const int start = row < rows ? LOAD(starts[row]) : 0;
		const int end = row < rows ? LOAD(starts[row + 1]) : 0;
		float sum = 0.0f;

#pragma unroll STEPS
		for (int i = start + lane; i < end; i += THREADS_PER_ROW)
			sum += LOAD(values[i]) * LOAD(x[LOAD(columns[i])]);
#pragma unroll
		for (int lanes = THREADS_PER_ROW / 2; lanes > 0; lanes /= 2)
			sum += __shfl_down_sync(0xffffffffu, sum, lanes, THREADS_PER_ROW);
		if (lane == 0 && row < rows)
			y[row] = sum;
	}
}

/* one row after the other, in double; strides over the grid */
extern "C" __global__ void spmv_reference(const int *starts, const int *columns,
	const float *values, const float *x, float *y, int rows)
{
	const int stride = gridDim.x * blockDim.x;

	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += stride) {
		double sum = 0.0;

		for (int i = starts[row]; i < starts[row + 1]; i++)
			sum += (double)values[i] * x[columns[i]];
		y[row] = (float)sum;
	}
}
