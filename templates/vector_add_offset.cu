/*
 * Sums of two vectors of n floats where one side lies `offset` floats off:
 * vector_add_offset reads a[i + offset] and b[i + offset], vector_add_offset_write
 * writes c[i + offset]. Where 4 * offset bytes are no multiple of a cache line,
 * every warp touches one line, or one sector of a line, more than it needs.
 *
 * BLOCK    threads of a block
 * UNROLL   sums of a thread, BLOCK apart: all loads before the stores
 * USE_LDG  loads through the read-only cache
 *
 * The space alone reads L1, the compiler's policy for loads, or plain: none is asked
 * for.
 */
static __device__ __forceinline__ float load(const float *at)
{
#if USE_LDG
	return __ldg(at);
#else
	return *at;
#endif
}

static __device__ __forceinline__ void add(const float *a, const float *b, float *c,
	long long n)
{
	const long long first = (long long)blockIdx.x * BLOCK * UNROLL + threadIdx.x;
	float left[UNROLL], right[UNROLL];

#pragma unroll
	for (int j = 0; j < UNROLL; j++)
		if (first + j * BLOCK < n) {
			left[j] = load(a + first + j * BLOCK);
			right[j] = load(b + first + j * BLOCK);
		}
#pragma unroll
	for (int j = 0; j < UNROLL; j++)
		if (first + j * BLOCK < n)
			c[first + j * BLOCK] = left[j] + right[j];
}

extern "C" __global__ void __launch_bounds__(BLOCK)
vector_add_offset(const float *a, const float *b, float *c, long long n, int offset)
{
	add(a + offset, b + offset, c, n);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
vector_add_offset_write(const float *a, const float *b, float *c, long long n, int offset)
{
	add(a, b, c + offset, n);
}

static __device__ void add_plainly(const float *a, const float *b, float *c, long long n)
{
	const long long stride = (long long)gridDim.x * blockDim.x;

	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
		c[i] = a[i] + b[i];
}

extern "C" __global__ void vector_add_offset_reference(const float *a, const float *b,
	float *c, long long n, int offset)
{
	add_plainly(a + offset, b + offset, c, n);
}

extern "C" __global__ void vector_add_offset_write_reference(const float *a, const float *b,
	float *c, long long n, int offset)
{
	add_plainly(a, b, c + offset, n);
}
