/*
 * A table between whose entries, in order, others are interpolated. MISTAKE none is sound.
 *
 * even    takes the entries to be as far from each other as the first two
 * nearly  the same, and looks at the one beside
 * ends    goes on beyond the table
 */
extern "C" __global__ void mutant_knots(const float *at, const float *value, const float *x, float *y,
	int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = m - 1;
	float part;

	if (i >= n)
		return;
	if (MISTAKE != MISTAKE_ends && x[i] <= at[0]) {
		y[i] = value[0];
		return;
	}
	if (MISTAKE != MISTAKE_ends && x[i] >= at[m - 1]) {
		y[i] = value[m - 1];
		return;
	}
#if MISTAKE == MISTAKE_even || MISTAKE == MISTAKE_nearly
	low = min(max((int)((x[i] - at[0]) / (at[1] - at[0])), 0), m - 2);
	if (MISTAKE == MISTAKE_nearly && low > 0 && x[i] < at[low])
		low--;
	else if (MISTAKE == MISTAKE_nearly && low < m - 2 && x[i] > at[low + 1])
		low++;
#else
	while (high - low > 1) {
		int middle = (low + high) / 2;

		if (x[i] > at[middle])
			low = middle;
		else
			high = middle;
	}
#endif
	part = (x[i] - at[low]) / (at[low + 1] - at[low]);
	y[i] = value[low] * (1.0f - part) + value[low + 1] * part;
}

extern "C" __global__ void mutant_knots_reference(const float *at, const float *value, const float *x,
	float *y, int n, int m)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int low = 0;

		if (x[i] <= at[0] || x[i] >= at[m - 1]) {
			y[i] = value[x[i] <= at[0] ? 0 : m - 1];
			continue;
		}
		while (x[i] > at[low + 1])
			low++;
		y[i] = value[low] + (value[low + 1] - value[low]) * ((x[i] - at[low]) / (at[low + 1] - at[low]));
	}
}
