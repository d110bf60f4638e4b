/*
 * A product of matrices of halves on tensor cores, and its reference in pairs of halves.
 * What the tuned kernel calls does not compile in double, and the reference has no need
 * of it.
 */
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;
#define IS(name) (KIND == KIND_##name)
#define TILE 16

typedef wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> accumulator;

/* called by the tuned kernel alone, in braces that conditions choose */
template <typename Layout, class Fragment = accumulator>
__device__ static void multiply(Fragment &c, const half *a, const half *b, int n)
{
	wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> left;
	wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, Layout> right;

#if IS(fragments)
	for (int i = 0; i < n; i += TILE) {
#else
	for (int i = n - TILE; i >= 0; i -= TILE) {
#endif
		wmma::load_matrix_sync(left, a + i, n);
		wmma::load_matrix_sync(right, b + i * n, n);
		wmma::mma_sync(c, left, right, c);
	}
}

__device__ accumulator zeros()
{
#define NOTHING 0.0f /* a definition stays: the reference uses it */
	accumulator c;

	wmma::fill_fragment(c, NOTHING);
	return c;
}

namespace tools {
/* floats by their bits, of which doubles have others */
__device__ float2 halves(__half2 pair)
{
	unsigned bits;

	static_assert(sizeof(float) == 4, "one for each half");
	memcpy(&bits, &pair, 4);
	return __half22float2(pair);
}

/* called by the reference */
__device__ float dot(__half2 a, __half2 b)
{
	float2 x = __half22float2(a), y = __half22float2(b);

	return x.x * y.x + x.y * y.y;
}
} // namespace tools

extern "C" {
__global__ void __launch_bounds__(32) wide_half(const half *a, const half *b, float *c, int n)
{
	int row = blockIdx.x / (n / TILE) * TILE, column = blockIdx.x % (n / TILE) * TILE;
	accumulator sum = zeros();

	if (n < 0)
		c[0] = tools::halves(*(const __half2 *)a).x;
	multiply<wmma::row_major>(sum, a + row * n, b + column, n);
	wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

__global__ void wide_half_reference(const half *a, const half *b, float *c, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += gridDim.x * blockDim.x) {
		const half *row = a + i / n * n, *column = b + i % n;
		float sum = NOTHING;

		for (int j = 0; j < n; j += 2)
			sum += tools::dot(__halves2half2(row[j], row[j + 1]),
			                  __halves2half2(column[j * n], column[(j + 1) * n]));
		c[i] = sum;
	}
}
}
