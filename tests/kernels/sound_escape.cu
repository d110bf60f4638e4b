/*
 * In how many steps each point of a plane leaves a set under z * z + c, the classic of all
 * demonstrations. Whoever stays long goes where all that was rounded on the way leads:
 * kernels of other roundings count some of these points otherwise, by more than one.
 *
 * plain   as the reference
 * fused   multiplies and adds in one rounding
 * other   (a - b)(a + b) for the difference of squares
 */
extern "C" __global__ void sound_escape(const float *x, const float *y, int *steps, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
	float a = 0.0f, b = 0.0f;

	if (i >= n)
		return;
	while (count < 64 && a * a + b * b < 4.0f) {
#if METHOD == METHOD_fused
		float next = fmaf(a, a, fmaf(-b, b, x[i]));

		b = fmaf(2.0f * a, b, y[i]);
#elif METHOD == METHOD_other
		float next = (a - b) * (a + b) + x[i];

		b = a * b + a * b + y[i];
#else
		float next = a * a - b * b + x[i];

		b = 2.0f * a * b + y[i];
#endif
		a = next;
		count++;
	}
	steps[i] = count;
}

extern "C" __global__ void sound_escape_reference(const float *x, const float *y, int *steps,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float a = 0.0f, b = 0.0f;
		int count = 0;

		for (; count < 64 && a * a + b * b < 4.0f; count++) {
			float next = a * a - b * b + x[i];

			b = 2.0f * a * b + y[i];
			a = next;
		}
		steps[i] = count;
	}
}
