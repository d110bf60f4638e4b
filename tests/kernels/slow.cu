/* y[i] = x[i] + x[i], as often as REPEAT says: how slow it is leaves no doubt */
extern "C" __global__ void slow(const float *x, float *y, int n)
{
	int i = blockIdx.x * 64 + threadIdx.x;

	for (int j = 0; j < REPEAT && i < n; j++) {
		*(volatile float *)&y[i] = *(const volatile float *)&x[i];
		y[i] += x[i];
	}
}

extern "C" __global__ void slow_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[i] + x[i];
}
