/*
 * Angles between rows; a row of one has nothing but what rounding leaves: acos()
 * next to 1. Each METHOD is sound.
 *
 * roots    by a root of each square, and one quotient
 * root     by one of their product
 */
extern "C" __global__ void sound_angle(const float *a, const float *b, float *angle, int rows,
	int columns)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float both = 0.0f, one = 0.0f, other = 0.0f, size;

	if (row >= rows)
		return;
	for (int i = row * columns; i < (row + 1) * columns; i++) {
		both += a[i] * b[i];
		one += a[i] * a[i];
		other += b[i] * b[i];
	}
#if METHOD == METHOD_roots
	size = 1.0f / (sqrtf(one) * sqrtf(other) + 1e-8f);
#else
	size = 1.0f / (sqrtf(one * other) + 1e-8f);
#endif
	angle[row] = acosf(fminf(1.0f, fmaxf(-1.0f, both * size)));
}

extern "C" __global__ void sound_angle_reference(const float *a, const float *b, float *angle,
	int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float both = 0.0f, one = 0.0f, other = 0.0f;

		for (int i = row * columns; i < (row + 1) * columns; i++) {
			both += a[i] * b[i];
			one += a[i] * a[i];
			other += b[i] * b[i];
		}
		both /= sqrtf(one) * sqrtf(other) + 1e-8f;
		angle[row] = acosf(fminf(1.0f, fmaxf(-1.0f, both)));
	}
}
