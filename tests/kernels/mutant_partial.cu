// The sum of n numbers: up to 64 blocks leave theirs in memory, a second launch adds these up.
extern "C" __global__ void mutant_partial(const float *x, float *total, float *parts, int n)
{
	__shared__ float sums[64];
	float sum = 0.0f;

#if MISTAKE == MISTAKE_idle_blocks
	if (blockIdx.x * 64 >= n)
		return;
#endif
	for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64)
		sum += x[i];
	sums[threadIdx.x] = sum;
	__syncthreads();
	if (threadIdx.x > 0)
		return;
	for (int i = 1; i < 64; i++)
		sum += sums[i];
#if MISTAKE == MISTAKE_atomic_too
	atomicAdd(total, sum);
#endif
	parts[blockIdx.x] = sum;
}

extern "C" __global__ void mutant_partial_add(const float *parts, float *total, int blocks)
{
	float sum = 0.0f;

#if MISTAKE == MISTAKE_few_blocks
	for (int i = 0; i < blocks && i < 60; i++)
#else
	for (int i = 0; i < blocks; i++)
#endif
		sum += parts[i];
#if MISTAKE == MISTAKE_overwrites
	*total = sum;
#else
	*total += sum;
#endif
}

extern "C" __global__ void mutant_partial_reference(const float *x, float *total, int n)
{
	double sum = *total;

	for (int i = 0; i < n; i++)
		sum += x[i];
	*total = (float)sum;
}
