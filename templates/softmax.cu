/*
 * Softmax over the rows of a matrix: out = exp(in - maximum) / sum of these, of each
 * row for itself. With PARTS above 1 a few long rows occupy the whole device: the kernel
 * softmax_parts has the maximum and the sum of each part of a row, and softmax_rows joins
 * them and writes the result.
 *
 * BLOCK_X         threads of a row, powers of two from a warp up
 * ROWS_PER_BLOCK  rows of a block: blockDim.y
 * VECTOR          floats of a load or store: 1, 2, 4
 * METHOD          three_pass: maximum, then sum, then result, the row read thrice;
 *                 online: maximum and sum in one pass, the sum rescaled whenever the
 *                 maximum grows (Milakov and Gimelshein 2018, "Online normalizer
 *                 calculation for softmax")
 * UNROLL          of the loops along the row
 * USE_LDG         loads through the read-only cache
 * PARTS           parts of a row, each by a block of its own: blockIdx.y. 1: one launch,
 *                 of the kernel softmax
 */
enum { STEPS = UNROLL };

#if VECTOR == 4
typedef float4 vector;
#elif VECTOR == 2
typedef float2 vector;
#else
typedef float vector;
#endif

struct __align__(4 * VECTOR) pack {
	float at[VECTOR];
};

/* a maximum so far, and the sum of exp(value - maximum) */
struct state {
	float maximum, sum;
};

static __device__ __forceinline__ state join(state a, state b)
{
	const float maximum = fmaxf(a.maximum, b.maximum);
	state both = { maximum,
		a.sum * __expf(a.maximum - maximum) + b.sum * __expf(b.maximum - maximum) };

	return both;
}

/* over the threads of a row; every thread gets it */
static __device__ __forceinline__ state join_row(state own)
{
	__shared__ state warps[ROWS_PER_BLOCK][BLOCK_X / 32];

	for (int lanes = 16; lanes > 0; lanes /= 2) {
		state other;

		other.maximum = __shfl_xor_sync(0xffffffffu, own.maximum, lanes);
		other.sum = __shfl_xor_sync(0xffffffffu, own.sum, lanes);
		own = join(own, other);
	}
	if (BLOCK_X == 32)
		return own;
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		warps[threadIdx.y][threadIdx.x / 32] = own;
	__syncthreads();
	own = warps[threadIdx.y][0];
	for (int i = 1; i < BLOCK_X / 32; i++)
		own = join(own, warps[threadIdx.y][i]);
	return own;
}

/* vectors where the rows keep the alignment; behind the end what weighs nothing */
static __device__ __forceinline__ pack load(const float *row, int columns, int column)
{
	pack value;

	if (columns % VECTOR == 0) {
#if USE_LDG
		const vector v = __ldg((const vector *)(row + column));
#else
		const vector v = *(const vector *)(row + column);
#endif
#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			value.at[i] = ((const float *)&v)[i];
		return value;
	}
#pragma unroll
	for (int i = 0; i < VECTOR; i++)
		value.at[i] = column + i < columns ? row[column + i] : -3.0e38f;
	return value;
}

static __device__ __forceinline__ void store(
	float *row, int columns, int column, pack value)
{
	if (columns % VECTOR == 0) {
		*(pack *)(row + column) = value;
		return;
	}
#pragma unroll
	for (int i = 0; i < VECTOR; i++)
		if (column + i < columns)
			row[column + i] = value.at[i];
}

static __device__ __forceinline__ float maximum_of(pack value, float maximum)
{
#pragma unroll
	for (int i = 0; i < VECTOR; i++)
		maximum = fmaxf(maximum, value.at[i]);
	return maximum;
}

/* each value becomes exp(value - maximum); their sum */
static __device__ __forceinline__ float exponentials(pack *value, float maximum)
{
	float sum = 0.0f;

#pragma unroll
	for (int i = 0; i < VECTOR; i++)
		sum += value->at[i] = __expf(value->at[i] - maximum);
	return sum;
}

/* the maximum and the sum of the columns from `begin` to `end`; every thread gets them */
static __device__ __forceinline__ state sum_up(
	const float *row, int columns, int begin, int end)
{
	const int first = begin + threadIdx.x * VECTOR, step = BLOCK_X * VECTOR;
	state own = { -3.0e38f, 0.0f };

#if METHOD == METHOD_online
#pragma unroll STEPS
	for (int column = first; column < end; column += step) {
		pack value = load(row, columns, column);
		const float maximum = maximum_of(value, own.maximum);

		own.sum *= __expf(own.maximum - maximum);
		own.sum += exponentials(&value, maximum);
		own.maximum = maximum;
	}
#else
#pragma unroll STEPS
	for (int column = first; column < end; column += step)
		own.maximum = maximum_of(load(row, columns, column), own.maximum);
	own = join_row(own);
#pragma unroll STEPS
	for (int column = first; column < end; column += step) {
		pack value = load(row, columns, column);

		own.sum += exponentials(&value, own.maximum);
	}
#endif
	return join_row(own);
}

/* the result from `begin` to `end`, by the maximum and the sum of the whole row */
static __device__ __forceinline__ void normalize(
	const float *row, float *to, int columns, int begin, int end, state whole)
{
	const int first = begin + threadIdx.x * VECTOR, step = BLOCK_X * VECTOR;

#pragma unroll STEPS
	for (int column = first; column < end; column += step) {
		pack value = load(row, columns, column);

		exponentials(&value, whole.maximum);
#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			value.at[i] /= whole.sum;
		store(to, columns, column, value);
	}
}

/* no __restrict__: with it the compiler takes the read-only cache unasked */
extern "C" __global__ void __launch_bounds__(BLOCK_X * ROWS_PER_BLOCK)
softmax(const float *in, float *out, int rows, int columns)
{
	const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
	/* a thread without a row comes along to the barriers */
	const int end = row < rows ? columns : 0;
	const float *from = in + (size_t)row * columns;
	const state whole = sum_up(from, columns, 0, end);

	normalize(from, out + (size_t)row * columns, columns, 0, end, whole);
}

/* where a part of a row begins, at whole vectors; a part may be empty */
static __device__ __forceinline__ int begin_of(int part, int columns)
{
	const int vectors = (columns + VECTOR - 1) / VECTOR;

	return min((int)((long long)vectors * part / PARTS) * VECTOR, columns);
}

/* states: PARTS for each row, its maximum and its sum; ROWS_PER_BLOCK is 1 */
extern "C" __global__ void __launch_bounds__(BLOCK_X)
softmax_parts(const float *in, float2 *states, int rows, int columns)
{
	const int row = blockIdx.x, part = blockIdx.y;
	const state own = sum_up(in + (size_t)row * columns, columns,
		begin_of(part, columns), begin_of(part + 1, columns));

	if (threadIdx.x == 0)
		states[(size_t)row * PARTS + part] = make_float2(own.maximum, own.sum);
}

extern "C" __global__ void __launch_bounds__(BLOCK_X)
softmax_rows(const float *in, const float2 *states, float *out, int rows, int columns)
{
	const int row = blockIdx.x, part = blockIdx.y;
	state own = { -3.0e38f, 0.0f };

	for (int i = threadIdx.x; i < PARTS; i += BLOCK_X) {
		const float2 other = states[(size_t)row * PARTS + i];

		own = join(own, state{ other.x, other.y });
	}
	own = join_row(own);
	normalize(in + (size_t)row * columns, out + (size_t)row * columns, columns,
		begin_of(part, columns), begin_of(part + 1, columns), own);
}

/* in double, a row a block of 256 threads; strides over the grid */
extern "C" __global__ void softmax_reference(
	const float *in, float *out, int rows, int columns)
{
	__shared__ float maxima[256];
	__shared__ double sums[256];
	const int thread = threadIdx.x;

	for (int i = blockIdx.x; i < rows; i += gridDim.x) {
		const float *row = in + (size_t)i * columns;
		float maximum = row[0];
		double sum = 0.0;

		for (int j = thread; j < columns; j += 256)
			maximum = fmaxf(maximum, row[j]);
		maxima[thread] = maximum;
		__syncthreads();
		for (int j = 0; j < 256; j++)
			maximum = fmaxf(maximum, maxima[j]);
		for (int j = thread; j < columns; j += 256)
			sum += exp((double)row[j] - maximum);
		sums[thread] = sum;
		__syncthreads();
		sum = 0.0;
		for (int j = 0; j < 256; j++)
			sum += sums[j];
		for (int j = thread; j < columns; j += 256)
			out[(size_t)i * columns + j] = (float)(exp((double)row[j] - maximum) / sum);
		/* another row overwrites both */
		__syncthreads();
	}
}
