/*
 * out = in transposed: row-major in (m x n), out (n x m), any sizes.
 *
 * A block takes a square tile of TILE * TILE floats; its threads cover ROWS rows of
 * it at a time.
 *
 * METHOD    read: neighbouring threads read neighbouring floats, and store far
 *           apart; write: the other way round; tile: the tile turns in shared
 *           memory, so that both follow memory; padded: the same with a float after
 *           each row, so that a column lies in different banks; swizzled: the same
 *           with each row's columns permuted instead
 * TILE      a power of 2
 * ROWS      of threads; divides TILE
 * ELEMENTS  loads of a thread along a row; divides TILE / VECTOR
 * VECTOR    floats of one load and store: 1, 2, 4; more than one only with a tile
 * ORDER     in which the blocks take the tiles: rows: along the rows of the input;
 *           columns: along those of the output, so that what two tiles write of the
 *           same cache line comes together; diagonal: down and across at once, which
 *           spreads both sides over the memory channels
 */
#define ACROSS (TILE / VECTOR / ELEMENTS)
#define VECTORS (TILE / ROWS * ELEMENTS)

#if METHOD == METHOD_padded
#define PITCH (TILE + 1)
#else
#define PITCH TILE
#endif

/* whole vectors change places: a power of 2, as TILE is */
#if METHOD == METHOD_swizzled
#define SLOT(row, column) ((row) * PITCH + ((column) ^ (row) / VECTOR * VECTOR))
#else
#define SLOT(row, column) ((row) * PITCH + (column))
#endif

struct __align__(4 * VECTOR) pack {
	float at[VECTOR];
};

/* row and first column in the tile of this thread's i-th vector */
static __device__ __forceinline__ int row_of(int i)
{
	return i / ELEMENTS * ROWS + threadIdx.y;
}

static __device__ __forceinline__ int column_of(int i)
{
	return (i % ELEMENTS * ACROSS + threadIdx.x) * VECTOR;
}

/* what is inside of the matrix; one load where the rows keep the alignment */
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

/* the block's tile, counted in tiles: x across, y down */
static __device__ __forceinline__ int2 choose(void)
{
#if ORDER == ORDER_rows
	return make_int2(blockIdx.x, blockIdx.y);
#else
	const int turn = blockIdx.y * gridDim.x + blockIdx.x;
	const int x = turn / gridDim.y, y = turn % gridDim.y;

	return make_int2(ORDER == ORDER_diagonal ? (x + y) % gridDim.x : x, y);
#endif
}

extern "C" __global__ void __launch_bounds__(ACROSS * ROWS)
transpose(const float *__restrict__ in, float *__restrict__ out, int m, int n)
{
	const int2 place = choose();
	const int top = place.y * TILE, left = place.x * TILE;

#if METHOD == METHOD_read || METHOD == METHOD_write
#pragma unroll
	for (int i = 0; i < VECTORS; i++) {
		const int r = METHOD == METHOD_read ? row_of(i) : column_of(i);
		const int c = METHOD == METHOD_read ? column_of(i) : row_of(i);

		store(out, n, m, left + c, top + r, load(in, m, n, top + r, left + c));
	}
#else
	extern __shared__ __align__(16) float tile[];
	pack kept[VECTORS];

#pragma unroll
	for (int i = 0; i < VECTORS; i++)
		kept[i] = load(in, m, n, top + row_of(i), left + column_of(i));
#pragma unroll
	for (int i = 0; i < VECTORS; i++) {
		const int r = row_of(i), c = column_of(i);

#if METHOD == METHOD_padded /* its rows are not aligned for vectors */
#pragma unroll
		for (int j = 0; j < VECTOR; j++)
			tile[SLOT(r, c + j)] = kept[i].at[j];
#else
		*(pack *)&tile[SLOT(r, c)] = kept[i];
#endif
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < VECTORS; i++) {
		const int r = column_of(i), c = row_of(i);
		pack value;

#pragma unroll
		for (int j = 0; j < VECTOR; j++)
			value.at[j] = tile[SLOT(r + j, c)];
		store(out, n, m, left + c, top + r, value);
	}
#endif
}

extern "C" __global__ void transpose_reference(const float *in, float *out, int m, int n)
{
	const size_t count = (size_t)m * n;
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
		out[i % n * m + i / n] = in[i];
}
