/*
 * A convolution of a picture, and means of windows of it, moved and flipped. MISTAKE
 * none is sound.
 *
 * one_stride     the stride of rows for columns
 * one_pad        the margin of rows for columns
 * one_length     the length of columns for rows
 * one_radius     a square window
 * flips_other    takes one flip for the other
 * one_flip       one flip for both
 * shifts_other   takes one shift for the other
 * one_shift      one shift for both
 *
 * Each METHOD is sound:
 *
 * clipped        clips first
 * columns_first  columns first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_axes(const float *x, const float *weight, float *y,
	float *blurred, int h, int w, int taps_h, int taps_w, int stride_h,
	int stride_w, int pad_h, int pad_w, int radius_x, int radius_y, int flip_x,
	int flip_y, int shift_x, int shift_y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int oh = (h + 2 * pad_h - taps_h) / stride_h + 1,
	    ow = (w + 2 * pad_w - taps_w) / stride_w + 1;

	if (i < oh * ow) {
		int top = i / ow * stride_h - pad_h;
		int left = i % ow * (IS(one_stride) ? stride_h : stride_w) -
			   (IS(one_pad) ? pad_h : pad_w);
		int pitch = IS(one_length) ? taps_h : taps_w;
		float sum = 0.0f;

		if (BY(columns_first)) {
			for (int b = 0; b < taps_w; b++)
				for (int a = 0; a < taps_h; a++)
					if (top + a >= 0 && top + a < h &&
						left + b >= 0 && left + b < w)
						sum += x[(top + a) * w + left + b] *
						       weight[a * taps_w + b];
		} else {
			for (int a = max(0, -top); a < min(taps_h, h - top); a++)
				for (int b = max(0, -left); b < min(taps_w, w - left);
					b++)
					sum += x[(top + a) * w + left + b] *
					       weight[min(a * pitch + b,
						       taps_h * taps_w - 1)];
		}
		y[i] = sum;
	}
	if (i < h * w) {
		int row = i / w, column = i % w, count = 0;
		float sum = 0.0f;

		if (IS(flips_other) ? flip_y : flip_x)
			column = w - 1 - column;
		if (IS(flips_other) || IS(one_flip) ? flip_x : flip_y)
			row = h - 1 - row;
		row = (row + (IS(shifts_other)       ? shift_x
				     : IS(one_shift) ? shift_x
						     : shift_y)) %
		      h;
		column = (column + (IS(shifts_other) ? shift_y : shift_x)) % w;
		if (IS(one_radius))
			radius_y = radius_x;
		for (int r = max(0, row - radius_y); r <= min(h - 1, row + radius_y);
			r++)
			for (int c = max(0, column - radius_x);
				c <= min(w - 1, column + radius_x); c++) {
				sum += x[r * w + c];
				count++;
			}
		blurred[i] = sum / count;
	}
}

extern "C" __global__ void mutant_axes_reference(const float *x, const float *weight,
	float *y, float *blurred, int h, int w, int taps_h, int taps_w, int stride_h,
	int stride_w, int pad_h, int pad_w, int radius_x, int radius_y, int flip_x,
	int flip_y, int shift_x, int shift_y)
{
	int oh = (h + 2 * pad_h - taps_h) / stride_h + 1,
	    ow = (w + 2 * pad_w - taps_w) / stride_w + 1;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < max(h * w, oh * ow);
		i += gridDim.x * blockDim.x) {
		float sum = 0;
		int count = 0;

		for (int a = 0; a < taps_h && i < oh * ow; a++)
			for (int b = 0; b < taps_w; b++) {
				int r = i / ow * stride_h - pad_h + a,
				    c = i % ow * stride_w - pad_w + b;

				if (r >= 0 && r < h && c >= 0 && c < w)
					sum += x[r * w + c] * weight[a * taps_w + b];
			}
		if (i < oh * ow)
			y[i] = sum;
		if (i >= h * w)
			continue;
		sum = 0;
		for (int a = -radius_y; a <= radius_y; a++)
			for (int b = -radius_x; b <= radius_x; b++) {
				int r = ((flip_y ? h - 1 - i / w : i / w) + shift_y) %
						h +
					a;
				int c = ((flip_x ? w - 1 - i % w : i % w) + shift_x) %
						w +
					b;

				if (r >= 0 && r < h && c >= 0 && c < w) {
					sum += x[r * w + c];
					count++;
				}
			}
		blurred[i] = sum / count;
	}
}
