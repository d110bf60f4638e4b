/*
 * In how many steps each point of a plane leaves a set under z * z + c, the classic of all
 * demonstrations. Whoever stays long goes where all that was rounded on the way leads:
 * kernels of other roundings count some of these points otherwise, by more than one.
 *
 * plain   as the reference
 * fused   multiplies and adds in one rounding
 * other   (a - b)(a + b) for the difference of squares
 */
#ifndef REAL
#define REAL float
#define FMA fmaf
#define MOST 64
#endif

extern "C" __global__ void sound_escape(const REAL *x, const REAL *y, int *steps, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
	REAL a = 0.0f, b = 0.0f;

	if (i >= n)
		return;
	while (count < MOST && a * a + b * b < 4.0f) {
#if METHOD == METHOD_fused
		REAL next = FMA(a, a, FMA(-b, b, x[i]));

		b = FMA(2.0f * a, b, y[i]);
#elif METHOD == METHOD_other
		REAL next = (a - b) * (a + b) + x[i];

		b = a * b + a * b + y[i];
#else
		REAL next = a * a - b * b + x[i];

		b = 2.0f * a * b + y[i];
#endif
		a = next;
		count++;
	}
	steps[i] = count;
}

extern "C" __global__ void sound_escape_reference(const REAL *x, const REAL *y, int *steps,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		REAL a = 0.0f, b = 0.0f;
		int count = 0;

		for (; count < MOST && a * a + b * b < 4.0f; count++) {
			REAL next = a * a - b * b + x[i];

			b = 2.0f * a * b + y[i];
			a = next;
		}
		steps[i] = count;
	}
}
