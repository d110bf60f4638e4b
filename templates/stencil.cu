/*
 * A star on a grid of height x width floats: every point becomes the weighted mean
 * of itself and of its neighbours up to RADIUS away along both axes. Outside the grid
 * all is zero. RADIUS is the problem's and comes as a compiler option.
 *
 * BLOCK_X, BLOCK_Y  threads of a block
 * TILE_Y            points of a thread, BLOCK_Y rows apart
 * METHOD            shared: the tile and its halo go through shared memory;
 *                   cache: every neighbour is read where it lies
 * PAD               floats after each row of the tile
 * UNROLL            of the loop over TILE_Y
 * USE_LDG           loads through the read-only cache
 */
enum { STEPS = UNROLL };
#define ROWS (BLOCK_Y * TILE_Y)
#define HALO_ROWS (ROWS + 2 * RADIUS)
#define HALO_COLUMNS (BLOCK_X + 2 * RADIUS)

/* the weights of all 4 * RADIUS + 1 points are 1 / (1 + distance), their sum is 1 */
static __device__ __forceinline__ float weight(int distance)
{
	float total = 1.0f;

#pragma unroll
	for (int i = 1; i <= RADIUS; i++)
		total += 4.0f / (1 + i);
	return 1.0f / (1 + distance) / total;
}

static __device__ __forceinline__ float load(
	const float *grid, int height, int width, int row, int column)
{
	if (row < 0 || row >= height || column < 0 || column >= width)
		return 0.0f;
#if USE_LDG
	return __ldg(grid + (size_t)row * width + column);
#else
	return grid[(size_t)row * width + column];
#endif
}

/* no __restrict__: with it the compiler takes the read-only cache unasked */
extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y)
stencil(const float *in, float *out, int height, int width)
{
	const int first_row = blockIdx.y * ROWS;
	const int column = blockIdx.x * BLOCK_X + threadIdx.x;
#if METHOD == METHOD_shared
	__shared__ float tile[HALO_ROWS][HALO_COLUMNS + PAD];

	for (int i = threadIdx.y; i < HALO_ROWS; i += BLOCK_Y)
		for (int j = threadIdx.x; j < HALO_COLUMNS; j += BLOCK_X)
			tile[i][j] = load(in, height, width, first_row + i - RADIUS,
				blockIdx.x * BLOCK_X + j - RADIUS);
	__syncthreads();
#define AT(down, across) tile[RADIUS + y + (down)][RADIUS + threadIdx.x + (across)]
#else
#define AT(down, across) load(in, height, width, first_row + y + (down), column + (across))
#endif
#pragma unroll STEPS
	for (int t = 0; t < TILE_Y; t++) {
		const int y = t * BLOCK_Y + threadIdx.y;
		float sum = weight(0) * AT(0, 0);

#pragma unroll
		for (int i = 1; i <= RADIUS; i++)
			sum += weight(i) * (AT(-i, 0) + AT(i, 0) + AT(0, -i) + AT(0, i));
		if (first_row + y < height && column < width)
			out[(size_t)(first_row + y) * width + column] = sum;
	}
}

static __device__ double value(const float *grid, int height, int width, int row, int column)
{
	bool inside = row >= 0 && row < height && column >= 0 && column < width;

	return inside ? grid[(size_t)row * width + column] : 0.0;
}

/* one point after the other, in double; strides over the grid */
extern "C" __global__ void stencil_reference(
	const float *in, float *out, int height, int width)
{
	const size_t count = (size_t)height * width;
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
		const int y = (int)(i / width), x = (int)(i % width);
		double sum = value(in, height, width, y, x);
		double weights = 1.0;

		for (int d = 1; d <= RADIUS; d++) {
			sum += (value(in, height, width, y - d, x) +
				value(in, height, width, y + d, x) +
				value(in, height, width, y, x - d) +
				value(in, height, width, y, x + d)) / (1.0 + d);
			weights += 4.0 / (1.0 + d);
		}
		out[i] = (float)(sum / weights);
	}
}
