/*
 * The sum of each row, from loads that ask the L2 to keep the input (evict_last). The
 * results are right either way. If the input survived the flush between two timed
 * launches, the time would be of a cache that is not cold.
 *   policy      loads with a policy
 *   prefetch    prefetches ahead of plain loads
 *   afterwards  plain loads, and prefetches when the row is summed, for the next launch
 */
#ifndef IS
#define IS(name) (METHOD == METHOD_##name)
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__device__ void keep(const float *from)
{
	asm volatile("prefetch.global.L2::evict_last [%0];" : : "l"(from));
}
__device__ float kept(const float *from)
{
	unsigned long long policy;
	float v;

	asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
	asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;"
	             : "=f"(v)
	             : "l"(from), "l"(policy));
	return v;
}
#else
/* the L2 cannot be asked */
__device__ void keep(const float *from)
{
}
__device__ float kept(const float *from)
{
	return *from;
}
#endif

extern "C" __global__ void sound_gpu_lines(const float *x, float *y, int m)
{
	__shared__ float sums[256];
	const float *row = x + (long long)blockIdx.x * m;
	int t = threadIdx.x;
	float sum = 0;

	/* a line of the L2 has 32 floats */
	if (IS(prefetch))
		for (int i = 32 * t; i < m; i += 32 * 256)
			keep(&row[i]);
	for (int i = t; i < m; i += 256)
		sum += IS(policy) ? kept(&row[i]) : row[i];
	sums[t] = sum;
	__syncthreads();
	for (int half = 128; half > 0; half /= 2) {
		if (t < half)
			sums[t] += sums[t + half];
		__syncthreads();
	}
	if (t == 0)
		y[blockIdx.x] = sums[0];
	if (IS(afterwards))
		for (int i = 32 * t; i < m; i += 32 * 256)
			keep(&row[i]);
}

extern "C" __global__ void sound_gpu_lines_reference(const float *x, float *y, int m)
{
	int r = blockIdx.x;
	float sum = 0;

	if (threadIdx.x)
		return;
	for (int i = 0; i < m; i++)
		sum += x[(long long)r * m + i];
	y[r] = sum;
}
