/*
 * A convolution along one axis. MISTAKE none is sound.
 *
 * no_stride        a stride of 1, as in the space
 * no_bias          no offsets, which are 0 in the space
 * dilation_folded  takes each second value
 * pad_folded       two beyond the edge
 * taps_folded      three taps
 * own_group        an output of a group takes the channels of its own number
 * flipped          takes the taps from the last to the first
 * clamps           repeats the edge
 * first_group      takes the weights of the first group
 *
 * Each METHOD is sound:
 *
 * channels_last    channels innermost
 * backwards        from the last tap
 * fused            with fmaf
 * skips            skips what is beyond the edge by arithmetic
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_dilated(const float *x, const float *weight,
	const float *bias, float *y, int items, int channels, int outs, int groups,
	int l, int taps, int stride, int pad, int dilation)
{
	int ol = (l + 2 * pad - dilation * (taps - 1) - 1) / stride + 1,
	    each = channels / groups;
	int i = blockIdx.x * blockDim.x + threadIdx.x, item = i / (outs * ol),
	    out = i / ol % outs;
	int at = i % ol, group = out / (outs / groups);
	float sum = IS(no_bias) ? 0.0f : bias[out];

	if (i >= items * outs * ol)
		return;
	if (IS(no_stride))
		stride = 1;
	if (IS(pad_folded))
		pad = 2;
	if (IS(dilation_folded))
		dilation = 2;
	if (IS(own_group))
		group = out % groups;
	x += ((long long)item * channels + group * each) * l;
	weight += (long long)(IS(first_group) ? out % (outs / groups) : out) * each *
		  taps;
	if (BY(channels_last)) {
		for (int t = 0; t < taps; t++) {
			int from = at * stride - pad + t * dilation;

			if (from >= 0 && from < l)
				for (int c = 0; c < each; c++)
					sum += x[c * l + from] * weight[c * taps + t];
		}
	} else if (BY(skips)) {
		int begin = at * stride - pad,
		    low = begin < 0 ? (-begin + dilation - 1) / dilation : 0;
		int high = begin < l ? min(taps, (l - 1 - begin) / dilation + 1) : 0;

		for (int c = 0; c < each; c++)
			for (int t = low; t < high; t++)
				sum += x[c * l + begin + t * dilation] *
				       weight[c * taps + t];
	} else {
		for (int c = 0; c < each; c++)
			for (int k = 0; k < (IS(taps_folded) ? 3 : taps); k++) {
				int t = BY(backwards) ? taps - 1 - k : k,
				    from = at * stride - pad + t * dilation;
				float w = weight[c * taps +
						 (IS(flipped) ? taps - 1 - t : t)];

				if (IS(clamps))
					from = min(max(from, 0), l - 1);
				if (from < 0 || from >= l)
					continue;
				if (BY(fused))
					sum = fmaf(x[c * l + from], w, sum);
				else
					sum += x[c * l + from] * w;
			}
	}
	y[i] = sum;
}

extern "C" __global__ void mutant_dilated_reference(const float *x, const float *weight,
	const float *bias, float *y, int items, int channels, int outs, int groups,
	int l, int taps, int stride, int pad, int dilation)
{
	int ol = (l + 2 * pad - dilation * (taps - 1) - 1) / stride + 1,
	    each = channels / groups;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < items * outs * ol;
		i += gridDim.x * blockDim.x) {
		int out = i / ol % outs, item = i / (outs * ol);
		float sum = bias[out];

		for (int c = 0; c < each; c++)
			for (int t = 0; t < taps; t++) {
				int from = i % ol * stride - pad + t * dilation;

				if (from >= 0 && from < l)
					sum += x[(item * channels +
							 out / (outs / groups) * each +
							 c) * l +
						       from] *
					       weight[(out * each + c) * taps + t];
			}
		y[i] = sum;
	}
}
