/*
 * Less the mean of all: a cooperative launch with a barrier of all blocks. MISTAKE none
 * is sound.
 *
 * block_only  a barrier of its own block alone
 * one_ahead   leaves out the sum of the last block
 * early       reads the sums before the barrier
 * too_many    more blocks than the device holds
 *
 * Each METHOD is sound:
 *
 * twice       one barrier too many
 * backwards   the last sum first
 */
#include <cooperative_groups.h>
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_resident(
	const float *x, float *y, float *part, int n)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	__shared__ float s[64];
	int t = threadIdx.x, each = (n + gridDim.x - 1) / gridDim.x;
	int from = blockIdx.x * each, to = min(n, from + each);
	volatile float *parts = part;
	float v = 0, early = 0, all = 0;

	for (int i = from + t; i < to; i += 64)
		v += x[i];
	s[t] = v;
	__syncthreads();
	for (int o = 32; o; o /= 2) {
		if (t < o)
			s[t] += s[t + o];
		__syncthreads();
	}
	if (t == 0)
		parts[blockIdx.x] = s[0];
	if (IS(early))
		for (int k = 0; k < gridDim.x; k++)
			early += parts[k];
	if (IS(block_only))
		__syncthreads();
	else
		grid.sync();
	if (BY(twice))
		grid.sync();
	for (int k = 0; k < gridDim.x - IS(one_ahead); k++)
		all += parts[BY(backwards) ? gridDim.x - 1 - k : k];
	if (IS(early))
		all = early;
	for (int i = from + t; i < to; i += 64)
		y[i] = x[i] - all / n;
}

extern "C" __global__ void mutant_resident_reference(
	const float *x, float *y, float *part, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += x[i];
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x)
		y[i] = x[i] - (float)(s / n);
}
