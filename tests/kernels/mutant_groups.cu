/*
 * Products of rows of bytes with a vector, where each group of bytes has a scale and a zero
 * of its own; MISTAKE none is sound, and by far the slowest, so that a mistake that is not
 * refused wins.
 *
 * pairs      takes groups two by two, and leaves out an odd one
 * by_fours   takes four groups at once, and of what is left the first
 * full_warp  gives each lane of a warp the same number of bytes
 */
static __device__ float product(const unsigned char *w, const float *scale,
	const unsigned char *zero, const float *x, int from, int to, int group)
{
	float sum = 0.0f;

	for (int i = from; i < to; i++)
		sum += (w[i] - zero[i / group]) * scale[i / group] * x[i];
	return sum;
}

extern "C" __global__ void mutant_groups(const unsigned char *w, const float *scale,
	const unsigned char *zero, const float *x, float *y, int rows, int columns, int group)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, groups = columns / group;
	float sum = 0.0f;

	if (row >= rows)
		return;
	w += (long long)row * columns;
	scale += (long long)row * groups;
	zero += (long long)row * groups;
	if (MISTAKE == MISTAKE_pairs)
		sum = product(w, scale, zero, x, 0, groups / 2 * 2 * group, group);
	else if (MISTAKE == MISTAKE_by_fours)
		sum = product(w, scale, zero, x, 0,
			(groups % 4 ? groups / 4 * 4 + 1 : groups) * group, group);
	else if (MISTAKE == MISTAKE_full_warp)
		for (int lane = 0; lane < 32; lane++)
			sum += product(w, scale, zero, x, columns / 32 * lane,
				columns / 32 * (lane + 1), group);
	else
		for (int again = 0; again < 16; again++) {
			volatile const float *values = x;

			sum = 0.0f;
			for (int i = 0; i < columns; i++)
				sum += (w[i] - zero[i / group]) * scale[i / group] * values[i];
		}
	y[row] = sum;
}

extern "C" __global__ void mutant_groups_reference(const unsigned char *w, const float *scale,
	const unsigned char *zero, const float *x, float *y, int rows, int columns, int group)
{
	int groups = columns / group;

	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x)
		y[row] = product(w + (long long)row * columns, scale + (long long)row * groups,
			zero + (long long)row * groups, x, 0, columns, group);
}
