/*
 * Values between those of a picture, whose centres or corners meet. MISTAKE none is
 * sound.
 *
 * no_corners     always centres
 * one_scale      the scale of rows for columns
 * no_clamp       takes what lies before the first as it is, and goes on beyond it
 * nearest        the nearest value
 * half_weights   weights in half
 * row_stride     rows as long as they are many
 * last_twice     the last row is not looked at
 *
 * Each METHOD is sound:
 *
 * columns_first  between columns first
 * weights        four weights
 * backwards      from the lower right
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

static __device__ float source(int i, int from, int to, int corners)
{
	if (corners && !IS(no_corners))
		return to > 1 ? (float)i * (from - 1) / (to - 1) : 0.0f;
	return (i + 0.5f) * from / to - 0.5f;
}

extern "C" __global__ void mutant_resize(
	const float *x, float *y, int h, int w, int to_h, int to_w, int corners)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / to_w,
	    column = i % to_w;
	int top, left, down, right;
	float v, u, a, b, c, d;

	if (row >= to_h)
		return;
	v = source(row, h, to_h, corners);
	u = IS(one_scale) ? source(column, h, to_h, corners)
			  : source(column, w, to_w, corners);
	if (!IS(no_clamp)) {
		v = fmaxf(v, 0.0f);
		u = fmaxf(u, 0.0f);
	}
	top = max((int)v, 0);
	left = max((int)u, 0);
	top = min(top, h - 1);
	left = min(left, w - 1);
	down = min(top + 1, h - 1 - (IS(last_twice) && h > 1));
	right = min(left + 1, w - 1);
	v -= top;
	u -= left;
	if (IS(nearest)) {
		v = v < 0.5f ? 0.0f : 1.0f;
		u = u < 0.5f ? 0.0f : 1.0f;
	}
	if (IS(half_weights)) {
		v = __half2float(__float2half(v));
		u = __half2float(__float2half(u));
	}
	if (IS(row_stride))
		w = min(h, w);
	a = x[top * w + left];
	b = x[top * w + right];
	c = x[down * w + left];
	d = x[down * w + right];
	if (BY(columns_first))
		y[i] = (a + (c - a) * v) * (1.0f - u) + (b + (d - b) * v) * u;
	else if (BY(backwards))
		y[i] = v * (u * d + (1.0f - u) * c) +
		       (1.0f - v) * (u * b + (1.0f - u) * a);
	else
		y[i] = (1.0f - v) * (1.0f - u) * a + (1.0f - v) * u * b +
		       v * (1.0f - u) * c + v * u * d;
}

extern "C" __global__ void mutant_resize_reference(
	const float *x, float *y, int h, int w, int to_h, int to_w, int corners)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < to_h * to_w;
		i += gridDim.x * blockDim.x) {
		float v = corners ? (to_h > 1 ? (float)(i / to_w) * (h - 1) / (to_h - 1)
					      : 0)
				  : (i / to_w + 0.5f) * h / to_h - 0.5f;
		float u = corners ? (to_w > 1 ? (float)(i % to_w) * (w - 1) / (to_w - 1)
					      : 0)
				  : (i % to_w + 0.5f) * w / to_w - 0.5f;
		int top, left, down, right;

		v = v < 0 ? 0 : v;
		u = u < 0 ? 0 : u;
		top = (int)v;
		left = (int)u;
		top = top < h - 1 ? top : h - 1;
		left = left < w - 1 ? left : w - 1;
		down = top + 1 < h ? top + 1 : h - 1;
		right = left + 1 < w ? left + 1 : w - 1;
		v -= top;
		u -= left;
		y[i] = (1 - v) *
			       ((1 - u) * x[top * w + left] + u * x[top * w + right]) +
		       v * ((1 - u) * x[down * w + left] + u * x[down * w + right]);
	}
}
