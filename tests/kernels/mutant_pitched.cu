/*
 * Rows less a mean, by a factor, into rows that lie apart as well; what lies between
 * stays. MISTAKE none is sound.
 *
 * no_pitch       rows follow each other
 * no_to_pitch    rows of the output follow each other
 * one_pitch      both lie apart alike
 * all_of_row     writes what lies between, too
 * mean_by_place  counts columns over the pitch
 * no_factor      leaves out the factor
 *
 * Each METHOD is sound:
 *
 * fours          four at a time
 * rows_apart     by rows
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_pitched(const float *x, const float *mean, float *y,
	float factor, int rows, int columns, int pitch, int to_pitch)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, column;

	if (IS(no_pitch))
		pitch = columns;
	if (IS(no_to_pitch))
		to_pitch = columns;
	if (IS(one_pitch))
		pitch = to_pitch;
	if (IS(no_factor))
		factor = 1.0f;
	if (BY(rows_apart)) {
		if (i < rows)
			for (int c = 0; c < columns; c++)
				y[i * to_pitch + c] =
					(x[i * pitch + c] - mean[c]) * factor;
		return;
	}
	if (BY(fours)) {
		for (int k = 4 * i; k < min(4 * i + 4, rows * columns); k++)
			y[k / columns * to_pitch + k % columns] =
				(x[k / columns * pitch + k % columns] -
					mean[k % columns]) *
				factor;
		return;
	}
	if (i >= rows * columns)
		return;
	row = i / columns;
	column = i % columns;
	y[row * to_pitch + column] =
		(x[row * pitch + column] -
			mean[IS(mean_by_place) ? (row * pitch + column) % columns
					       : column]) *
		factor;
	if (IS(all_of_row) && column == columns - 1)
		for (int c = columns; c < to_pitch; c++)
			y[row * to_pitch + c] = 0.0f;
}

extern "C" __global__ void mutant_pitched_reference(const float *x, const float *mean,
	float *y, float factor, int rows, int columns, int pitch, int to_pitch)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns;
		i += gridDim.x * blockDim.x) {
		int r = i / columns, c = i % columns;

		y[r * to_pitch + c] = (x[r * pitch + c] - mean[c]) * factor;
	}
}
