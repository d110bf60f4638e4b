/* A transpose whose tiles of 32 x 32 come by tensor map, in a swizzle of 128 bytes. */
#include <cuda.h>

#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_plain -1
#define MISTAKE_no_swizzle -1

static __device__ unsigned at(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

extern "C" __global__ void mutant_gpu_maps(
	const __grid_constant__ CUtensorMap map, const float *x, float *y, int n, int m)
{
	__shared__ __align__(1024) float s[32 * 32];
	__shared__ __align__(8) unsigned long long bar;
	const int t = threadIdx.x, column = blockIdx.x * 32, row = blockIdx.y * 32;

	if (IS(plain)) {
		for (int i = t; i < 1024; i += 256)
			s[i / 32 * 32 + ((i % 32 / 4) ^ (i / 32 % 8)) * 4 + i % 4] =
				row + i / 32 < n && column + i % 32 < m
					? x[(row + i / 32) * m + column + i % 32]
					: 0;
		__syncthreads();
	} else {
		if (t == 0) {
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)));
			asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		}
		__syncthreads();
		if (t == 0) {
			asm volatile(
				"mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(&bar)),
				"r"(IS(few_bytes) ? 2048 : 4096)
				: "memory");
			asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
				     "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(s)),
				"l"(&map), "r"(IS(other_order) ? row : column),
				"r"(IS(other_order) ? column : row), "r"(at(&bar))
				: "memory");
		}
		if (!IS(no_wait)) {
			unsigned done = 0;
			while (!done)
				asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, "
					     "[%1], 0; selp.u32 %0, 1, 0, p; }"
					     : "=r"(done)
					     : "r"(at(&bar))
					     : "memory");
		}
	}
	for (int i = t; i < 1024; i += 256) {
		const int r = i % 32, c = i / 32;
		const int chunk = IS(plain_read) || IS(no_swizzle) ? c / 4 : (c / 4) ^ (r % 8);

		if (row + r < n && column + c < m)
			y[(column + c) * n + row + r] = s[r * 32 + chunk * 4 + c % 4];
	}
}

extern "C" __global__ void mutant_gpu_maps_reference(const float *x, float *y, int n, int m)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * m; i += gridDim.x * blockDim.x)
		y[i % m * n + i / m] = x[i];
}
