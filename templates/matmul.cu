/*
 * C = A * B in single precision: row-major A (M x K), B (K x N), C (M x N), any
 * sizes.
 *
 * A block of BLOCK_X * BLOCK_Y threads makes a tile of C of BLOCK_Y * TILE_M rows
 * and BLOCK_X * TILE_N columns; each thread keeps TILE_M * TILE_N sums in
 * registers. Tiles of A and B, TILE_K deep, go through shared memory, A's
 * transposed, so that the inner loop reads both along their rows. What lies
 * outside the matrices is read as zero and never written.
 *
 * BLOCK_X, BLOCK_Y  threads of a block
 * TILE_M, TILE_N    sums of a thread, down and across
 * TILE_K            depth of the tiles in shared memory
 * VECTOR            floats of one load from and store to global memory: 1, 2, 4
 * PAD               floats after each row of the tiles: fewer bank conflicts
 * UNROLL            of the loop over TILE_K
 * USE_LDG           loads through the read-only cache
 *
 * Constraints (see the space): BLOCK_Y * TILE_M and BLOCK_X * TILE_N rows and
 * columns must divide evenly into vectors, and the tiles into whole loads.
 */
#define ROWS (BLOCK_Y * TILE_M)
#define COLUMNS (BLOCK_X * TILE_N)
#define THREADS (BLOCK_X * BLOCK_Y)
#define A_PITCH (ROWS + PAD)
#define B_PITCH (COLUMNS + PAD)

#if VECTOR == 4
typedef float4 vector;
#elif VECTOR == 2
typedef float2 vector;
#else
typedef float vector;
#endif

/* VECTOR floats of a row, zeros outside; vectors only where they are aligned */
static __device__ __forceinline__ void load(const float *matrix, int rows, int columns,
	int row, int column, float *out)
{
	const float *at = matrix + (size_t)row * columns + column;

	if (row < rows && column + VECTOR <= columns && columns % VECTOR == 0) {
#if USE_LDG
		vector v = __ldg((const vector *)at);
#else
		vector v = *(const vector *)at;
#endif
#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			out[i] = ((const float *)&v)[i];
		return;
	}
#pragma unroll
	for (int i = 0; i < VECTOR; i++)
		out[i] = row < rows && column + i < columns ? at[i] : 0.0f;
}

extern "C" __global__ void __launch_bounds__(THREADS)
matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
	int m, int n, int k)
{
	__shared__ __align__(16) float a_tile[TILE_K][A_PITCH];
	__shared__ __align__(16) float b_tile[TILE_K][B_PITCH];
	const int thread = threadIdx.y * BLOCK_X + threadIdx.x;
	const int first_row = blockIdx.y * ROWS;
	const int first_column = blockIdx.x * COLUMNS;
	/* a thread's columns come in runs of RUN, so that reads and stores of a warp
	   lie side by side */
	enum { RUN = TILE_N % VECTOR == 0 ? VECTOR : 1, RUNS = TILE_N / RUN };
	__align__(16) float sums[TILE_M][TILE_N] = {};

	for (int depth = 0; depth < k; depth += TILE_K) {
#pragma unroll
		for (int i = thread; i < ROWS * TILE_K / VECTOR; i += THREADS) {
			const int row = i / (TILE_K / VECTOR);
			const int column = i % (TILE_K / VECTOR) * VECTOR;
			float values[VECTOR];

			load(a, m, k, first_row + row, depth + column, values);
#pragma unroll
			for (int j = 0; j < VECTOR; j++)
				a_tile[column + j][row] = values[j];
		}
#pragma unroll
		for (int i = thread; i < TILE_K * COLUMNS / VECTOR; i += THREADS) {
			const int row = i / (COLUMNS / VECTOR);
			const int column = i % (COLUMNS / VECTOR) * VECTOR;
			float values[VECTOR];

			load(b, k, n, depth + row, first_column + column, values);
#pragma unroll
			for (int j = 0; j < VECTOR; j++)
				b_tile[row][column + j] = values[j];
		}
		__syncthreads();
#pragma unroll UNROLL
		for (int i = 0; i < TILE_K; i++) {
			float left[TILE_M], right[TILE_N];

#pragma unroll
			for (int j = 0; j < TILE_M; j++)
				left[j] = a_tile[i][threadIdx.y * TILE_M + j];
#pragma unroll
			for (int j = 0; j < TILE_N; j++)
				right[j] = b_tile[i][(j / RUN * BLOCK_X + threadIdx.x) * RUN +
					j % RUN];
#pragma unroll
			for (int j = 0; j < TILE_M; j++)
#pragma unroll
				for (int l = 0; l < TILE_N; l++)
					sums[j][l] += left[j] * right[l];
		}
		__syncthreads();
	}
#pragma unroll
	for (int j = 0; j < TILE_M; j++) {
		const int row = first_row + threadIdx.y * TILE_M + j;

#pragma unroll
		for (int r = 0; r < RUNS; r++) {
			const int column = first_column + (r * BLOCK_X + threadIdx.x) * RUN;
			float *at = c + (size_t)row * n + column;

			if (row < m && column + RUN <= n && RUN == VECTOR && n % VECTOR == 0) {
				*(vector *)at = *(const vector *)&sums[j][r * RUN];
				continue;
			}
#pragma unroll
			for (int l = 0; l < RUN; l++)
				if (row < m && column + l < n)
					at[l] = sums[j][r * RUN + l];
		}
	}
}

/* one sum after the other, in double; strides over the grid */
extern "C" __global__ void matmul_reference(const float *a, const float *b, float *c, int m,
	int n, int k)
{
	const size_t count = (size_t)m * n;
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
		const float *row = a + i / n * k;
		const float *column = b + i % n;
		double sum = 0.0;

		for (int j = 0; j < k; j++)
			sum += (double)row[j] * column[(size_t)j * n];
		c[i] = (float)sum;
	}
}
