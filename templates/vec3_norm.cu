/*
 * norms[i] = |v[i]| for n vectors of three floats.
 *
 * LAYOUT  packed: x y z x y z, 12 bytes a vector; aligned: 16 bytes, one load;
 *         soa: all x, then all y, then all z; staged: packed, but a block reads its
 *         part in the order of memory and turns it round in shared memory
 * BLOCK   threads of a block
 * UNROLL  vectors of a thread, BLOCK apart: all loads before the stores
 *
 * pitch: floats of one of soa's arrays, at least n.
 */
#define VECTORS (BLOCK * UNROLL)

#if LAYOUT == LAYOUT_aligned
#define AT(i, axis) (4 * (i) + (axis))
#elif LAYOUT == LAYOUT_soa
#define AT(i, axis) ((axis) * pitch + (i))
#else
#define AT(i, axis) (3 * (i) + (axis))
#endif

static __device__ __forceinline__ float3 load(const float *vectors, size_t pitch, size_t i)
{
#if LAYOUT == LAYOUT_aligned
	const float4 v = *(const float4 *)(vectors + AT(i, 0));

	return make_float3(v.x, v.y, v.z);
#else
	return make_float3(vectors[AT(i, 0)], vectors[AT(i, 1)], vectors[AT(i, 2)]);
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK)
vec3_norm(const float *__restrict__ vectors, float *__restrict__ norms, long long n,
	long long pitch)
{
	const size_t first = (size_t)blockIdx.x * VECTORS;
	const int count = n - first < VECTORS ? n - first : VECTORS;
	float3 kept[UNROLL];

#if LAYOUT == LAYOUT_staged
	__shared__ float tile[3 * VECTORS];

#pragma unroll
	for (int j = 0; j < 3 * UNROLL; j++) {
		const int i = j * BLOCK + threadIdx.x;

		if (i < 3 * count)
			tile[i] = vectors[3 * first + i];
	}
	__syncthreads();
#endif
#pragma unroll
	for (int j = 0; j < UNROLL; j++) {
		const int i = j * BLOCK + threadIdx.x;

		if (i < count)
#if LAYOUT == LAYOUT_staged
			kept[j] = load(tile, 0, i);
#else
			kept[j] = load(vectors, pitch, first + i);
#endif
	}
#pragma unroll
	for (int j = 0; j < UNROLL; j++) {
		const int i = j * BLOCK + threadIdx.x;
		const float3 v = kept[j];

		if (i < count)
			norms[first + i] = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
	}
}

extern "C" __global__ void to_layout(const float *packed, float *vectors, long long n,
	long long pitch)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		for (int axis = 0; axis < 3; axis++)
			vectors[AT(i, axis)] = packed[3 * i + axis];
}

extern "C" __global__ void vec3_norm_reference(const float *packed, float *norms, long long n)
{
	const size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
		const double x = packed[3 * i], y = packed[3 * i + 1], z = packed[3 * i + 2];

		norms[i] = (float)sqrt(x * x + y * y + z * z);
	}
}
