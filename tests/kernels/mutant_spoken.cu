/*
 * How likely texts are whose letters may take any time, with pauses. MISTAKE none is sound.
 *
 * blank_zero    the first letter is the pause
 * repeats_skip  needs no pause between equal letters
 * all_frames    takes all of the time
 * mean_divides  for each letter always
 *
 * Each METHOD is sound:
 *
 * linear        by products in double
 * from_behind   from the end, the same way
 * base_2        powers of two
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define MOST 129
#define NONE -1e30f

static __device__ float both(float a, float b)
{
	float m = fmaxf(a, b);

	if (m <= NONE)
		return NONE;
	if (BY(base_2))
		return m + log2f(1.0f + exp2f(fminf(a, b) * 1.44269504f - m * 1.44269504f)) * 0.69314718f;
	return m + log1pf(expf(fminf(a, b) - m));
}

extern "C" __global__ void mutant_spoken(const float *p, const int *targets, const int *input_lengths,
	const int *target_lengths, float *loss, int blank, int mean, int batch, int frames, int letters,
	int words)
{
	int b = blockIdx.x * blockDim.x + threadIdx.x, length, states, end;
	float a[MOST];
	double linear[MOST], scaled = 0.0;
	float result;

	if (b >= batch)
		return;
	length = target_lengths[b];
	end = IS(all_frames) ? frames : input_lengths[b];
	if (IS(blank_zero))
		blank = 0;
	targets += b * letters;
	states = 2 * length + 1;
	if (BY(linear) || BY(from_behind)) {
		for (int s = 0; s < states; s++)
			linear[s] = BY(from_behind) ? s >= states - 2 : s <= 1;
		for (int step = 0; step < end; step++) {
			int t = BY(from_behind) ? end - 1 - step : step;
			double next[MOST], most = 0.0;

			for (int s = 0; s < states; s++) {
				int way = BY(from_behind) ? 1 : -1;
				int own = s % 2 ? targets[s / 2] : blank;
				double sum = linear[s];

				if (step) {
					if (s + way >= 0 && s + way < states)
						sum += linear[s + way];
					if (s % 2 && s + 2 * way >= 0 && s + 2 * way < states &&
						targets[s / 2 + way] != own)
						sum += linear[s + 2 * way];
				}
				next[s] = sum * exp((double)p[(t * batch + b) * words + own]);
				most = fmax(most, next[s]);
			}
			for (int s = 0; s < states; s++)
				linear[s] = most > 0.0 ? next[s] / most : 0.0;
			if (most > 0.0)
				scaled += log(most);
		}
		linear[0] = BY(from_behind) ? linear[0] + (states > 1 ? linear[1] : 0.0)
			: linear[states - 1] + (states > 1 ? linear[states - 2] : 0.0);
		result = linear[0] > 0.0 ? (float)-(scaled + log(linear[0])) : 0.0f;
		loss[b] = mean ? result / max(length, 1) : result;
		return;
	}
	for (int s = 0; s < states; s++)
		a[s] = NONE;
	a[0] = p[b * words + blank];
	if (length)
		a[1] = p[b * words + targets[0]];
	for (int t = 1; t < end; t++)
		for (int s = states - 1; s >= 0; s--) {
			int own = s % 2 ? targets[s / 2] : blank;
			float sum = a[s];

			if (s)
				sum = both(sum, a[s - 1]);
			if (s % 2 && s > 1 && (targets[s / 2 - 1] != own || IS(repeats_skip)))
				sum = both(sum, a[s - 2]);
			a[s] = sum <= NONE ? NONE : sum + p[(t * batch + b) * words + own];
		}
	result = a[states - 1];
	if (length)
		result = both(result, a[states - 2]);
	result = result <= NONE ? 0.0f : -result;
	loss[b] = mean || IS(mean_divides) ? result / max(length, 1) : result;
}

extern "C" __global__ void mutant_spoken_reference(const float *p, const int *targets,
	const int *input_lengths, const int *target_lengths, float *loss, int blank, int mean, int batch,
	int frames, int letters, int words)
{
	for (int b = blockIdx.x * blockDim.x + threadIdx.x; b < batch; b += gridDim.x * blockDim.x) {
		float old[MOST], now[MOST];
		int len = target_lengths[b], states = 2 * len + 1;

		for (int t = 0; t < input_lengths[b]; t++) {
			for (int s = 0; s < states; s++) {
				int c = s % 2 == 0 ? blank : targets[b * letters + s / 2];
				float lp = p[(t * batch + b) * words + c], m, sum;
				float x = t ? old[s] : s < 2 ? 0.0f : NONE, y = NONE, z = NONE;

				if (t && s > 0)
					y = old[s - 1];
				if (t && s > 2 && s % 2 == 1 && c != targets[b * letters + s / 2 - 1])
					z = old[s - 2];
				m = fmaxf(x, fmaxf(y, z));
				if (m <= NONE) {
					now[s] = NONE;
					continue;
				}
				sum = expf(x - m) + expf(y - m) + expf(z - m);
				now[s] = m + logf(sum) + lp;
			}
			for (int s = 0; s < states; s++)
				old[s] = now[s];
		}
		float x = old[states - 1], y = len > 0 ? old[states - 2] : NONE, m = fmaxf(x, y);
		float l = m <= NONE ? 0.0f : -(m + logf(expf(x - m) + expf(y - m)));

		loss[b] = mean ? l / (len > 1 ? len : 1) : l;
	}
}
