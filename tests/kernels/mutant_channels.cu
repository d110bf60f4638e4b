/*
 * Normalizes groups of channels, channels last, and bends what comes out if told so.
 * MISTAKE none is sound.
 *
 * eight_wide    groups of eight channels
 * in_turns      groups take channels in turns
 * never_bends   does not bend
 * outside       eps outside of the root
 * first_item    what the first item has
 * unbiased      divides by one less
 * group_factor  the factor of the first channel of a group
 * planes        channels first
 *
 * Each METHOD is sound:
 *
 * welford       in one pass
 * doubles       adds up in double
 * folded        a factor and an offset a channel
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_channels(const float *x, const float *gamma, const float *beta,
	float *y, float eps, int silu, int items, int pixels, int channels, int groups)
{
	int item = blockIdx.x / groups, group = blockIdx.x % groups;
	int wide = IS(eight_wide) ? min(8, channels - group * (channels / groups)) : channels / groups;
	int count = pixels * wide;
	double exact = 0.0;
	float mean = 0.0f, squares = 0.0f, inverse;
	const float *from;

	if (item >= items)
		return;
	from = x + (IS(first_item) ? 0 : (long long)item * pixels * channels);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < count; i++) {
			int c = IS(in_turns) ? group + i % wide * groups
					     : group * (channels / groups) + i % wide;
			float value = from[IS(planes) ? c * pixels + i / wide : i / wide * channels + c];

			if (BY(welford)) {
				float delta = value - mean;

				if (pass)
					break;
				mean += delta / (i + 1);
				squares += delta * (value - mean);
			} else if (BY(doubles)) {
				exact += pass ? ((double)value - mean) * (value - mean) : (double)value;
				if (i == count - 1 && !pass) {
					mean = (float)(exact / count);
					exact = 0.0;
				} else if (i == count - 1) {
					squares = (float)exact;
				}
			} else if (!pass) {
				mean += value;
				if (i == count - 1)
					mean /= count;
			} else {
				squares += (value - mean) * (value - mean);
			}
		}
	squares /= IS(unbiased) && count > 1 ? count - 1 : count;
	inverse = IS(outside) ? 1.0f / (sqrtf(squares) + eps) : 1.0f / sqrtf(squares + eps);
	for (int i = threadIdx.x; i < pixels * (channels / groups); i += blockDim.x) {
		int own = channels / groups;
		int c = IS(in_turns) ? group + i % own * groups : group * own + i % own;
		long long at = (long long)item * pixels * channels +
			(IS(planes) ? c * pixels + i / own : i / own * channels + c);
		float factor = gamma[IS(group_factor) ? group * own : c], value;

		if (BY(folded))
			value = x[at] * (factor * inverse) + (beta[c] - mean * (factor * inverse));
		else
			value = (x[at] - mean) * inverse * factor + beta[c];
		y[at] = silu && !IS(never_bends) ? value / (1.0f + expf(-value)) : value;
	}
}

extern "C" __global__ void mutant_channels_reference(const float *x, const float *gamma,
	const float *beta, float *y, float eps, int silu, int items, int pixels, int channels,
	int groups)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < items * groups;
		i += gridDim.x * blockDim.x) {
		int wide = channels / groups;
		long long base = (long long)(i / groups) * pixels * channels + i % groups * wide;
		float mean = 0.0f, variance = 0.0f;

		for (int p = 0; p < pixels; p++)
			for (int c = 0; c < wide; c++)
				mean += x[base + (long long)p * channels + c];
		mean /= pixels * wide;
		for (int p = 0; p < pixels; p++)
			for (int c = 0; c < wide; c++) {
				float d = x[base + (long long)p * channels + c] - mean;

				variance += d * d;
			}
		variance /= pixels * wide;
		for (int p = 0; p < pixels; p++)
			for (int c = 0; c < wide; c++) {
				long long at = base + (long long)p * channels + c;
				float z = (x[at] - mean) / sqrtf(variance + eps) *
						gamma[i % groups * wide + c] +
					beta[i % groups * wide + c];

				y[at] = silu ? z / (1.0f + expf(-z)) : z;
			}
	}
}
