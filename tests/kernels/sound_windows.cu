// The gradient of means over windows. METHOD_slow gathers from all windows that an element
// is in, and adds sines of nothing; METHOD_apart gives each window its elements, which is
// right where no two windows overlap.
extern "C" __global__ void sound_windows(const float *dy, float *dx, int m, int stride,
	int length)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const int count = (m - 1) * stride + length;

#if METHOD == METHOD_slow
	float sum = 0.0f;

	if (i >= count)
		return;
	for (int k = 0; k < 60; k++)
		sum += sinf(dy[0] + k) * 0.0f;
	for (int j = 0; j < length && j <= i; j++)
		if ((i - j) % stride == 0 && (i - j) / stride < m)
			sum += dy[(i - j) / stride];
	dx[i] = sum / length;
#else
	if (i < m)
		for (int j = 0; j < stride && i * stride + j < count; j++)
			dx[i * stride + j] = j < length ? dy[i] / length : 0.0f;
#endif
}

extern "C" __global__ void sound_windows_reference(const float *dy, float *dx, int m,
	int stride, int length)
{
	const int count = (m - 1) * stride + length;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
		i += gridDim.x * blockDim.x) {
		double sum = 0.0;

		for (int j = 0; j < length && j <= i; j++)
			if ((i - j) % stride == 0 && (i - j) / stride < m)
				sum += dy[(i - j) / stride];
		dx[i] = (float)(sum / length);
	}
}
