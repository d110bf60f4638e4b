/* right on multiples of BLOCK; without its check it writes too far elsewhere */
extern "C" __global__ void ragged(const float *x, float *y, int n)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;

#if CHECK
	if (i < n)
#endif
		y[i] = -x[i];
}

extern "C" __global__ void ragged_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = -x[i];
}
