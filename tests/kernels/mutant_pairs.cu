/* Rows times a vector, in halves, by what NVIDIA's headers give: a tile a row. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

extern "C" __global__ void mutant_pairs(
	const __half2 *x, const __half2 *w, __half *y, __half bias, int rows, int pairs)
{
	auto tile = cg::tiled_partition<LANES>(cg::this_thread_block());
	int row = (blockIdx.x * 128 + threadIdx.x) / LANES;
	float sum = 0.0f;

	if (row >= rows)
		return;
	for (int k = tile.thread_rank(); k < pairs; k += LANES) {
		float2 first = __half22float2(x[row * pairs + k]);
		float2 second = __half22float2(w[k]);

		sum += first.x * second.x;
		if (MISTAKE != MISTAKE_low_halves)
			sum += first.y * second.y;
	}
	sum = cg::reduce(tile, sum, cg::plus<float>());
	if (MISTAKE != MISTAKE_no_bias)
		sum += __half2float(bias);
	if (MISTAKE == MISTAKE_every_other && row % 2)
		return;
	if (tile.thread_rank() == 0)
		y[row] = __float2half(sum);
}

extern "C" __global__ void mutant_pairs_reference(
	const __half2 *x, const __half2 *w, __half *y, __half bias, int rows, int pairs)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float sum = __half2float(bias);

		for (int k = 0; k < pairs; k++)
			sum += __half2float(x[row * pairs + k].x) * __half2float(w[k].x) +
			       __half2float(x[row * pairs + k].y) * __half2float(w[k].y);
		y[row] = __float2half(sum);
	}
}
