// a variance of one has its own way in the reference only
extern "C" __global__ void sound_variance(const float *x, float *y, int window, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float mean = 0, sum = 0;
	if (i >= n)
		return;
	for (int j = 0; j < window; j++)
		mean += x[i + j];
	mean /= window;
	for (int j = 0; j < window; j++)
		sum += (x[i + j] - mean) * (x[i + j] - mean);
	y[i] = METHOD == METHOD_slow && window == 1 ? 0.0f : sum / (window - 1);
}

extern "C" __global__ void sound_variance_reference(const float *x, float *y, int window, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float mean = 0, sum = 0;
		for (int j = 0; j < window; j++)
			mean += x[i + j];
		mean /= window;
		for (int j = 0; j < window; j++)
			sum += (x[i + j] - mean) * (x[i + j] - mean);
		y[i] = window == 1 ? 0.0f : sum / (window - 1);
	}
}
