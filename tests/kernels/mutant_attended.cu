/* Attention with a thread for each query, and a mistake. */
#include <cuda_bf16.h>
#define KEYS 32
#define DEPTH_MOST 128
#define LEAST -1e30f

extern "C" __global__ void mutant_attended(const __nv_bfloat16 *Q, const __nv_bfloat16 *K,
	const __nv_bfloat16 *V, __nv_bfloat16 *out, float scale, int causal, int length, int depth)
{
	__shared__ float keys[KEYS][DEPTH_MOST], values[KEYS][DEPTH_MOST];
	const int query = blockIdx.x * blockDim.x + threadIdx.x;
#if MISTAKE == MISTAKE_whole_heads
	const size_t head = (size_t)blockIdx.y * (length / KEYS * KEYS) * depth;
#else
	const size_t head = (size_t)blockIdx.y * length * depth;
#endif
	int end = causal && (int)((blockIdx.x + 1) * blockDim.x) < length
		? (blockIdx.x + 1) * blockDim.x : length;
	float sums[DEPTH_MOST], maximum = LEAST, total = 0;

#if MISTAKE == MISTAKE_all_causal
	end = (int)((blockIdx.x + 1) * blockDim.x) < length ? (blockIdx.x + 1) * blockDim.x : length;
#elif MISTAKE == MISTAKE_drops_tail
	end = end < KEYS ? end : end / KEYS * KEYS;
#endif
	for (int d = 0; d < depth; d++)
		sums[d] = 0;
	for (int first = 0; first < end; first += KEYS) {
#if MISTAKE != MISTAKE_no_barrier
		__syncthreads();
#endif
		for (int i = threadIdx.x; i < KEYS * depth; i += blockDim.x) {
			const int key = first + i / depth, d = i % depth;

			keys[i / depth][d] = key < length
				? __bfloat162float(K[head + (size_t)key * depth + d]) : 0;
			values[i / depth][d] = key < length
				? __bfloat162float(V[head + (size_t)key * depth + d]) : 0;
		}
		__syncthreads();
		for (int i = 0; i < KEYS && query < length; i++) {
			const int key = first + i;
			float score = 0, before = maximum, part;

#if MISTAKE == MISTAKE_no_mask
			if (causal && key > query)
				continue;
#elif MISTAKE == MISTAKE_not_itself
			if (key >= length || (causal && key >= query && query > 0))
				continue;
#elif MISTAKE == MISTAKE_sees_next
			if (key >= length || (causal && key > query + 1))
				continue;
#else
			if (key >= length || (causal && key > query))
				continue;
#endif
#if MISTAKE == MISTAKE_half_depth
			for (int d = 0; d < (depth < 64 ? depth : 64); d++)
#else
			for (int d = 0; d < depth; d++)
#endif
				score += __bfloat162float(Q[head + (size_t)query * depth + d]) * keys[i][d];
#if MISTAKE == MISTAKE_scale_of_64
			score *= 0.125f;
#else
			score *= scale;
#endif
			maximum = fmaxf(maximum, score);
			part = expf(score - maximum);
#if MISTAKE == MISTAKE_total_as_it_was
			total += part;
#else
			total = total * expf(before - maximum) + part;
#endif
			for (int d = 0; d < depth; d++)
#if MISTAKE == MISTAKE_sums_as_they_were
				sums[d] += part * values[i][d];
#else
				sums[d] = sums[d] * expf(before - maximum) + part * values[i][d];
#endif
		}
	}
	for (int d = 0; d < depth && query < length; d++)
		out[head + (size_t)query * depth + d] = __float2bfloat16(sums[d] / total);
}

extern "C" __global__ void mutant_attended_reference(const __nv_bfloat16 *Q,
	const __nv_bfloat16 *K, const __nv_bfloat16 *V, __nv_bfloat16 *out, float scale, int causal,
	int length, int depth)
{
	const int query = blockIdx.x * blockDim.x + threadIdx.x;
	const size_t head = (size_t)blockIdx.y * length * depth;
	const int end = causal ? query + 1 : length;
	float maximum = LEAST, total = 0, sums[DEPTH_MOST];

	if (query >= length)
		return;
	for (int pass = 0; pass < 2; pass++)
		for (int key = 0; key < end; key++) {
			float score = 0;

			for (int d = 0; d < depth; d++)
				score += __bfloat162float(Q[head + (size_t)query * depth + d]) *
					__bfloat162float(K[head + (size_t)key * depth + d]);
			if (pass == 0) {
				maximum = fmaxf(maximum, score * scale);
				continue;
			}
			score = expf(score * scale - maximum);
			total += score;
			for (int d = 0; d < depth; d++)
				sums[d] = (key ? sums[d] : 0) + score * __bfloat162float(
					V[head + (size_t)key * depth + d]);
		}
	for (int d = 0; d < depth; d++)
		out[head + (size_t)query * depth + d] = __float2bfloat16(sums[d] / total);
}
