/*
 * A plane of values, each less the one above it; MISTAKE none is sound, and by far the
 * slowest: it reads 512 times over what it needs. The problem of the space is a square of
 * whole tiles.
 *
 * square          takes the width for the height
 * square_pitch    takes the height for the width where it counts rows
 * whole_wide      has no check at the right edge: the values beyond it lie in the next row
 * whole_high      has no check at the lower edge
 * odd_columns     leaves out the last column where there are an odd number of them
 */
#define TILE 16

extern "C" __global__ void mutant_plane(const float *in, float *out, int height, int width)
{
	int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
	int pitch = MISTAKE == MISTAKE_square_pitch ? height : width;

#if MISTAKE == MISTAKE_square
	if (row >= width || column >= width)
		return;
#elif MISTAKE == MISTAKE_whole_wide
	if (row >= height)
		return;
#elif MISTAKE == MISTAKE_whole_high
	if (column >= width)
		return;
#elif MISTAKE == MISTAKE_odd_columns
	if (row >= height || column >= width / 2 * 2)
		return;
#else
	if (row >= height || column >= width)
		return;
#endif
#if MISTAKE == MISTAKE_none
	volatile const float *values = in;
	float difference = 0.0f;

	for (int again = 0; again < 512; again++)
		difference = values[row * width + column] -
			(row ? values[(row - 1) * width + column] : 0.0f);
	out[row * width + column] = difference;
	return;
#endif
	out[row * pitch + column] = in[row * pitch + column] -
		(row ? in[(row - 1) * pitch + column] : 0.0f);
}

extern "C" __global__ void mutant_plane_reference(const float *in, float *out, int height,
	int width)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < height * width;
		i += gridDim.x * blockDim.x)
		out[i] = in[i] - (i >= width ? in[i - width] : 0.0f);
}
