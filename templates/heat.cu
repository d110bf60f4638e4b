/*
 * A plate of height x width points that exchange heat with their four neighbours, in many steps of
 * time; outside the plate all is zero. A launch makes STEPS of them: a block loads a region, makes
 * the steps in registers and shared memory, and stores the part that no missing neighbour reached.
 *
 * STEPS             steps of a launch: the border of a region that is not stored
 * BLOCK_X, BLOCK_Y  threads of a block; a region has BLOCK_X columns
 * ROWS              rows of a thread, below each other; a region has BLOCK_Y * ROWS
 * RESIDENT          blocks of a multiprocessor that the compiler must leave registers for
 */
enum { HEIGHT = BLOCK_Y * ROWS };

/* the new heat of a point */
static __device__ __forceinline__ float exchange(float own, float up, float down, float left,
	float right)
{
	return 0.5f * own + 0.125f * (up + down + left + right);
}

template <int COUNT>
static __device__ __forceinline__ void advance(const float *from, float *to, int height, int width)
{
	/* a column and a row on either side, so that no neighbour lies outside */
	__shared__ float shared[2][HEIGHT + 2][BLOCK_X + 2];
	const int x = blockIdx.x * (BLOCK_X - 2 * COUNT) - COUNT + threadIdx.x;
	const int y = blockIdx.y * (HEIGHT - 2 * COUNT) - COUNT + threadIdx.y * ROWS;
	const int column = threadIdx.x + 1, row = threadIdx.y * ROWS + 1;
	float own[ROWS];

	for (int i = threadIdx.y * BLOCK_X + threadIdx.x; i < HEIGHT + 2; i += BLOCK_X * BLOCK_Y)
		for (int side = 0; side < 2; side++)
			shared[side][i][0] = shared[side][i][BLOCK_X + 1] = 0.0f;
	for (int side = 0; side < 2 && threadIdx.y == 0; side++)
		shared[side][0][column] = shared[side][HEIGHT + 1][column] = 0.0f;
#pragma unroll
	for (int i = 0; i < ROWS; i++) {
		const bool inside = x >= 0 && x < width && y + i >= 0 && y + i < height;

		own[i] = inside ? from[(size_t)(y + i) * width + x] : 0.0f;
	}
	for (int step = 0; step < COUNT; step++) {
		float (*const now)[BLOCK_X + 2] = shared[step % 2];

#pragma unroll
		for (int i = 0; i < ROWS; i++)
			now[row + i][column] = own[i];
		/* one barrier is enough: the next step writes the other half */
		__syncthreads();
		float up = now[row - 1][column];

#pragma unroll
		for (int i = 0; i < ROWS; i++) {
			const bool inside = x >= 0 && x < width && y + i >= 0 && y + i < height;
			const float before = own[i];
			const float down = i + 1 < ROWS ? own[i + 1] : now[row + ROWS][column];

			own[i] = exchange(before, up, down, now[row + i][column - 1],
				now[row + i][column + 1]);
			own[i] = inside ? own[i] : 0.0f;
			up = before;
		}
	}
	if (threadIdx.x < COUNT || threadIdx.x >= BLOCK_X - COUNT || x >= width)
		return;
#pragma unroll
	for (int i = 0; i < ROWS; i++)
		if (row + i > COUNT && row + i <= HEIGHT - COUNT && y + i < height)
			to[(size_t)(y + i) * width + x] = own[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y, RESIDENT)
heat(const float *from, float *to, int height, int width)
{
	advance<STEPS>(from, to, height, width);
}

/* for the steps that are left */
extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y, RESIDENT)
heat_once(const float *from, float *to, int height, int width)
{
	advance<1>(from, to, height, width);
}

/* one block, so that all threads are in the same step; plates a and b in turns, the result in a */
extern "C" __global__ void heat_reference(float *a, float *b, int height, int width, int steps)
{
	const int count = height * width;

	for (int step = 0; step < steps; step++) {
		const float *from = step % 2 ? b : a;
		float *to = step % 2 ? a : b;

		for (int i = threadIdx.x; i < count; i += blockDim.x) {
			const int x = i % width;

			to[i] = exchange(from[i], i < width ? 0 : from[i - width],
				i >= count - width ? 0 : from[i + width], x == 0 ? 0 : from[i - 1],
				x == width - 1 ? 0 : from[i + 1]);
		}
		__syncthreads();
	}
	for (int i = threadIdx.x; steps % 2 && i < count; i += blockDim.x)
		a[i] = b[i];
}
