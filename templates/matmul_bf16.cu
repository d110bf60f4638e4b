/*
 * C = A * B in bfloat16 with sums in float: A is M x K, C is M x N, both row-major, and
 * B is given as N x K, so that rows of A and of B lie along K (the layout of a linear
 * layer's weights). K and N are multiples of 8, as tensor maps need rows of 16 bytes.
 *
 * On Hopper (sm_90a): one warp loads tiles by TMA into a ring of STAGES, CONSUMERS
 * warpgroups multiply them by wgmma. Blocks are persistent. CLUSTER blocks, one above the
 * other, share the tile of B: each loads a part of it for all. C leaves by TMA through
 * STORES buffers of 64 x 64 for each consumer, while the next tile is loaded. Elsewhere
 * (AUTOTUNE_HOST too) each thread computes elements of C, one after the other.
 *
 * With PARTS above 1, tiles are fewer than multiprocessors: each block takes a part of K.
 * The sums, PARTS matrices of floats, then lie in place of C, and leave from registers;
 * the kernel matmul_bf16_add adds them up in a second launch.
 *
 * TILE_M   rows of a block: 64 * CONSUMERS, or 128 * CONSUMERS
 * TILE_N   columns of a block: 64, 128, 192, 256
 * GROUP    rows of tiles that are walked together, so that A and B stay in the L2
 * PARTS    parts of K, none of them empty: K > 64 * (PARTS - 1)
 * Threads: 128 * (CONSUMERS + 1).
 */
#include <cuda.h>
#include <cuda_bf16.h>
#include <stdint.h>

#define TILE_K 64 /* a row of a tile in shared memory: 128 bytes, the widest swizzle */
#define THREADS (128 * (CONSUMERS + 1))

/* The part of K that number `index` has, in slices of TILE_K: the tiles of a part follow
   each other. Returns the number of the tile. */
static __device__ int find_part(int index, int tiles, int depth, int *part, int *begin, int *end)
{
	*part = PARTS == 1 ? 0 : index / tiles;
	*begin = depth * *part / PARTS;
	*end = depth * (*part + 1) / PARTS;
	return index - *part * tiles;
}

/* Where the tiles of a cluster are: number `index`, GROUP rows at a time. */
static __device__ void find_tile(int index, int rows, int columns, int *row, int *column)
{
	const int group = index / (GROUP * columns), first = group * GROUP;
	const int height = rows - first < GROUP ? rows - first : GROUP;
	const int place = index - first * columns;

	*row = first + place % height;
	*column = place / height;
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

#define BLOCKS_M (TILE_M / (64 * CONSUMERS)) /* of 64 rows, for each consumer */
#define A_BYTES (TILE_M * TILE_K * 2)
#define B_BYTES (TILE_N * TILE_K * 2)
#define STORE_BYTES (64 * 64 * 2)
/* The last dimension of wgmma, and its registers. */
#define SUMS (TILE_N / 2)

static_assert(TILE_M % (64 * CONSUMERS) == 0 && BLOCKS_M * SUMS <= 128, "tile");
static_assert(TILE_N % 64 == 0 && TILE_N <= 256 && TILE_M <= 256, "tile");

static __device__ __forceinline__ uint32_t shared(const void *pointer)
{
	return (uint32_t)__cvta_generic_to_shared(pointer);
}

static __device__ __forceinline__ void barrier_init(uint32_t barrier, int count)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count));
}

static __device__ __forceinline__ void barrier_expect(uint32_t barrier, uint32_t bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
		"r"(bytes)
		: "memory");
}

static __device__ __forceinline__ void barrier_wait(uint32_t barrier, uint32_t parity)
{
	uint32_t done;

	do
		asm volatile("{ .reg .pred p;\n"
			     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
			     "selp.u32 %0, 1, 0, p; }"
			     : "=r"(done)
			     : "r"(barrier), "r"(parity)
			     : "memory");
	while (!done);
}

/* Arrives at the barrier of the same place in each block of the cluster. */
static __device__ __forceinline__ void barrier_arrive_all(uint32_t barrier)
{
#if CLUSTER == 1
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
#else
#pragma unroll
	for (int rank = 0; rank < CLUSTER; rank++)
		asm volatile("{ .reg .b32 there;\n"
			     "mapa.shared::cluster.u32 there, %0, %1;\n"
			     "mbarrier.arrive.shared::cluster.b64 _, "
			     "[there]; }" ::"r"(barrier),
			"r"(rank)
			: "memory");
#endif
}

static __device__ __forceinline__ void cluster_sync(void)
{
#if CLUSTER == 1
	__syncthreads();
#else
	asm volatile("barrier.cluster.arrive.release.aligned;\n"
		     "barrier.cluster.wait.acquire.aligned;" ::
			     : "memory");
#endif
}

static __device__ __forceinline__ void load(
	uint32_t to, const CUtensorMap *map, int x, int y, uint32_t barrier)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"
		     "::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
		"l"(map), "r"(x), "r"(y), "r"(barrier)
		: "memory");
}

/* The same, to the same place in all blocks of the cluster. */
static __device__ __forceinline__ void load_for_all(
	uint32_t to, const CUtensorMap *map, int x, int y, uint32_t barrier)
{
#if CLUSTER == 1
	load(to, map, x, y, barrier);
#else
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"
		     "::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
		"l"(map), "r"(x), "r"(y), "r"(barrier), "h"((uint16_t)((1 << CLUSTER) - 1))
		: "memory");
#endif
}

/* Tiles have rows of 128 bytes in a swizzle of 128, so that 8 rows follow after 1024. */
static __device__ __forceinline__ uint64_t describe(uint32_t tile)
{
	return (uint64_t)1 << 62 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 16 |
	       (tile & 0x3ffff) >> 4;
}

#define N0 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define N1 "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define N2 "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"
#define N3 "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define F4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)
#define F32(i) F16(i), F16(i + 16)
#if TILE_N == 64
#define SHAPE "m64n64k16"
#define NAMES N0
#define OPERANDS F32(0)
#define INPUTS "%32, %33, p, 1, 1, 0, 0;\n"
#define KEEPS "setp.ne.b32 p, %34, 0;\n"
#elif TILE_N == 128
#define SHAPE "m64n128k16"
#define NAMES N0 "," N1
#define OPERANDS F32(0), F32(32)
#define INPUTS "%64, %65, p, 1, 1, 0, 0;\n"
#define KEEPS "setp.ne.b32 p, %66, 0;\n"
#elif TILE_N == 192
#define SHAPE "m64n192k16"
#define NAMES N0 "," N1 "," N2
#define OPERANDS F32(0), F32(32), F32(64)
#define INPUTS "%96, %97, p, 1, 1, 0, 0;\n"
#define KEEPS "setp.ne.b32 p, %98, 0;\n"
#else
#define SHAPE "m64n256k16"
#define NAMES N0 "," N1 "," N2 "," N3
#define OPERANDS F32(0), F32(32), F32(64), F32(96)
#define INPUTS "%128, %129, p, 1, 1, 0, 0;\n"
#define KEEPS "setp.ne.b32 p, %130, 0;\n"
#endif

/* d += a * b for 64 rows, TILE_N columns and a depth of 16; keeps 0: d = a * b */
static __device__ __forceinline__ void multiply(
	float (&d)[SUMS], uint64_t a, uint64_t b, int keeps)
{
	asm volatile("{ .reg .pred p;\n" KEEPS "wgmma.mma_async.sync.aligned." SHAPE
		     ".f32.bf16.bf16 {" NAMES "}, " INPUTS "}"
		     : OPERANDS
		     : "l"(a), "l"(b), "r"(keeps));
}

static __device__ __forceinline__ uint32_t pair(float low, float high)
{
	uint32_t both;

	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
	return both;
}

/* Waits for the 128 threads of a consumer. */
static __device__ __forceinline__ void consumer_sync(int consumer)
{
	asm volatile("bar.sync %0, 128;" ::"r"(consumer + 1) : "memory");
}

/* Stores the sums of 64 rows, 64 columns at a time. stored: of this consumer so far */
static __device__ __forceinline__ void store(const CUtensorMap *map_c, float (&d)[SUMS],
	uint32_t buffers, int consumer, int column, int row, int *stored)
{
	const int thread = threadIdx.x % 128, lane = thread % 32;
	/* the row of a matrix of 8 x 8 that this thread gives the address of */
	const int line = thread / 32 * 16 + lane / 8 % 2 * 8 + lane % 8;

#pragma unroll
	for (int part = 0; part < TILE_N / 64; part++, ++*stored) {
		const uint32_t buffer = buffers + *stored % STORES * STORE_BYTES;

		/* the store before last has read this buffer */
		if (thread == 0)
			asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(STORES - 1)
				     : "memory");
		consumer_sync(consumer);
#pragma unroll
		for (int k = 0; k < 8; k += 2) {
			const float *s = &d[part * 32 + k * 4];
			const int chunk = (k + lane / 16) ^ line % 8;

			asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, "
				     "%3, %4};" ::"r"(buffer + line * 128 + chunk * 16),
				"r"(pair(s[0], s[1])), "r"(pair(s[2], s[3])),
				"r"(pair(s[4], s[5])), "r"(pair(s[6], s[7]))
				: "memory");
		}
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		consumer_sync(consumer);
		if (thread == 0) {
			asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
				     "[%0, {%1, %2}], [%3];" ::"l"(map_c),
				"r"(column + part * 64), "r"(row), "r"(buffer)
				: "memory");
			asm volatile("cp.async.bulk.commit_group;" ::: "memory");
		}
	}
}

/* Stores the sums of 64 rows as floats: a quad of threads has 8 of a row. */
static __device__ __forceinline__ void store_sums(
	float *sums, float (&d)[SUMS], int column, int row, int M, int N)
{
	const int lane = threadIdx.x % 32;

	row += threadIdx.x % 128 / 32 * 16 + lane / 4;
	column += lane % 4 * 2;
#pragma unroll
	for (int i = 0; i < SUMS; i += 4) {
		float *to = sums + (size_t)row * N + column + i * 2;

		if (column + i * 2 < N && row < M)
			*(float2 *)to = make_float2(d[i], d[i + 1]);
		if (column + i * 2 < N && row + 8 < M)
			*(float2 *)(to + (size_t)8 * N) = make_float2(d[i + 2], d[i + 3]);
	}
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
#if CLUSTER > 1
	__cluster_dims__(CLUSTER, 1, 1)
#endif
matmul_bf16(const __grid_constant__ CUtensorMap map_a,
	const __grid_constant__ CUtensorMap map_b,
	const __grid_constant__ CUtensorMap map_c, const __nv_bfloat16 *, const __nv_bfloat16 *,
	void *C, int M, int N, int K)
{
	extern __shared__ __align__(1024) unsigned char memory[];
	__shared__ __align__(8) uint64_t barriers[2 * STAGES];
	const uint32_t a_tiles = (shared(memory) + 1023) / 1024 * 1024;
	const uint32_t b_tiles = a_tiles + STAGES * A_BYTES;
	const uint32_t stores = b_tiles + STAGES * B_BYTES;
	const uint32_t full = shared(barriers), empty = full + STAGES * 8;
	const int rank = blockIdx.x % CLUSTER, depth = (K + TILE_K - 1) / TILE_K;
	const int rows = (M + TILE_M * CLUSTER - 1) / (TILE_M * CLUSTER);
	const int columns = (N + TILE_N - 1) / TILE_N;
	const int warpgroup = threadIdx.x / 128;
	int stage = 0, row, column, part, begin, end;
	uint32_t parity = 0;

	if (threadIdx.x == 0) {
		for (int i = 0; i < STAGES; i++) {
			barrier_init(full + i * 8, 1);
			barrier_init(empty + i * 8, CONSUMERS * CLUSTER);
		}
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	cluster_sync();
	if (warpgroup == 0) {
		asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(CONSUMERS == 1 ? 40 : CONSUMERS == 2 ? 24 : 32));
		for (int index = blockIdx.x / CLUSTER;
			threadIdx.x == 0 && index < rows * columns * PARTS;
			index += gridDim.x / CLUSTER) {
			find_tile(find_part(index, rows * columns, depth, &part, &begin, &end), rows,
				columns, &row, &column);
			row = (row * CLUSTER + rank) * TILE_M;
			column *= TILE_N;
			for (int k = begin; k < end; k++) {
				const uint32_t bar = full + stage * 8;

				barrier_wait(empty + stage * 8, parity ^ 1);
				barrier_expect(bar, A_BYTES + B_BYTES);
				load(a_tiles + stage * A_BYTES, &map_a, k * TILE_K, row, bar);
				load_for_all(b_tiles + stage * B_BYTES + rank * (B_BYTES / CLUSTER),
					&map_b, k * TILE_K, column + rank * (TILE_N / CLUSTER),
					bar);
				if (++stage == STAGES) {
					stage = 0;
					parity ^= 1;
				}
			}
		}
	} else {
		const int consumer = warpgroup - 1;
		const uint32_t buffers = stores + consumer * STORES * STORE_BYTES;
		float d[BLOCKS_M][SUMS];
		int stored = 0;

		asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(CONSUMERS == 1 ? 232 : CONSUMERS == 2 ? 240 : 160));
		for (int index = blockIdx.x / CLUSTER; index < rows * columns * PARTS;
			index += gridDim.x / CLUSTER) {
			int before = 0;

			find_tile(find_part(index, rows * columns, depth, &part, &begin, &end), rows,
				columns, &row, &column);
			for (int k = begin; k < end; k++) {
				const uint32_t a = a_tiles + stage * A_BYTES +
						   consumer * BLOCKS_M * 64 * 128;
				const uint32_t b = b_tiles + stage * B_BYTES;

				barrier_wait(full + stage * 8, parity);
				asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
				for (int i = 0; i < TILE_K / 16; i++)
#pragma unroll
					for (int m = 0; m < BLOCKS_M; m++)
						multiply(d[m], describe(a + m * 64 * 128 + i * 32),
							describe(b + i * 32), k > begin || i > 0);
				asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
				/* the products of the stage before are there */
				asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
				if (k > begin && threadIdx.x % 128 == 0)
					barrier_arrive_all(empty + before * 8);
				before = stage;
				if (++stage == STAGES) {
					stage = 0;
					parity ^= 1;
				}
			}
			asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
			if (threadIdx.x % 128 == 0)
				barrier_arrive_all(empty + before * 8);
			row = (row * CLUSTER + rank) * TILE_M + consumer * BLOCKS_M * 64;
#pragma unroll
			for (int m = 0; m < BLOCKS_M; m++)
				if (PARTS > 1)
					store_sums((float *)C + (size_t)part * M * N, d[m],
						column * TILE_N, row + m * 64, M, N);
				else
					store(&map_c, d[m], buffers, consumer, column * TILE_N,
						row + m * 64, &stored);
		}
		/* shared memory must outlive what is read from it */
		if (threadIdx.x % 128 == 0)
			asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
	}
	/* other blocks of the cluster write here, and arrive at barriers here */
	cluster_sync();
}

#else

extern "C" __global__ void __launch_bounds__(THREADS) matmul_bf16(
	const __grid_constant__ CUtensorMap, const __grid_constant__ CUtensorMap,
	const __grid_constant__ CUtensorMap, const __nv_bfloat16 *A, const __nv_bfloat16 *B,
	void *C, int M, int N, int K)
{
	const int rows = (M + TILE_M - 1) / TILE_M, columns = (N + TILE_N - 1) / TILE_N;
	const int depth = (K + TILE_K - 1) / TILE_K;

	for (int index = blockIdx.x; index < rows * columns * PARTS; index += gridDim.x) {
		int row, column, part, begin, end;

		find_tile(find_part(index, rows * columns, depth, &part, &begin, &end), rows,
			columns, &row, &column);
		for (int i = threadIdx.x; i < TILE_M * TILE_N; i += THREADS) {
			const int m = row * TILE_M + i / TILE_N;
			const int n = column * TILE_N + i % TILE_N;
			float sum = 0;

			if (m >= M || n >= N)
				continue;
			for (int k = begin * TILE_K; k < min(end * TILE_K, K); k++)
				sum += __bfloat162float(A[(size_t)m * K + k]) *
				       __bfloat162float(B[(size_t)n * K + k]);
			if (PARTS > 1)
				((float *)C)[((size_t)part * M + m) * N + n] = sum;
			else
				((__nv_bfloat16 *)C)[(size_t)m * N + n] = __float2bfloat16(sum);
		}
	}
}

#endif

/* C = the sum of PARTS matrices; blocks of 256 threads, each with 4 elements of a row. */
extern "C" __global__ void __launch_bounds__(256)
matmul_bf16_add(const float *sums, __nv_bfloat16 *C, int M, int N)
{
	const size_t count = (size_t)M * N, at = 4 * ((size_t)blockIdx.x * 256 + threadIdx.x);
	float4 sum = make_float4(0, 0, 0, 0);

	if (at >= count)
		return;
#pragma unroll
	for (int part = 0; part < PARTS; part++) {
		const float4 more = *(const float4 *)(sums + part * count + at);

		sum.x += more.x;
		sum.y += more.y;
		sum.z += more.z;
		sum.w += more.w;
	}
	*(__nv_bfloat162 *)(C + at) = __floats2bfloat162_rn(sum.x, sum.y);
	*(__nv_bfloat162 *)(C + at + 2) = __floats2bfloat162_rn(sum.z, sum.w);
}

/* Blocks of 16 x 16, each with a square of C. */
extern "C" __global__ void matmul_bf16_reference(const __nv_bfloat16 *A,
	const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K)
{
	__shared__ float a[16][17], b[16][17];
	const int m = blockIdx.y * 16 + threadIdx.y, n = blockIdx.x * 16 + threadIdx.x;
	const int other = blockIdx.x * 16 + threadIdx.y;
	float sum = 0;

	for (int first = 0; first < K; first += 16) {
		const int k = first + threadIdx.x;

		a[threadIdx.y][threadIdx.x] =
			m < M && k < K ? __bfloat162float(A[(size_t)m * K + k]) : 0.0f;
		b[threadIdx.y][threadIdx.x] =
			other < N && k < K ? __bfloat162float(B[(size_t)other * K + k]) : 0.0f;
		__syncthreads();
		for (int i = 0; i < 16; i++)
			sum += a[threadIdx.y][i] * b[threadIdx.x][i];
		__syncthreads();
	}
	if (m < M && n < N)
		C[(size_t)m * N + n] = __float2bfloat16(sum);
}
