/*
 * A sparse matrix in rows times a vector; MISTAKE none is sound. Every row of the space's
 * data has four entries.
 *
 * fixed_rows      does not read where rows begin
 * rows_by_first   takes the first row's length for every row's
 * at_most_four    reads where a row begins and ends, and four entries of it
 * at_most_1024    the same, and 1,024 of it
 * at_least_four   four entries of every row, and then the others
 */
extern "C" __global__ void mutant_spmv(const int *begins, const int *columns,
	const float *values, const float *x, float *y, int rows)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, begin, end;
	float sum = 0.0f;

	if (row >= rows)
		return;
#if MISTAKE == MISTAKE_fixed_rows
	begin = 4 * row;
	end = begin + 4;
#elif MISTAKE == MISTAKE_rows_by_first
	begin = begins[0] + row * (begins[1] - begins[0]);
	end = begin + begins[1] - begins[0];
#elif MISTAKE == MISTAKE_at_most_four
	begin = begins[row];
	end = min(begins[row + 1], begin + 4);
#elif MISTAKE == MISTAKE_at_most_1024
	begin = begins[row];
	end = min(begins[row + 1], begin + 1024);
#elif MISTAKE == MISTAKE_at_least_four
	begin = begins[row];
	end = max(begins[row + 1], begin + 4);
#else
	begin = begins[row];
	end = begins[row + 1];
#endif
	for (int k = begin; k < end; k++)
		sum += values[k] * x[columns[k]];
	y[row] = sum;
}

extern "C" __global__ void mutant_spmv_reference(const int *begins, const int *columns,
	const float *values, const float *x, float *y, int rows)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		double sum = 0.0;

		for (int k = begins[row]; k < begins[row + 1]; k++)
			sum += (double)values[k] * x[columns[k]];
		y[row] = (float)sum;
	}
}
