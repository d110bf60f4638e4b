/*
 * The sum of each row by a cluster whose size the launch gives: each block sums its
 * part, and the first one adds the sums of all. MISTAKE none is sound.
 *
 * no_first    reads the sums of the others before they are there
 * block_only  a barrier of its own block alone
 * two         clusters of two, whatever the launch gives
 * no_last     ends while the first block still reads its sum
 *
 * Each METHOD is sound:
 *
 * pushed      each block adds its sum to that of the first one
 * three       one barrier too many
 */
#include <cooperative_groups.h>
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_gpu_ranks(const float *x, float *y, int n, int m)
{
	namespace cg = cooperative_groups;
	cg::cluster_group cluster = cg::this_cluster();
	__shared__ float part[128];
	__shared__ float sum;
	int t = threadIdx.x, rank = cluster.block_rank(), size = cluster.num_blocks();
	int row = blockIdx.x / size;
	float v = 0;

	for (int i = rank * 128 + t; i < m; i += size * 128)
		v += x[(long long)row * m + i];
	part[t] = v;
	if (t == 0)
		sum = 0;
	__syncthreads();
	for (int o = 64; o; o /= 2) {
		if (t < o)
			part[t] += part[t + o];
		__syncthreads();
	}
	if (BY(pushed)) {
		cluster.sync();
		if (t == 0)
			atomicAdd(cluster.map_shared_rank(&sum, 0), part[0]);
	} else if (t == 0) {
		sum = part[0];
	}
	if (IS(block_only))
		__syncthreads();
	else if (!IS(no_first))
		cluster.sync();
	if (rank == 0 && t == 0) {
		float all = sum;

		for (int k = 1; k < (IS(two) ? 2 : size) && !BY(pushed); k++)
			all += *cluster.map_shared_rank(&sum, k);
		y[row] = all;
	}
	if (!IS(no_last))
		cluster.sync();
	if (BY(three))
		cluster.sync();
}

extern "C" __global__ void mutant_gpu_ranks_reference(
	const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
		r += gridDim.x * blockDim.x) {
		float s = 0;

		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
