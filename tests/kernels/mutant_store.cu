/*
 * A copy, and how much of it is stored; MISTAKE none is sound.
 *
 * store_past_end copies one value from behind x to behind y: what lies there must not
 * look alike.
 */
extern "C" __global__ void mutant_store(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
#if MISTAKE == MISTAKE_store_past_end
	bool mine = i <= n;
#elif MISTAKE == MISTAKE_half_unwritten
	bool mine = i < n / 2;
#else
	bool mine = i < n;
#endif

	if (mine)
		y[i] = x[i];
}

extern "C" __global__ void mutant_store_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[i];
}
