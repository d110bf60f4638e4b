/*
 * How far one distribution is from another, whose numbers may be logarithms; what is 0 counts
 * as nothing, rows with a mask of 0 are left out, a mean over the others. MISTAKE none is sound.
 *
 * never_logs  takes logarithms for plain numbers
 * always_all  all rows
 * over_all    the mean over all rows
 * no_weight   all rows weigh the same
 * plain_zero  0 times its logarithm
 * epsilon     adds 1e-6 to each number
 * first_32    32 numbers of a row
 *
 * Each METHOD is sound:
 *
 * backwards   from the end
 * doubles     adds up in double
 * parts       a sum of each row
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_divergence(const float *target, const float *input,
	const int *keep, const float *weight, float *out, int logs, int rows, int n)
{
	float sum = 0.0f, rest;
	double exact = 0.0;
	int kept = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	if (IS(never_logs))
		logs = 0;
	for (int step = 0; step < rows; step++) {
		int row = BY(backwards) ? rows - 1 - step : step;
		float part = 0.0f;

		if (!keep[row] && !IS(always_all))
			continue;
		kept++;
		for (int k = 0; k < (IS(first_32) ? min(n, 32) : n); k++) {
			float t = target[row * n + k], i = input[row * n + k], term;

			if (IS(epsilon) && !logs)
				t += 1e-6f;
			if (logs)
				term = expf(t) * (t - i);
			else if (IS(plain_zero))
				term = t * logf(t) - t * i;
			else
				term = t > 0.0f ? t * (logf(t) - i) : 0.0f;
			if (!IS(no_weight))
				term *= weight[row];
			if (BY(doubles))
				exact += term;
			else if (BY(parts))
				part += term;
			else
				sum += term;
		}
		sum += part;
	}
	rest = BY(doubles) ? (float)exact : sum;
	out[0] = kept ? rest / (IS(over_all) ? rows : kept) : 0.0f;
}

extern "C" __global__ void mutant_divergence_reference(const float *target, const float *input,
	const int *keep, const float *weight, float *out, int logs, int rows, int n)
{
	float sum = 0.0f;
	int kept = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int row = 0; row < rows; row++) {
		kept += keep[row] != 0;
		for (int k = 0; keep[row] && k < n; k++) {
			float t = target[row * n + k], i = input[row * n + k];

			if (logs)
				sum += weight[row] * expf(t) * (t - i);
			else if (t > 0.0f)
				sum += weight[row] * t * (logf(t) - i);
		}
	}
	out[0] = kept ? sum / kept : 0.0f;
}
