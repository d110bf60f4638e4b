/*
 * A picture with margins, in a mirror, of its edge, of its other side, or of one value.
 * MISTAKE none is sound.
 *
 * edge_twice  the mirror shows the edge twice
 * value_zero  the one value is 0
 * alike       margins of the sides are as the one on the left
 * top_left    above as much as on the left
 * mirror_one  one line in the mirror
 *
 * Each METHOD is sound:
 *
 * backwards   from the end
 * by_table    rows first
 * modulo      by remainders
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int place_of(int at, int size, int mode)
{
	if (at >= 0 && at < size)
		return at;
	if (mode == 0)
		return -1;
	if (mode == 1) {
		if (IS(mirror_one))
			return at < 0 ? min(1, size - 1) : max(size - 2, 0);
		if (IS(edge_twice))
			return at < 0 ? -1 - at : 2 * size - 1 - at;
		if (BY(modulo)) {
			int span = 2 * (size - 1);

			if (!span)
				return 0;
			at = (at % span + span) % span;
			return at < size ? at : span - at;
		}
		return at < 0 ? -at : 2 * size - 2 - at;
	}
	if (mode == 2)
		return at < 0 ? 0 : size - 1;
	return (at + size) % size;
}

extern "C" __global__ void mutant_margins(const float *x, float *y, float value, int mode, int h,
	int w, int left, int right, int top, int bottom)
{
	int total = left + w + right, all = total * (top + h + bottom);
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, column;

	if (i >= all)
		return;
	if (BY(backwards))
		i = all - 1 - i;
	if (BY(by_table)) {
		row = i % (top + h + bottom);
		column = i / (top + h + bottom);
		i = row * total + column;
	}
	row = place_of(i / total - (IS(top_left) ? left : top), h, mode);
	column = place_of(i % total - (IS(alike) ? right : left), w, mode);
	if (IS(top_left) || IS(edge_twice) || IS(alike)) {
		row = min(max(row, mode ? 0 : -1), h - 1);
		column = min(max(column, mode ? 0 : -1), w - 1);
	}
	y[i] = row < 0 || column < 0 ? (IS(value_zero) ? 0.0f : value) : x[row * w + column];
}

extern "C" __global__ void mutant_margins_reference(const float *x, float *y, float value,
	int mode, int h, int w, int left, int right, int top, int bottom)
{
	int total = left + w + right;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total * (top + h + bottom);
		i += gridDim.x * blockDim.x) {
		int row = i / total - top, column = i % total - left;

		if (row >= 0 && row < h && column >= 0 && column < w) {
			y[i] = x[row * w + column];
		} else if (mode == 0) {
			y[i] = value;
		} else {
			if (mode == 1) {
				row = row < 0 ? -row : row >= h ? 2 * h - 2 - row : row;
				column = column < 0 ? -column : column >= w ? 2 * w - 2 - column : column;
			} else if (mode == 2) {
				row = row < 0 ? 0 : row >= h ? h - 1 : row;
				column = column < 0 ? 0 : column >= w ? w - 1 : column;
			} else {
				row = (row + h) % h;
				column = (column + w) % w;
			}
			y[i] = x[row * w + column];
		}
	}
}
