/*
 * C = A B by tiles in shared memory, and the classic mistakes in it. MISTAKE none
 * is sound.
 *
 * Why the barriers are missed in every run. A row of tile_b is written by one warp
 * and read by all 32 of the block. Without the first barrier a warp reads rows whose
 * warps still wait for global memory: in the first tile what lay there before, later
 * the tile before. Without the second one a warp that is ahead fills the next tile
 * while others read this one: a warp whose row lies below the matrix does not multiply,
 * and is ahead by thousands of cycles, several times what its loads take. On a CPU
 * threads take turns at barriers only, so that the first to run meets both.
 *
 * Without the checks rows and columns beyond the edge are written: into the next
 * row, and after the last row behind C. What is read beyond A and B lies in the zones
 * around them, on sizes like those of the space file.
 */
#define TILE 32
#define DEPTH 128

#if MISTAKE == MISTAKE_no_bounds_check
#define INSIDE(condition) true
#else
#define INSIDE(condition) (condition)
#endif

extern "C" __global__ void mutant_product(const float *a, const float *b, float *c, int m, int n,
	int depth)
{
	__shared__ float tile_a[TILE][DEPTH], tile_b[DEPTH][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	float sum = 0.0f;

	for (int first = 0; first < depth; first += DEPTH) {
		for (int k = 0; k < DEPTH; k += TILE) {
			int of_a = first + k + x, of_b = first + k + y;

			tile_a[y][k + x] = INSIDE(row < m && of_a < depth) ?
				a[row * depth + of_a] : 0.0f;
			tile_b[k + y][x] = INSIDE(of_b < depth && column < n) ?
				b[of_b * n + column] : 0.0f;
		}
#if MISTAKE != MISTAKE_no_first_barrier
		__syncthreads();
#endif
		/* a row is a warp's */
		if (INSIDE(row < m))
			for (int k = 0; k < DEPTH; k++)
				sum += tile_a[y][k] * tile_b[k][x];
#if MISTAKE != MISTAKE_no_second_barrier
		__syncthreads();
#endif
	}
	if (INSIDE(row < m && column < n))
		c[row * n + column] = sum;
}

extern "C" __global__ void mutant_product_reference(const float *a, const float *b, float *c,
	int m, int n, int depth)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n;
		i += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int k = 0; k < depth; k++)
			sum += a[i / n * depth + k] * b[k * n + i % n];
		c[i] = sum;
	}
}
