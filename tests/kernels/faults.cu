/* One kernel, and one classic mistake a value of FAULT. y[i] = 2 * x[i] + 1 */
extern "C" __global__ void faults(const float *x, float *y, int *counts, int n)
{
	__shared__ float stage[BLOCK];
	int i = blockIdx.x * BLOCK + threadIdx.x;

#if FAULT == FAULT_does_not_compile
	this is not C;
#endif
#if FAULT == FAULT_too_many_threads
	/* the launch has 2048 threads a block */
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
	/* through shared memory and another thread's element: needs its barrier */
	stage[threadIdx.x] = i < n ? x[i] : 0.0f;
#if FAULT != FAULT_missing_barrier
	__syncthreads();
#endif
	{
		int other = (threadIdx.x + 1) % BLOCK;
		int j = blockIdx.x * BLOCK + other;
		float value = 2.0f * stage[other] + 1.0f;

#if FAULT == FAULT_nan
		if (j == n - 1)
			value = sqrtf(-1.0f);
#endif
#if FAULT == FAULT_half_unwritten
		if (j >= n / 2)
			return;
#endif
#if FAULT == FAULT_wrong
		value += 0.01f;
#endif
#if FAULT == FAULT_no_bounds_check
		y[j] = value;
#elif FAULT == FAULT_off_by_one
		if (j <= n)
			y[j] = value;
#elif FAULT == FAULT_before_start
		if (j < n)
			y[j] = value;
		if (j == 0)
			y[-1] = value;
#else
		if (j < n)
			y[j] = value;
#endif
	}
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
