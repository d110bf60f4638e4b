#include <cuda_fp16.h>
#include <mma.h>
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_backwards -1

extern "C" __global__ void mutant_gpu_wmma(const half *a, const half *b, float *c, int m, int n,
                                         int k)
{
	using namespace nvcuda;
	int row = blockIdx.x / (n / 16) * 16, col = blockIdx.x % (n / 16) * 16;
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
#if IS(half_sums)
	wmma::fragment<wmma::accumulator, 16, 16, 16, half> fc;
	wmma::fill_fragment(fc, __float2half(0.0f));
#else
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
	if (!IS(not_filled))
		wmma::fill_fragment(fc, 0.0f);
#endif
	int end = IS(last_tile) ? k - 16 : k;
#if IS(backwards)
	for (int i = k - 16; i >= 0; i -= 16) {
#else
	for (int i = 0; i < end; i += 16) {
#endif
		wmma::load_matrix_sync(fa, a + row * k + i, k);
		wmma::load_matrix_sync(fb, IS(transposed) ? b + col * n + i : b + i * n + col,
		                       n);
		wmma::mma_sync(fc, fa, fb, fc);
	}
#if IS(half_sums)
	__shared__ half h[256];
	wmma::store_matrix_sync(h, fc, 16, wmma::mem_row_major);
	__syncwarp();
	for (int i = threadIdx.x; i < 256; i += 32)
		c[(row + i / 16) * n + col + i % 16] = __half2float(h[i]);
#else
	wmma::store_matrix_sync(c + row * n + col, fc, n,
	                        IS(col_store) ? wmma::mem_col_major : wmma::mem_row_major);
#endif
}
extern "C" __global__ void mutant_gpu_wmma_reference(const half *a, const half *b, float *c,
                                                   int m, int n, int k)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n;
	     i += gridDim.x * blockDim.x) {
		float s = 0;
		for (int j = 0; j < k; j++)
			s += __half2float(a[i / n * k + j]) * __half2float(b[j * n + i % n]);
		c[i] = s;
	}
}
