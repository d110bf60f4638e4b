/*
 * Filters with two numbers of memory each, one behind the other, for each channel; the
 * memory goes on in the next call. MISTAKE none is sound.
 *
 * forgets     begins with 0
 * not_kept    the memory is as it was
 * two_stages  two filters
 * one_set     numbers of the first channel
 * no_second   leaves out the second number behind
 * gain_first  no gain
 * turned      filters from behind
 * square      channels side by side
 *
 * Each METHOD is sound:
 *
 * doubles     in double
 * by_stages   all of the signal through each filter
 * fused       fused operations
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_cascade(const float *x, const float *numbers,
	float *memory, float *y, float gain, int stages, int n, int channels)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	const float *own = numbers + (IS(one_set) ? 0 : c) * stages * 5;
	float *kept = memory + c * stages * 2;

	if (c >= channels)
		return;
	if (IS(gain_first))
		gain = 1;
	if (BY(by_stages)) {
		for (int i = 0; i < n; i++)
			y[c * n + i] = gain * x[c * n + i];
		for (int s = 0; s < stages; s++)
			for (int i = 0; i < n; i++) {
				const float *k = own + s * 5;
				float in = y[c * n + i], out = k[0] * in + kept[s * 2];

				kept[s * 2] = k[1] * in - k[3] * out + kept[s * 2 + 1];
				kept[s * 2 + 1] = k[2] * in - k[4] * out;
				y[c * n + i] = out;
			}
		return;
	}
	if (IS(forgets))
		for (int s = 0; s < 2 * stages; s++)
			kept[s] = 0;
	for (int i = 0; i < n; i++) {
		float at = gain * x[IS(square) ? i * channels + c : c * n + i];
		double wide = at;

		for (int t = 0; t < (IS(two_stages) ? min(stages, 2) : stages); t++) {
			int s = IS(turned) ? stages - 1 - t : t;
			const float *k = own + s * 5;
			float in = at;

			if (BY(doubles)) {
				double in_wide = wide,
				       out = k[0] * in_wide + kept[s * 2];

				kept[s * 2] =
					k[1] * in_wide - k[3] * out + kept[s * 2 + 1];
				kept[s * 2 + 1] = k[2] * in_wide - k[4] * out;
				wide = out;
				continue;
			}
			at = BY(fused) ? fmaf(k[0], in, kept[s * 2])
				       : k[0] * in + kept[s * 2];
			kept[s * 2] =
				BY(fused) ? fmaf(k[1], in,
						    fmaf(-k[3], at, kept[s * 2 + 1]))
					  : k[1] * in - k[3] * at + kept[s * 2 + 1];
			kept[s * 2 + 1] = k[2] * in - (IS(no_second) ? 0 : k[4] * at);
		}
		y[IS(square) ? i * channels + c : c * n + i] =
			BY(doubles) ? (float)wide : at;
	}
	if (IS(not_kept))
		for (int s = 0; s < 2 * stages; s++)
			kept[s] = 0;
}

extern "C" __global__ void mutant_cascade_reference(const float *x, const float *numbers,
	float *memory, float *y, float gain, int stages, int n, int channels)
{
	for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < channels;
		c += gridDim.x * blockDim.x)
		for (int i = 0; i < n; i++) {
			float at = gain * x[c * n + i];

			for (int s = 0; s < stages; s++) {
				const float *k = numbers + (c * stages + s) * 5;
				float *kept = memory + (c * stages + s) * 2,
				      out = k[0] * at + kept[0];

				kept[0] = k[1] * at - k[3] * out + kept[1];
				kept[1] = k[2] * at - k[4] * out;
				at = out;
			}
			y[c * n + i] = at;
		}
}
