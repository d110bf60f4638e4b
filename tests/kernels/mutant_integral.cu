/*
 * Sums of all that is above and to the left, and of its squares. MISTAKE none is sound.
 *
 * square_26  sums of squares in 26 bits
 * sum_18     sums in 18 bits
 * open_end   without the value itself in the squares
 * diagonal   the picture the other way
 * row_only   adds rows up to 32 above
 * low_byte   squares of seven bits
 *
 * Each METHOD is sound:
 *
 * rows       rows first
 * columns    columns first
 * whole      each by itself
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_integral(
	const unsigned char *x, unsigned *sum, unsigned long long *square, int h, int w)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / w, column = i % w,
	    first = 0;
	unsigned total = 0;
	unsigned long long squares = 0;

	if (row >= h)
		return;
	if (IS(row_only) && row > 40)
		first = row - 40;
	if (BY(columns)) {
		for (int c = 0; c <= column; c++)
			for (int r = 0; r <= row; r++) {
				total += x[r * w + c];
				squares += (unsigned)x[r * w + c] * x[r * w + c];
			}
	} else {
		for (int r = first; r <= row; r++)
			for (int c = 0; c <= column; c++) {
				unsigned value = IS(diagonal) ? x[c % h * w + r % w]
							      : x[r * w + c];

				total += value;
				if (IS(low_byte))
					value &= 127;
				squares += value * value;
			}
	}
	if (IS(open_end))
		squares -= (unsigned)x[i] * x[i];
	if (IS(square_26))
		squares &= 0x3ffffff;
	if (IS(sum_18))
		total &= 0x3ffff;
	sum[i] = total;
	square[i] = squares;
}

extern "C" __global__ void mutant_integral_reference(
	const unsigned char *x, unsigned *sum, unsigned long long *square, int h, int w)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < h * w;
		i += gridDim.x * blockDim.x) {
		sum[i] = 0;
		square[i] = 0;
		for (int r = 0; r <= i / w; r++)
			for (int c = 0; c <= i % w; c++) {
				sum[i] += x[r * w + c];
				square[i] += x[r * w + c] * x[r * w + c];
			}
	}
}
