/*
 * Where bodies are on their ways after a time: an angle that grows evenly becomes the
 * true one, by Newton's steps until they are small. MISTAKE none is sound.
 *
 * two_steps      two steps
 * round          takes all ways for round
 * time_folded    the time of the space
 * no_rest        angles are not brought back to one turn
 * mean_for_true  the angle in between
 * wide_ignored   all are as wide
 * start_ignored  all begin at 0
 * turned         no turn of the way
 *
 * Each METHOD is sound:
 *
 * doubles        in double
 * halves         by halves of the turn
 * many_steps     twelve steps
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define TURN 6.28318531f

template <typename real>
static __device__ void orbit(real wide, real flat, real start, real rate, real turn,
	real time, float *x, float *y)
{
	real mean = start + rate * time, at, c, s;
	int steps = BY(many_steps) ? 12 : IS(two_steps) ? 2 : 30;

	if (!IS(no_rest))
		mean -= (real)TURN * floor(mean / (real)TURN);
	at = flat > (real)0.7 ? (real)3.14159265f : mean;
	if (BY(halves)) {
		real low = mean - 1, high = mean + 1;

		for (int i = 0; i < 40; i++) {
			at = (low + high) / 2;
			if (at - flat * sin(at) < mean)
				low = at;
			else
				high = at;
		}
	} else {
		for (int i = 0; i < steps; i++) {
			real step = (at - flat * sin(at) - mean) / (1 - flat * cos(at));

			at -= step;
			if (fabs(step) < (real)1e-7)
				break;
		}
	}
	c = wide * (cos(at) - flat);
	s = wide * sqrt(1 - flat * flat) * sin(at);
	if (IS(mean_for_true)) {
		c = wide * (cos(mean) - flat);
		s = wide * sqrt(1 - flat * flat) * sin(mean);
	}
	*x = c * cos(turn) - s * sin(turn);
	*y = c * sin(turn) + s * cos(turn);
}

extern "C" __global__ void mutant_orbits(const float *wide, const float *flat,
	const float *start, const float *rate, const float *turn, float *x, float *y,
	float time, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	if (IS(time_folded))
		time = 1;
	if (BY(doubles))
		orbit<double>(wide[i], flat[i], start[i], rate[i], turn[i], time, &x[i],
			&y[i]);
	else
		orbit<float>(IS(wide_ignored) ? wide[0] : wide[i],
			IS(round) ? 0 : flat[i], IS(start_ignored) ? 0 : start[i],
			rate[i], IS(turned) ? 0 : turn[i], time, &x[i], &y[i]);
}

extern "C" __global__ void mutant_orbits_reference(const float *wide, const float *flat,
	const float *start, const float *rate, const float *turn, float *x, float *y,
	float time, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		float mean = start[i] + rate[i] * time, at, c, s;

		mean -= TURN * floorf(mean / TURN);
		at = flat[i] > 0.7f ? 3.14159265f : mean;
		for (int k = 0; k < 30; k++) {
			float step = (at - flat[i] * sinf(at) - mean) /
				     (1.0f - flat[i] * cosf(at));

			at -= step;
			if (fabsf(step) < 1e-7f)
				break;
		}
		c = wide[i] * (cosf(at) - flat[i]);
		s = wide[i] * sqrtf(1.0f - flat[i] * flat[i]) * sinf(at);
		x[i] = c * cosf(turn[i]) - s * sinf(turn[i]);
		y[i] = c * sinf(turn[i]) + s * cosf(turn[i]);
	}
}
