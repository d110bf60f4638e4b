/*
 * The largest of a window with its first place, and the mean of a window, over all of
 * it or over what lies inside. MISTAKE none is sound.
 *
 * from_zero           the largest is 0 at least
 * last_place          the last of equals
 * whole_folded        the mean over all of the window, whatever the flag says
 * window_folded       windows of 3
 * stride_folded       a stride of 2
 * pad_folded          one beyond the edge
 * square              takes the height for the width
 * place_in_plane_row  the place counts from the row
 *
 * Each METHOD is sound:
 *
 * clipped             clips the window first
 * backwards           from the end of the window
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_pooling(const float *x, float *most, int *place,
	float *mean, int planes, int h, int w, int window, int stride, int pad,
	int whole)
{
	int oh = (h + 2 * pad - window) / stride + 1,
	    ow = (w + 2 * pad - window) / stride + 1;
	int i = blockIdx.x * blockDim.x + threadIdx.x, plane = i / (oh * ow);
	int row = i / ow % oh, column = i % ow, best = -1, count = 0;
	int step = IS(stride_folded) ? 2 : stride,
	    wide = IS(window_folded) ? 3 : window;
	int top = row * step - (IS(pad_folded) ? 1 : pad),
	    left = column * step - (IS(pad_folded) ? 1 : pad);
	float largest = IS(from_zero) ? 0.0f : -__int_as_float(0x7f800000), sum = 0.0f;

	if (plane >= planes)
		return;
	x += (long long)plane * h * w;
	if (BY(clipped)) {
		int from = max(top, 0), to = min(top + wide, h), begin = max(left, 0),
		    end = min(left + wide, w);

		for (int r = from; r < to; r++) {
			float part = 0.0f;

			for (int c = begin; c < end; c++) {
				if (x[r * w + c] > largest || best < 0) {
					largest = x[r * w + c];
					best = r * w + c;
				}
				part += x[r * w + c];
			}
			sum += part;
		}
		count = max(0, to - from) * max(0, end - begin);
	} else {
		for (int k = 0; k < wide * wide; k++) {
			int at = BY(backwards) ? wide * wide - 1 - k : k,
			    r = top + at / wide, c = left + at % wide;

			if (r < 0 || r >= h || c < 0 || c >= (IS(square) ? h : w))
				continue;
			if (x[r * w + c] > largest ||
				((IS(last_place) || BY(backwards)) &&
					x[r * w + c] == largest)) {
				largest = x[r * w + c];
				best = IS(place_in_plane_row) ? c : r * w + c;
			}
			sum += x[r * w + c];
			count++;
		}
	}
	most[i] = largest;
	place[i] = best;
	mean[i] = sum / (whole || IS(whole_folded) ? wide * wide : max(count, 1));
}

extern "C" __global__ void mutant_pooling_reference(const float *x, float *most,
	int *place, float *mean, int planes, int h, int w, int window, int stride,
	int pad, int whole)
{
	int oh = (h + 2 * pad - window) / stride + 1,
	    ow = (w + 2 * pad - window) / stride + 1;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < planes * oh * ow;
		i += gridDim.x * blockDim.x) {
		int best = -1, count = 0;
		float largest = -__int_as_float(0x7f800000), sum = 0;

		for (int a = 0; a < window; a++)
			for (int b = 0; b < window; b++) {
				int r = i / ow % oh * stride - pad + a,
				    c = i % ow * stride - pad + b;
				float value;

				if (r < 0 || r >= h || c < 0 || c >= w)
					continue;
				value = x[(i / (oh * ow) * h + r) * w + c];
				if (value > largest) {
					largest = value;
					best = r * w + c;
				}
				sum += value;
				count++;
			}
		most[i] = largest;
		place[i] = best;
		mean[i] = sum / (whole ? window * window : count > 0 ? count : 1);
	}
}
