/*
 * A state that decays as fast as its input says, read by weights of its own, with a way past
 * it and a gate. MISTAKE none is sound.
 *
 * always_soft    bends the step always
 * no_offset      no offset of the step
 * sixteen        sixteen numbers of a state
 * plain_input    the step is not a factor of the input
 * one_more_step  decays by 1 more than the step says
 * no_gate        no gate
 * no_past        nothing goes past the state
 * line           1 + x in place of exp(x)
 *
 * Each METHOD is sound:
 *
 * doubles        a state in double
 * two_powers     powers of 2
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_scan(const float *u, const float *delta, const float *a,
	const float *b, const float *c, const float *past, const float *z, const float *offset,
	float *y, int soft, int batch, int channels, int length, int states)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, item, channel;
	float h[64];
	double exact[64];

	if (row >= batch * channels)
		return;
	item = row / channels;
	channel = row % channels;
	for (int n = 0; n < 64; n++)
		exact[n] = h[n] = 0.0f;
	for (int t = 0; t < length; t++) {
		long long at = (long long)row * length + t;
		float step = delta[at] + (IS(no_offset) ? 0.0f : offset[channel]), sum = 0.0f;

		if (soft || IS(always_soft))
			step = step > 20.0f ? step : log1pf(expf(step));
		for (int n = 0; n < (IS(sixteen) ? min(16, states) : states); n++) {
			float rate = step * a[channel * states + n], decay, in;

			if (IS(one_more_step))
				rate = (step + 1e-3f) * a[channel * states + n];
			decay = IS(line) ? 1.0f + rate : BY(two_powers) ? exp2f(rate * 1.44269504f) : expf(rate);
			in = b[((long long)item * states + n) * length + t] * u[at];
			if (!IS(plain_input))
				in *= step;
			if (BY(doubles)) {
				exact[n] = exact[n] * exp((double)rate) + in;
				h[n] = (float)exact[n];
			} else {
				h[n] = h[n] * decay + in;
			}
			sum += h[n] * c[((long long)item * states + n) * length + t];
		}
		if (!IS(no_past))
			sum += past[channel] * u[at];
		y[at] = IS(no_gate) ? sum : sum * (z[at] / (1.0f + expf(-z[at])));
	}
}

extern "C" __global__ void mutant_scan_reference(const float *u, const float *delta,
	const float *a, const float *b, const float *c, const float *past, const float *z,
	const float *offset, float *y, int soft, int batch, int channels, int length, int states)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < batch * channels;
		row += gridDim.x * blockDim.x) {
		for (int t = 0; t < length; t++)
			y[(long long)row * length + t] = 0.0f;
		for (int n = 0; n < states; n++) {
			float h = 0.0f;

			for (int t = 0; t < length; t++) {
				long long at = (long long)row * length + t;
				long long of = ((long long)(row / channels) * states + n) * length + t;
				float step = delta[at] + offset[row % channels];

				if (soft)
					step = step > 20.0f ? step : log1pf(expf(step));
				h = h * expf(step * a[row % channels * states + n]) + step * b[of] * u[at];
				y[at] += h * c[of];
			}
		}
		for (int t = 0; t < length; t++) {
			long long at = (long long)row * length + t;

			y[at] = (y[at] + past[row % channels] * u[at]) * z[at] / (1.0f + expf(-z[at]));
		}
	}
}
