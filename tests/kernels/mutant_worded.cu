/*
 * The negative logarithm of how likely words are whose letters have no places: letters may
 * last, blanks may stand between, and must between equal ones. MISTAKE none is sound.
 *
 * no_shift        exponentials of scores as they are
 * repeats_skip    no blank between equal letters
 * blank_folded    the blank of the space
 * one_end         ends with the last letter
 * all_long        all words are as long as can be
 * plain_sums      products in place of sums of logarithms
 * no_skip         always a blank between letters
 * largest         the likeliest way in place of all
 * length_of_first the length of the first word
 *
 * Each METHOD is sound:
 *
 * logs     sums of exponentials, by the larger one
 * in_place from the last letter on, in place
 * doubles  logarithms in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif
#define ROOM 40
#define NONE -1e30f

static __device__ float joined(float a, float b)
{
	float high = fmaxf(a, b), low = fminf(a, b);

	if (IS(largest) || low <= NONE)
		return high;
	if (BY(doubles))
		return (float)(high + log1p(exp((double)low - high)));
	return high + log1pf(expf(low - high));
}

static __device__ float log_sum(const float *x, int c)
{
	float high = x[0], sum = 0.0f;

	for (int k = 1; k < c; k++)
		high = fmaxf(high, x[k]);
	if (IS(no_shift))
		high = 0.0f;
	for (int k = 0; k < c; k++)
		sum += expf(x[k] - high);
	return high + logf(sum);
}

extern "C" __global__ void mutant_worded(const float *x, const int *word,
	const int *length, float *y, int blank, int n, int t, int c, int l)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, letters, states;
	float now[ROOM], next[ROOM];

	if (i >= n)
		return;
	if (IS(blank_folded))
		blank = 0;
	x += (size_t)i * t * c;
	word += (size_t)i * l;
	letters = IS(all_long) ? l : IS(length_of_first) ? length[0] : length[i];
	letters = letters < l ? letters : l;
	states = 2 * letters + 1;
	if (states > ROOM)
		return;
	for (int s = 0; s < states; s++)
		now[s] = IS(plain_sums) ? 0.0f : NONE;
	for (int k = 0; k < t; k++) {
		float sum = log_sum(x + k * c, c), *to = BY(in_place) ? now : next;

		for (int s = states - 1; s >= 0; s--) {
			int own = s % 2 ? word[s / 2] : blank;
			bool skips = s % 2 && s > 1 &&
				(word[s / 2] != word[s / 2 - 1] || IS(repeats_skip)) && !IS(no_skip);
			float score = x[k * c + own] - sum;

			if (IS(plain_sums)) {
				float from = now[s] + (s ? now[s - 1] : 0.0f) + (skips ? now[s - 2] : 0.0f);

				if (k == 0)
					from = s < 2 ? 1.0f : 0.0f;
				to[s] = from * expf(score);
			} else {
				float from = now[s];

				if (s)
					from = joined(from, now[s - 1]);
				if (skips)
					from = joined(from, now[s - 2]);
				if (k == 0)
					from = s < 2 ? 0.0f : NONE;
				to[s] = from <= NONE ? NONE : from + score;
			}
		}
		for (int s = 0; s < states && !BY(in_place); s++)
			now[s] = next[s];
	}
	if (IS(plain_sums)) {
		float last = now[states - 1] + (states > 1 ? now[states - 2] : 0.0f);

		y[i] = last > 0.0f ? -logf(last) : -NONE;
	} else {
		float last = states > 1 ? IS(one_end) ? now[states - 2] : joined(now[states - 1], now[states - 2])
					: now[0];

		y[i] = last <= NONE ? -NONE : -last;
	}
}

extern "C" __global__ void mutant_worded_reference(const float *x, const int *word,
	const int *length, float *y, int blank, int n, int t, int c, int l)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int letters = length[i] < l ? length[i] : l, states = 2 * letters + 1;
		float now[200], next[200];

		for (int k = 0; k < t; k++) {
			const float *row = x + ((size_t)i * t + k) * c;
			float high = row[0], sum = 0.0f;

			for (int o = 1; o < c; o++)
				high = row[o] > high ? row[o] : high;
			for (int o = 0; o < c; o++)
				sum += expf(row[o] - high);
			sum = high + logf(sum);
			for (int s = 0; s < states; s++) {
				int own = s % 2 ? word[i * l + s / 2] : blank;
				float from[3], most = -1e30f, part = 0.0f;

				from[0] = k ? now[s] : s < 2 ? 0.0f : -1e30f;
				from[1] = k && s ? now[s - 1] : -1e30f;
				from[2] = k && s % 2 && s > 1 && word[i * l + s / 2] != word[i * l + s / 2 - 1]
					? now[s - 2] : -1e30f;
				for (int o = 0; o < 3; o++)
					most = from[o] > most ? from[o] : most;
				for (int o = 0; o < 3; o++)
					part += most > -1e30f && from[o] > -1e30f ? expf(from[o] - most) : 0.0f;
				next[s] = most > -1e30f ? most + logf(part) + row[own] - sum : -1e30f;
			}
			for (int s = 0; s < states; s++)
				now[s] = next[s];
		}
		{
			float a = now[states - 1], b = states > 1 ? now[states - 2] : -1e30f;
			float high = a > b ? a : b, low = a > b ? b : a;

			y[i] = high <= -1e30f ? 1e30f
				: low <= -1e30f ? -high : -(high + log1pf(expf(low - high)));
		}
	}
}
