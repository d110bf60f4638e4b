/*
 * The second of two launches begins before the first one has ended: each y is the mean
 * of three neighbours in work, which the first launch writes. MISTAKE none is sound.
 *
 * no_wait     does not wait for the first launch
 * wait_late   waits only after it has read
 * one_waits   only the first block waits
 *
 * Each METHOD is sound:
 *
 * untold      the first launch does not say that the second may begin
 * plain       the second launch is not dependent
 * ahead       the second launch reads what no launch writes before it waits
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_gpu_early(const float *x, float *work, int n)
{
	if (!BY(untold))
		asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		float v = x[i];

		for (int k = 0; k < 64; k++)
			v = v * 0.5f + x[(i + k) % n];
		work[i] = v;
	}
}

extern "C" __global__ void mutant_gpu_early_mean(
	const float *x, const float *work, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int left = i > 0 ? i - 1 : 0, right = i + 1 < n ? i + 1 : n - 1;
	float early = 0, own = BY(ahead) && i < n ? x[i] : 0;

	if (IS(wait_late) && i < n)
		early = *(const volatile float *)&work[left];
	if (!IS(no_wait) && (!IS(one_waits) || !blockIdx.x))
		asm volatile("griddepcontrol.wait;" ::: "memory");
	if (i >= n)
		return;
	if (!BY(ahead))
		own = x[i];
	if (!IS(wait_late))
		early = *(const volatile float *)&work[left];
	y[i] = own + (early + *(const volatile float *)&work[i] +
			     *(const volatile float *)&work[right]) / 3;
}

__device__ float early_work(const float *x, int n, int i)
{
	float v = x[i];

	for (int k = 0; k < 64; k++)
		v = v * 0.5f + x[(i + k) % n];
	return v;
}

extern "C" __global__ void mutant_gpu_early_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x)
		y[i] = x[i] + (early_work(x, n, i > 0 ? i - 1 : 0) +
				      early_work(x, n, i) +
				      early_work(x, n, i + 1 < n ? i + 1 : n - 1)) / 3;
}
