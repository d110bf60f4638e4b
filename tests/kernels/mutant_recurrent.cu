/*
 * Rows of a state that decays and adds up its input, from a state of before, and one is left
 * behind. MISTAKE none is sound.
 *
 * no_before    begins at 0
 * no_skip      leaves out what goes past the state
 * forwards     never backwards
 * four_states  four states
 * keeps_state  leaves the state as it was
 * window_64    looks 64 back
 * late_decay   decays after adding
 * no_first     leaves out the first
 * half_state   keeps the state in half
 * by_first     takes the decay of the first
 *
 * Each METHOD is sound:
 *
 * pairs        two steps at a time
 * doubles      a state in double
 * closed       by products of decays
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#include <cuda_fp16.h>

#define MOST 16

extern "C" __global__ void mutant_recurrent(const float *a, const float *x, const float *b, const float *c,
	float *h, float *y, float skip, int rows, int n, int states, int reverse)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;

	if (row >= rows)
		return;
	a += (long long)row * n;
	x += (long long)row * n;
	y += (long long)row * n;
	b += row * states;
	c += row * states;
	h += row * states;
	if (IS(four_states))
		states = min(states, 4);
	if (IS(forwards))
		reverse = 0;
	for (int i = 0; i < n; i++)
		y[i] = IS(no_skip) ? 0.0f : skip * x[i];
	for (int s = 0; s < states; s++) {
		float state = IS(no_before) ? 0.0f : h[s];
		double wide = state;
		int t = 0;

		for (; BY(pairs) && t + 1 < n; t += 2) {
			int i = reverse ? n - 1 - t : t, k = reverse ? i - 1 : i + 1;

			y[i] += c[s] * (a[i] * state + b[s] * x[i]);
			state = a[k] * a[i] * state + (a[k] * (b[s] * x[i]) + b[s] * x[k]);
			y[k] += c[s] * state;
		}
		for (; t < n; t++) {
			int i = reverse ? n - 1 - t : t;
			float decay = IS(by_first) ? a[0] : a[i];

			if (IS(no_first) && t == 0)
				continue;
			if (IS(window_64) && t >= 64) {
				state = 0.0f;
				for (int k = t - 64; k < t; k++) {
					int j = reverse ? n - 1 - k : k;

					state = a[j] * state + b[s] * x[j];
				}
			}
			if (BY(doubles)) {
				wide = (double)decay * wide + (double)b[s] * x[i];
				state = (float)wide;
			} else if (IS(late_decay)) {
				state = decay * (state + b[s] * x[i]);
			} else {
				state = decay * state + b[s] * x[i];
			}
			if (IS(half_state))
				state = __half2float(__float2half(state));
			y[i] += c[s] * state;
		}
		if (!IS(keeps_state))
			h[s] = state;
	}
}

extern "C" __global__ void mutant_recurrent_reference(const float *a, const float *x, const float *b,
	const float *c, float *h, float *y, float skip, int rows, int n, int states, int reverse)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x)
		for (int t = 0; t < n; t++) {
			int i = row * n + (reverse ? n - 1 - t : t);

			y[i] = skip * x[i];
			for (int s = 0; s < states; s++) {
				h[row * states + s] = a[i] * h[row * states + s] + b[row * states + s] * x[i];
				y[i] += c[row * states + s] * h[row * states + s];
			}
		}
}
