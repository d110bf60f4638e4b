/*
 * C = A * B of squares of 4096, as Kernel Tuner's matrix product is tuned: the tile in x
 * is more work for a block, the tile in y more work for a thread, and a block is as wide
 * as its rows are many. Read by autotune (spaces/peer_matmul.cfg) and by Kernel Tuner
 * (kernel_tuner.py): no parameter is defined here.
 */
#define WIDTH 4096

extern "C" __global__ void matmul(float *C, const float *A, const float *B)
{
	__shared__ float a[block_size_y * tile_size_y][block_size_x];
	__shared__ float b[block_size_x][block_size_x * tile_size_x];
	int row = blockIdx.y * block_size_y * tile_size_y + threadIdx.y;
	int column = blockIdx.x * block_size_x * tile_size_x + threadIdx.x;
	float sum[tile_size_y][tile_size_x] = {};

	for (int k = 0; k < WIDTH; k += block_size_x) {
		__syncthreads();
#pragma unroll
		for (int i = 0; i < tile_size_y; i++) {
			int y = threadIdx.y + i * block_size_y;

			a[y][threadIdx.x] = A[(row + i * block_size_y) * WIDTH + k + threadIdx.x];
#pragma unroll
			for (int j = 0; j < tile_size_x; j++)
				b[y][threadIdx.x + j * block_size_x] =
					B[(k + y) * WIDTH + column + j * block_size_x];
		}
		__syncthreads();
#pragma unroll
		for (int l = 0; l < block_size_x; l++)
#pragma unroll
			for (int i = 0; i < tile_size_y; i++)
#pragma unroll
				for (int j = 0; j < tile_size_x; j++)
					sum[i][j] += a[threadIdx.y + i * block_size_y][l] *
						     b[l][threadIdx.x + j * block_size_x];
	}
#pragma unroll
	for (int i = 0; i < tile_size_y; i++)
#pragma unroll
		for (int j = 0; j < tile_size_x; j++)
			C[(row + i * block_size_y) * WIDTH + column + j * block_size_x] = sum[i][j];
}

extern "C" __global__ void matmul_reference(float *C, const float *A, const float *B)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < WIDTH * WIDTH;
		i += gridDim.x * blockDim.x) {
		float sum = 0;

		for (int k = 0; k < WIDTH; k++)
			sum += A[i / WIDTH * WIDTH + k] * B[k * WIDTH + i % WIDTH];
		C[i] = sum;
	}
}
