/*
 * out = in transposed: row-major in (m x n), out (n x m), any sizes.
 *
 * A block takes a square tile of TILE * TILE floats; its threads cover ROWS rows of
 * it at a time, each thread ELEMENTS columns.
 *
 * METHOD    read: neighbouring threads read neighbouring floats, and store far
 *           apart; write: the other way round; tile: the tile turns in shared
 *           memory, so that both follow memory; padded: the same with a float after
 *           each row, so that a column lies in different banks; swizzled: the same
 *           with each row's columns permuted instead
 * TILE      a power of 2
 * ROWS      of threads; divides TILE
 * ELEMENTS  floats of a thread along a row; divides TILE
 */
#define ACROSS (TILE / ELEMENTS)
#define FLOATS (TILE / ROWS * ELEMENTS)

#if METHOD == METHOD_padded
#define PITCH (TILE + 1)
#else
#define PITCH TILE
#endif

#if METHOD == METHOD_swizzled
#define SLOT(row, column) ((row) * PITCH + ((column) ^ (row)))
#else
#define SLOT(row, column) ((row) * PITCH + (column))
#endif

/* row and column in the tile of this thread's i-th float */
static __device__ __forceinline__ int row_of(int i)
{
	return i / ELEMENTS * ROWS + threadIdx.y;
}

static __device__ __forceinline__ int column_of(int i)
{
	return i % ELEMENTS * ACROSS + threadIdx.x;
}

extern "C" __global__ void __launch_bounds__(ACROSS * ROWS)
transpose(const float *__restrict__ in, float *__restrict__ out, int m, int n)
{
	const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
#if METHOD != METHOD_read && METHOD != METHOD_write
	__shared__ float tile[TILE * PITCH];

#pragma unroll
	for (int i = 0; i < FLOATS; i++) {
		const int r = row_of(i), c = column_of(i);

		if (top + r < m && left + c < n)
			tile[SLOT(r, c)] = in[(size_t)(top + r) * n + left + c];
	}
	__syncthreads();
#endif
#pragma unroll
	for (int i = 0; i < FLOATS; i++) {
#if METHOD == METHOD_read
		const int r = row_of(i), c = column_of(i);
#else
		const int r = column_of(i), c = row_of(i);
#endif

		if (top + r < m && left + c < n)
#if METHOD == METHOD_read || METHOD == METHOD_write
			out[(size_t)(left + c) * m + top + r] =
				in[(size_t)(top + r) * n + left + c];
#else
			out[(size_t)(left + c) * m + top + r] = tile[SLOT(r, c)];
#endif
	}
}

extern "C" __global__ void transpose_reference(const float *in, float *out, int m, int n)
{
	const size_t count = (size_t)m * n;
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
		out[i % n * m + i / n] = in[i];
}
