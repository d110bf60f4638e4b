#include <mma.h>
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_thrice -1

extern "C" __global__ void mutant_gpu_tf32(const float *a, const float *b, float *c, int m, int n,
                                         int k)
{
	using namespace nvcuda;
	int row = blockIdx.x / (n / 16) * 16, col = blockIdx.x % (n / 16) * 16;
	wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa,
	    la;
	wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb,
	    lb;
	wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
	wmma::fill_fragment(fc, 0.0f);
	if (IS(none)) {
		for (int e = threadIdx.x; e < 256; e += 32) {
			float s = 0;
			for (int j = 0; j < k; j++)
				s += a[(row + e / 16) * k + j] * b[j * n + col + e % 16];
			c[(row + e / 16) * n + col + e % 16] = s;
		}
		return;
	}
	for (int i = 0; i < k; i += 8) {
		wmma::load_matrix_sync(fa, a + row * k + i, k);
		wmma::load_matrix_sync(fb, b + i * n + col, n);
		for (int e = 0; e < fa.num_elements; e++) {
			float v = fa.x[e];
			fa.x[e] = IS(unrounded) ? v : wmma::__float_to_tf32(v);
			la.x[e] = wmma::__float_to_tf32(v - fa.x[e]);
		}
		for (int e = 0; e < fb.num_elements; e++) {
			float v = fb.x[e];
			fb.x[e] = IS(unrounded) ? v : wmma::__float_to_tf32(v);
			lb.x[e] = wmma::__float_to_tf32(v - fb.x[e]);
		}
		if (IS(thrice)) {
			wmma::mma_sync(fc, la, fb, fc);
			wmma::mma_sync(fc, fa, lb, fc);
		}
		if (IS(twice))
			wmma::mma_sync(fc, la, fb, fc);
		wmma::mma_sync(fc, fa, fb, fc);
	}
	wmma::store_matrix_sync(c + row * n + col, fc, n, wmma::mem_row_major);
}

extern "C" __global__ void mutant_gpu_tf32_reference(const float *a, const float *b, float *c,
                                                   int m, int n, int k)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n;
	     i += gridDim.x * blockDim.x) {
		float s = 0;
		for (int j = 0; j < k; j++)
			s += a[i / n * k + j] * b[j * n + i % n];
		c[i] = s;
	}
}
