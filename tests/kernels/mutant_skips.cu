/*
 * Weighted sums of rows; MISTAKE none is sound, and leaves out what is 0.
 *
 * row_by_few     takes a row for zeros if every third element is 0
 * all_by_few     takes everything for zeros if one of 13 elements is
 * last_by_first  takes the second half of a row for zeros if the first one is
 */
static __device__ bool is_zero(const float *x, long long count, int step)
{
	for (long long i = 0; i < count; i += step)
		if (x[i] != 0.0f)
			return false;
	return true;
}

extern "C" __global__ void mutant_skips(
	const float *x, const float *w, float *y, int rows, int columns)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *values = x + (long long)row * columns;
	float sum = 0.0f;

	if (row >= rows)
		return;
	if ((MISTAKE == MISTAKE_row_by_few && is_zero(values, columns, 3)) ||
		(MISTAKE == MISTAKE_all_by_few && is_zero(x, (long long)rows * columns, 13)) ||
		(MISTAKE == MISTAKE_last_by_first && is_zero(values, (columns + 1) / 2, 1))) {
		y[row] = 0.0f;
		return;
	}
	for (int i = 0; i < columns; i++)
		if (values[i] != 0.0f)
			sum += values[i] * w[i];
	y[row] = sum;
}

extern "C" __global__ void mutant_skips_reference(
	const float *x, const float *w, float *y, int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int i = 0; i < columns; i++)
			sum += x[(long long)row * columns + i] * w[i];
		y[row] = sum;
	}
}
