// what the headers in this folder are tried with
#ifndef RANK
#define RANK 1
#endif

__constant__ float factors[BLOCK_X];

static __device__ float scaled(float value)
{
#if CACHE == CACHE_cg
	return value * float(SCALE) + OFFSET + USE_LDG;
#else
	return value * float(SCALE) - factors[0];
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y)
	matmul(const float *a, float *c)
{
	__shared__ float shared[BLOCK_X];

	shared[threadIdx.x] = scaled(a[threadIdx.x]) * RANK * GRID_Y;
	__syncthreads();
	c[threadIdx.x] = shared[BLOCK_X - 1 - threadIdx.x];
}

extern "C" __global__ void reference(const float *a, float *c)
{
	c[threadIdx.x] = a[threadIdx.x];
}

/* one that the space does not name */
extern "C" __global__ void __launch_bounds__(32) helper(float *c)
{
	c[0] = 0;
}
