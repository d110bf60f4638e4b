// of two functions of a name the other one asks for a kind
struct pair {
	int a, b;
};
static __device__ pair turned(pair v, int way)
{
	return way == 3 ? pair{v.b, v.a} : v;
}

static __device__ int turned(int v, int on)
{
	return on ? -v : v;
}

extern "C" __global__ void sound_overload(const int *x, int *y, int on, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = METHOD == METHOD_slow ? turned(x[i], on) : x[i] * (1 - 2 * on);
}

extern "C" __global__ void sound_overload_reference(const int *x, int *y, int on, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = turned(x[i], on);
}
