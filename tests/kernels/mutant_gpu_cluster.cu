#include <cooperative_groups.h>
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_three -1

extern "C" __global__ void __cluster_dims__(2, 1, 1)
    mutant_gpu_cluster(const float *x, float *y, int n, int m)
{
	namespace cg = cooperative_groups;
	cg::cluster_group cl = cg::this_cluster();
	__shared__ float s[128];
	__shared__ float sum;
	int t = threadIdx.x, rank = cl.block_rank(), r = blockIdx.x / 2;
	float v = 0;
	for (int i = rank * 128 + t; i < m; i += 256)
		v += x[(long long)r * m + i];
	s[t] = v;
	__syncthreads();
	for (int o = 64; o; o /= 2) {
		if (t < o)
			s[t] += s[t + o];
		__syncthreads();
	}
	if (t == 0)
		sum = s[0];
	if (IS(block_only))
		__syncthreads();
	else if (!IS(no_first))
		cl.sync();
	if (rank == 0 && t == 0)
		y[r] = sum + *cl.map_shared_rank(&sum, 1);
	if (IS(own_twice) && rank == 0 && t == 0)
		y[r] = sum + sum;
	if (!IS(no_last))
		cl.sync();
	if (IS(three))
		cl.sync();
}

extern "C" __global__ void mutant_gpu_cluster_reference(const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
