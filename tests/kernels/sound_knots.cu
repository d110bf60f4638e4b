/*
 * A table between whose entries, in order, others are interpolated. Each METHOD is sound as
 * long as data of proofs leaves the table in order.
 *
 * halves  looks in the half in which it is
 * steps   goes on as long as entries are less, from the end
 */
extern "C" __global__ void sound_knots(const float *at, const float *value, const float *x,
	float *y, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = m - 1;
	float part;

	if (i >= n)
		return;
	if (x[i] <= at[0] || x[i] >= at[m - 1]) {
		y[i] = value[x[i] <= at[0] ? 0 : m - 1];
		return;
	}
#if METHOD == METHOD_steps
	for (low = m - 2; x[i] <= at[low];)
		low--;
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

extern "C" __global__ void sound_knots_reference(const float *at, const float *value, const float *x,
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
