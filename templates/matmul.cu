/*
 * C = A * B in single precision. A (M x K), B (K x N) and C (M x N) are row-major, of any size.
 *
 * A block computes a tile of C of ROWS x COLUMNS. It walks along K in slabs of TILE_K: it copies a
 * slab of A, transposed, and a slab of B into shared memory and multiplies them there. Each thread
 * keeps TILE_M x TILE_N sums in registers.
 *
 * The defaults of spaces/matmul.cfg are a first tiled version. These parameters lead from there to
 * a kernel at the limit of the FP32 units:
 *
 * The tile
 *   BLOCK_X, BLOCK_Y  threads across and down the tile
 *   TILE_M, TILE_N    sums of a thread, down and across: more sums per value read
 *   TILE_K            depth of a slab
 *   LANES             lanes of a warp that lie below each other: a warp whose sums form a square
 *                     reads less shared memory
 *   SLICES            groups of threads that share the tile, each with a part of every slab: more
 *                     warps for small and thin matrices
 *   CLUSTER           blocks that share the tile, each with a part of K: more blocks for the same
 *                     matrices (compute capability 9.0)
 *   PARTS             parts of K, each by blocks of their own, whose sums the kernel matmul_add
 *                     adds up in a second launch. 1 without a definition: there is one launch
 * The copies
 *   VECTOR            floats of one access to global memory
 *   USE_LDG           loads through the read-only cache
 *   PAD               floats behind each row of the slab of A: fewer bank conflicts as A is
 *                     transposed
 *   STAGES            slabs in shared memory. 1: a slab is copied, then multiplied. From 2 on, the
 *                     next slabs are on their way meanwhile, and tiles inside the matrices check
 *                     no bounds
 *   COPY              registers: loads, and later stores to shared memory; async: cp.async, A float
 *                     by float (8.0); mixed: A by registers, B by cp.async
 *   SPREAD            bursts into which the copies of a slab are divided
 * The product
 *   UNROLL            steps of k that are unrolled; 0: the whole slab
 *   FRAGMENTS         2: the thread reads its values for the next step while it multiplies this one
 *   ORDER             order of the multiplications: rows; across, down: a snake, so that each has
 *                     an operand in common with the one before, which the hardware then does not
 *                     read again
 *   LOOSE             the sums are multiplied by one before they are stored. So they need not lie
 *                     in neighbouring registers, and can avoid the register banks of their operands
 *   RESIDENT          blocks of a multiprocessor that the compiler must leave registers for
 *
 * All numbers are powers of two, so that every thread copies as much as the next.
 */
#define INLINE __device__ __forceinline__

#ifndef PARTS
#define PARTS 1
#endif

enum {
	ROWS = BLOCK_Y * TILE_M,
	COLUMNS = BLOCK_X * TILE_N,
	SLICE_THREADS = BLOCK_X * BLOCK_Y,
	THREADS = SLICE_THREADS * SLICES,
	STEPS = TILE_K / SLICES,             /* steps of a slab that a thread makes */
	A_PITCH = ROWS + PAD,
	A_FLOATS = TILE_K * A_PITCH,         /* of a slab */
	B_FLOATS = TILE_K * COLUMNS,
	ACROSS = 32 / LANES,                 /* lanes of a warp beside each other */
	RUN_M = TILE_M < 4 ? TILE_M : 4,     /* sums that lie together, down and across */
	RUN_N = TILE_N < 4 ? TILE_N : 4,
	RUNS_M = TILE_M / RUN_M,
	RUNS_N = TILE_N / RUN_N,
	STORE_WIDTH = VECTOR < RUN_N ? VECTOR : RUN_N,
	RASTER = 8,                          /* rows of tiles that are walked together: they share B */
};

/* ---- instructions of newer devices; elsewhere a copy is complete when it is begun ---- */

#if CLUSTER > 1 && !defined AUTOTUNE_HOST && __CUDA_ARCH__ >= 900
#define SHARES CLUSTER
#else
#define SHARES 1 /* without clusters, the first block of each does everything */
#endif

#if !defined AUTOTUNE_HOST && (COPY != COPY_registers || SHARES > 1)
static INLINE unsigned shared_address(const void *pointer)
{
	return (unsigned)__cvta_generic_to_shared(pointer);
}
#endif

#if STAGES == 1
/* a slab is copied, then multiplied */
#elif COPY == COPY_registers || defined AUTOTUNE_HOST || __CUDA_ARCH__ < 800
template <int WIDTH> static INLINE void copy_async(float *to, const float *from)
{
	for (int i = 0; i < WIDTH; i++)
		to[i] = from[i];
}

#if COPY != COPY_registers
static INLINE void copy_async_or_zero(float *to, const float *from, bool inside)
{
	*to = inside ? *from : 0.0f;
}
#endif

static INLINE void commit_copies() {}
template <int PENDING> static INLINE void wait_for_copies() {}
#else
template <int WIDTH> static INLINE void copy_async(float *to, const float *from)
{
	if (WIDTH == 4)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
			:: "r"(shared_address(to)), "l"(from) : "memory");
	else
		asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
			:: "r"(shared_address(to)), "l"(from), "n"(WIDTH * 4) : "memory");
}

static INLINE void copy_async_or_zero(float *to, const float *from, bool inside)
{
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
		:: "r"(shared_address(to)), "l"(from), "r"(inside ? 4 : 0) : "memory");
}

static INLINE void commit_copies()
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int PENDING> static INLINE void wait_for_copies()
{
	asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}
#endif

#if SHARES > 1
static INLINE void cluster_sync()
{
	asm volatile("barrier.cluster.arrive.release.aligned;\n"
		"barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* a float of the shared memory of another block of the cluster */
static INLINE float read_shared_of(unsigned rank, const float *at)
{
	unsigned there;
	float value;

	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
		: "=r"(there) : "r"(shared_address(at)), "r"(rank));
	asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(there) : "memory");
	return value;
}
#endif

/* ---- WIDTH floats in one access; all arrays of floats are aligned for it ---- */

template <int WIDTH> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };

/* from global memory */
template <int WIDTH> static INLINE void load(const float *from, float *to)
{
	typedef typename vector<WIDTH>::type type;

#if USE_LDG
	*(type *)to = __ldg((const type *)from);
#else
	*(type *)to = *(const type *)from;
#endif
}

template <int WIDTH> static INLINE void copy(float *to, const float *from)
{
	typedef typename vector<WIDTH>::type type;

	*(type *)to = *(const type *)from;
}

#if COPY == COPY_registers
/* WIDTH floats of a row, zeros where they lie outside; vectors where they are aligned */
template <int WIDTH> static INLINE void load_checked(const float *matrix, int rows, int columns,
	int pitch, int row, int column, float *to)
{
	const float *from = matrix + (size_t)row * pitch + column;

	if (row < rows && column + WIDTH <= columns && pitch % WIDTH == 0) {
		load<WIDTH>(from, to);
		return;
	}
#pragma unroll
	for (int i = 0; i < WIDTH; i++) {
		to[i] = 0.0f;
		if (row < rows && column + i < columns)
			load<1>(from + i, &to[i]);
	}
}
#endif

/* ---- a tile of C, and this thread's place in it ---- */

struct tile {
	int row, column;         /* where the tile begins in C */
	int first_row, first_column; /* what lies before these is another tile's to write */
};

/*
 * Row and column of this thread's first sum in the tile. Lanes are numbered in pairs along the
 * shorter side of the warp, so that the lanes that shared memory serves together read few different
 * values.
 */
static INLINE int2 place_of(int thread)
{
	enum { LONG = LANES < ACROSS ? ACROSS : LANES, SHORT = 32 / LONG, WARPS = BLOCK_X / ACROSS };
	const int lane = thread % 32, warp = thread / 32;
	const int along = SHORT == 1 ? lane : lane / 2 % LONG;
	const int beside = SHORT == 1 ? 0 : lane / (2 * LONG) * 2 + lane % 2;
	const int down = LANES < ACROSS ? beside : along;
	const int across = LANES < ACROSS ? along : beside;

	return make_int2(warp / WARPS * (LANES * TILE_M) + down * RUN_M,
		warp % WARPS * (ACROSS * TILE_N) + across * RUN_N);
}

/* row and column in C of sum i down and j across of the thread whose first sum is at own */
static INLINE int row_of(const tile &at, int2 own, int i)
{
	return at.row + own.x + i / RUN_M * (LANES * RUN_M) + i % RUN_M;
}

static INLINE int column_of(const tile &at, int2 own, int j)
{
	return at.column + own.y + j / RUN_N * (ACROSS * RUN_N) + j % RUN_N;
}

/* RUN_N sums that lie side by side into C, WIDTH at a time */
template <int WIDTH> static INLINE void store_run(float *c, int m, int n, const tile &at, int row,
	int column, const float *sums)
{
	if (row < at.first_row || row >= m)
		return;
#pragma unroll
	for (int j = 0; j < RUN_N; j += WIDTH)
		if (column + j >= at.first_column && column + j < n)
			copy<WIDTH>(c + (size_t)row * n + column + j, sums + j);
}

/* ---- the product of two slabs ---- */

static INLINE void read_fragments(const float *a, const float *b, float (&left)[TILE_M],
	float (&right)[TILE_N])
{
#pragma unroll
	for (int i = 0; i < RUNS_M; i++)
		copy<RUN_M>(&left[i * RUN_M], a + i * (LANES * RUN_M));
#pragma unroll
	for (int j = 0; j < RUNS_N; j++)
		copy<RUN_N>(&right[j * RUN_N], b + j * (ACROSS * RUN_N));
}

static INLINE void multiply(const float (&left)[TILE_M], const float (&right)[TILE_N],
	float (&sums)[TILE_M][TILE_N])
{
#if ORDER == ORDER_down
#pragma unroll
	for (int j = 0; j < TILE_N; j++)
#pragma unroll
		for (int step = 0; step < TILE_M; step++) {
			const int i = j % 2 ? TILE_M - 1 - step : step;

			sums[i][j] = fmaf(left[i], right[j], sums[i][j]);
		}
#else
#pragma unroll
	for (int i = 0; i < TILE_M; i++)
#pragma unroll
		for (int step = 0; step < TILE_N; step++) {
			const int j = ORDER == ORDER_across && i % 2 ? TILE_N - 1 - step : step;

			sums[i][j] = fmaf(left[i], right[j], sums[i][j]);
		}
#endif
}

/* the steps of a slab, one after the other */
template <int TIMES> static INLINE void multiply_slab(const float *a, const float *b,
	float (&sums)[TILE_M][TILE_N])
{
#pragma unroll TIMES
	for (int k = 0; k < STEPS; k++) {
		__align__(16) float left[TILE_M], right[TILE_N];

		read_fragments(a + k * A_PITCH, b + k * COLUMNS, left, right);
		multiply(left, right, sums);
	}
}

/* ---- any tile: bounds are checked, and a slab is multiplied once it is there ---- */

/* in a kernel with STAGES this is for the few tiles that need it, in little code */
enum { CHECKED_UNROLL = STAGES > 1 ? 1 : UNROLL == 0 ? STEPS : UNROLL };

/* The slab of the depths from first to end. What of it lies beyond end is zero. */
static INLINE void copy_checked(const float *a, const float *b, int m, int n, int k,
	const tile &at, int first, int end, int thread, float *a_slab, float *b_slab)
{
#if COPY == COPY_registers
	enum {
		A_COPIES = (ROWS * TILE_K / VECTOR + THREADS - 1) / THREADS,
		B_COPIES = (B_FLOATS / VECTOR + THREADS - 1) / THREADS,
		A_TIMES = STAGES == 1 || A_COPIES < 4 ? A_COPIES : 4,
		B_TIMES = STAGES == 1 || B_COPIES < 4 ? B_COPIES : 4,
	};

#pragma unroll A_TIMES
	for (int i = thread; i < ROWS * TILE_K / VECTOR; i += THREADS) {
		const int row = i / (TILE_K / VECTOR), depth = i % (TILE_K / VECTOR) * VECTOR;
		__align__(16) float values[VECTOR];

		load_checked<VECTOR>(a, m, end, k, at.row + row, first + depth, values);
#pragma unroll
		for (int j = 0; j < VECTOR; j++)
			a_slab[(depth + j) * A_PITCH + row] = values[j];
	}
#pragma unroll B_TIMES
	for (int i = thread; i < B_FLOATS / VECTOR; i += THREADS) {
		const int depth = i / (COLUMNS / VECTOR), column = i % (COLUMNS / VECTOR) * VECTOR;
		__align__(16) float values[VECTOR];

		load_checked<VECTOR>(b, end, n, n, first + depth, at.column + column, values);
		copy<VECTOR>(&b_slab[depth * COLUMNS + column], values);
	}
#else
#pragma unroll 1
	for (int i = thread; i < ROWS * TILE_K; i += THREADS) {
		const int row = at.row + i / TILE_K, depth = first + i % TILE_K;
		const bool inside = row < m && depth < end;

		copy_async_or_zero(&a_slab[i % TILE_K * A_PITCH + i / TILE_K],
			inside ? a + (size_t)row * k + depth : a, inside);
	}
#pragma unroll 1
	for (int i = thread; i < B_FLOATS; i += THREADS) {
		const int depth = first + i / COLUMNS, column = at.column + i % COLUMNS;
		const bool inside = depth < end && column < n;

		copy_async_or_zero(&b_slab[i], inside ? b + (size_t)depth * n + column : b, inside);
	}
#endif
}

static INLINE void accumulate_checked(const float *a, const float *b, int m, int n, int k,
	const tile &at, int first_slab, int end_slab, float *shared, int thread, int2 own,
	float (&sums)[TILE_M][TILE_N])
{
	const int slice = thread / SLICE_THREADS * STEPS;
	float *a_slab = shared, *b_slab = shared + A_FLOATS;

#pragma unroll 1
	for (int slab = first_slab; slab < end_slab; slab++) {
		copy_checked(a, b, m, n, k, at, slab * TILE_K, k, thread, a_slab, b_slab);
#if COPY != COPY_registers
		commit_copies();
		wait_for_copies<0>();
#endif
		__syncthreads();
		multiply_slab<CHECKED_UNROLL>(a_slab + slice * A_PITCH + own.x,
			b_slab + slice * COLUMNS + own.y, sums);
		__syncthreads();
	}
}

/* ---- a tile inside the matrices: nothing is checked, and slabs are on their way ---- */

#if STAGES > 1

#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))

enum {
	/* of A: floats of a copy; threads along K, which read 8 floats; rows and depth of a pass */
	A_WIDTH = COPY == COPY_async ? 1 : VECTOR,
	A_SIDE = 8 / A_WIDTH,
	A_DOWN = LEAST(THREADS / A_SIDE, ROWS),
	A_DEEP = LEAST(THREADS / (A_SIDE * A_DOWN) * 8, TILE_K),
	A_DEEP_PASSES = TILE_K / A_DEEP,
	A_PASSES = ROWS / A_DOWN * A_DEEP_PASSES,
	A_THREADS = A_DOWN * A_DEEP / A_WIDTH,
	/* of B: threads along a row, so many that one pass has all rows, if they can */
	B_SIDE = LEAST(MOST(THREADS / TILE_K, 8), COLUMNS / VECTOR),
	B_DOWN = LEAST(THREADS / B_SIDE, TILE_K),
	B_SIDE_PASSES = COLUMNS / VECTOR / B_SIDE,
	B_PASSES = TILE_K / B_DOWN * B_SIDE_PASSES,
	B_THREADS = B_SIDE * B_DOWN,
};

/* this thread's part in the copies of a slab */
struct copier {
	const float *a, *b; /* what it copies first of the next slab */
	size_t a_rows, b_rows, b_slab;
	float *a_to, *b_to;
	int thread;
#if COPY != COPY_async
	__align__(16) float a_values[A_PASSES][A_WIDTH];
#endif
#if COPY == COPY_registers
	__align__(16) float b_values[B_PASSES][VECTOR];
#endif

	INLINE copier(const float *a_from, const float *b_from, int n, int k, float *shared, int number)
	{
		const int row = number / A_SIDE % A_DOWN;
		const int depth = number % A_SIDE * A_WIDTH + number / (A_SIDE * A_DOWN) * 8;

		thread = number;
		a = a_from + (size_t)row * k + depth;
		a_to = shared + depth * A_PITCH + row;
		b = b_from + (size_t)(number / B_SIDE) * n + number % B_SIDE * VECTOR;
		b_to = shared + STAGES * A_FLOATS + number / B_SIDE * COLUMNS + number % B_SIDE * VECTOR;
		a_rows = (size_t)A_DOWN * k;
		b_rows = (size_t)B_DOWN * n;
		b_slab = (size_t)TILE_K * n;
	}

	INLINE void skip(int depth, int n)
	{
		a += depth;
		b += (size_t)depth * n;
	}

	/* one of SPREAD parts of a slab; behind the last, a and b are the next slab's */
	INLINE void begin(int stage, int part, int parts)
	{
#pragma unroll
		for (int i = A_PASSES * part / parts; i < A_PASSES * (part + 1) / parts; i++) {
			const float *from = a + i / A_DEEP_PASSES * a_rows + i % A_DEEP_PASSES * A_DEEP;

			if (A_THREADS < THREADS && thread >= A_THREADS)
				continue;
#if COPY == COPY_async
			copy_async<1>(a_to + stage * A_FLOATS + i / A_DEEP_PASSES * A_DOWN +
				i % A_DEEP_PASSES * (A_DEEP * A_PITCH), from);
#else
			load<A_WIDTH>(from, a_values[i]);
#endif
		}
#pragma unroll
		for (int i = B_PASSES * part / parts; i < B_PASSES * (part + 1) / parts; i++) {
			const float *from = b + i / B_SIDE_PASSES * b_rows + i % B_SIDE_PASSES * (B_SIDE * VECTOR);

			if (B_THREADS < THREADS && thread >= B_THREADS)
				continue;
#if COPY == COPY_registers
			load<VECTOR>(from, b_values[i]);
#else
			copy_async<VECTOR>(b_to + stage * B_FLOATS + i / B_SIDE_PASSES * (B_DOWN * COLUMNS) +
				i % B_SIDE_PASSES * (B_SIDE * VECTOR), from);
#endif
		}
		if (part == parts - 1) {
			a += TILE_K;
			b += b_slab;
		}
	}

	/* what came by registers goes to shared memory */
	INLINE void finish(int stage)
	{
#if COPY != COPY_async
#pragma unroll
		for (int i = 0; i < A_PASSES; i++)
			if (A_THREADS == THREADS || thread < A_THREADS)
#pragma unroll
				for (int j = 0; j < A_WIDTH; j++)
					a_to[stage * A_FLOATS + i / A_DEEP_PASSES * A_DOWN +
						(i % A_DEEP_PASSES * A_DEEP + j) * A_PITCH] = a_values[i][j];
#endif
#if COPY == COPY_registers
#pragma unroll
		for (int i = 0; i < B_PASSES; i++)
			if (B_THREADS == THREADS || thread < B_THREADS) {
				float *to = b_to + stage * B_FLOATS + i / B_SIDE_PASSES * (B_DOWN * COLUMNS) +
					i % B_SIDE_PASSES * (B_SIDE * VECTOR);

				copy<VECTOR>(to, b_values[i]);
			}
#endif
	}
};

/*
 * Slab 0 is what K leaves over, copied with checks; all others are whole. While a slab is
 * multiplied, the slab STAGES - 1 further on is copied into the stage that was multiplied before.
 */
static INLINE void accumulate(const float *a, const float *b, int m, int n, int k,
	const tile &at, int first_slab, int end_slab, float *shared, int thread, int2 own,
	float (&sums)[TILE_M][TILE_N])
{
	const int rest = (k - 1) % TILE_K + 1;
	const int depth = first_slab == 0 ? 0 : rest + (first_slab - 1) * TILE_K;
	const int slabs = end_slab - first_slab;
	const int slice = thread / SLICE_THREADS * STEPS;
	const float *a_own = shared + slice * A_PITCH + own.x;
	const float *b_own = shared + STAGES * A_FLOATS + slice * COLUMNS + own.y;
	copier copies(a + (size_t)at.row * k + depth, b + (size_t)depth * n + at.column, n, k,
		shared, thread);
	int stage = 0, free_stage = STAGES - 1;

#pragma unroll
	for (int slab = 0; slab < STAGES - 1; slab++) {
		if (slab == 0 && first_slab == 0 && rest < TILE_K) {
			copy_checked(a, b, m, n, k, at, 0, rest, thread, shared,
				shared + STAGES * A_FLOATS);
			copies.skip(rest, n);
		} else if (slab < slabs) {
			copies.begin(slab, 0, 1);
			copies.finish(slab);
		}
		commit_copies();
	}
	wait_for_copies<STAGES - 2>();
	__syncthreads();

#if FRAGMENTS == 2
	__align__(16) float left[2][TILE_M], right[2][TILE_N];

	read_fragments(a_own, b_own, left[0], right[0]);
#pragma unroll 1
	for (int slab = 0; slab < slabs; slab++) {
#pragma unroll
		for (int k_step = 0; k_step < STEPS; k_step++) {
			if (k_step == STEPS - 1) { /* from here on values of the next slab are read */
				wait_for_copies<STAGES - 2>();
				__syncthreads();
				stage = stage == STAGES - 1 ? 0 : stage + 1;
			}
			read_fragments(a_own + stage * A_FLOATS + (k_step + 1) % STEPS * A_PITCH,
				b_own + stage * B_FLOATS + (k_step + 1) % STEPS * COLUMNS,
				left[(k_step + 1) % 2], right[(k_step + 1) % 2]);
			if (slab + STAGES - 1 < slabs) {
#pragma unroll
				for (int part = 0; part < SPREAD; part++)
					if (k_step == part * (STEPS - 2) / SPREAD)
						copies.begin(free_stage, part, SPREAD);
				if (k_step == STEPS - 2)
					copies.finish(free_stage);
			}
			if (k_step == STEPS - 2) {
				commit_copies();
				free_stage = free_stage == STAGES - 1 ? 0 : free_stage + 1;
			}
			multiply(left[k_step % 2], right[k_step % 2], sums);
		}
	}
#else
#pragma unroll 1
	for (int slab = 0; slab < slabs; slab++) {
		if (slab + STAGES - 1 < slabs)
			copies.begin(free_stage, 0, 1);
		multiply_slab<UNROLL == 0 ? STEPS : UNROLL>(a_own + stage * A_FLOATS,
			b_own + stage * B_FLOATS, sums);
		if (slab + STAGES - 1 < slabs)
			copies.finish(free_stage);
		commit_copies();
		wait_for_copies<STAGES - 2>();
		__syncthreads();
		stage = stage == STAGES - 1 ? 0 : stage + 1;
		free_stage = free_stage == STAGES - 1 ? 0 : free_stage + 1;
	}
#endif
	wait_for_copies<0>();
}
#endif

/* ---- the sums of slices and of blocks of a cluster, added up in their order, and stored ---- */

#if SLICES > 1 || SHARES > 1
/* where run q of a thread's sums waits in shared memory for another thread */
static INLINE int waiting(int q, int thread)
{
	return (q * SLICE_THREADS + thread % SLICE_THREADS) * RUN_N;
}

static INLINE void leave_sums(float *shared, int thread, const float (&sums)[TILE_M][TILE_N])
{
#pragma unroll
	for (int i = 0; i < TILE_M; i++)
#pragma unroll
		for (int j = 0; j < TILE_N; j++)
			shared[waiting(i * RUNS_N + j / RUN_N, thread) + j % RUN_N] = sums[i][j];
}
#endif

#if SLICES > 1
static INLINE void add_slices(float *shared, int thread, float (&sums)[TILE_M][TILE_N])
{
	const int slice = thread / SLICE_THREADS;

	__syncthreads();
	if (slice > 0)
		leave_sums(shared + (slice - 1) * (ROWS * COLUMNS), thread, sums);
	__syncthreads();
	if (slice > 0)
		return;
#pragma unroll
	for (int other = 0; other < SLICES - 1; other++)
#pragma unroll
		for (int i = 0; i < TILE_M; i++)
#pragma unroll
			for (int j = 0; j < TILE_N; j++)
				sums[i][j] += shared[other * (ROWS * COLUMNS) +
					waiting(i * RUNS_N + j / RUN_N, thread) + j % RUN_N];
}
#endif

#if SHARES > 1
/* each block adds up and writes a share of the tile; the threads of all slices take part */
static INLINE void add_cluster(float *c, int m, int n, const tile &at, float *shared,
	unsigned rank, int thread, int2 own, const float (&sums)[TILE_M][TILE_N])
{
	const int slice = thread / SLICE_THREADS;

	__syncthreads();
	if (slice == 0)
		leave_sums(shared, thread, sums);
	cluster_sync();
	for (int q = rank * SLICES + slice; q < TILE_M * RUNS_N; q += SHARES * SLICES) {
		const int row = row_of(at, own, q / RUNS_N);
		const int column = column_of(at, own, q % RUNS_N * RUN_N);
		__align__(16) float total[RUN_N] = {};

#pragma unroll
		for (int other = 0; other < SHARES; other++)
#pragma unroll
			for (int j = 0; j < RUN_N; j++)
				total[j] += read_shared_of(other, &shared[waiting(q, thread) + j]);
		if (n % STORE_WIDTH == 0)
			store_run<STORE_WIDTH>(c, m, n, at, row, column, total);
		else
			store_run<1>(c, m, n, at, row, column, total);
	}
	cluster_sync(); /* a block's shared memory must not go before the others have read it */
}
#else
/* With vectors, columns that are not aligned take their time: in little code, so that the others
   compile faster. A kernel with VECTOR 1 is the one for such matrices. */
static INLINE void store_sums(float *c, int m, int n, const tile &at, int2 own,
	const float (&sums)[TILE_M][TILE_N])
{
	if (n % STORE_WIDTH == 0) {
#pragma unroll
		for (int i = 0; i < TILE_M; i++)
#pragma unroll
			for (int j = 0; j < TILE_N; j += RUN_N)
				store_run<STORE_WIDTH>(c, m, n, at, row_of(at, own, i),
					column_of(at, own, j), &sums[i][j]);
		return;
	}
#pragma unroll
	for (int i = 0; i < TILE_M; i++) {
		__align__(16) float row[TILE_N];

#pragma unroll
		for (int j = 0; j < TILE_N; j++)
			row[j] = sums[i][j];
#pragma unroll 1
		for (int j = 0; j < TILE_N; j += RUN_N)
			store_run<1>(c, m, n, at, row_of(at, own, i), column_of(at, own, j), &row[j]);
	}
}
#endif

/* no __restrict__: with it the compiler takes the read-only cache unasked */
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT)
#if CLUSTER > 1 && !defined AUTOTUNE_HOST && (!defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900)
__cluster_dims__(1, 1, CLUSTER)
#endif
matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
	/* c is a row of PARTS matrices; a cluster has one of them */
	const unsigned rank = PARTS == 1 ? blockIdx.z : blockIdx.z % CLUSTER;
	const unsigned part = PARTS == 1 ? 0 : blockIdx.z / CLUSTER;
	extern __shared__ __align__(16) float shared[];
	const int thread = threadIdx.x + BLOCK_X * (threadIdx.y + BLOCK_Y * threadIdx.z);
	const int2 own = place_of(thread % SLICE_THREADS);
	const int tiles_m = (m + ROWS - 1) / ROWS, tiles_n = (n + COLUMNS - 1) / COLUMNS;
	const int band = blockIdx.x / (RASTER * tiles_n), in_band = blockIdx.x % (RASTER * tiles_n);
	const int band_rows = min(RASTER, tiles_m - band * RASTER);
	const int first_row = (band * RASTER + in_band % band_rows) * ROWS;
	const int first_column = in_band / band_rows * COLUMNS;
	const int slabs = (k + TILE_K - 1) / TILE_K;
	const unsigned share = part * SHARES + rank;
	const int first_slab = (int)((long long)slabs * share / (SHARES * PARTS));
	const int end_slab = (int)((long long)slabs * (share + 1) / (SHARES * PARTS));
	tile at = { first_row, first_column, first_row, first_column };
	__align__(16) float sums[TILE_M][TILE_N] = {};

	if (SHARES == 1 && rank > 0)
		return;
	c += (size_t)part * m * n;
#if STAGES > 1
	if (m >= ROWS && n >= COLUMNS && n % VECTOR == 0 && k % A_WIDTH == 0) {
		/* a tile that would reach beyond the matrix is moved back inside */
		at.row = min(first_row, m - ROWS);
		at.column = min(first_column, n - COLUMNS);
		accumulate(a, b, m, n, k, at, first_slab, end_slab, shared, thread, own, sums);
	} else
#endif
		accumulate_checked(a, b, m, n, k, at, first_slab, end_slab, shared, thread, own,
			sums);

#if LOOSE
	const float one = __int_as_float(k > 0 ? __float_as_int(1.0f) : 0);

#pragma unroll
	for (int i = 0; i < TILE_M; i++)
#pragma unroll
		for (int j = 0; j < TILE_N; j++)
			sums[i][j] *= one;
#endif
#if SLICES > 1
	add_slices(shared, thread, sums);
#endif
#if SHARES > 1
	add_cluster(c, m, n, at, shared, rank, thread, own, sums);
#else
	if (thread < SLICE_THREADS)
		store_sums(c, m, n, at, own, sums);
#endif
}

/*
 * c = the sum of PARTS matrices of count floats. A row of ADD_X threads has as many vectors, and
 * each of the ADD_Y rows a part of the matrices: they are few floats, whose loads take long.
 */
enum { ADD_X = 32, ADD_Y = PARTS < 8 ? PARTS : 8 };

template <int WIDTH> static INLINE void add_parts(const float *parts, float *c, size_t count)
{
	__shared__ __align__(16) float sums[ADD_Y][ADD_X * WIDTH];
	const size_t at = ((size_t)blockIdx.x * ADD_X + threadIdx.x) * WIDTH;
	const int row = threadIdx.y, column = threadIdx.x * WIDTH;
	__align__(16) float sum[WIDTH] = {};

	if (at < count) {
#pragma unroll 8
		for (int part = PARTS * row / ADD_Y; part < PARTS * (row + 1) / ADD_Y; part++) {
			__align__(16) float values[WIDTH];

			copy<WIDTH>(values, parts + part * count + at);
#pragma unroll
			for (int i = 0; i < WIDTH; i++)
				sum[i] += values[i];
		}
	}
	copy<WIDTH>(&sums[row][column], sum);
	__syncthreads();
	if (row > 0 || at >= count)
		return;
	for (int other = 1; other < ADD_Y; other++)
#pragma unroll
		for (int i = 0; i < WIDTH; i++)
			sum[i] += sums[other][column + i];
	copy<WIDTH>(c + at, sum);
}

/* blocks of 32 x min(PARTS, 8), as many as for single floats if count is not of vectors */
extern "C" __global__ void __launch_bounds__(ADD_X * ADD_Y)
matmul_add(const float *parts, float *c, int m, int n)
{
	const size_t count = (size_t)m * n;

	if (count % 4 == 0)
		add_parts<4>(parts, c, count);
	else
		add_parts<1>(parts, c, count);
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
