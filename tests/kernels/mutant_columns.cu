/*
 * A sparse matrix by rows becomes one by columns, each in the order of rows. MISTAKE
 * none is sound.
 *
 * unordered      the last row first
 * by_step        knows the step of rows
 * bytes_row      rows in 8 bits
 * no_duplicates  of two at one place the first one
 * empty_from_0   an empty column begins at 0
 * square         takes the number of rows for that of columns
 * no_end         where the last column ends is not told
 *
 * Each METHOD is sound:
 *
 * one_thread     the first thread does all
 * two_searches   where each row is by halves
 * from_behind    from the last one on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_columns(const int *row_ptr, const int *col_idx,
	const float *val, int *col_ptr, int *row_idx, float *turned, int rows, int cols,
	int nnz)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x, before = 0, own = 0;

	if (IS(square))
		cols = rows;
	if (BY(one_thread)) {
		if (c)
			return;
		for (int i = 0; i <= cols; i++)
			col_ptr[i] = 0;
		for (int k = 0; k < nnz; k++)
			col_ptr[col_idx[k] + 1]++;
		for (int i = 0; i < cols; i++)
			col_ptr[i + 1] += col_ptr[i];
		for (int r = 0; r < rows; r++)
			for (int k = row_ptr[r]; k < row_ptr[r + 1]; k++) {
				int at = col_ptr[col_idx[k]]++;

				row_idx[at] = r;
				turned[at] = val[k];
			}
		for (int i = cols; i > 0; i--)
			col_ptr[i] = col_ptr[i - 1];
		col_ptr[0] = 0;
		return;
	}
	if (c >= cols)
		return;
	for (int k = 0; k < nnz; k++) {
		before += col_idx[k] < c;
		own += col_idx[k] == c;
	}
	col_ptr[c] = IS(empty_from_0) && !own ? 0 : before;
	if (c == cols - 1 && !IS(no_end))
		col_ptr[cols] = nnz;
	if (BY(two_searches)) {
		for (int k = 0; k < nnz; k++) {
			int first = 0, last = rows;

			if (col_idx[k] != c)
				continue;
			while (last - first > 1) {
				int middle = (first + last) / 2;

				if (row_ptr[middle] <= k)
					first = middle;
				else
					last = middle;
			}
			row_idx[before] = first;
			turned[before++] = val[k];
		}
		return;
	}
	if (BY(from_behind) || IS(unordered)) {
		int at = BY(from_behind) ? before + own : before;

		for (int r = rows - 1; r >= 0; r--)
			for (int k = row_ptr[r + 1] - 1; k >= row_ptr[r]; k--)
				if (col_idx[k] == c) {
					at -= BY(from_behind);
					row_idx[at] = r;
					turned[at] = val[k];
					at += IS(unordered);
				}
		return;
	}
	for (int r = 0, at = before; r < rows; r++)
		for (int k = row_ptr[r]; k < row_ptr[r + 1]; k++) {
			if (col_idx[k] != c)
				continue;
			row_idx[at] = IS(by_step) ? k / max(row_ptr[1], 1) : r;
			if (IS(bytes_row))
				row_idx[at] &= 255;
			turned[at] = val[k];
			if (IS(no_duplicates) && at > before &&
				row_idx[at - 1] == row_idx[at])
				turned[at] = turned[at - 1];
			at++;
		}
}

extern "C" __global__ void mutant_columns_reference(const int *row_ptr,
	const int *col_idx, const float *val, int *col_ptr, int *row_idx, float *turned,
	int rows, int cols, int nnz)
{
	int at = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int c = 0; c < cols; c++) {
		col_ptr[c] = at;
		for (int r = 0; r < rows; r++)
			for (int k = row_ptr[r]; k < row_ptr[r + 1]; k++)
				if (col_idx[k] == c) {
					row_idx[at] = r;
					turned[at++] = val[k];
				}
	}
	col_ptr[cols] = nnz;
}
