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
 * BUFFERS           2: the next tiles are loaded while these are multiplied
 * SHARED            static: the tiles are two arrays of a fixed size; dynamic: they
 *                   lie in what the launch gives, which may be more
 * WARP              rows: a warp's threads lie along BLOCK_X, as they are numbered;
 *                   patch: 8 across and 4 down, neighbours in pairs above each other,
 *                   so that a warp needs fewer floats of the tiles and shared memory
 *                   gives the same ones to several threads at once
 * RESIDENT          threads of a multiprocessor that the compiler must leave registers
 *                   for; 0: as many as it likes
 * EDGES             checked: every load looks whether it is inside the matrices;
 *                   apart: blocks that are wholly inside run code without that
 *
 * The space's constraints see to it that every thread loads as much as every other,
 * in whole vectors.
 */
#define ROWS (BLOCK_Y * TILE_M)
#define COLUMNS (BLOCK_X * TILE_N)
#define THREADS (BLOCK_X * BLOCK_Y)
#define A_PITCH (ROWS + PAD)
#define B_PITCH (COLUMNS + PAD)
#define A_LOADS (ROWS * TILE_K / VECTOR / THREADS)
#define B_LOADS (COLUMNS * TILE_K / VECTOR / THREADS)

#if VECTOR == 4
typedef float4 vector;
#elif VECTOR == 2
typedef float2 vector;
#else
typedef float vector;
#endif

typedef float a_tiles[BUFFERS][TILE_K][A_PITCH];
typedef float b_tiles[BUFFERS][TILE_K][B_PITCH];

/* VECTOR floats of a row, zeros outside; vectors only where they are aligned */
template <bool INSIDE>
static __device__ __forceinline__ void load(const float *matrix, int rows, int columns,
	int row, int column, float *out)
{
	const float *at = matrix + (size_t)row * columns + column;

	if (INSIDE || (row < rows && column + VECTOR <= columns && columns % VECTOR == 0)) {
#if USE_LDG
		vector v = __ldg((const vector *)at);
#else
		vector v = *(const vector *)at;
#endif
#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			out[i] = ((const float *)&v)[i];
	} else {
#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			out[i] = row < rows && column + i < columns ? at[i] : 0.0f;
	}
}

/* this thread's share of the tile of A: vectors down the depth */
template <bool INSIDE>
static __device__ __forceinline__ void fetch_a(const float *a, int m, int k, int first_row,
	int depth, int thread, float (&out)[A_LOADS][VECTOR])
{
#pragma unroll
	for (int l = 0; l < A_LOADS; l++) {
		const int i = thread + l * THREADS;

		load<INSIDE>(a, m, k, first_row + i / (TILE_K / VECTOR),
			depth + i % (TILE_K / VECTOR) * VECTOR, out[l]);
	}
}

static __device__ __forceinline__ void store_a(float (&tile)[TILE_K][A_PITCH], int thread,
	const float (&in)[A_LOADS][VECTOR])
{
#pragma unroll
	for (int l = 0; l < A_LOADS; l++) {
		const int i = thread + l * THREADS;

#pragma unroll
		for (int j = 0; j < VECTOR; j++)
			tile[i % (TILE_K / VECTOR) * VECTOR + j][i / (TILE_K / VECTOR)] = in[l][j];
	}
}

/* and of B: vectors along its rows */
template <bool INSIDE>
static __device__ __forceinline__ void fetch_b(const float *b, int k, int n,
	int first_column, int depth, int thread, float (&out)[B_LOADS][VECTOR])
{
#pragma unroll
	for (int l = 0; l < B_LOADS; l++) {
		const int i = thread + l * THREADS;

		load<INSIDE>(b, k, n, depth + i / (COLUMNS / VECTOR),
			first_column + i % (COLUMNS / VECTOR) * VECTOR, out[l]);
	}
}

static __device__ __forceinline__ void store_b(float (&tile)[TILE_K][B_PITCH], int thread,
	const float (&in)[B_LOADS][VECTOR])
{
#pragma unroll
	for (int l = 0; l < B_LOADS; l++) {
		const int i = thread + l * THREADS;

#pragma unroll
		for (int j = 0; j < VECTOR; j++)
			tile[i / (COLUMNS / VECTOR)][i % (COLUMNS / VECTOR) * VECTOR + j] = in[l][j];
	}
}

/*
 * A thread's columns come in runs of RUN, so that reads and stores of a warp lie
 * side by side.
 */
enum { RUN = TILE_N % VECTOR == 0 ? VECTOR : 1, RUNS = TILE_N / RUN };

/* not every preprocessor looks for macros inside a pragma */
enum { STEPS = UNROLL };

/* column and row of this thread among those of the block that hold the sums */
static __device__ __forceinline__ int2 place(int thread)
{
#if WARP == WARP_patch
	const int lane = thread % 32, warp = thread / 32;

	return make_int2(warp % (BLOCK_X / 8) * 8 + lane / 2 % 8,
		warp / (BLOCK_X / 8) * 4 + lane / 16 * 2 + lane % 2);
#else
	return make_int2(threadIdx.x, threadIdx.y);
#endif
}

static __device__ __forceinline__ void multiply(const float (&a_tile)[TILE_K][A_PITCH],
	const float (&b_tile)[TILE_K][B_PITCH], int2 own, float (&sums)[TILE_M][TILE_N])
{
#pragma unroll STEPS
	for (int i = 0; i < TILE_K; i++) {
		float left[TILE_M], right[TILE_N];

#pragma unroll
		for (int j = 0; j < TILE_M; j++)
			left[j] = a_tile[i][own.y * TILE_M + j];
#pragma unroll
		for (int j = 0; j < TILE_N; j++)
			right[j] = b_tile[i][(j / RUN * BLOCK_X + own.x) * RUN + j % RUN];
#pragma unroll
		for (int j = 0; j < TILE_M; j++)
#pragma unroll
			for (int l = 0; l < TILE_N; l++)
				sums[j][l] += left[j] * right[l];
	}
}

static __device__ __forceinline__ void write_back(float *c, int m, int n, int first_row,
	int first_column, int2 own, const float (&sums)[TILE_M][TILE_N])
{
#pragma unroll
	for (int j = 0; j < TILE_M; j++) {
		const int row = first_row + own.y * TILE_M + j;

#pragma unroll
		for (int r = 0; r < RUNS; r++) {
			const int column = first_column + (r * BLOCK_X + own.x) * RUN;
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

/* a block's tile of C; INSIDE: neither it nor what it needs has a ragged edge */
template <bool INSIDE>
static __device__ __forceinline__ void make_tile(const float *a, const float *b, float *c,
	int m, int n, int k, a_tiles &a_tile, b_tiles &b_tile)
{
	const int thread = threadIdx.y * BLOCK_X + threadIdx.x;
	const int first_row = blockIdx.y * ROWS;
	const int first_column = blockIdx.x * COLUMNS;
	const int2 own = place(thread);
	__align__(16) float sums[TILE_M][TILE_N] = {};
	float a_next[A_LOADS][VECTOR], b_next[B_LOADS][VECTOR];
	int buffer = 0;

	fetch_a<INSIDE>(a, m, k, first_row, 0, thread, a_next);
	fetch_b<INSIDE>(b, k, n, first_column, 0, thread, b_next);
	store_a(a_tile[0], thread, a_next);
	store_b(b_tile[0], thread, b_next);
	__syncthreads();
	for (int depth = TILE_K; depth < k; depth += TILE_K) {
#if BUFFERS == 2
		fetch_a<INSIDE>(a, m, k, first_row, depth, thread, a_next);
		fetch_b<INSIDE>(b, k, n, first_column, depth, thread, b_next);
		multiply(a_tile[buffer], b_tile[buffer], own, sums);
		buffer ^= 1;
#else
		multiply(a_tile[buffer], b_tile[buffer], own, sums);
		__syncthreads();
		fetch_a<INSIDE>(a, m, k, first_row, depth, thread, a_next);
		fetch_b<INSIDE>(b, k, n, first_column, depth, thread, b_next);
#endif
		store_a(a_tile[buffer], thread, a_next);
		store_b(b_tile[buffer], thread, b_next);
		__syncthreads();
	}
	multiply(a_tile[buffer], b_tile[buffer], own, sums);
	write_back(c, m, n, first_row, first_column, own, sums);
}

#if EDGES == EDGES_checked
/*
 * A block's tile of C, wherever it lies. Compilers spend most of their time on multiply(),
 * so that stands once here: the loop also makes the first step, which only fetches, and
 * the last, which only multiplies.
 */
static __device__ __forceinline__ void make_checked(const float *a, const float *b, float *c,
	int m, int n, int k, a_tiles &a_tile, b_tiles &b_tile)
{
	const int thread = threadIdx.y * BLOCK_X + threadIdx.x;
	const int first_row = blockIdx.y * ROWS;
	const int first_column = blockIdx.x * COLUMNS;
	const int2 own = place(thread);
	__align__(16) float sums[TILE_M][TILE_N] = {};
	float a_next[A_LOADS][VECTOR], b_next[B_LOADS][VECTOR];
	int buffer = 0;

	for (int depth = 0;; depth += TILE_K) {
#if BUFFERS == 2
		if (depth < k) {
			fetch_a<false>(a, m, k, first_row, depth, thread, a_next);
			fetch_b<false>(b, k, n, first_column, depth, thread, b_next);
		}
#endif
		if (depth > 0)
			multiply(a_tile[buffer], b_tile[buffer], own, sums);
		if (depth >= k)
			break;
#if BUFFERS == 2
		buffer ^= 1;
#else
		__syncthreads();
		fetch_a<false>(a, m, k, first_row, depth, thread, a_next);
		fetch_b<false>(b, k, n, first_column, depth, thread, b_next);
#endif
		store_a(a_tile[buffer], thread, a_next);
		store_b(b_tile[buffer], thread, b_next);
		__syncthreads();
	}
	write_back(c, m, n, first_row, first_column, own, sums);
}

#endif

/* no __restrict__: with it the compiler takes the read-only cache unasked */
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
#if SHARED == SHARED_dynamic
	extern __shared__ __align__(16) float tiles[];
	a_tiles &a_tile = *(a_tiles *)tiles;
	b_tiles &b_tile = *(b_tiles *)(tiles + sizeof(a_tiles) / sizeof(float));
#else
	__shared__ __align__(16) a_tiles a_tile;
	__shared__ __align__(16) b_tiles b_tile;
#endif

#if EDGES == EDGES_apart
	if ((blockIdx.y + 1) * ROWS <= m && (blockIdx.x + 1) * COLUMNS <= n &&
		k % TILE_K == 0 && n % VECTOR == 0) {
		make_tile<true>(a, b, c, m, n, k, a_tile, b_tile);
		return;
	}
	make_tile<false>(a, b, c, m, n, k, a_tile, b_tile);
#else
	make_checked(a, b, c, m, n, k, a_tile, b_tile);
#endif
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
