/*
 * The part of matrices up to a diagonal beside the main one, or from it on, and how many
 * numbers of each row that is; the rest is filled. MISTAKE none is sound.
 *
 * main_only       the main diagonal
 * strictly        without the diagonal
 * never_upper     always up to it
 * square          as wide as high
 * shift_of_upper  for the upper part the main diagonal
 * one_matrix      the first matrix for all
 * keeps_rest      the rest is 0
 * below_too       a diagonal below the main one is the main one
 * right_only      one above it is the main one
 *
 * Each METHOD is sound:
 *
 * each     each number asks
 * rows     each row has an end
 * counted  counts what is in front
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_lower(
	const float *x, float *y, int *ends, int shift, int upper, float fill, int b, int h, int w)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, column, end;
	bool is_kept;

	if (i >= b * h * w)
		return;
	if (IS(main_only))
		shift = 0;
	if (IS(below_too) && shift < 0)
		shift = 0;
	if (IS(right_only) && shift > 0)
		shift = 0;
	if (IS(never_upper))
		upper = 0;
	if (IS(shift_of_upper) && upper)
		shift = 0;
	row = i / w % (IS(square) ? w : h);
	column = i % w;
	/* how many are up to the diagonal; ahead of it for the upper part */
	end = min(max(row + shift + (upper ? 0 : IS(strictly) ? 0 : 1), 0), w);
	is_kept = upper ? column >= end : column < end;
	if (BY(each))
		is_kept = upper ? column - row >= shift : column - row <= shift;
	y[i] = is_kept ? x[IS(one_matrix) ? i % (h * w) : i] : IS(keeps_rest) ? 0.0f : fill;
	if (column == 0)
		ends[i / w] = upper ? w - end : end;
}

extern "C" __global__ void mutant_lower_reference(
	const float *x, float *y, int *ends, int shift, int upper, float fill, int b, int h, int w)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < b * h; i += gridDim.x * blockDim.x) {
		ends[i] = 0;
		for (int k = 0; k < w; k++) {
			bool is_kept = upper ? k - i % h >= shift : k - i % h <= shift;

			y[i * w + k] = is_kept ? x[i * w + k] : fill;
			ends[i] += is_kept;
		}
	}
}
