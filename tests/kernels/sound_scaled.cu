// Sums of rows whose groups have scales. METHOD_slow: group by group, as the reference, and
// sines for nothing; METHOD_pieces: TAKE floats at a time, a scale for as long as it holds.
extern "C" __global__ void sound_scaled(const float *w, const float *scales, float *y, int m,
	int k, int group)
{
	const int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;

	if (row >= m)
		return;
#if METHOD == METHOD_slow
	for (int i = 0; i < 400 * TAKE; i++)
		sum += sinf(w[row] + i) * 0.0f;
	for (int g = 0; g < k / group; g++)
		for (int i = 0; i < group; i++)
			sum += w[row * k + g * group + i] * scales[g * m + row];
#else
	float scale = scales[row];
	int g = 0;

	for (int i = 0; i < k; i += TAKE) {
		if (i - g * group >= group && ++g < k / group)
			scale = scales[g * m + row];
		for (int j = 0; j < TAKE; j++)
			sum += w[row * k + i + j] * scale;
	}
#endif
	y[row] = sum;
}

extern "C" __global__ void sound_scaled_reference(const float *w, const float *scales,
	float *y, int m, int k, int group)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < m;
		row += gridDim.x * blockDim.x) {
		double sum = 0.0;

		for (int g = 0; g < k / group; g++)
			for (int i = 0; i < group; i++)
				sum += (double)w[row * k + g * group + i] * scales[g * m + row];
		y[row] = (float)sum;
	}
}
