#include <cuda_pipeline.h>
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_all -1
#define MISTAKE_own -1

extern "C" __global__ void mutant_gpu_async(const float *x, float *y, int n, int m)
{
	__shared__ __align__(16) float s[2][128];
	int t = threadIdx.x, r = blockIdx.x, tiles = (m + 127) / 128;
	float v = 0;
#define LOAD(k)                                                                                \
	{                                                                                      \
		int i = (k)*128 + t;                                                           \
		if (i < m)                                                                     \
			__pipeline_memcpy_async(&s[(k) % 2][t], &x[(long long)r * m + i], 4);  \
		else                                                                           \
			s[(k) % 2][t] = 0;                                                     \
		__pipeline_commit();                                                           \
	}
	LOAD(0)
	for (int k = 0; k < tiles; k++) {
		if (IS(load_late)) {
		} else if (k + 1 < tiles)
			LOAD(k + 1) else if (!IS(wait_one_last)) __pipeline_commit();
		if (IS(no_wait))
			;
		else if (IS(wait_two))
			__pipeline_wait_prior(2);
		else if (IS(all))
			__pipeline_wait_prior(0);
		else
			__pipeline_wait_prior(1);
		if (!IS(no_barrier))
			__syncthreads();
		v += s[k % 2][IS(own) ? t : 127 - t];
		if (!IS(no_second))
			__syncthreads();
		if (IS(load_late) && k + 1 < tiles) {
			LOAD(k + 1)
		}
	}
	__syncthreads();
	s[0][t] = v;
	__syncthreads();
	if (t == 0) {
		float a = 0;
		for (int i = 0; i < 128; i++)
			a += s[0][i];
		y[r] = a;
	}
}

extern "C" __global__ void mutant_gpu_async_reference(const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
