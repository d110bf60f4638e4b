/*
 * One kernel, and a way to go wrong for each value of FAULT. y[i] = 2 * x[i] + 1. The
 * classic mistakes of tiles, reductions and launches are in mutant_*.cu.
 */
extern "C" __global__ void faults(const float *x, float *y, int *counts, int n)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;

#if FAULT == FAULT_does_not_compile
	this is not C;
#endif
#if FAULT == FAULT_trap
	if (i == n / 2)
		__trap();
#endif
#if FAULT == FAULT_hang
	/* x is never 0, and the compiler cannot know */
	while (*(const volatile float *)x != 0.0f)
		;
#endif
#if FAULT == FAULT_write_input
	if (i == 3)
		((float *)x)[i] = 7.0f;
#endif
	if (i < n) {
		float value = 2.0f * x[i] + 1.0f;

#if FAULT == FAULT_nan
		if (i == n - 1)
			value = sqrtf(-1.0f);
#endif
#if FAULT == FAULT_wrong
		value += 0.01f;
#endif
		y[i] = value;
	}
#if FAULT == FAULT_before_start
	if (i == 0)
		y[-1] = 1.0f;
#endif
#if FAULT == FAULT_count_off_by_one
	if (i < n)
		atomicAdd(&counts[i % 4], i == 5 ? 2 : 1);
#else
	if (i < n)
		atomicAdd(&counts[i % 4], 1);
#endif
}

extern "C" __global__ void faults_reference(const float *x, float *y, int *counts, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		y[i] = 2.0f * x[i] + 1.0f;
		atomicAdd(&counts[i % 4], 1);
	}
}
