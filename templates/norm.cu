/*
 * Norms of the rows of a matrix in bfloat16, computed in float. With LAYER (a compiler option of the
 * space) layer norm: (in - mean) / sqrt(variance + epsilon) * weight + bias; else RMS norm:
 * in / sqrt(mean of squares + epsilon) * weight, and bias is not read.
 *
 * BLOCK_X         threads of a row, powers of two from a warp up
 * ROWS_PER_BLOCK  rows of a block: blockDim.y
 * VECTOR          values of a load or store: 1, 2, 4, 8
 * METHOD          where a row stays between its sums and its result: memory (it is read again, from
 *                 the cache), registers, shared; or launches: norm_sums computes the sums of all
 *                 rows before, in a launch of its own
 * HELD            vectors that a thread holds in registers
 */
#include <cuda_bf16.h>

enum { STEP = BLOCK_X * VECTOR };

struct __align__(2 * VECTOR) pack {
	__nv_bfloat16 at[VECTOR];
};

/* WHOLE: rows are of whole vectors; else values are loaded and stored one by one */
template <bool WHOLE>
static __device__ __forceinline__ pack load(const __nv_bfloat16 *row, int columns, int column)
{
	pack values = {};

	if (WHOLE)
		return *(const pack *)(row + column);
	for (int i = 0; i < VECTOR; i++)
		if (column + i < columns)
			values.at[i] = row[column + i];
	return values;
}

template <bool WHOLE>
static __device__ __forceinline__ void store(__nv_bfloat16 *row, int columns, int column, pack values)
{
	if (WHOLE) {
		*(pack *)(row + column) = values;
		return;
	}
	for (int i = 0; i < VECTOR; i++)
		if (column + i < columns)
			row[column + i] = values.at[i];
}

/* calls f with the number and the column of each vector of this thread */
template <typename F> static __device__ __forceinline__ void each_vector(int end, const F &f)
{
#if METHOD == METHOD_registers
#pragma unroll
	for (int j = 0; j < HELD; j++)
		if (threadIdx.x * VECTOR + j * STEP < end)
			f(j, threadIdx.x * VECTOR + j * STEP);
#else
#pragma unroll 4
	for (int j = 0; threadIdx.x * VECTOR + j * STEP < end; j++)
		f(j, threadIdx.x * VECTOR + j * STEP);
#endif
}

/* over the threads of a row; every thread gets it */
static __device__ __forceinline__ float2 add_row(float2 sums)
{
	__shared__ float2 warps[ROWS_PER_BLOCK][BLOCK_X / 32];

	for (int lanes = 16; lanes > 0; lanes /= 2) {
		sums.x += __shfl_xor_sync(0xffffffffu, sums.x, lanes);
		sums.y += __shfl_xor_sync(0xffffffffu, sums.y, lanes);
	}
	if (BLOCK_X == 32)
		return sums;
	if (threadIdx.x % 32 == 0)
		warps[threadIdx.y][threadIdx.x / 32] = sums;
	__syncthreads();
	sums = warps[threadIdx.y][0];
	for (int i = 1; i < BLOCK_X / 32; i++) {
		sums.x += warps[threadIdx.y][i].x;
		sums.y += warps[threadIdx.y][i].y;
	}
	return sums;
}

/*
 * What is taken from each value of a row, and what the rest is multiplied by. keep gets the vectors.
 * Sums are of values less the first: a large mean does not take their digits.
 */
template <bool WHOLE, typename F>
static __device__ __forceinline__ float2 sum_row(const __nv_bfloat16 *row,
	int columns, int end, float epsilon, const F &keep)
{
	const float first = LAYER && end > 0 ? __bfloat162float(row[0]) : 0.0f;
	float2 sums = make_float2(0.0f, 0.0f);

	each_vector(end, [&](int j, int column) {
		const pack values = load<WHOLE>(row, columns, column);

#pragma unroll
		for (int i = 0; i < VECTOR; i++) {
			const bool inside = WHOLE || column + i < columns;
			const float value = inside ? __bfloat162float(values.at[i]) - first : 0.0f;

			sums.x += value;
			sums.y += value * value;
		}
		keep(j, values);
	});
	sums = add_row(sums);
	const float mean = LAYER ? sums.x / columns : 0.0f;

	return make_float2(first + mean,
		rsqrtf(fmaxf(sums.y / columns - mean * mean, 0.0f) + epsilon));
}

/* a thread without a row comes along to the barriers */
static __device__ __forceinline__ int end_of(int row, int rows, int columns)
{
	return row < rows ? columns : 0;
}

extern "C" __global__ void __launch_bounds__(BLOCK_X * ROWS_PER_BLOCK)
norm_sums(const __nv_bfloat16 *in, float2 *sums, float epsilon, int rows, int columns)
{
	const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y, end = end_of(row, rows, columns);
	const __nv_bfloat16 *from = in + (size_t)row * columns;
	const auto keep = [](int, const pack &) {};
	const float2 own = columns % VECTOR == 0 ? sum_row<true>(from, columns, end, epsilon, keep)
						 : sum_row<false>(from, columns, end, epsilon, keep);

	if (threadIdx.x == 0 && row < rows)
		sums[row] = own;
}

template <bool WHOLE>
static __device__ __forceinline__ void norm_row(const __nv_bfloat16 *from,
	const __nv_bfloat16 *weight, const __nv_bfloat16 *bias, __nv_bfloat16 *to, const float2 *sums,
	float epsilon, int columns, int end)
{
#if METHOD == METHOD_registers
	pack held[HELD];
#define HELD_AT(j) held[j]
#elif METHOD == METHOD_shared
	extern __shared__ pack shared[];
	pack *held = shared + threadIdx.y * ((columns + STEP - 1) / STEP * BLOCK_X) + threadIdx.x;
#define HELD_AT(j) held[(j) * BLOCK_X]
#endif
#if METHOD == METHOD_launches
	const float2 own = end > 0 ? *sums : make_float2(0.0f, 0.0f);
#elif METHOD == METHOD_memory
	const float2 own = sum_row<WHOLE>(from, columns, end, epsilon, [](int, const pack &) {});
#else
	const float2 own = sum_row<WHOLE>(from, columns, end, epsilon,
		[&](int j, const pack &values) { HELD_AT(j) = values; });
#endif
	each_vector(end, [&](int j, int column) {
#ifdef HELD_AT
		pack values = HELD_AT(j);
#else
		pack values = load<WHOLE>(from, columns, column);
#endif
		const pack weights = load<WHOLE>(weight, columns, column);
		const pack biases = LAYER ? load<WHOLE>(bias, columns, column) : pack();

#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			values.at[i] = __float2bfloat16((__bfloat162float(values.at[i]) - own.x) * own.y *
				__bfloat162float(weights.at[i]) + __bfloat162float(biases.at[i]));
		store<WHOLE>(to, columns, column, values);
	});
}

extern "C" __global__ void __launch_bounds__(BLOCK_X * ROWS_PER_BLOCK)
norm_rows(const __nv_bfloat16 *__restrict__ in, const __nv_bfloat16 *__restrict__ weight,
	const __nv_bfloat16 *__restrict__ bias, __nv_bfloat16 *__restrict__ out, const float2 *sums,
	float epsilon, int rows, int columns)
{
	const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y, end = end_of(row, rows, columns);
	const __nv_bfloat16 *from = in + (size_t)row * columns;
	__nv_bfloat16 *to = out + (size_t)row * columns;

	if (columns % VECTOR == 0)
		norm_row<true>(from, weight, bias, to, sums + row, epsilon, columns, end);
	else
		norm_row<false>(from, weight, bias, to, sums + row, epsilon, columns, end);
}

/* in double; one thread a row, strides over the grid */
extern "C" __global__ void norm_reference(const __nv_bfloat16 *in, const __nv_bfloat16 *weight,
	const __nv_bfloat16 *bias, __nv_bfloat16 *out, float epsilon, int rows, int columns)
{
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += stride) {
		const __nv_bfloat16 *row = in + i * columns;
		double mean = 0.0, variance = 0.0;

		for (int j = 0; j < columns && LAYER; j++)
			mean += (double)__bfloat162float(row[j]) / columns;
		for (int j = 0; j < columns; j++) {
			const double value = __bfloat162float(row[j]) - mean;

			variance += value * value / columns;
		}
		for (int j = 0; j < columns; j++) {
			const double value = (__bfloat162float(row[j]) - mean) / sqrt(variance + epsilon);

			out[i * columns + j] = __float2bfloat16((float)(value * __bfloat162float(weight[j]) +
				(LAYER ? __bfloat162float(bias[j]) : 0.0f)));
		}
	}
}
