/*
 * Rows less their mean, in parts of their deviation. Each METHOD is sound.
 *
 * two_pass  the mean, and then the squares of what differs from it
 * folded    the same, and the rest in one multiplication and one addition
 * welford   both in one pass
 */
extern "C" __global__ void sound_norm(const float *x, const float *gain, float *y, int rows,
	int n, float epsilon)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *from = x + (long long)row * n;
	float mean = 0.0f, squares = 0.0f, factor;

	if (row >= rows)
		return;
#if METHOD == METHOD_welford
	for (int i = 0; i < n; i++) {
		float off = from[i] - mean;

		mean += off / (float)(i + 1);
		squares += off * (from[i] - mean);
	}
#else
	for (int i = 0; i < n; i++)
		mean += from[i];
	mean /= (float)n;
	for (int i = 0; i < n; i++)
		squares += (from[i] - mean) * (from[i] - mean);
#endif
	factor = rsqrtf(squares / (float)n + epsilon);
	for (int i = 0; i < n; i++) {
#if METHOD == METHOD_folded
		y[(long long)row * n + i] =
			fmaf(from[i], factor * gain[i], -mean * factor * gain[i]);
#else
		y[(long long)row * n + i] = (from[i] - mean) * factor * gain[i];
#endif
	}
}

extern "C" __global__ void sound_norm_reference(const float *x, const float *gain, float *y,
	int rows, int n, float epsilon)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		const float *from = x + (long long)row * n;
		float mean = 0.0f, squares = 0.0f;

		for (int i = 0; i < n; i++)
			mean += from[i];
		mean /= (float)n;
		for (int i = 0; i < n; i++)
			squares += (from[i] - mean) * (from[i] - mean);
		for (int i = 0; i < n; i++)
			y[(long long)row * n + i] = (from[i] - mean) /
				sqrtf(squares / (float)n + epsilon) * gain[i];
	}
}
