/*
 * Sounds that are made less loud above a knee, by a level that rises fast and falls slowly.
 * MISTAKE none is sound.
 *
 * forgets_64    pieces of 128 begin with the level of the 64 numbers ahead alone
 * forgets_256   pieces of 256 with that of 256
 * one_rate      rises as it falls
 * from_zero     the level begins at 0
 * no_magnitude  numbers below 0 are no sound
 * rates_folded  the rates of the space
 * no_knee       the level itself
 * gain_above    what is below the knee becomes louder
 * last_block    the level of the end of each 16
 * by_peak       the highest so far
 *
 * Each METHOD is sound:
 *
 * walks    one after the other
 * pieces   each thread has a piece and walks all ahead of it
 * doubles  levels in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ float after(float level, float x, float rise, float fall)
{
	float loud = IS(no_magnitude) ? fmaxf(x, 0.0f) : fabsf(x);
	float rate = loud > level && !IS(one_rate) ? rise : fall;

	if (IS(by_peak))
		return fmaxf(level, loud);
	return level + rate * (loud - level);
}

extern "C" __global__ void mutant_enveloped(const float *x, const float *level, float *y,
	float rise, float fall, float knee, int l, int n)
{
	const float *row = x + (size_t)blockIdx.x * l;
	float *out = y + (size_t)blockIdx.x * l, now = IS(from_zero) ? 0.0f : level[blockIdx.x];
	int t = threadIdx.x, piece = (l + 31) / 32, from = t * piece, to = min(from + piece, l);
	int forgets = IS(forgets_64) ? 128 : IS(forgets_256) ? 256 : 0, far = IS(forgets_64) ? 64 : 256;
	double exact = now;

	if (IS(rates_folded)) {
		rise = 0.6f;
		fall = 0.02f;
	}
	if (!BY(pieces)) {
		if (t)
			return;
		from = 0;
		to = l;
	}
	for (int k = 0; k < from && k < l; k++)
		now = after(now, row[k], rise, fall);
	for (int k = from; k < to; k++) {
		float used;

		if (forgets && k % forgets == 0 && k) {
			now = k > far ? 0.0f : level[blockIdx.x];
			for (int o = max(k - far, 0); o < k; o++)
				now = after(now, row[o], rise, fall);
		}
		if (BY(doubles)) {
			float loud = fabsf(row[k]);

			exact += (double)(loud > exact ? rise : fall) * (loud - exact);
			now = (float)exact;
		} else {
			now = after(now, row[k], rise, fall);
		}
		used = now;
		if (IS(last_block)) {
			int end = min(k / 16 * 16 + 16, l);

			for (int o = k + 1; o < end; o++)
				used = after(used, row[o], rise, fall);
		}
		out[k] = row[k] * (IS(no_knee) ? 1.0f / (1.0f + used)
				: used > knee || IS(gain_above) ? knee / fmaxf(used, 1e-6f) : 1.0f);
	}
}

extern "C" __global__ void mutant_enveloped_reference(const float *x, const float *level, float *y,
	float rise, float fall, float knee, int l, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float now = level[i];

		for (int k = 0; k < l; k++) {
			float loud = fabsf(x[(size_t)i * l + k]);

			now += (loud > now ? rise : fall) * (loud - now);
			y[(size_t)i * l + k] = x[(size_t)i * l + k] * (now > knee ? knee / now : 1.0f);
		}
	}
}
