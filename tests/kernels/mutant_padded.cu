/*
 * A convolution of lines with padding and a stride. The MISTAKE:
 *
 * same_pad    pads by half the taps, whatever the padding is
 * stride_one  takes any other stride for 2
 * edge        leaves out the first element of each line
 * clamped     repeats the ends of a line in place of zeros
 */
extern "C" __global__ void mutant_padded(const float *x, const float *w, float *y, int n,
	int channels, int taps, int pad, int stride, int out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, f = blockIdx.y;
	float sum = 0.0f;

	if (i >= out)
		return;
#if MISTAKE == MISTAKE_same_pad
	pad = taps / 2;
#elif MISTAKE == MISTAKE_stride_one
	stride = stride == 1 ? 1 : 2;
#endif
	for (int c = 0; c < channels; c++)
		for (int t = 0; t < taps; t++) {
			int at = i * stride + t - pad;

#if MISTAKE == MISTAKE_clamped
			at = min(max(at, 0), n - 1);
#elif MISTAKE == MISTAKE_edge
			if (at == 0)
				continue;
#endif
			if (at >= 0 && at < n)
				sum += x[c * n + at] * w[(f * channels + c) * taps + t];
		}
	y[f * out + i] = sum;
}

extern "C" __global__ void mutant_padded_reference(const float *x, const float *w, float *y,
	int n, int channels, int filters, int taps, int pad, int stride, int out)
{
	for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < filters * out;
		k += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int c = 0; c < channels; c++)
			for (int t = 0; t < taps; t++) {
				int at = k % out * stride + t - pad;

				if (at >= 0 && at < n)
					sum += x[c * n + at] *
					       w[(k / out * channels + c) * taps + t];
			}
		y[k] = sum;
	}
}
