/*
 * The logarithm of the sum of powers of e of each row. The MISTAKE:
 *
 * from_zero  the largest is looked for from 0 on
 * no_more    powers of what is 30 below the largest are taken for 0, and the largest is
 *            at least -30
 * floor      a sum is at least 1e-30
 */
extern "C" __global__ void mutant_low(const float *x, float *y, int n, int m)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float most = -3e38f, sum = 0.0f;

	if (row >= n)
		return;
	x += (long long)row * m;
#if MISTAKE == MISTAKE_from_zero
	most = 0.0f;
#elif MISTAKE == MISTAKE_no_more
	most = -30.0f;
#endif
	for (int i = 0; i < m; i++)
		most = fmaxf(most, x[i]);
	for (int i = 0; i < m; i++) {
#if MISTAKE == MISTAKE_no_more
		if (x[i] < most - 30.0f)
			continue;
#endif
		sum += expf(x[i] - most);
	}
#if MISTAKE == MISTAKE_floor
	/* of powers of e themselves */
	sum *= expf(most);
	most = 0.0f;
	sum = fmaxf(sum, 1e-30f);
#endif
	y[row] = most + logf(sum);
}

extern "C" __global__ void mutant_low_reference(const float *x, float *y, int n, int m)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < n; row += gridDim.x * blockDim.x) {
		const float *from = x + (long long)row * m;
		float most = from[0], sum = 0.0f;

		for (int i = 1; i < m; i++)
			most = fmaxf(most, from[i]);
		for (int i = 0; i < m; i++)
			sum += expf(from[i] - most);
		y[row] = most + logf(sum);
	}
}
