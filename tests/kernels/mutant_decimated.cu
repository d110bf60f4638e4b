/*
 * A filter that keeps one of several values, from a phase on; what lies before
 * the signal is its history, newest last. MISTAKE none is sound.
 *
 * no_history      there is 0 before the signal
 * history_turned  history with the oldest last
 * phase_ignored   from the first value on
 * rate_folded     every fourth value
 * taps_folded     thirty-two taps
 * taps_turned     the last tap first
 * gain_ignored    no gain
 * history_once    only the newest of the history
 *
 * Each METHOD is sound:
 *
 * doubles         in double
 * backwards       the last tap first
 * fours           four sums
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_decimated(const float *x, const float *history,
	const float *taps, float *y, float gain, int rate, int phase, int taps_count,
	int n)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x, before = taps_count - 1;
	float sums[4] = { 0 };
	double wide = 0;

	if (k >= n)
		return;
	if (IS(phase_ignored))
		phase = 0;
	if (IS(rate_folded))
		rate = 4;
	if (IS(taps_folded))
		taps_count = min(taps_count, 32);
	if (IS(gain_ignored))
		gain = 1;
	for (int j = 0; j < taps_count; j++) {
		int t = BY(backwards) ? taps_count - 1 - j : j,
		    at = k * rate + phase - t;
		float tap = taps[IS(taps_turned) ? taps_count - 1 - t : t], value = 0;

		if (at >= 0)
			value = x[at];
		else if (IS(history_turned))
			value = history[-at - 1];
		else if (!IS(no_history) && !(IS(history_once) && at < -1))
			value = history[before + at];
		sums[BY(fours) ? j % 4 : 0] += tap * value;
		wide += (double)tap * value;
	}
	y[k] = BY(doubles) ? (float)(gain * wide)
			   : gain * (sums[0] + sums[1] + (sums[2] + sums[3]));
}

extern "C" __global__ void mutant_decimated_reference(const float *x,
	const float *history, const float *taps, float *y, float gain, int rate,
	int phase, int taps_count, int n)
{
	for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n;
		k += gridDim.x * blockDim.x) {
		float sum = 0;

		for (int t = 0; t < taps_count; t++) {
			int at = k * rate + phase - t;

			sum += taps[t] *
			       (at < 0 ? history[taps_count - 1 + at] : x[at]);
		}
		y[k] = gain * sum;
	}
}
