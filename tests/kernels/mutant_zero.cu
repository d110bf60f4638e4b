/*
 * Rows divided by their lengths, one a thread; MISTAKE none is sound. No random row is
 * nothing but zeros.
 *
 * not_a_number    divides by the length of a row of zeros
 * unwritten       leaves a row of zeros as it is
 */
extern "C" __global__ void mutant_zero(const float *x, float *y, int rows, int columns)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;

	if (row >= rows)
		return;
	for (int c = 0; c < columns; c++)
		sum += x[row * columns + c] * x[row * columns + c];
	if (MISTAKE == MISTAKE_unwritten && sum == 0.0f)
		return;
	if (MISTAKE == MISTAKE_none && sum == 0.0f)
		sum = 1.0f;
	for (int c = 0; c < columns; c++)
		y[row * columns + c] = x[row * columns + c] / sqrtf(sum);
}

extern "C" __global__ void mutant_zero_reference(const float *x, float *y, int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int c = 0; c < columns; c++)
			sum += x[row * columns + c] * x[row * columns + c];
		for (int c = 0; c < columns; c++)
			y[row * columns + c] =
				sum > 0.0f ? x[row * columns + c] / sqrtf(sum) : 0.0f;
	}
}
