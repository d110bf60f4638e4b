// What kernels include of cuRAND, CUB, libcu++'s barriers and pipelines:
// test_host_intrinsics.c runs it on host, test_nvrtc_headers.c compiles it for a GPU.
#include <curand_kernel.h>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// barriers in shared memory have constructors, and init()
#pragma nv_diag_suppress static_var_with_dynamic_init

// ---- random numbers ----

extern "C" __global__ void numbers(unsigned *out, double *real)
{
	curandStatePhilox4_32_10_t philox;
	curandState_t xorwow;

	curand_init(0, 0, 0, &philox);
	for (int i = 0; i < 4; i++)
		*out++ = curand(&philox);
	/* the counter counts fours */
	curand_init(0x299f31d0a4093822ull, 0x0370734413198a2eull, 0, &philox);
	for (int i = 0; i < 4; i++)
		skipahead(0x85a308d3243f6a88ull, &philox);
	uint4 four = curand4(&philox);
	*out++ = four.x;
	*out++ = four.y;
	*out++ = four.z;
	*out++ = four.w;
	curand_init(1234, 5, 7, &philox);
	for (int i = 0; i < 6; i++)
		*out++ = curand(&philox);
	for (int i = 0; i < 3; i++) {
		curand_init(1234, i == 2 ? 0x100000005ull : i, i == 1 ? 1000003 : 0, &xorwow);
		for (int j = 0; j < 4; j++)
			*out++ = curand(&xorwow);
	}
	curand_init(1234, 5, 7, &philox);
	*real++ = curand_uniform(&philox);
	*real++ = curand_uniform_double(&philox);
	double2 two = curand_uniform2_double(&philox);
	*real++ = two.x;
	*real++ = two.y;
	curand_init(1234, 0, 0, &xorwow);
	*real++ = curand_uniform(&xorwow);
	*real++ = curand_uniform_double(&xorwow);
	curand_init(1234, 5, 7, &philox);
	*real++ = curand_normal(&philox);
	*real++ = curand_normal(&philox);
	*real++ = curand_normal_double(&philox);
	*real++ = curand_normal4(&philox).w;
	*real++ = curand_log_normal(&philox, 0.5f, 0.25f);
}

// ---- orders ----

struct Larger {
	__device__ bool operator()(float x, float y) const { return x > y; }
};

extern "C" __global__ void sorted(const float *keys, float *out, unsigned *places, unsigned *merged)
{
	typedef cub::BlockRadixSort<float, 64, 5, unsigned> Radix;
	typedef cub::BlockMergeSort<float, 64, 5, unsigned> Merge;
	__shared__ union {
		Radix::TempStorage radix;
		Merge::TempStorage merge;
	} room;
	float key[5];
	unsigned place[5];

	cub::LoadDirectBlocked(threadIdx.x, keys, key);
	for (int i = 0; i < 5; i++)
		place[i] = 5 * threadIdx.x + i;
	Radix(room.radix).SortBlockedToStriped(key, place);
	cub::StoreDirectStriped<64>(threadIdx.x, out, key);
	cub::StoreDirectStriped<64>(threadIdx.x, places, place, 64 * 5);
	__syncthreads();
	cub::LoadDirectBlocked(threadIdx.x, keys, key);
	for (int i = 0; i < 5; i++)
		place[i] = 5 * threadIdx.x + i;
	Merge(room.merge).Sort(key, place, Larger());
	cub::StoreDirectBlocked(threadIdx.x, merged, place);
}

extern "C" __global__ void sorted_halves(const float *keys, float *out)
{
	typedef cub::BlockRadixSort<__half, 64, 5> Radix;
	__shared__ Radix::TempStorage room;
	__half key[5];

	for (int i = 0; i < 5; i++)
		key[i] = __float2half(keys[5 * threadIdx.x + i]);
	Radix(room).SortDescending(key);
	for (int i = 0; i < 5; i++)
		out[5 * threadIdx.x + i] = __half2float(key[i]);
}

struct Differs {
	__device__ bool operator()(int x, int y) const { return x != y; }
};

extern "C" __global__ void moved(int *out, int *bins, int *heads, int *shifted)
{
	typedef cub::BlockExchange<int, 64, 3> Exchange;
	typedef cub::BlockHistogram<unsigned char, 64, 3, 8, cub::BLOCK_HISTO_ATOMIC> Histogram;
	typedef cub::BlockDiscontinuity<int, 64> Discontinuity;
	typedef cub::BlockShuffle<int, 64> Shuffle;
	__shared__ Exchange::TempStorage exchange;
	__shared__ Histogram::TempStorage histogram;
	__shared__ Discontinuity::TempStorage discontinuity;
	__shared__ Shuffle::TempStorage shuffle;
	__shared__ int counts[8];
	int rank = threadIdx.x, items[3], flags[3], other;
	unsigned char values[3];

	for (int i = 0; i < 3; i++)
		items[i] = i * 64 + rank;
	Exchange(exchange).StripedToBlocked(items, items);
	for (int i = 0; i < 3; i++) {
		out[3 * rank + i] = items[i];
		values[i] = (unsigned char)(items[i] % 8);
		items[i] /= 7;
	}
	Histogram(histogram).Histogram(values, counts);
	Discontinuity(discontinuity).FlagHeads(flags, items, Differs());
	for (int i = 0; i < 3; i++)
		heads[3 * rank + i] = flags[i];
	Shuffle(shuffle).Rotate(rank, other, 5);
	shifted[rank] = other;
	__syncthreads();
	if (rank < 8)
		bins[rank] = counts[rank];
}

// ---- barriers ----

typedef cuda::barrier<cuda::thread_scope_block> barrier;

extern "C" __global__ void barriers(const int *in, int *out, int n)
{
	__shared__ barrier ready, done;
	__shared__ int tile[96];
	auto block = cg::this_thread_block();
	int rank = threadIdx.x;

	if (rank == 0) {
		init(&ready, block.size());
		init(&done, block.size());
	}
	block.sync();
	for (int first = blockIdx.x * 96; first < n; first += gridDim.x * 96) {
		int count = min(96, n - first);

		if (first / 96 % 4 < 2) {
			cuda::memcpy_async(block, tile, in + first, sizeof(int) * count, ready);
			ready.arrive_and_wait();
		} else {
			if (rank < count)
				tile[rank] = in[first + rank];
			barrier::arrival_token token = ready.arrive();
			ready.wait(static_cast<barrier::arrival_token &&>(token));
		}
		if (rank < count)
			out[first + rank] = tile[count - 1 - rank];
		done.arrive_and_wait();
	}
}

/* One half makes, the other takes: neither meets the whole block. */
extern "C" __global__ void barriers_by_halves(int *out)
{
	__shared__ barrier full, empty;
	__shared__ int tile[48];
	int rank = threadIdx.x, sum = 0;

	if (rank == 0) {
		init(&full, 96);
		init(&empty, 96);
	}
	__syncthreads();
	for (int round = 0; round < 3; round++) {
		if (rank >= 48) {
			if (round)
				empty.wait_parity((round - 1) & 1);
			(void)empty.arrive();
			tile[rank - 48] = rank - 48 + 30 * round;
			(void)full.arrive();
		} else {
			full.wait(full.arrive());
			sum += tile[47 - rank];
			(void)empty.arrive();
		}
	}
	if (rank < 48)
		out[rank] = sum;
}

// ---- pipelines ----

extern "C" __global__ void staged(const float *in, float *out, int n)
{
	__shared__ float tile[3][64];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
	auto block = cg::this_thread_block();
	auto pipeline = cuda::make_pipeline(block, &state);
	int step = gridDim.x * 64, next = blockIdx.x * 64, made = 0, taken = 0;

	for (int first = next; first < n; first += step, taken++) {
		for (; next < n && made < taken + 3; next += step, made++) {
			pipeline.producer_acquire();
			cuda::memcpy_async(block, tile[made % 3], in + next,
				sizeof(float) * min(64, n - next), pipeline);
			pipeline.producer_commit();
		}
		pipeline.consumer_wait();
		if (first + (int)threadIdx.x < n)
			out[first + threadIdx.x] = tile[taken % 3][threadIdx.x] + tile[taken % 3][0];
		pipeline.consumer_release();
	}
}

/* The second warp fetches what the first one uses. */
extern "C" __global__ void producers(const float *in, float *out, int n)
{
	__shared__ float tile[2][64];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
	auto block = cg::this_thread_block();
	bool makes = threadIdx.x >= 32;
	auto pipeline = cuda::make_pipeline(
		block, &state, makes ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
	int step = gridDim.x * 64, turn = 0;

	for (int first = blockIdx.x * 64; first < n; first += step, turn++) {
		if (makes) {
			pipeline.producer_acquire();
			for (int i = threadIdx.x - 32; i < 64 && first + i < n; i += 32)
				cuda::memcpy_async(&tile[turn % 2][i], in + first + i, sizeof(float), pipeline);
			pipeline.producer_commit();
		} else {
			pipeline.consumer_wait();
			for (int i = threadIdx.x; i < 64 && first + i < n; i += 32)
				out[first + i] = tile[turn % 2][i] + tile[turn % 2][0];
			pipeline.consumer_release();
		}
	}
}

extern "C" __global__ void copied(const float *in, float *out, int n)
{
	__shared__ float tile[64];

	for (int first = blockIdx.x * 64; first < n; first += gridDim.x * 64) {
		if (first + (int)threadIdx.x < n)
			__pipeline_memcpy_async(&tile[threadIdx.x], in + first + threadIdx.x, sizeof(float));
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncthreads();
		if (first + (int)threadIdx.x < n)
			out[first + threadIdx.x] = tile[threadIdx.x] + tile[0];
		__syncthreads();
	}
}
