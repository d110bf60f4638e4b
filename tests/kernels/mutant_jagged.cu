/*
 * Rows of any length become rows of one; what is left is padded, on either side. MISTAKE none is sound.
 *
 * last_row_whole  the last row has one value at least
 * keeps_last      of rows that are too long the end
 * length_10       each row has ten
 *
 * Each METHOD is sound:
 *
 * rows_first      rows take turns
 * from_last       from the end
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_jagged(const float *values, const int *offsets, float *dense,
	int *lengths, float pad, int left, int b, int most, int d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, j, column, first, length, from;

	if (i >= b * most * d)
		return;
	if (BY(from_last))
		i = b * most * d - 1 - i;
	column = i % d;
	j = i / d % most;
	row = i / d / most;
	if (BY(rows_first)) {
		row = i % b;
		j = i / b % most;
		column = i / b / most;
		i = (row * most + j) * d + column;
	}
	first = IS(length_10) ? row * 10 : offsets[row];
	length = IS(length_10) ? 10 : offsets[row + 1] - offsets[row];
	if (IS(last_row_whole) && row == b - 1)
		length = max(length, 1);
	if (j == 0 && column == 0)
		lengths[row] = min(length, most);
	from = IS(keeps_last) && length > most ? length - most : 0;
	length = min(length, most);
	if (left)
		j -= most - length;
	dense[i] = j >= 0 && j < length ? values[(first + from + j) * d + column] : pad;
}

extern "C" __global__ void mutant_jagged_reference(const float *values, const int *offsets,
	float *dense, int *lengths, float pad, int left, int b, int most, int d)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < b * most; i += gridDim.x * blockDim.x) {
		int row = i / most, j = i % most, n = offsets[row + 1] - offsets[row];

		if (n > most)
			n = most;
		if (j == 0)
			lengths[row] = n;
		if (left)
			j -= most - n;
		for (int c = 0; c < d; c++)
			dense[i * d + c] = j < 0 || j >= n ? pad : values[(offsets[row] + j) * d + c];
	}
}
