/*
 * Colours of a picture: each pixel has one, red where row and column are even beside
 * a phase, blue where both are odd; others are means of what is around, inside of the
 * picture, rounded to the next whole number, halves up. MISTAKE none is sound.
 *
 * phase_folded  the phase of the space
 * rows_swapped  the phase of rows for that of columns
 * edge_zero     beyond the edge there is 0, which counts
 * edge_repeats  beyond the edge the last pixel goes on
 * green_of_two  green from left and right only
 * red_is_blue   red for blue
 * even_only     an odd last row has the phase of an even one
 * square        as wide as high
 * rounds_down   rounds down
 *
 * Each METHOD is sound:
 *
 * each     looks at all nine pixels for each colour
 * by_kind  at those of the colour
 * sums     sums of all colours at once
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int colour_of(int row, int column, int down, int right)
{
	return (row + down & 1) + (column + right & 1);
}

static __device__ unsigned char mean_of(const unsigned char *x, int row, int column, int colour,
	int down, int right, int h, int w)
{
	int sum = 0, count = 0;

	if (colour_of(row, column, down, right) == colour)
		return x[row * w + column];
	for (int j = -1; j <= 1; j++)
		for (int k = -1; k <= 1; k++) {
			int r = row + j, c = column + k;

			if (colour_of(r, c, down, right) != colour || (IS(green_of_two) && colour == 1 && j))
				continue;
			if (IS(edge_repeats)) {
				r = min(max(r, 0), h - 1);
				c = min(max(c, 0), w - 1);
			}
			if (r >= 0 && r < h && c >= 0 && c < w)
				sum += x[r * w + c];
			else if (!IS(edge_zero))
				continue;
			count++;
		}
	if (!count)
		return 0;
	return (unsigned char)(IS(rounds_down) ? sum / count : (2 * sum + count) / (2 * count));
}

extern "C" __global__ void mutant_mosaic(const unsigned char *x, unsigned char *red,
	unsigned char *green, unsigned char *blue, int down, int right, int h, int w)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row, column;
	unsigned char colours[3];

	if (IS(square))
		h = w;
	if (i >= h * w)
		return;
	if (IS(phase_folded)) {
		down = 0;
		right = 1;
	}
	if (IS(rows_swapped)) {
		int kept = down;

		down = right;
		right = kept;
	}
	row = i / w;
	column = i % w;
	if (IS(even_only) && row == h - 1 && h % 2)
		down ^= 1;
	if (BY(sums)) {
		int sum[3] = { 0, 0, 0 }, count[3] = { 0, 0, 0 };

		for (int r = max(row - 1, 0); r <= min(row + 1, h - 1); r++)
			for (int c = max(column - 1, 0); c <= min(column + 1, w - 1); c++) {
				int colour = colour_of(r, c, down, right);

				if (colour == colour_of(row, column, down, right) && (r != row || c != column))
					continue;
				sum[colour] += x[r * w + c];
				count[colour]++;
			}
		for (int k = 0; k < 3; k++)
			colours[k] = (unsigned char)(count[k] ? (2 * sum[k] + count[k]) / (2 * count[k]) : 0);
	} else {
		for (int k = 0; k < 3; k++)
			colours[k] = mean_of(x, row, column, k, down, right, h, w);
	}
	red[i] = colours[IS(red_is_blue) ? 2 : 0];
	green[i] = colours[1];
	blue[i] = colours[2];
}

extern "C" __global__ void mutant_mosaic_reference(const unsigned char *x, unsigned char *red,
	unsigned char *green, unsigned char *blue, int down, int right, int h, int w)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < h * w; i += gridDim.x * blockDim.x) {
		int row = i / w, column = i % w, own = (row + down) % 2 + (column + right) % 2;
		int sum[3] = { 0, 0, 0 }, count[3] = { 0, 0, 0 };

		for (int j = 0; j < 9; j++) {
			int r = row + j / 3 - 1, c = column + j % 3 - 1;
			int colour = (r + down + 2) % 2 + (c + right + 2) % 2;

			if (r < 0 || r >= h || c < 0 || c >= w || (colour == own && j != 4))
				continue;
			sum[colour] += x[r * w + c];
			count[colour]++;
		}
		red[i] = (unsigned char)(count[0] ? (2 * sum[0] + count[0]) / (2 * count[0]) : 0);
		green[i] = (unsigned char)(count[1] ? (2 * sum[1] + count[1]) / (2 * count[1]) : 0);
		blue[i] = (unsigned char)(count[2] ? (2 * sum[2] + count[2]) / (2 * count[2]) : 0);
	}
}
