/*
 * C = A + B, single precision, row-major, any sizes: nothing but traffic, so the
 * question is only how it is moved.
 *
 * BLOCK_X, BLOCK_Y  threads of a block
 * PER_THREAD        vectors that a thread adds, BLOCK_Y rows apart
 * VECTOR            floats of a load or store: 1, 2, 4
 * STAGE             both operands go through shared memory first. Nothing is used
 *                   twice, so this should cost; it is here to be measured
 */
struct __align__(4 * VECTOR) pack {
	float at[VECTOR];
};

/* zeros outside the matrix; one load where the rows keep the alignment */
static __device__ __forceinline__ pack load(
	const float *matrix, int rows, int columns, int row, int column)
{
	const float *at = matrix + (size_t)row * columns + column;
	pack value = {};

	if (row < rows && column < columns && columns % VECTOR == 0)
		return *(const pack *)at;
#pragma unroll
	for (int i = 0; i < VECTOR; i++)
		if (row < rows && column + i < columns)
			value.at[i] = at[i];
	return value;
}

static __device__ __forceinline__ void store(
	float *matrix, int rows, int columns, int row, int column, pack value)
{
	float *at = matrix + (size_t)row * columns + column;

	if (row < rows && column < columns && columns % VECTOR == 0) {
		*(pack *)at = value;
		return;
	}
#pragma unroll
	for (int i = 0; i < VECTOR; i++)
		if (row < rows && column + i < columns)
			at[i] = value.at[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y)
matrix_add(const float *__restrict__ a, const float *__restrict__ b,
	float *__restrict__ c, int rows, int columns)
{
#if STAGE
	__shared__ pack a_tile[PER_THREAD][BLOCK_Y][BLOCK_X];
	__shared__ pack b_tile[PER_THREAD][BLOCK_Y][BLOCK_X];
#endif
	const int first_row = blockIdx.y * BLOCK_Y * PER_THREAD + threadIdx.y;
	const int column = (blockIdx.x * BLOCK_X + threadIdx.x) * VECTOR;
	pack left[PER_THREAD], right[PER_THREAD];

#pragma unroll
	for (int j = 0; j < PER_THREAD; j++) {
		left[j] = load(a, rows, columns, first_row + j * BLOCK_Y, column);
		right[j] = load(b, rows, columns, first_row + j * BLOCK_Y, column);
	}
#if STAGE
#pragma unroll
	for (int j = 0; j < PER_THREAD; j++) {
		a_tile[j][threadIdx.y][threadIdx.x] = left[j];
		b_tile[j][threadIdx.y][threadIdx.x] = right[j];
	}
	__syncthreads();
#pragma unroll
	for (int j = 0; j < PER_THREAD; j++) {
		left[j] = a_tile[j][threadIdx.y][threadIdx.x];
		right[j] = b_tile[j][threadIdx.y][threadIdx.x];
	}
#endif
#pragma unroll
	for (int j = 0; j < PER_THREAD; j++) {
#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			left[j].at[i] += right[j].at[i];
		store(c, rows, columns, first_row + j * BLOCK_Y, column, left[j]);
	}
}

extern "C" __global__ void matrix_add_reference(
	const float *a, const float *b, float *c, int rows, int columns)
{
	const size_t count = (size_t)rows * columns;
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
		c[i] = a[i] + b[i];
}
