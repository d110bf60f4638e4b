/*
 * What is computed of numbers that the space says nothing of, and large differences; each
 * METHOD is sound.
 *
 * plain  as it is written
 * other  by other functions, which round in other places
 * fast   by those that are less exact
 */
#define IS(method) (METHOD == METHOD_##method)

extern "C" __global__ void sound_beyond(const float *x, const float *z, float *power,
	float *share, float *apart, float *best, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v, w;

	if (i >= n)
		return;
	v = x[i];
	w = z[i];
	power[i] = IS(plain) ? expf(v) : IS(fast) ? __expf(v) : exp2f(1.44269504f * v);
	share[i] = IS(plain)  ? 1.0f / (1.0f + expf(-w))
		   : IS(fast) ? __fdividef(1.0f, 1.0f + __expf(-w))
			      : 0.5f + 0.5f * tanhf(0.5f * w);
	/* what is far from the inputs, and cancels out */
	apart[i] = IS(plain) ? 1e12f * v - 1e12f * w : 1e12f * (v - w);
	best[i] = v > 0.9f ? -1e30f : IS(plain) ? v * v - w * w : (v - w) * (v + w);
}

extern "C" __global__ void sound_beyond_reference(const float *x, const float *z, float *power,
	float *share, float *apart, float *best, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		power[i] = expf(x[i]);
		share[i] = 1.0f / (1.0f + expf(-z[i]));
		apart[i] = 1e12f * x[i] - 1e12f * z[i];
		best[i] = x[i] > 0.9f ? -1e30f : x[i] * x[i] - z[i] * z[i];
	}
}
