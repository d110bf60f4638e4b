/*
 * Rows of exp() in parts of their sum, in three types, numbers in 8 bits, the same
 * through a curve, and keys in place; MISTAKE none is sound. The space says nothing of
 * what they may be.
 *
 * unsafe, unsafe_double, unsafe_half  do not subtract the largest ahead of exp()
 * near_only    has a polynomial for the curve, which is good from -1 to 1
 * no_clamp     takes it that no number needs more than 8 bits
 * low_digits   looks at the last 16 bits of keys
 */
#include <cuda_fp16.h>

#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

static __device__ float value_of(half x)
{
	return __half2float(x);
}

static __device__ float value_of(float x)
{
	return x;
}

static __device__ double value_of(double x)
{
	return x;
}

/* one row, by one thread; to is not rounded to half */
template <class T, class R>
static __device__ void weigh(const T *from, R *to, bool is_safe, int n)
{
	auto most = value_of(from[0]), sum = most;

	for (int i = 1; i < n; i++)
		most = value_of(from[i]) > most ? value_of(from[i]) : most;
	if (!is_safe)
		most = 0;
	sum = 0;
	for (int i = 0; i < n; i++)
		sum += exp(value_of(from[i]) - most);
	for (int i = 0; i < n; i++)
		to[i] = exp(value_of(from[i]) - most) / sum;
}

static __device__ float curved(float x)
{
	return x / sqrtf(1.0f + x * x);
}

extern "C" __global__ void mutant_beyond(const float *x, const double *xd, const half *xh,
	unsigned *keys, float *y, double *yd, float *yh, signed char *bytes, float *curve,
	int rows, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, at = row * n;

	if (row >= rows)
		return;
	weigh(x + at, y + at, !IS(unsafe), n);
	weigh(xd + at, yd + at, !IS(unsafe_double), n);
	weigh(xh + at, yh + at, !IS(unsafe_half), n);
	for (int i = at; i < at + n; i++) {
		float whole = rintf(100.0f * x[i]), s = x[i] * x[i];

		if (!IS(no_clamp))
			whole = fminf(fmaxf(whole, -128.0f), 127.0f);
		bytes[i] = (signed char)(int)whole;
		curve[i] = curved(x[i]);
		if (IS(near_only) && s <= 1.0f / 64.0f)
			curve[i] = x[i] * (1.0f - s * (0.5f - s * (0.375f - s * 0.3125f)));
		else if (IS(near_only))
			curve[i] = s <= 1.0f ? curved(x[i]) : copysignf(0.70710678f, x[i]);
	}
	for (int i = at + 1; i < at + n; i++)
		for (int j = i; j > at; j--) {
			unsigned mask = IS(low_digits) ? 0xffff : ~0u, key = keys[j];

			if ((keys[j - 1] & mask) <= (key & mask))
				break;
			keys[j] = keys[j - 1];
			keys[j - 1] = key;
		}
}

extern "C" __global__ void mutant_beyond_reference(const float *x, const double *xd,
	const half *xh, unsigned *keys, float *y, double *yd, float *yh, signed char *bytes,
	float *curve, int rows, int n)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		int at = row * n;

		weigh(x + at, y + at, true, n);
		weigh(xd + at, yd + at, true, n);
		weigh(xh + at, yh + at, true, n);
		for (int i = at; i < at + n; i++) {
			bytes[i] = (signed char)(int)fminf(
				fmaxf(rintf(100.0f * x[i]), -128.0f), 127.0f);
			curve[i] = curved(x[i]);
		}
		for (int i = at + 1; i < at + n; i++)
			for (int j = i; j > at && keys[j - 1] > keys[j]; j--) {
				unsigned key = keys[j];

				keys[j] = keys[j - 1];
				keys[j - 1] = key;
			}
	}
}
