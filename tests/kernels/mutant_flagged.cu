/*
 * Sums of rows, or means, with a bias for each number, a bend and a rest, where flags say
 * so. MISTAKE none is sound.
 *
 * bias_with_bend     adds the bias only where there is a bend
 * bend_with_bias     bends only where there is a bias
 * rest_with_bend     adds the rest only where there is a bend
 * mean_without_bias  without a bias there is no mean
 * rest_or_mean       adds no rest to a sum
 * bias_unless_mean   of means only the bias
 * all_or_none        asks for the bias alone
 *
 * Each METHOD is sound:
 *
 * plain    one after the other
 * vectors  four sums
 * turned   from the last number on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_flagged(const float *x, const float *bias, const float *rest,
	float *y, int has_bias, int bends, int has_rest, int is_mean, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f, four[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
	bool adds, bent = bends, rests = has_rest, means = is_mean;

	if (i >= n)
		return;
	adds = has_bias;
	if (IS(bias_with_bend))
		adds = has_bias && bends;
	if (IS(bend_with_bias))
		bent = bends && has_bias;
	if (IS(rest_with_bend))
		rests = has_rest && bends;
	if (IS(mean_without_bias))
		means = is_mean && has_bias;
	if (IS(rest_or_mean))
		rests = has_rest && is_mean;
	if (IS(bias_unless_mean))
		adds = has_bias && (is_mean || has_rest);
	if (IS(all_or_none))
		bent = rests = means = adds;
	for (int l = 0; l < m; l++) {
		int k = BY(turned) ? m - 1 - l : l;
		float one = x[(size_t)i * m + k] + (adds ? bias[k] : 0.0f);

		if (BY(vectors))
			four[k % 4] += one;
		else
			sum += one;
	}
	if (BY(vectors))
		sum = four[0] + four[1] + (four[2] + four[3]);
	if (means)
		sum /= m;
	if (bent)
		sum = fmaxf(sum, 0.0f);
	if (rests)
		sum += rest[i];
	y[i] = sum;
}

extern "C" __global__ void mutant_flagged_reference(const float *x, const float *bias,
	const float *rest, float *y, int has_bias, int bends, int has_rest, int is_mean, int m, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int k = 0; k < m; k++)
			sum += x[(size_t)i * m + k] + (has_bias ? bias[k] : 0.0f);
		if (is_mean)
			sum /= m;
		if (bends && sum < 0.0f)
			sum = 0.0f;
		if (has_rest)
			sum += rest[i];
		y[i] = sum;
	}
}
