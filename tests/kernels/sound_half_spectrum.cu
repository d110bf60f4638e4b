// the real spectrum of rows of an even length: N / 2 twiddles, N / 2 + 1 values
static __device__ float twiddle(const float *cosines, int k, int n)
{
	int h = n / 2;
	k %= n;
	return k < h ? cosines[k] : -cosines[k - h];
}

extern "C" __global__ void sound_half_spectrum(const float *x, const float *cosines, float *out,
					       int rows, int n)
{
	int half = n / 2;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * (half + 1);
	     i += gridDim.x * blockDim.x) {
		int row = i / (half + 1), k = i % (half + 1);
		const float *line = x + row * n;
		float sum = 0;
		if (METHOD == METHOD_slow) {
			for (int j = 0; j < n; j++)
				sum += line[j] * (j + k < half ? cosines[j] : 1.0f);
		} else {
			for (int j = 0; j < half; j++)
				sum += line[j] * (j + k < half ? cosines[j] : 1.0f) +
				       line[j + half];
		}
		out[i] = sum;
	}
}

extern "C" __global__ void sound_half_spectrum_reference(const float *x, const float *cosines,
							 float *out, int rows, int n)
{
	int half = n / 2;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * (half + 1);
	     i += gridDim.x * blockDim.x) {
		int row = i / (half + 1), k = i % (half + 1);
		float sum = 0;
		for (int j = 0; j < n; j++)
			sum += x[row * n + j] * (j + k < half ? cosines[j] : 1.0f);
		out[i] = sum;
	}
}
