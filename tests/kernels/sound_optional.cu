// Sums of rows; the mask and the means are optional, and null here. METHOD_slow adds sines of
// nothing.
__global__ void sound_optional(const float *x, const unsigned char *mask, float *sum, float *mean,
	int rows, int cols)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	float total = 0.0f;

	if (row >= rows)
		return;
	for (int c = 0; c < cols; c++) {
		if (!mask || mask[row * cols + c])
			total += x[row * cols + c];
#if METHOD == METHOD_slow
		for (int k = 0; k < 20; k++)
			total += sinf(x[row * cols + c] + k) * 0.0f;
#endif
	}
	sum[row] = total;
	if (mean)
		mean[row] = total / cols;
}

__global__ void sound_optional_reference(const float *x, const unsigned char *mask, float *sum,
	float *mean, int rows, int cols)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows;
		i += gridDim.x * blockDim.x) {
		sum[i] = 0.0f;
		for (int c = 0; c < cols; c++)
			if (!mask || mask[i * cols + c])
				sum[i] += x[i * cols + c];
		if (mean)
			mean[i] = sum[i] / cols;
	}
}
