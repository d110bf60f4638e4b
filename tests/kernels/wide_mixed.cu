/* Calls that have a double and a float, the literal, where float is double. */
static __device__ float mixed(float x)
{
	float a = fmaxf(x, 0.0f) + fminf(1.0f, x) + fmax(x, 0.5f) + fmin(2.0f, x);

	a += max(x, 0.0f) + min(1.0f, x) + fdimf(x, 1.0f) + hypotf(3.0f, x);
	a += powf(x, 2.0f) + pow(2.0f, x) + fmodf(x, 3.0f) + remainderf(x, 2.0f);
	a += atan2f(x, 1.0f) + nextafterf(x, 1.0f) + copysignf(1.0f, x);
	a += fmaf(x, 2.0f, 1.0f) + fmaf(0.5f, x, 1.0f) + fmaf(0.5f, 2.0f, x);
	a += fma(x, x, 1.0f) + fma(x, 2.0f, x) + fma(2.0f, x, x);
	return a + max((int)x, 3) + fmaxf(0.5f, 0.25f);
}

extern "C" __global__ void wide_mixed(const float *x, float *y, int n)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;

	if (i < n)
		y[i] = mixed(x[i]);
}

extern "C" __global__ void wide_mixed_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x)
		y[i] = mixed(x[i]);
}
