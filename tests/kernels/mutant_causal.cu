/*
 * A filter along each channel that sees no later values, goes on from the last values of
 * before and leaves its own last ones behind. MISTAKE none is sound.
 *
 * no_before      begins at 0
 * before_turned  the values of before in the other order
 * leaves_none    leaves nothing behind
 * forgets        leaves 0 where there are few values
 * four_wide      filters of four
 * turned         the filter in the other order
 * no_bias        no offset
 * never_bends    does not bend
 *
 * Each METHOD is sound:
 *
 * backwards      from the end
 * doubles        adds up in double
 * a_row          rows value by value, in registers
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_causal(const float *x, const float *w, const float *bias,
	float *state, float *y, int silu, int batch, int channels, int length, int width)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, c, taps = IS(four_wide) ? min(4, width) : width;
	float last[16];

	if (row >= batch * channels)
		return;
	c = row % channels;
	x += (long long)row * length;
	y += (long long)row * length;
	state += (long long)row * (width - 1);
	for (int step = 0; step < length; step++) {
		int t = BY(backwards) ? length - 1 - step : step;
		float sum = IS(no_bias) ? 0.0f : bias[c];
		double exact = sum;

		for (int k = 0; k < taps; k++) {
			int from = t - (width - 1) + k;
			float value = from >= 0 ? x[from]
				: IS(no_before) ? 0.0f
				: state[IS(before_turned) ? -1 - from : width - 1 + from];
			float factor = w[c * width + (IS(turned) ? width - 1 - k : k)];

			if (BY(doubles))
				exact += (double)value * factor;
			else
				sum += value * factor;
		}
		sum = BY(doubles) ? (float)exact : sum;
		y[t] = silu && !IS(never_bends) ? sum / (1.0f + expf(-sum)) : sum;
	}
	if (IS(leaves_none))
		return;
	for (int k = 0; k < width - 1; k++) {
		int from = length - (width - 1) + k;

		last[k & 15] = from >= 0 ? x[from] : IS(forgets) ? 0.0f : state[width - 1 + from];
		if (BY(a_row))
			state[k] = last[k & 15];
	}
	for (int k = 0; k < width - 1 && !BY(a_row); k++)
		state[k] = last[k & 15];
}

extern "C" __global__ void mutant_causal_reference(const float *x, const float *w,
	const float *bias, float *state, float *y, int silu, int batch, int channels, int length,
	int width)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < batch * channels;
		row += gridDim.x * blockDim.x) {
		float *before = state + (long long)row * (width - 1);

		for (int t = 0; t < length; t++) {
			float sum = bias[row % channels];

			for (int k = 0; k < width; k++)
				sum += (t + k >= width - 1 ? x[(long long)row * length + t + k - width + 1]
							   : before[t + k]) *
					w[row % channels * width + k];
			y[(long long)row * length + t] = silu ? sum / (1.0f + expf(-sum)) : sum;
		}
		for (int k = 0; k < width - 1; k++)
			before[k] = length + k >= width - 1
				? x[(long long)row * length + length + k - width + 1]
				: before[length + k];
	}
}
