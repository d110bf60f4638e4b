
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
/* not asked for: they are crowned on an H100 (results/README.md) */
#define MISTAKE_full_mask -1
#define MISTAKE_doubled -1
#define MISTAKE_ballot -1

extern "C" __global__ void mutant_gpu_shuffle(const float *x, float *y, int n, int m)
{
	__shared__ float part[2];
	int t = threadIdx.x, r = blockIdx.x;
	float v = 0;
	for (int i = t; i < m; i += 48)
		v += x[(long long)r * m + i];
	/* 48 threads: the second warp has 16 */
	unsigned mask = IS(full_mask) ? ~0u
	                : IS(ballot)  ? __ballot_sync(t < 32 ? ~0u : 0xffffu, 1)
	                : t < 32      ? ~0u
	                              : 0xffffu;
	int width = t < 32 ? 32 : 16;
	if (IS(inside)) {
		for (int o = width / 2; o; o /= 2)
			if (t % 32 < o)
				v += __shfl_down_sync((1u << o) - 1, v, o);
	} else if (IS(full_mask)) {
		for (int o = 16; o; o /= 2)
			v += __shfl_down_sync(mask, v, o);
	} else if (IS(no_last)) {
		for (int o = width / 2; o > 1; o /= 2)
			v += __shfl_down_sync(mask, v, o);
	} else if (IS(up)) {
		for (int o = width / 2; o; o /= 2)
			v += __shfl_up_sync(mask, v, o);
	} else if (IS(doubled)) {
		for (int o = 16; o; o /= 2)
			v += __shfl_xor_sync(mask, v, o, 32);
	} else
		for (int o = width / 2; o; o /= 2)
			v += __shfl_down_sync(mask, v, o, width);
	if (t % 32 == 0)
		part[t / 32] = v;
	__syncthreads();
	if (t == 0)
		y[r] = part[0] + (IS(first_warp) ? 0 : part[1]);
}

extern "C" __global__ void mutant_gpu_shuffle_reference(const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
