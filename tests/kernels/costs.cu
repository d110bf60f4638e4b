/* y[i] = x[i] + x[i], as often as REPEAT, AGAIN and SPARE say */
extern "C" __global__ void costs(const float *x, float *y, int n, double unused)
{
	int i = blockIdx.x * 64 + threadIdx.x;

	for (int j = 0; j < REPEAT * AGAIN + 100 * SPARE && i < n; j++) {
		*(volatile float *)&y[i] = *(const volatile float *)&x[i];
		y[i] += x[i];
	}
}

extern "C" __global__ void costs_reference(const float *x, float *y, int n, double unused)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[i] + x[i];
}
