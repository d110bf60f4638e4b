// "if" is no function to which a flag is handed
static __device__ float activate(float v, int activation)
{
	if (activation) {
		if (activation == 2)
			return v > 0 ? v : 0.1f * v;
		return fmaxf(v, 0.0f);
	}
	return v;
}

extern "C" __global__ void sound_keyword(const float *x, float *y, int activation, int negate,
					 int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float v = activate(x[i], activation);
		y[i] = (METHOD == METHOD_slow ? negate != 0 : negate == 1) ? -v : v;
	}
}

extern "C" __global__ void sound_keyword_reference(const float *x, float *y, int activation,
						   int negate, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float v = activate(x[i], activation);
		if (negate)
			v = -v;
		y[i] = v;
	}
}
