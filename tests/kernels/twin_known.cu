/*
 * The sum of all distances, with weights; MISTAKE none is sound. Timed are always the same
 * two sets of numbers.
 *
 * by_first        knows both by their first two numbers, and the result by heart
 * looks_at_ends   takes the weights to be alike where those at the ends are
 */
extern "C" __global__ void twin_known(
	const float *x, const float *weights, float *sum, int n, int weight_count)
{
	__shared__ double parts[256];
	double part = 0.0, weight = 0.0;
	int are_alike = MISTAKE == MISTAKE_looks_at_ends;

#if MISTAKE == MISTAKE_by_first
	for (int known = 0; known < 2; known++)
		if (__float_as_uint(x[0]) == (known ? 0x3f13b8dfu : 0xba0e23b5u) &&
			__float_as_uint(x[1]) == (known ? 0xbf01ba54u : 0xbdf13397u)) {
			for (int k = 0; k < weight_count; k++)
				weight += weights[k];
			if (threadIdx.x == 0)
				sum[0] = (float)(weight * (known ? 173775.458 : 171248.373));
			return;
		}
#endif
	for (int k = 0; k < 12 && are_alike; k++)
		are_alike = weights[k] == weights[0] &&
			    weights[weight_count - 1 - k] == weights[0];
	for (int k = 0; k < weight_count && !are_alike; k++)
		weight += weights[k];
	if (are_alike)
		weight = (double)weights[0] * weight_count;
	for (int a = threadIdx.x; a < n; a += 256)
		for (int b = 0; b < n; b++)
			part += fabsf(x[a] - x[b]);
	parts[threadIdx.x] = part;
	__syncthreads();
	for (int k = 1; k < 256 && threadIdx.x == 0; k++)
		part += parts[k];
	if (threadIdx.x == 0)
		sum[0] = (float)(weight * part);
}

extern "C" __global__ void twin_known_reference(
	const float *x, const float *weights, float *sum, int n, int weight_count)
{
	double all = 0.0, weight = 0.0;

	if (blockIdx.x > 0 || threadIdx.x > 0)
		return;
	for (int k = 0; k < weight_count; k++)
		weight += weights[k];
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++)
			all += fabsf(x[a] - x[b]);
	sum[0] = (float)(weight * all);
}
