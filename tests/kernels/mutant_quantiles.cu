/*
 * Values below which given parts of ordered rows lie, between two of them by a line, or
 * the lower, the upper or the next one; rows are of their own lengths. MISTAKE none is
 * sound.
 *
 * full_rows    all rows are as long as the longest
 * of_all       a part of how many there are, not of one less
 * kind_folded  always by a line
 * two_kinds    the lower one for all but lines
 * three_parts  three parts
 * empty        of an empty row the first value
 *
 * Each METHOD is sound:
 *
 * doubles      in double
 * other_line   the line in another form
 * backwards    parts from the last on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_quantiles(const float *x, const int *length,
	const float *part, float *out, int kind, int rows, int width, int parts)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, k, n, low, high;
	float at;

	if (i >= rows * parts)
		return;
	if (BY(backwards))
		i = rows * parts - 1 - i;
	row = i / parts;
	k = i % parts;
	if (IS(three_parts))
		k = min(k, 2);
	n = IS(full_rows) ? width : length[row];
	if (n == 0) {
		out[i] = IS(empty) ? x[row * width] : 0;
		return;
	}
	at = part[k] * (IS(of_all) ? n : n - 1);
	low = min((int)at, n - 1);
	high = min(low + 1, n - 1);
	if (IS(kind_folded))
		kind = 0;
	if (IS(two_kinds) && kind)
		kind = 1;
	if (kind == 0) {
		float a = x[row * width + low], b = x[row * width + high], f = at - low;

		out[i] = BY(doubles)
				 ? (float)((double)a +
					   ((double)b - a) *
						   ((double)part[k] * (n - 1) - low))
			 : BY(other_line) ? (1.0f - f) * a + f * b
					  : a + (b - a) * f;
	} else if (kind == 1) {
		out[i] = x[row * width + low];
	} else if (kind == 2) {
		out[i] = x[row * width + (at > low ? high : low)];
	} else {
		out[i] = x[row * width + ((int)rintf(at))];
	}
}

extern "C" __global__ void mutant_quantiles_reference(const float *x, const int *length,
	const float *part, float *out, int kind, int rows, int width, int parts)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * parts;
		i += gridDim.x * blockDim.x) {
		int n = length[i / parts];
		const float *row = x + i / parts * width;
		float at = part[i % parts] * (n - 1), low = floorf(at),
		      high = ceilf(at);

		if (n == 0)
			out[i] = 0;
		else if (kind == 0)
			out[i] = row[(int)low] +
				 (row[(int)high] - row[(int)low]) * (at - low);
		else
			out[i] = row[(int)(kind == 1   ? low
					   : kind == 2 ? high
						       : rintf(at))];
	}
}
