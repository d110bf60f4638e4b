/*
 * Results next to the smallest that there are, the reciprocals of roots, and infinities.
 * Each METHOD is sound.
 *
 * exact      as one would write it
 * in_steps   scales in two steps, which rounds twice where numbers have few digits left
 * fast       with the device's reciprocal root and fast division
 * doubles    in double precision, rounded once
 */
extern "C" __global__ void sound_tiny(const float *x, float *tiny, float *roots, float *logs,
	int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float value;

	if (i >= n)
		return;
	value = x[i];
#if METHOD == METHOD_in_steps
	tiny[i] = value * 1e-20f * 1e-20f;
	roots[i] = 1.0f / sqrtf(value * value + 1.0f);
	logs[i] = logf(fmaxf(value, 0.0f));
#elif METHOD == METHOD_fast
	tiny[i] = value * 1e-40f;
	roots[i] = rsqrtf(value * value + 1.0f);
	logs[i] = value > 0.0f ? logf(value) : -1.0f / 0.0f;
#elif METHOD == METHOD_doubles
	tiny[i] = (float)((double)value * 1e-40);
	roots[i] = (float)(1.0 / sqrt((double)value * value + 1.0));
	logs[i] = (float)log(fmax((double)value, 0.0));
#else
	tiny[i] = value * 1e-40f;
	roots[i] = 1.0f / sqrtf(value * value + 1.0f);
	logs[i] = logf(fmaxf(value, 0.0f));
#endif
}

extern "C" __global__ void sound_tiny_reference(const float *x, float *tiny, float *roots,
	float *logs, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		tiny[i] = x[i] * 1e-40f;
		roots[i] = 1.0f / sqrtf(x[i] * x[i] + 1.0f);
		logs[i] = logf(fmaxf(x[i], 0.0f));
	}
}
