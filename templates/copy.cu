/*
 * out = in: n floats, any n. The blocks stride over the data until none is left.
 *
 * BLOCK     threads of a block
 * ELEMENTS  floats that a thread moves in one pass: all loads before the stores
 * VECTOR    floats of one load and store: 1, 2, 4; divides ELEMENTS
 * USE_LDG   loads through the read-only cache
 *
 * The space alone reads two more: BLOCKS_PER_MULTIPROCESSOR sets the grid, L1 is
 * the compiler's policy for loads, or plain: none is asked for.
 */
#define STEPS (ELEMENTS / VECTOR)

#if VECTOR == 4
typedef float4 vector;
#elif VECTOR == 2
typedef float2 vector;
#else
typedef float vector;
#endif

static __device__ __forceinline__ vector load(const vector *at)
{
#if USE_LDG
	return __ldg(at);
#else
	return *at;
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK)
copy(const float *in, float *out, long long n)
{
	const vector *from = (const vector *)in;
	vector *to = (vector *)out;
	const size_t count = n / VECTOR;
	const size_t stride = (size_t)gridDim.x * BLOCK * STEPS;
	size_t first = (size_t)blockIdx.x * BLOCK * STEPS + threadIdx.x;

	for (; first < count; first += stride) {
		vector kept[STEPS];

#pragma unroll
		for (int j = 0; j < STEPS; j++)
			if (first + j * BLOCK < count)
				kept[j] = load(from + first + j * BLOCK);
#pragma unroll
		for (int j = 0; j < STEPS; j++)
			if (first + j * BLOCK < count)
				to[first + j * BLOCK] = kept[j];
	}
	/* the last floats, where they fill no vector */
	if (blockIdx.x == 0 && count * VECTOR + threadIdx.x < n)
		out[count * VECTOR + threadIdx.x] = in[count * VECTOR + threadIdx.x];
}

extern "C" __global__ void copy_reference(const float *in, float *out, long long n)
{
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
		out[i] = in[i];
}
