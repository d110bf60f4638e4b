// Twice x, and a bias where there is one. METHOD_slow asks as the reference does, and adds
// sines of nothing; METHOD_equal asks whether the flag is 1.
extern "C" __global__ void sound_bias(const float *x, const float *bias, float *y, int n,
	int has_bias)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
#if METHOD == METHOD_slow
	float nothing = 0.0f;

	for (int k = 0; k < 60; k++)
		nothing += sinf(x[i] + k) * 0.0f;
	y[i] = 2.0f * x[i] + (has_bias ? bias[i] : 0.0f) + nothing;
#else
	y[i] = has_bias == 1 ? 2.0f * x[i] + bias[i] : 2.0f * x[i];
#endif
}

extern "C" __global__ void sound_bias_reference(const float *x, const float *bias, float *y,
	int n, int has_bias)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = 2.0f * x[i] + (has_bias ? bias[i] : 0.0f);
}
