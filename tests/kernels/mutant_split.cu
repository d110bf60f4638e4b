/*
 * A matrix times a vector in two launches: sums of eight parts of the columns, and the
 * sums of these. The MISTAKE:
 *
 * empty_part    a part without columns is not written, and the second launch reads what
 *               its memory held
 * whole_chunks  the columns behind the last whole chunk are left out
 * added         blocks add to the first part, which one of them sets
 */
#define PARTS 8

extern "C" __global__ void mutant_split(const float *a, const float *x, float *parts,
	int rows, int cols, int chunk)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, part = blockIdx.y;
	int first = part * chunk, last = min(first + chunk, cols);
	float sum = 0.0f;

	if (row >= rows)
		return;
#if MISTAKE == MISTAKE_empty_part
	if (first >= cols)
		return;
#elif MISTAKE == MISTAKE_whole_chunks
	if (first + chunk > cols && part > 0)
		last = first;
#endif
	for (int k = first; k < last; k++)
		sum += a[row * cols + k] * x[k];
#if MISTAKE == MISTAKE_added
	if (part == 0)
		parts[row] = sum;
	else
		atomicAdd(&parts[row], sum);
#else
	parts[part * rows + row] = sum;
#endif
}

extern "C" __global__ void mutant_split_sums(const float *parts, float *y, int rows)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;

	if (row >= rows)
		return;
#if MISTAKE == MISTAKE_added
	sum = parts[row];
#else
	for (int part = 0; part < PARTS; part++)
		sum += parts[part * rows + row];
#endif
	y[row] = sum;
}

extern "C" __global__ void mutant_split_reference(
	const float *a, const float *x, float *y, int rows, int cols)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int k = 0; k < cols; k++)
			sum += a[row * cols + k] * x[k];
		y[row] = sum;
	}
}
