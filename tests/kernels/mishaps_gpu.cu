/*
 * y[i] = 2 * x[i], after WORK rounds of nothing that matters, and a way to go wrong for each
 * value of MISHAP. Of tests/faults/gpu.sh.
 */
#if MISHAP == MISHAP_recursion
static __device__ __noinline__ int deeper(int depth, volatile const float *x)
{
	volatile int frame[64];

	frame[depth % 64] = depth;
	/* x is never 0, and the compiler cannot know */
	return x[0] != 0.0f ? deeper(depth + 1, x) + frame[(depth + 1) % 64] : depth;
}
#endif

extern "C" __global__ void mishaps_gpu(const float *x, float *y, int n)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;
	float value = i < n ? x[i] : 1.0f;

	for (int k = 0; k < WORK * 256; k++)
		value = value * 1.0000001f + 1e-7f;
	/* never, which the compiler cannot know */
	if (value < 0.0f)
		y[0] = value;
	if (i < n)
		y[i] = 2.0f * x[i];
#if MISHAP == MISHAP_null
	if (i == n / 2)
		*(volatile float *)nullptr = 1.0f;
#elif MISHAP == MISHAP_wild
	if (i == n / 2)
		*(volatile float *)0x7f0000000000ull = 1.0f;
#elif MISHAP == MISHAP_beyond
	if (i == 0)
		y[n] = 1.0f;
#elif MISHAP == MISHAP_misaligned
	/* n is even, and a double lies at multiples of two floats */
	if (i == n - 1)
		*(volatile double *)(y + n - 3) = 1.0;
#elif MISHAP == MISHAP_trap
	if (i == n / 2)
		__trap();
#elif MISHAP == MISHAP_endless
	while (*(volatile const float *)x != 0.0f)
		;
#elif MISHAP == MISHAP_deadlock
	{
		/* one half waits at the barrier for the other, which waits for what
		   comes behind it */
		__shared__ volatile int passed;

		if (threadIdx.x == 0)
			passed = 0;
		__syncthreads();
		if (threadIdx.x < BLOCK / 2)
			while (!passed)
				;
		__syncthreads();
		passed = 1;
	}
#elif MISHAP == MISHAP_barrier
	/* half of the threads come here, and the others have a barrier more */
	if (threadIdx.x < BLOCK / 2)
		while (*(volatile const float *)x != 0.0f)
			__syncthreads();
#elif MISHAP == MISHAP_recursion
	if (i == 0)
		y[0] = (float)deeper(0, x);
#endif
}

extern "C" __global__ void mishaps_gpu_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = 2.0f * x[i];
}
