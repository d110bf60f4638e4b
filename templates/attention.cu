/*
 * Attention, forward: out = softmax(scale * Q * K^T) * V for each head, in bfloat16 with
 * sums in float. Q, K, V and out are HEADS x LENGTH x DEPTH, rows of DEPTH together. With
 * `causal` a query sees the keys up to its own place.
 *
 * A block takes BLOCK_M queries of a head and walks over the keys, BLOCK_N at a time, by
 * tensor cores. The sum is rescaled whenever a row's maximum grows (Dao et al. 2022,
 * "FlashAttention"), so that no row of scores is ever stored.
 *
 * DEPTH         elements of a row: 64, 128
 * WARPS         of a block; each has BLOCK_M / WARPS queries
 * TILES         of 16 queries a warp: BLOCK_M = 16 * TILES * WARPS
 * BLOCK_N       keys of a step
 * STAGES        tiles of keys and values in shared memory. 1: each is copied, then used.
 *               From 2 on, the next are on their way meanwhile
 * COPY          registers: loads and stores to shared memory; async: cp.async (8.0)
 * LAYOUT        of a row in shared memory. plain: one behind the other; padded: 8 elements
 *               between rows; swizzled: 16-byte chunks in an order that depends on the row.
 *               The last two have no bank conflicts
 * QUERIES       registers: each warp keeps its fragments of Q; shared: reads them again
 * ORDER         of the blocks of a causal head: first, or last: the longest ones first
 * Threads: 32 * WARPS.
 */
#include <cuda_bf16.h>
#include <stdint.h>

#define INLINE static __device__ __forceinline__
#define THREADS (32 * WARPS)
#define BLOCK_M (16 * TILES * WARPS)
#define CHUNKS (DEPTH / 8) /* of 8 elements, 16 bytes, in a row */
#define PITCH (DEPTH + (LAYOUT == LAYOUT_padded ? 8 : 0))
/* below all scores; a difference of two of them is 0, and no NaN */
#define LEAST -1e30f

/* ---- tensor cores, and what feeds them ---------------------------------------------- */

/* two elements of a fragment, the first in the low half */
INLINE uint32_t pair(float low, float high)
{
	const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);

	return *(const uint32_t *)&both;
}

#if !defined AUTOTUNE_HOST && __CUDA_ARCH__ >= 800

INLINE uint32_t shared(const void *pointer)
{
	return (uint32_t)__cvta_generic_to_shared(pointer);
}

/* Four matrices of 8 x 8: lane i gives the address of row i % 8 of matrix i / 8. */
INLINE void load_matrices(uint32_t (&out)[4], const __nv_bfloat16 *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
		: "r"(shared(row)) : "memory");
}

/* The same, transposed. */
INLINE void load_transposed(uint32_t (&out)[4], const __nv_bfloat16 *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
		: "r"(shared(row)) : "memory");
}

/* without the care for results below 2^-126 that exp2f() takes */
INLINE float power_of_two(float x)
{
	float power;

	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
	return power;
}

/* d += a * b: 16 x 8 sums, a depth of 16. */
INLINE void multiply(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
		"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#else

/* The same in plain CUDA. */
INLINE float power_of_two(float x)
{
	return exp2f(x);
}

/* What lanes of a warp read of each other is put down here. */
INLINE uint32_t (*put_down(const uint32_t *words, int count))[6]
{
	__shared__ uint32_t lanes[WARPS][32][6];
	const int warp = threadIdx.x / 32;

	__syncwarp();
	for (int i = 0; i < count; i++)
		lanes[warp][threadIdx.x % 32][i] = words[i];
	__syncwarp();
	return lanes[warp];
}

INLINE uint16_t word_of(const uint32_t (&row)[6], int column)
{
	return ((const uint16_t *)(row[0] | (unsigned long long)row[1] << 32))[column];
}

INLINE uint32_t (*put_row(const __nv_bfloat16 *row))[6]
{
	const unsigned long long address = (unsigned long long)row;
	const uint32_t words[2] = { (uint32_t)address, (uint32_t)(address >> 32) };

	return put_down(words, 2);
}

INLINE void load_matrices(uint32_t (&out)[4], const __nv_bfloat16 *row)
{
	const int lane = threadIdx.x % 32, column = lane % 4 * 2;
	const uint32_t(*rows)[6] = put_row(row);

	for (int i = 0; i < 4; i++)
		out[i] = (uint32_t)word_of(rows[i * 8 + lane / 4], column) |
			 (uint32_t)word_of(rows[i * 8 + lane / 4], column + 1) << 16;
}

INLINE void load_transposed(uint32_t (&out)[4], const __nv_bfloat16 *row)
{
	const int lane = threadIdx.x % 32, line = lane % 4 * 2;
	const uint32_t(*rows)[6] = put_row(row);

	for (int i = 0; i < 4; i++)
		out[i] = (uint32_t)word_of(rows[i * 8 + line], lane / 4) |
			 (uint32_t)word_of(rows[i * 8 + line + 1], lane / 4) << 16;
}

INLINE float element(uint32_t both, int which)
{
	return __uint_as_float(which ? both & 0xffff0000u : both << 16);
}

/* a: rows lane / 4 and 8 below, columns 2 * (lane % 4) and 8 behind; b: columns; d: as a */
INLINE void multiply(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
	const int lane = threadIdx.x % 32;
	const uint32_t words[6] = { a[0], a[1], a[2], a[3], b0, b1 };
	const uint32_t(*lanes)[6] = put_down(words, 6);

	for (int k = 0; k < 16; k++)
		for (int i = 0; i < 4; i++) {
			const int half = k / 8, from = k % 8 / 2;
			const uint32_t left = lanes[lane / 4 * 4 + from][i / 2 + 2 * half];
			const uint32_t right =
				lanes[(lane % 4 * 2 + i % 2) * 4 + from][4 + half];

			d[i] += element(left, k % 2) * element(right, k % 2);
		}
}

#endif

/* ---- tiles in shared memory --------------------------------------------------------- */

/* where a chunk of 8 elements of a row is */
INLINE __nv_bfloat16 *place(__nv_bfloat16 *tile, int row, int chunk)
{
#if LAYOUT == LAYOUT_swizzled
	chunk ^= row % 8;
#endif
	return tile + row * PITCH + chunk * 8;
}

/* Copies rows of a head into a tile; zeros behind its last row. */
template <int ROWS>
INLINE void copy_rows(__nv_bfloat16 *tile, const __nv_bfloat16 *head, int first, int length)
{
#pragma unroll
	for (int i = threadIdx.x; i < ROWS * CHUNKS; i += THREADS) {
		const int row = i / CHUNKS, chunk = i % CHUNKS;
		const bool inside = first + row < length;
		const __nv_bfloat16 *from =
			head + (size_t)(inside ? first + row : 0) * DEPTH + chunk * 8;
		__nv_bfloat16 *to = place(tile, row, chunk);

#if COPY == COPY_async && !defined AUTOTUNE_HOST && __CUDA_ARCH__ >= 800
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
			:: "r"(shared(to)), "l"(from), "r"(inside ? 16 : 0) : "memory");
#else
		*(uint4 *)to = inside ? *(const uint4 *)from : make_uint4(0, 0, 0, 0);
#endif
	}
}

INLINE void commit_copies()
{
#if COPY == COPY_async && !defined AUTOTUNE_HOST && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits until at most so many of the groups that were committed last are on their way. */
template <int PENDING> INLINE void wait_for_copies()
{
#if COPY == COPY_async && !defined AUTOTUNE_HOST && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
#endif
}

/* ---- the kernel --------------------------------------------------------------------- */

/* the greater of a row's values, of the four lanes that share it */
INLINE float row_maximum(float value)
{
	value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 1));
	return fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 2));
}

INLINE float row_sum(float value)
{
	value += __shfl_xor_sync(0xffffffffu, value, 1);
	return value + __shfl_xor_sync(0xffffffffu, value, 2);
}

extern "C" __global__ void __launch_bounds__(THREADS)
attention(const __nv_bfloat16 *Q, const __nv_bfloat16 *K, const __nv_bfloat16 *V,
	__nv_bfloat16 *out, float scale, int causal, int length)
{
	extern __shared__ __align__(128) __nv_bfloat16 tiles[];
	const size_t head = (size_t)blockIdx.y * length * DEPTH;
	const int block = ORDER == ORDER_last ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
	const int first = block * BLOCK_M, lane = threadIdx.x % 32;
	/* the tile's row, and the row of the head, of this thread's first values */
	const int line = threadIdx.x / 32 * 16 * TILES, row = first + line + lane / 4;
	const int end = causal && first + BLOCK_M < length ? first + BLOCK_M : length;
	const int steps = (end + BLOCK_N - 1) / BLOCK_N;
	/* exp(x) = 2^(x * log2(e)) */
	const float factor = scale * 1.44269504f;
	__nv_bfloat16 *const queries = tiles;
	__nv_bfloat16 *const keys = tiles + BLOCK_M * PITCH;
	__nv_bfloat16 *const values = keys + STAGES * BLOCK_N * PITCH;
	float sums[TILES][DEPTH / 8][4] = { 0 };
	float maximum[TILES][2], total[TILES][2];
#if QUERIES == QUERIES_registers
	uint32_t held[TILES][DEPTH / 16][4];
#endif

	for (int t = 0; t < TILES; t++)
		for (int half = 0; half < 2; half++) {
			maximum[t][half] = LEAST;
			total[t][half] = 0;
		}
	copy_rows<BLOCK_M>(queries, Q + head, first, length);
	/* all but one stage are asked for ahead; with one, none */
#pragma unroll
	for (int stage = 0; stage < STAGES - 1; stage++) {
		if (stage < steps) {
			copy_rows<BLOCK_N>(keys + stage * BLOCK_N * PITCH, K + head,
				stage * BLOCK_N, length);
			copy_rows<BLOCK_N>(values + stage * BLOCK_N * PITCH, V + head,
				stage * BLOCK_N, length);
		}
		commit_copies();
	}
	for (int step = 0; step < steps; step++) {
		const int next = step + STAGES - 1;
		__nv_bfloat16 *const key = keys + step % STAGES * BLOCK_N * PITCH;
		__nv_bfloat16 *const value = values + step % STAGES * BLOCK_N * PITCH;

		/* the stage that is copied to has been read */
		__syncthreads();
		if (next < steps) {
			copy_rows<BLOCK_N>(keys + next % STAGES * BLOCK_N * PITCH, K + head,
				next * BLOCK_N, length);
			copy_rows<BLOCK_N>(values + next % STAGES * BLOCK_N * PITCH, V + head,
				next * BLOCK_N, length);
		}
		commit_copies();
		wait_for_copies<STAGES - 1>();
		__syncthreads();
#if QUERIES == QUERIES_registers
		if (step == 0)
#pragma unroll
			for (int t = 0; t < TILES; t++)
#pragma unroll
				for (int k = 0; k < DEPTH / 16; k++)
					load_matrices(held[t][k], place(queries,
						line + t * 16 + lane % 16, 2 * k + lane / 16));
#endif
#pragma unroll
		for (int t = 0; t < TILES; t++) {
			const int top = first + line + t * 16;
			float scores[BLOCK_N / 8][4] = { 0 };
			float before[2] = { maximum[t][0], maximum[t][1] }, shrinks[2], bias[2];

			/* no queries, or none that sees these keys */
			if (top >= length || (causal && step * BLOCK_N > top + 15))
				continue;
#pragma unroll
			for (int k = 0; k < DEPTH / 16; k++) {
				uint32_t a[4];

#if QUERIES == QUERIES_registers
				for (int i = 0; i < 4; i++)
					a[i] = held[t][k][i];
#else
				load_matrices(a, place(queries,
					line + t * 16 + lane % 16, 2 * k + lane / 16));
#endif
#pragma unroll
				for (int n = 0; n < BLOCK_N / 16; n++) {
					uint32_t b[4];

					load_matrices(b, place(key,
						n * 16 + lane / 16 * 8 + lane % 8,
						2 * k + lane / 8 % 2));
					multiply(scores[2 * n], a, b[0], b[1]);
					multiply(scores[2 * n + 1], a, b[2], b[3]);
				}
			}
			/* keys behind the end, and behind the query */
			if ((step + 1) * BLOCK_N > (causal ? top : length))
#pragma unroll
				for (int n = 0; n < BLOCK_N / 8; n++)
#pragma unroll
					for (int i = 0; i < 4; i++) {
						const int at = step * BLOCK_N + n * 8 +
							       lane % 4 * 2 + i % 2;

						if (at >= length ||
							(causal && at > row + t * 16 + i / 2 * 8))
							scores[n][i] = LEAST;
					}
#pragma unroll
			for (int n = 0; n < BLOCK_N / 8; n++)
#pragma unroll
				for (int i = 0; i < 4; i++)
					maximum[t][i / 2] =
						fmaxf(maximum[t][i / 2], scores[n][i]);
#pragma unroll
			for (int half = 0; half < 2; half++) {
				maximum[t][half] = row_maximum(maximum[t][half]);
				shrinks[half] =
					power_of_two((before[half] - maximum[t][half]) * factor);
				bias[half] = maximum[t][half] * factor;
				total[t][half] *= shrinks[half];
			}
#pragma unroll
			for (int n = 0; n < BLOCK_N / 8; n++)
#pragma unroll
				for (int i = 0; i < 4; i++) {
					scores[n][i] = power_of_two(
						fmaf(scores[n][i], factor, -bias[i / 2]));
					total[t][i / 2] += scores[n][i];
				}
			/* after the first steps a maximum grows seldom */
			if (__any_sync(0xffffffffu, shrinks[0] != 1.0f || shrinks[1] != 1.0f))
#pragma unroll
				for (int d = 0; d < DEPTH / 8; d++)
#pragma unroll
					for (int i = 0; i < 4; i++)
						sums[t][d][i] *= shrinks[i / 2];
#pragma unroll
			for (int n = 0; n < BLOCK_N / 16; n++) {
				const float(&low)[4] = scores[2 * n], (&high)[4] = scores[2 * n + 1];
				const uint32_t a[4] = { pair(low[0], low[1]),
					pair(low[2], low[3]), pair(high[0], high[1]),
					pair(high[2], high[3]) };

#pragma unroll
				for (int d = 0; d < DEPTH / 16; d++) {
					uint32_t b[4];

					load_transposed(b, place(value, n * 16 + lane % 16,
								   2 * d + lane / 16));
					multiply(sums[t][2 * d], a, b[0], b[1]);
					multiply(sums[t][2 * d + 1], a, b[2], b[3]);
				}
			}
		}
	}
#pragma unroll
	for (int t = 0; t < TILES; t++)
#pragma unroll
		for (int half = 0; half < 2; half++) {
			const int at = row + t * 16 + half * 8;
			const float part = 1.0f / row_sum(total[t][half]);

			if (at >= length)
				continue;
#pragma unroll
			for (int d = 0; d < DEPTH / 8; d++)
				*(uint32_t *)(out + head + (size_t)at * DEPTH + d * 8 +
					lane % 4 * 2) = pair(sums[t][d][2 * half] * part,
					sums[t][d][2 * half + 1] * part);
		}
}

/* A block of 128 threads for each query: the maximum, then all else. */
extern "C" __global__ void attention_reference(const __nv_bfloat16 *Q,
	const __nv_bfloat16 *K, const __nv_bfloat16 *V, __nv_bfloat16 *out, float scale,
	int causal, int length, int depth)
{
	__shared__ float scores[128], parts[128];
	const int query = blockIdx.x, thread = threadIdx.x;
	const size_t head = (size_t)blockIdx.y * length * depth;
	const int end = causal ? query + 1 : length;
	float maximum = LEAST, total = 0, sum = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (int first = 0; first < end; first += 128) {
			float score = LEAST;

			if (first + thread < end) {
				score = 0;
				for (int d = 0; d < depth; d++)
					score += __bfloat162float(Q[head + (size_t)query * depth + d]) *
						 __bfloat162float(
							 K[head + (size_t)(first + thread) * depth + d]);
				score *= scale;
			}
			if (pass == 0) {
				maximum = fmaxf(maximum, score);
				continue;
			}
			__syncthreads();
			scores[thread] = first + thread < end ? expf(score - maximum) : 0;
			__syncthreads();
			for (int i = 0; i < 128 && first + i < end; i++) {
				total += scores[i];
				if (thread < depth)
					sum += scores[i] *
					       __bfloat162float(
						       V[head + (size_t)(first + i) * depth + thread]);
			}
		}
		if (pass == 0) {
			parts[thread] = maximum;
			__syncthreads();
			for (int i = 0; i < 128; i++)
				maximum = fmaxf(maximum, parts[i]);
		}
	}
	if (thread < depth)
		out[head + (size_t)query * depth + thread] = __float2bfloat16(sum / total);
}
