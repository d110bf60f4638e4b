// one coordinate of points; the reference is defensive
extern "C" __global__ void sound_axis(const float *x, float *y, int axis, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = METHOD == METHOD_fast || axis < 3 ? x[i * 3 + axis] : 0.0f;
}

extern "C" __global__ void sound_axis_reference(const float *x, float *y, int axis, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = axis < 3 ? x[i * 3 + axis] : 0.0f;
}
