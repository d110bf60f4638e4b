/*
 * points[i] += step, in place, for n packed points of three floats.
 *
 * METHOD  direct: a thread reads and writes its points, 12 bytes apart; staged: a
 *         block reads and writes its part in the order of memory, and each thread
 *         finds its points in shared memory
 * BLOCK   threads of a block
 * UNROLL  points of a thread, BLOCK apart: all loads before the stores
 */
#define POINTS (BLOCK * UNROLL)

static __device__ __forceinline__ float3 sum(float3 a, float3 b)
{
	return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

/* the first `count` of a block's points, wherever they are */
static __device__ __forceinline__ void add(float3 *points, int count, float3 step)
{
	float3 kept[UNROLL];

#pragma unroll
	for (int j = 0; j < UNROLL; j++)
		if (j * BLOCK + (int)threadIdx.x < count)
			kept[j] = points[j * BLOCK + threadIdx.x];
#pragma unroll
	for (int j = 0; j < UNROLL; j++)
		if (j * BLOCK + (int)threadIdx.x < count)
			points[j * BLOCK + threadIdx.x] = sum(kept[j], step);
}

#if METHOD == METHOD_staged
/* `count` floats in the order of memory */
static __device__ __forceinline__ void move(const float *from, float *to, int count)
{
	float kept[3 * UNROLL];

#pragma unroll
	for (int j = 0; j < 3 * UNROLL; j++)
		if (j * BLOCK + (int)threadIdx.x < count)
			kept[j] = from[j * BLOCK + threadIdx.x];
#pragma unroll
	for (int j = 0; j < 3 * UNROLL; j++)
		if (j * BLOCK + (int)threadIdx.x < count)
			to[j * BLOCK + threadIdx.x] = kept[j];
}
#endif

extern "C" __global__ void __launch_bounds__(BLOCK)
float3_add(float3 *points, long long n, float step_x, float step_y, float step_z)
{
	const long long first = (long long)blockIdx.x * POINTS;
	const int count = n - first < POINTS ? n - first : POINTS;
	const float3 step = make_float3(step_x, step_y, step_z);

	points += first;
#if METHOD == METHOD_staged
	__shared__ float3 tile[POINTS];

	move((const float *)points, (float *)tile, 3 * count);
	__syncthreads();
	add(tile, count, step);
	__syncthreads();
	move((const float *)tile, (float *)points, 3 * count);
#else
	add(points, count, step);
#endif
}

extern "C" __global__ void float3_add_reference(float3 *points, long long n, float step_x,
	float step_y, float step_z)
{
	const long long stride = (long long)gridDim.x * blockDim.x;

	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
		points[i] = sum(points[i], make_float3(step_x, step_y, step_z));
}
