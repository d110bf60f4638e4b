/*
 * out = in transposed, through a tile; MISTAKE none is sound.
 *
 * Why the barrier is missed in every run: each of the 32 warps reads a column of the
 * tile, to which all 32 have written, and what the others write comes from global
 * memory, each load at its own time. One warp of hundreds of blocks that is ahead
 * of another is enough, and the first is ahead of the last by hundreds of cycles.
 */
#define TILE 32
#define ROWS 32

extern "C" __global__ void mutant_transpose(const float *in, float *out, int m, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;

	/* the sound block has ROWS rows of threads */
	for (int j = threadIdx.y; j < TILE; j += ROWS)
		if (y + j < m && x + threadIdx.x < n)
			tile[j][threadIdx.x] = in[(y + j) * n + x + threadIdx.x];
#if MISTAKE != MISTAKE_no_barrier
	__syncthreads();
#endif
	for (int j = threadIdx.y; j < TILE; j += ROWS)
		if (x + j < n && y + threadIdx.x < m)
			out[(x + j) * m + y + threadIdx.x] = tile[threadIdx.x][j];
}

extern "C" __global__ void mutant_transpose_reference(const float *in, float *out, int m, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n;
		i += gridDim.x * blockDim.x)
		out[i % n * m + i / n] = in[i];
}
