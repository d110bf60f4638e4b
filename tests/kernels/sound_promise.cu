// mode is 0 or 1, as the reference promises
extern "C" __global__ void sound_promise(const int *x, int *y, int mode, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = METHOD == METHOD_slow ? (mode ? x[i] + 1 : x[i]) : x[i] + mode;
}

extern "C" __global__ void sound_promise_reference(const int *x, int *y, int mode, int n)
{
	__builtin_assume(mode < 2);
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = mode ? x[i] + 1 : x[i];
}
