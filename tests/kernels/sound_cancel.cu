/*
 * The sine of an angle from its cosine, and differences of squares: little is left of
 * what is subtracted where the cosine is near 1. Each METHOD is sound.
 *
 * plain     1 - x x, as one would write it
 * fused     in one rounding
 * factors   (1 - x) (1 + x)
 */
extern "C" __global__ void sound_cancel(const float *x, float *sines, float *differences, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float a, b;

	if (i >= n)
		return;
	a = x[i];
	b = x[i + 1 == n ? 0 : i + 1];
#if METHOD == METHOD_fused
	sines[i] = sqrtf(__fmaf_rn(-a, a, 1.0f));
	differences[i] = __fmaf_rn(a, a, -__fmul_rn(b, b));
#elif METHOD == METHOD_factors
	sines[i] = sqrtf((1.0f - a) * (1.0f + a));
	differences[i] = (a - b) * (a + b);
#else
	sines[i] = sqrtf(__fadd_rn(1.0f, -__fmul_rn(a, a)));
	differences[i] = __fadd_rn(__fmul_rn(a, a), -__fmul_rn(b, b));
#endif
}

extern "C" __global__ void sound_cancel_reference(const float *x, float *sines,
	float *differences, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float a = x[i], b = x[i + 1 == n ? 0 : i + 1];

		sines[i] = sqrtf(1.0f - a * a);
		differences[i] = a * a - b * b;
	}
}
