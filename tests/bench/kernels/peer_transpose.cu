/*
 * The transpose of a square of 8192 with the choices that KTT's small transpose has:
 * blocks, rows of a tile, vectors, a stage in shared memory and its padding, a hint for
 * the cache. Read by autotune (spaces/peer_transpose.cfg) and by Kernel Tuner
 * (kernel_tuner.py): no parameter is defined here.
 */
#define SIDE 8192

#if VECTOR == 1
typedef float vector;
#elif VECTOR == 2
typedef float2 vector;
#else
typedef float4 vector;
#endif

#if PREFETCH
#define FETCH(address) asm volatile("prefetch.global.L2 [%0];" ::"l"(address))
#else
#define FETCH(address)
#endif

#if STAGED
extern "C" __global__ void transpose(float *output, const float *input)
{
	__shared__ float tile[TILE_Y][BLOCK_X + PAD];
	int first = threadIdx.y * BLOCK_X + threadIdx.x;
	int left = blockIdx.x * BLOCK_X, top = blockIdx.y * TILE_Y;

	for (int y = threadIdx.y; y < TILE_Y; y += BLOCK_Y)
		tile[y][threadIdx.x] = input[(top + y) * SIDE + left + threadIdx.x];
	__syncthreads();
	for (int x = first / TILE_Y; x < BLOCK_X; x += BLOCK_X * BLOCK_Y / TILE_Y)
		output[(left + x) * SIDE + top + first % TILE_Y] = tile[first % TILE_Y][x];
}
#else
extern "C" __global__ void transpose(float *output, const float *input)
{
	int x = (blockIdx.x * BLOCK_X + threadIdx.x) * VECTOR;
	int top = blockIdx.y * TILE_Y;

	for (int y = top + threadIdx.y; y < top + TILE_Y; y += BLOCK_Y) {
		const float *from = &input[y * SIDE + x];
		vector values = *(const vector *)from;
		const float *each = (const float *)&values;

		if (y + BLOCK_Y < top + TILE_Y)
			FETCH(from + BLOCK_Y * SIDE);
#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			output[(x + i) * SIDE + y] = each[i];
	}
}
#endif

extern "C" __global__ void transpose_reference(float *output, const float *input)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < SIDE * SIDE;
		i += gridDim.x * blockDim.x)
		output[i % SIDE * SIDE + i / SIDE] = input[i];
}
