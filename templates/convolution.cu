/*
 * The image, height x width floats, convolved with a filter of FILTER_SIZE x
 * FILTER_SIZE (odd; the filter is not mirrored). Outside the image all is zero.
 * FILTER_SIZE is the problem's and comes as a compiler option. In constant memory, the
 * usual home of a filter, it has to be before the launch: whoever launches such a
 * configuration copies it to filter_constant, and the argument is not read.
 *
 * BLOCK_X, BLOCK_Y  threads of a block
 * TILE_X, TILE_Y    pixels of a thread, BLOCK_X columns and BLOCK_Y rows apart
 * IMAGE             shared: the tile and its halo go through shared memory;
 *                   cache: every pixel is read where it lies
 * FILTER            global: its weights are read through the read-only cache;
 *                   constant: from constant memory;
 *                   shared: each block copies them to shared memory first
 * PAD               floats after each row of the tile
 * UNROLL            of the loop along a row of the filter: 1, or the whole row (0)
 * USE_LDG           loads of the image through the read-only cache
 */
#define RADIUS (FILTER_SIZE / 2)
#define ROWS (BLOCK_Y * TILE_Y)
#define COLUMNS (BLOCK_X * TILE_X)
#define HALO_ROWS (ROWS + 2 * RADIUS)
#define HALO_COLUMNS (COLUMNS + 2 * RADIUS)
enum { STEPS = UNROLL ? UNROLL : FILTER_SIZE };

#if FILTER == FILTER_constant
__constant__ float filter_constant[FILTER_SIZE * FILTER_SIZE];
#endif

static __device__ __forceinline__ float load(
	const float *image, int height, int width, int row, int column)
{
	if (row < 0 || row >= height || column < 0 || column >= width)
		return 0.0f;
#if USE_LDG
	return __ldg(image + (size_t)row * width + column);
#else
	return image[(size_t)row * width + column];
#endif
}

/* no __restrict__: with it the compiler takes the read-only cache unasked */
extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y)
convolution(
	const float *image, const float *filter, float *out, int height, int width)
{
	const int first_row = blockIdx.y * ROWS;
	const int first_column = blockIdx.x * COLUMNS;
	float sums[TILE_Y][TILE_X] = {};

#if FILTER == FILTER_shared
	__shared__ float weights[FILTER_SIZE * FILTER_SIZE];

	for (int i = threadIdx.y * BLOCK_X + threadIdx.x; i < FILTER_SIZE * FILTER_SIZE;
		i += BLOCK_X * BLOCK_Y)
		weights[i] = filter[i];
#define WEIGHT(i, j) weights[(i) * FILTER_SIZE + (j)]
#elif FILTER == FILTER_constant
#define WEIGHT(i, j) filter_constant[(i) * FILTER_SIZE + (j)]
#else
#define WEIGHT(i, j) __ldg(filter + (i) * FILTER_SIZE + (j))
#endif
#if IMAGE == IMAGE_shared
	__shared__ float tile[HALO_ROWS][HALO_COLUMNS + PAD];

	for (int i = threadIdx.y; i < HALO_ROWS; i += BLOCK_Y)
		for (int j = threadIdx.x; j < HALO_COLUMNS; j += BLOCK_X)
			tile[i][j] = load(image, height, width, first_row + i - RADIUS,
				first_column + j - RADIUS);
#define PIXEL(row, column) tile[row][column]
#else
#define PIXEL(row, column) \
	load(image, height, width, first_row + (row) - RADIUS, first_column + (column) - RADIUS)
#endif
#if FILTER == FILTER_shared || IMAGE == IMAGE_shared
	__syncthreads();
#endif
#pragma unroll 1
	for (int i = 0; i < FILTER_SIZE; i++) {
#pragma unroll STEPS
		for (int j = 0; j < FILTER_SIZE; j++) {
			const float weight = WEIGHT(i, j);

#pragma unroll
			for (int y = 0; y < TILE_Y; y++)
#pragma unroll
				for (int x = 0; x < TILE_X; x++)
					sums[y][x] += weight * PIXEL(threadIdx.y + y * BLOCK_Y + i,
						threadIdx.x + x * BLOCK_X + j);
		}
	}
#pragma unroll
	for (int y = 0; y < TILE_Y; y++) {
		const int row = first_row + threadIdx.y + y * BLOCK_Y;

#pragma unroll
		for (int x = 0; x < TILE_X; x++) {
			const int column = first_column + threadIdx.x + x * BLOCK_X;

			if (row < height && column < width)
				out[(size_t)row * width + column] = sums[y][x];
		}
	}
}

/* one pixel after the other, in double; strides over the grid */
extern "C" __global__ void convolution_reference(
	const float *image, const float *filter, float *out, int height, int width)
{
	const size_t count = (size_t)height * width;
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
		const int first_row = (int)(i / width) - RADIUS;
		const int first_column = (int)(i % width) - RADIUS;
		double sum = 0.0;

		for (int j = 0; j < FILTER_SIZE * FILTER_SIZE; j++) {
			const int row = first_row + j / FILTER_SIZE;
			const int column = first_column + j % FILTER_SIZE;

			if (row >= 0 && row < height && column >= 0 && column < width)
				sum += (double)filter[j] * image[(size_t)row * width + column];
		}
		out[i] = (float)sum;
	}
}
