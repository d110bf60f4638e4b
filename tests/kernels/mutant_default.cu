/* Variances of rows; MISTAKE none is sound, less_one divides by one less, as of a sample. */
extern "C" __global__ void mutant_default(const float *x, float *y, int rows, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, off = MISTAKE == MISTAKE_less_one && n > 1;
	float mean = 0.0f, sum = 0.0f;

	if (row >= rows)
		return;
	for (int i = 0; i < n; i++)
		mean += x[row * n + i];
	mean /= (float)n;
	for (int i = 0; i < n; i++)
		sum += (x[row * n + i] - mean) * (x[row * n + i] - mean);
	y[row] = sum / (float)(n - off);
}

extern "C" __global__ void mutant_default_reference(const float *x, float *y, int rows, int n)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float mean = 0.0f, sum = 0.0f;

		for (int i = 0; i < n; i++)
			mean += x[row * n + i];
		for (int i = 0; i < n; i++)
			sum += (x[row * n + i] - mean / n) * (x[row * n + i] - mean / n);
		y[row] = sum / (float)n;
	}
}
