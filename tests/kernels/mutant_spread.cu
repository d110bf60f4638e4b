/*
 * A convolution turned over: each value adds to all that its taps reach. MISTAKE none
 * is sound.
 *
 * two_taps        takes two taps for each
 * stride_folded   a stride of 2
 * pad_folded      a margin of 1
 * no_more         nothing more at the end
 * flipped         taps the other way
 * weights_turned  weights by outputs first
 * last_only       of what meets the last counts
 *
 * Each METHOD is sound:
 *
 * gathers         by what reaches a value
 * steps           by steps of the stride
 * backwards       from the last
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_spread(const float *x, const float *weight, float *y,
	int items, int channels, int outs, int l, int taps, int stride, int pad,
	int more)
{
	int ol = (l - 1) * stride - 2 * pad + taps + more,
	    i = blockIdx.x * blockDim.x + threadIdx.x;
	int item = i / (outs * ol), out = i / ol % outs, at = i % ol;
	float sum = 0.0f;

	if (item >= items)
		return;
	if (IS(stride_folded))
		stride = 2;
	if (IS(pad_folded))
		pad = 1;
	if (IS(no_more) && at >= ol - more) {
		y[i] = 0.0f;
		return;
	}
	for (int c = 0; c < channels; c++) {
		const float *row = x + (long long)(item * channels + c) * l;
		const float *w = weight + (IS(weights_turned) ? out * channels + c
							      : c * outs + out) *
						  taps;
		int found = 0;

		if (BY(steps)) {
			for (int t = (at + pad) % stride; t < taps; t += stride) {
				int from = (at + pad - t) / stride;

				if (at + pad >= t && from < l)
					sum += row[from] * w[t];
			}
			continue;
		}
		for (int k = 0; k < taps; k++) {
			int t = BY(backwards) ? taps - 1 - k : k, behind = at + pad - t;

			if (behind < 0 || behind % stride || behind / stride >= l)
				continue;
			if (IS(two_taps) && found++ >= 2)
				break;
			if (IS(last_only))
				sum = 0.0f;
			sum += row[behind / stride] * w[IS(flipped) ? taps - 1 - t : t];
		}
	}
	y[i] = sum;
}

extern "C" __global__ void mutant_spread_reference(const float *x, const float *weight,
	float *y, int items, int channels, int outs, int l, int taps, int stride,
	int pad, int more)
{
	int ol = (l - 1) * stride - 2 * pad + taps + more;

	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < items * outs;
		row += gridDim.x * blockDim.x) {
		for (int i = 0; i < ol; i++)
			y[row * ol + i] = 0;
		for (int c = 0; c < channels; c++)
			for (int from = 0; from < l; from++)
				for (int t = 0; t < taps; t++) {
					int to = from * stride - pad + t;

					if (to >= 0 && to < ol)
						y[row * ol + to] +=
							x[(row / outs * channels + c) *
									l +
								from] *
							weight[(c * outs + row % outs) *
									taps +
								t];
				}
	}
}
