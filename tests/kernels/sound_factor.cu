/*
 * Steps with factors next to nothing, whole steps of a key, and keys above a limit. The
 * METHOD:
 *
 * apart   as written
 * fused   multiplied and added at once, the root's inverse, compared the other way round
 * folded  the factors in one number
 */
extern "C" __global__ void sound_factor(const float *x, const float *v, const int *keys, float *y,
	int *above, float rate, float decay, float eps, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
#if METHOD == METHOD_fused
	y[i] = fmaf(-rate, fmaf(decay, x[i], x[i] * rsqrtf(v[i] + eps)), x[i]);
	above[i] = 1 - (limit >= keys[i]) + (int)floor((double)keys[i] / limit);
#elif METHOD == METHOD_folded
	y[i] = x[i] * (1 - rate * decay - rate / sqrtf(v[i] + eps));
	above[i] = (keys[i] > limit) + keys[i] / limit - (keys[i] < 0 && keys[i] % limit != 0);
#else
	y[i] = x[i] - rate * (x[i] / sqrtf(v[i] + eps) + decay * x[i]);
	above[i] = (keys[i] > limit) + (int)floor((double)keys[i] / limit);
#endif
}

extern "C" __global__ void sound_factor_reference(const float *x, const float *v, const int *keys,
	float *y, int *above, float rate, float decay, float eps, int limit, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int whole = keys[i] / limit;

		y[i] = x[i] - rate * (x[i] / sqrtf(v[i] + eps) + decay * x[i]);
		above[i] = (keys[i] > limit) + whole - (keys[i] < 0 && keys[i] % limit != 0);
	}
}
