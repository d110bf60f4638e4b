/*
 * A transpose through shared memory that the launch gives, or that the kernel has; MISTAKE
 * none is sound.
 *
 * static_row_short   the kernel's own tile lacks its last row
 * static_unpadded    the kernel's own tile has no padding, with which its rows are counted
 * dynamic_row_short  the launch asks for a row less
 * dynamic_forgotten  the launch asks for none
 */
#define TILE 32

#if MISTAKE == MISTAKE_static_row_short
#define TILE_ROWS (TILE - 1)
#else
#define TILE_ROWS TILE
#endif

extern "C" __global__ void mutant_tile(const float *in, float *out, int m, int n)
{
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
#if MISTAKE == MISTAKE_static_row_short || MISTAKE == MISTAKE_static_unpadded
	/* volatile: a compiler that sees the end would not go on behind it */
	__shared__ volatile float storage[TILE_ROWS][TILE + (MISTAKE == MISTAKE_static_row_short)];
	volatile float *tile = &storage[0][0];
	int pitch = TILE + 1;
#else
	extern __shared__ float dynamic[];
	volatile float *tile = dynamic;
	int pitch = TILE + 1;
#endif

	for (int j = threadIdx.y; j < TILE; j += 8)
		if (y + j < m && x + threadIdx.x < n)
			tile[j * pitch + threadIdx.x] = in[(y + j) * n + x + threadIdx.x];
	__syncthreads();
	for (int j = threadIdx.y; j < TILE; j += 8)
		if (x + j < n && y + threadIdx.x < m)
			out[(x + j) * m + y + threadIdx.x] = tile[threadIdx.x * pitch + j];
}

extern "C" __global__ void mutant_tile_reference(const float *in, float *out, int m, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n;
		i += gridDim.x * blockDim.x)
		out[i % n * m + i / n] = in[i];
}
