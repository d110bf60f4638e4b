// Kernels that test_host.c runs: each uses one part of the dialect.

#include "host_shared.h"

#define TILE 16

extern "C" __global__ void __launch_bounds__(256)
saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] += a * __ldg(x + i);
}

extern "C" __global__ void transpose(const float *in, float *out, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	tile[threadIdx.y][threadIdx.x] = in[y * n + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// The barrier between the two lines is missing; ascending order hides it.
extern "C" __global__ void shift_without_barrier(const float *in, float *out)
{
	__shared__ float row[256];

	row[threadIdx.x] = in[threadIdx.x];
	out[threadIdx.x] = threadIdx.x ? row[threadIdx.x - 1] : 0.0f;
}

// One block adds up; sums[w] is what warp w found.
extern "C" __global__ void reduce_by_shuffles(const double *in, double *sums, int *scanned)
{
	double value = in[threadIdx.x];
	int running = 1, lane = threadIdx.x % warpSize;

	for (int offset = 16; offset > 0; offset /= 2)
		value += __shfl_down_sync(0xffffffffu, value, offset);
	if (lane == 0)
		sums[threadIdx.x / warpSize] = value;
	for (int offset = 1; offset < 8; offset *= 2) {
		int left = __shfl_up_sync(0xffffffffu, running, offset, 8);

		if (lane % 8 >= offset)
			running += left;
	}
	scanned[threadIdx.x] = running;
}

// out has six values a thread.
extern "C" __global__ void warp_functions(long long *out)
{
	unsigned all = 0xffffffffu;
	int lane = threadIdx.x % 32;

	out += 6 * threadIdx.x;
	out[0] = __shfl_xor_sync(all, (long long)lane << 40, 5);
	out[1] = __shfl_sync(all, lane, 3, 8);
	out[2] = __ballot_sync(all, lane % 3 == 0);
	out[3] = 2 * __any_sync(all, lane == 31) + __all_sync(all, lane < 31);
	// each half has its own business
	if (lane < 16)
		out[4] = __shfl_xor_sync(0x0000ffffu, lane, 1);
	else
		out[4] = __ballot_sync(0xffff0000u, 1);
	__syncwarp();
	out[5] = __reduce_add_sync(all, lane);
}

// Of the warp's lanes only those below `first` come to the shuffle.
extern "C" __global__ void shuffle_of_the_rest(int first, int *out)
{
	int lane = threadIdx.x;

	if (lane >= first)
		return;
	out[lane] = __shfl_down_sync(0xffffffffu, lane, 1);
}

// Of the warp's lanes only those below `first` come to the vote, the match and the sum.
extern "C" __global__ void meeting_of_the_rest(int first, unsigned *out)
{
	int all_same;

	if (threadIdx.x >= first)
		return;
	out[0] = __ballot_sync(0xffffffffu, 1);
	out[1] = __match_any_sync(0xffffffffu, first);
	out[2] = __match_all_sync(0xffffffffu, first, &all_same);
	out[3] = __reduce_add_sync(0xffffffffu, 1u);
}

// Eight lanes add up from `step` down: from more than 4 they read lanes beside them.
extern "C" __global__ void sum_of_eight(int step, int *out)
{
	int sum = 1;

	if (threadIdx.x >= 8)
		return;
	for (; step > 0; step /= 2)
		sum += __shfl_down_sync(0x000000ffu, sum, step);
	if (threadIdx.x == 0)
		*out = sum;
}

// out has five values a thread: __CUDA_ARCH__, and whether shared memory is as aligned
// as it asks for.
extern "C" __global__ void architecture_and_alignment(int *out)
{
	__shared__ char odd;
	__shared__ alignas(64) char first[3];
	static __shared__ alignas(
		(alignof(double4))) char second[3];
	extern __shared__ alignas(128) float third[];
	// "__shared__ alignas(8)" in a comment stays one
	alignas(32) __shared__ char fourth[3];

	out += 5 * threadIdx.x;
#if __CUDA_ARCH__ >= 700
	out[0] = __CUDA_ARCH__;
	out[1] = (size_t)first % 64 + odd * 0;
	out[2] = (size_t)second % 16;
	out[3] = (size_t)third % 128;
	out[4] = (size_t)fourth % 32 + 0 * __LINE__;
#endif
}

extern "C" __global__ void lane_outside_its_mask()
{
	__ballot_sync(0x000000ffu, 1);
}

extern "C" __global__ void histogram(const int *in, int n, unsigned *bins, float *total,
	unsigned *ends)
{
	__shared__ unsigned local[64];

	for (int i = threadIdx.x; i < 64; i += blockDim.x)
		local[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		atomicAdd(&local[in[i]], 1u);
		atomicAdd(total, 1.0f);
		atomicMin(&ends[0], (unsigned)i);
		atomicMax(&ends[1], (unsigned)i);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < 64; i += blockDim.x)
		atomicAdd(&bins[i], local[i]);
}

__device__ unsigned arrived;

// The last block to arrive adds up what all have left behind.
extern "C" __global__ void sum_in_last_block(int *parts, int *sum)
{
	__shared__ bool last;

	parts[blockIdx.x] = blockIdx.x + 1;
	__threadfence();
	if (threadIdx.x == 0)
		last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
	__syncthreads();
	if (!last || threadIdx.x)
		return;
	*sum = 0;
	for (unsigned i = 0; i < gridDim.x; i++)
		*sum += parts[i];
}

extern __shared__ double at_file_scope[];

extern "C" __global__ void reverse_doubles(const double *in, double *out)
{
	out[threadIdx.x] = *reverse_in_block(at_file_scope, in[threadIdx.x], blockDim.x);
}

// Both begin at the same address, as on a GPU.
extern "C" __global__ void shared_twice(int *out)
{
	extern __shared__ int first_name[];
	extern __shared__ int second_name[];

	first_name[3] = 77;
	*out = second_name[3];
}

template <int Factor, class T> __global__ void scale(T *data)
{
	__shared__ T rows[Factor][32];

	for (int i = 0; i < Factor; i++)
		rows[i][threadIdx.x] = data[threadIdx.x];
	__syncthreads();
	T sum = 0;
#pragma unroll
	for (int i = 0; i < Factor; i++)
		sum += rows[i][threadIdx.x];
	data[threadIdx.x] = sum;
}

extern "C" __global__ void vectors(const float4 *in, double2 *out, int *sizes)
{
	float4 v = in[threadIdx.x];
	uchar4 bytes = make_uchar4(1, 2, 3, 4);

	out[threadIdx.x] = make_double2(v.x + v.y, v.z + v.w);
	if (threadIdx.x)
		return;
	sizes[0] = 100 * sizeof(float3) + alignof(float3);
	sizes[1] = 100 * sizeof(int2) + alignof(int2);
	sizes[2] = 100 * sizeof(short4) + alignof(short4);
	sizes[3] = 100 * sizeof(double4) + alignof(double4);
	sizes[4] = 100 * sizeof(longlong2) + alignof(longlong2);
	sizes[5] = *reinterpret_cast<int *>(&bytes);
}

// The odd threads leave; what the even ones wrote must be there for all of them.
extern "C" __global__ void leave_early(int *out)
{
	__shared__ int row[256];

	if (threadIdx.x % 2)
		return;
	row[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = row[254 - threadIdx.x];
	__syncthreads();
}

extern "C" __global__ void predicates(int *out)
{
	int x = threadIdx.x;
	int count = __syncthreads_count(x % 4 == 0);
	int every = __syncthreads_and(x < 64) + 2 * __syncthreads_and(x < 63);
	int some = __syncthreads_or(x == 64) + 2 * __syncthreads_or(x == 63);

	out[x] = count * 100 + every * 10 + some;
}

// Every thread of the grid marks its own place with its coordinates.
extern "C" __global__ void places(int *out)
{
	int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

	__syncthreads();
	out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] += 1 +
		threadIdx.x + 100 * threadIdx.y + 1000 * threadIdx.z + 10000 * blockIdx.x +
		100000 * blockIdx.y + 1000000 * blockIdx.z;
}

// A parameter is the thread's own.
extern "C" __global__ void own_parameter(int n, int *out)
{
	n += threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = n;
}

extern "C" __global__ void integers(int *out)
{
	*out++ = __popc(0xf0f0u);
	*out++ = __clz(1) + __clz(0);
	*out++ = __ffs(8) + __ffs(0);
	*out++ = __brev(0x80000001u) == 0x80000001u && __brev(2u) == 0x40000000u;
	*out++ = __mulhi(1 << 30, 8);
	*out++ = __umul24(0x1000003u, 5u);
	*out++ = __mul24(-3, 5);
	*out++ = __byte_perm(0x03020100, 0x07060504, 0x7531) == 0x07050301;
	*out++ = __float_as_int(1.0f) == 0x3f800000;
	*out++ = min(3, 7) + max(-1, 4);
	*out++ = min(5u, -1) == 5 && max(1ll, 2ll) == 2;
	*out++ = (int)(max(1.5f, 2.5) + fminf(1.0f, 2.0f) + sqrt(16.0f) + abs(-0.5f));
	*out++ = __fmaf_rn(2.0f, 3.0f, 4.0f) == 10.0f && rsqrtf(4.0f) == 0.5f;
	*out++ = sizeof(sqrt(1.0f)) + sizeof(pow(1.0, 2.0));
	*out++ = __dp4a(0x01020304, 0x01010101, 5);
	*out++ = atomicCAS(out + 100, 0, 9) + atomicExch(out + 100, 1);
}

extern "C" __global__ void count_launches(int *counter)
{
	atomicAdd(counter, 1);
}

// Sleeps for so long, or else counts far.
extern "C" __attribute__((visibility("default"))) int usleep(unsigned microseconds);
extern "C" __global__ void sleep_or_work(int microseconds)
{
	volatile int count = 0;

	if (microseconds)
		usleep((unsigned)microseconds);
	else
		while (count < 20000000)
			count = count + 1;
}

// A block of one thread: what is in shared memory before anybody wrote there.
extern "C" __global__ void read_unwritten(unsigned *out)
{
	__shared__ unsigned never_written;

	*out = never_written;
	never_written = 1234;
}

extern "C" __global__ void masks_that_differ(void)
{
	__syncwarp(threadIdx.x == 5 ? 0x000000ffu : 0xffffffffu);
}

extern "C" __global__ void split_at_barriers(void)
{
	if (threadIdx.x < 8)
		__syncthreads();
	else
		__shfl_sync(0xffffffffu, 1, 0);
}

__constant__ int table[5];

extern "C" __global__ void looks_up(int *out)
{
	out[threadIdx.x] = table[threadIdx.x];
}
