/*
 * Discrete Fourier transforms of rows, forwards or backwards, scaled. MISTAKE none is
 * sound.
 *
 * forwards     never backwards
 * no_scale     leaves out the scale
 * short_angle  angles in half
 * real_input   takes the input for real
 * mirrored     takes the second half for the first one, conjugated
 * few_digits   pi with four digits
 * wraps_late   lets the angle grow to 64 turns before it is a float
 * by_mask      takes turns by a mask, as if their number were a power of two
 *
 * Each METHOD is sound:
 *
 * table        turns by whole numbers
 * split        even and odd terms apart
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

#define TURN 6.283185307179586

static __device__ float2 factor(int turns, int n, int inverse)
{
	float sine, cosine, angle;

	if (IS(by_mask))
		turns &= n - 1;
	else if (!IS(wraps_late))
		turns %= n;
	angle = (float)((IS(few_digits) ? 6.283 : TURN) * turns / n);
	if (IS(short_angle))
		angle = __half2float(__float2half(angle));
	sincosf(angle, &sine, &cosine);
	return make_float2(cosine, inverse && !IS(forwards) ? sine : -sine);
}

extern "C" __global__ void mutant_fourier(
	const float2 *x, float2 *y, float scale, int rows, int n, int inverse)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / n, k = i % n, at = k;
	float2 sum = make_float2(0.0f, 0.0f);
	bool flips = false;

	if (row >= rows)
		return;
	x += (long long)row * n;
	if (IS(mirrored) && k > n / 2) {
		at = n - k;
		flips = true;
	}
	if (IS(no_scale))
		scale = 1.0f;
	{
		for (int part = 0; part < (BY(split) ? 2 : 1); part++)
			for (int t = part; t < n; t += BY(split) ? 2 : 1) {
				float2 w = factor(
					(int)((long long)at * t %
						(IS(wraps_late) || IS(by_mask) ? 1 << 30
									       : n)),
					n, inverse);
				float other = IS(real_input) ? 0.0f : x[t].y;

				sum.x += x[t].x * w.x - other * w.y;
				sum.y += x[t].x * w.y + other * w.x;
			}
	}
	y[i] = make_float2(sum.x * scale, (flips ? -sum.y : sum.y) * scale);
}

extern "C" __global__ void mutant_fourier_reference(
	const float2 *x, float2 *y, float scale, int rows, int n, int inverse)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * n;
		i += gridDim.x * blockDim.x) {
		float real = 0, imaginary = 0;

		for (int t = 0; t < n; t++) {
			float angle =
				(inverse ? 6.283185307179586f : -6.283185307179586f) *
				(i % n * t % n) / n;
			float c = cosf(angle), s = sinf(angle);
			float2 v = x[i / n * n + t];

			real += v.x * c - v.y * s;
			imaginary += v.x * s + v.y * c;
		}
		y[i].x = real * scale;
		y[i].y = imaginary * scale;
	}
}
