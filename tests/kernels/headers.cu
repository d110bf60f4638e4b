// What kernels include: test_host_headers.c runs it on host and holds it to its own sums,
// test_nvrtc_headers.c compiles it for a GPU.
#include <stdint.h>
#include <cstdint>
#include <climits>
#include <cmath>
#include <type_traits>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuComplex.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <mma.h>
#include <cub/cub.cuh>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/atomic>

namespace cg = cooperative_groups;
using namespace nvcuda;

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// ---- conversions ----

extern "C" __global__ void narrow(int n, const float *in, uint16_t *half_bits,
	uint16_t *bfloat_bits, uint8_t *e4m3, uint8_t *e5m2)
{
	int i = INDEX;

	if (i >= n)
		return;
	half_bits[i] = __half_as_ushort(__float2half(in[i]));
	bfloat_bits[i] = __bfloat16_as_ushort(__float2bfloat16(in[i]));
	e4m3[i] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E4M3);
	e5m2[i] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E5M2);
}

extern "C" __global__ void narrow_doubles(int n, const double *in, uint16_t *half_bits,
	uint16_t *bfloat_bits)
{
	int i = INDEX;

	if (i >= n)
		return;
	half_bits[i] = __half_as_ushort(__double2half(in[i]));
	bfloat_bits[i] = __bfloat16_as_ushort(__double2bfloat16(in[i]));
}

// All codes: of 16 bits, and the first 256 of 8.
extern "C" __global__ void widen(float *halves, float *bfloats, float *e4m3, float *e5m2)
{
	int i = INDEX;

	halves[i] = __half2float(__ushort_as_half((unsigned short)i));
	bfloats[i] = __bfloat162float(__ushort_as_bfloat16((unsigned short)i));
	if (i < 256) {
		__nv_fp8_e4m3 a;
		__nv_fp8_e5m2 b;

		a.__x = b.__x = (unsigned char)i;
		e4m3[i] = float(a);
		e5m2[i] = float(b);
	}
}

// out has three a number: toward zero, up, down.
extern "C" __global__ void narrow_otherwise(int n, const float *in, uint16_t *out)
{
	int i = INDEX;

	if (i >= n)
		return;
	out[3 * i] = __half_as_ushort(__float2half_rz(in[i]));
	out[3 * i + 1] = __half_as_ushort(__float2half_ru(in[i]));
	out[3 * i + 2] = __half_as_ushort(__float2half_rd(in[i]));
}

// ---- arithmetic ----

template <class T> __device__ void calculate(const T *in, T *out)
{
	T a = in[0], b = in[1], c = in[2];

	out[0] = a + b;
	out[1] = __hsub(a, b);
	out[2] = a * b;
	out[3] = __hdiv(a, b);
	out[4] = __hfma(a, b, c);
	out[5] = hsqrt(__habs(a));
}

extern "C" __global__ void calculate_half(const __half *in, __half *out)
{
	calculate(in + 3 * INDEX, out + 6 * INDEX);
}

extern "C" __global__ void calculate_bfloat(const __nv_bfloat16 *in, __nv_bfloat16 *out)
{
	calculate(in + 3 * INDEX, out + 6 * INDEX);
}

// What else is used of pairs, comparisons and conversions: each true or false.
extern "C" __global__ void details(int *ok)
{
	__half2 a = __floats2half2_rn(1.5f, -2.0f), b = __half2half2(__float2half(3.0f));
	__half2 sum = __hfma2(a, b, __halves2half2(__int2half_rn(1), half(2)));
	float2 wide = __half22float2(sum);
	__half nan = __ushort_as_half(0x7fff), big = __ushort_as_half(0x7bff);
	__nv_bfloat16 brain(a.x);
	cuComplex z = cuCdivf(make_cuComplex(1, 2), make_cuComplex(3, -4));
	cuda::std::array<float, 2> pair = { { 1, 2 } };
	__nv_fp8x4_e4m3 four(make_float4(1, 2, 1e9f, -4));
	union {
		float4 vector;
		__half halves[8];
	} both;
	int n = 0;

	both.vector = make_float4(0, 0, 0, 0);
	both.halves[1] += 2;
	ok[n++] = __float_as_uint(both.vector.x) == 0x40000000u;
	ok[n++] = wide.x == 5.5f && wide.y == -4.0f;
	ok[n++] = __hbeq2(h2sqrt(__float2half2_rn(4)), __float2half2_rn(2));
	ok[n++] = !(nan == nan) && nan != nan && __hequ(nan, big) && __hisnan(nan);
	ok[n++] = __hisinf(big * big) == 1 && __hmax(nan, big) == big && __hisnan(__hmax_nan(nan, big));
	ok[n++] = __half2int_rn(half(2.5f)) == 2 && __half2int_ru(half(2.25f)) == 3 &&
		__half2short_rz(big) == 32767 && __half2uint_rd(half(-1)) == 0;
	ok[n++] = __half2int_rz(nan) == 0 && __half2ll_rz(nan) == LLONG_MIN;
	ok[n++] = (float)__ll2half_rn(2049) == 2048 && (float)__ll2half_ru(2049) == 2050;
	ok[n++] = (float)brain == 1.5f && __hlt2_mask(a, b) == 0xffffffffu;
	ok[n++] = __low2float(__lowhigh2highlow(a)) == -2 && float(hexp2(half(3))) == 8;
	ok[n++] = (float)__hadd_sat(a.x, b.x) == 1 && (float)__hfma_relu(a.y, b.y, b.y) == 0;
	ok[n++] = fabsf(z.x + .2f) < 1e-6f && fabsf(z.y - .4f) < 1e-6f && cuCabs(make_cuDoubleComplex(3, 4)) == 5;
	ok[n++] = pair[1] == 2 && cuda::std::numeric_limits<float>::max() > 1e38f;
	ok[n++] = float4(four).z == 448 && float4(four).w == -4;
	ok[n++] = sizeof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4 &&
		sizeof(__nv_bfloat162) == 4 && sizeof(__nv_fp8_e4m3) == 1 &&
		sizeof(cuComplex) == 8 && alignof(cuComplex) == 8 &&
		sizeof(cuDoubleComplex) == 16 && alignof(cuDoubleComplex) == 16;
	ok[n++] = std::is_same<half, __half>::value && std::sqrt(4.0f) == 2 && INT64_MAX == LLONG_MAX;
	ok[n++] = (float)atomicAdd(&both.halves[1], half(1)) == 2 && (float)both.halves[1] == 3;
	// intrinsics of CUDA itself
	float sine, cosine;
	sincospif(0.5f, &sine, &cosine);
	ok[n++] = sine == 1.0f && fabsf(cosine) < 1e-6f;
	ok[n++] = fabsf(normcdff(1.0f) - 0.8413447f) < 1e-6f && normcdff(0.0f) == 0.5f;
	ok[n++] = rcbrtf(8.0f) == 0.5f && norm3df(2.0f, 3.0f, 6.0f) == 7.0f;
	ok[n++] = __usad(3u, 10u, 1u) == 8 && __sad(-3, 4, 1u) == 8;
	ok[n++] = __hadd(-3, 2) == -1 && __rhadd(-3, 2) == 0 && __uhadd(5u, 2u) == 3;
	ok[n++] = __funnelshift_lc(1u, 2u, 40u) == 1 && __funnelshift_rc(1u, 2u, 40u) == 2;
	ok[n++] = __hiloint2double(__double2hiint(-1.5), __double2loint(-1.5)) == -1.5;
	ok[n++] = __float2ll_rd(-1.5f) == -2 && __double2uint_rz(3.7) == 3;
	ok[n++] = umin(3u, 4u) == 3 && llmax(-3ll, -4ll) == -3;
	ok[n++] = -1; // the end
}

// ---- cooperative groups ----

// One block; out has eight values a thread.
extern "C" __global__ void groups(int *out)
{
	__shared__ int row[128];
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<8>(block);
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	int rank = block.thread_rank();

	row[rank] = rank;
	block.sync();
	out += 8 * rank;
	out[0] = row[block.size() - 1 - rank];
	out[1] = cg::reduce(tile, rank, cg::plus<int>());
	out[2] = tile.shfl(rank, 2) + 1000 * tile.meta_group_rank();
	out[3] = tile.ballot(rank % 3 == 0);
	out[4] = cg::inclusive_scan(tile, 1) * 100 + cg::exclusive_scan(warp, 2);
	if (rank % 5 < 2) {
		cg::coalesced_group some = cg::coalesced_threads();

		out[5] = some.size() * 100 + some.thread_rank();
		out[6] = some.shfl(rank, 0);
		some.sync();
	} else {
		auto rest = cg::coalesced_threads();

		out[5] = -(int)rest.size();
		out[6] = cg::reduce(rest, 1, cg::plus<int>());
	}
	auto parts = cg::binary_partition(tile, rank & 1);
	out[7] = parts.size() * 10 + parts.thread_rank();
	cg::sync(block);
}

// One block: who is in the same branch, and whose number ends alike.
extern "C" __global__ void masks(unsigned *out)
{
	unsigned rank = threadIdx.x, mask;

	if (rank % 3 == 0)
		mask = __activemask();
	else
		mask = ~__activemask();
	out[2 * rank] = mask;
	out[2 * rank + 1] = __match_any_sync(0xffffffffu, rank % 4);
}

// The barrier between the two lines is one of too few threads.
extern "C" __global__ void groups_without_barrier(int *out)
{
	__shared__ int row[128];
	auto block = cg::this_thread_block();

	row[block.thread_rank()] = block.thread_rank() + 1;
	cg::tiled_partition<2>(block).sync();
	out[block.thread_rank()] = row[127 - block.thread_rank()];
}

// ---- wmma ----

template <int M, int N, int K, class T, class Accumulator, class LayoutA, class LayoutB, class U>
__device__ void multiply(const U *a, int lda, const U *b, int ldb, Accumulator *c)
{
	wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
	wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
	wmma::fragment<wmma::accumulator, M, N, K, Accumulator> sum;

	wmma::load_matrix_sync(sum, c, N, wmma::mem_row_major);
	wmma::load_matrix_sync(left, a, lda);
	wmma::load_matrix_sync(right, b, ldb);
	wmma::mma_sync(sum, left, right, sum);
	for (int i = 0; i < sum.num_elements; i++)
		sum.x[i] = sum.x[i] + sum.x[i];
	wmma::store_matrix_sync(c, sum, N, wmma::mem_row_major);
}

// Matrix a with M rows, b with N columns, c: c = 2 * (a * b + c), a warp each.
#define MULTIPLY(name, M, N, K, T, U, Accumulator) \
	extern "C" __global__ void name(const U *a, const U *b, Accumulator *c) \
	{ \
		c += threadIdx.x / 32 * M * N; \
		if (threadIdx.x < 32) \
			multiply<M, N, K, T, Accumulator, wmma::row_major, wmma::col_major>( \
				a, K, b, K, c); \
		else \
			multiply<M, N, K, T, Accumulator, wmma::col_major, wmma::row_major>( \
				a, M, b, N, c); \
	}
MULTIPLY(halves_16_16, 16, 16, 16, __half, __half, float)
MULTIPLY(halves_32_8, 32, 8, 16, __half, __half, float)
MULTIPLY(halves_8_32, 8, 32, 16, __half, __half, float)
MULTIPLY(bfloats, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float)
MULTIPLY(chars, 16, 16, 16, signed char, signed char, int)
MULTIPLY(floats, 16, 16, 8, wmma::precision::tf32, float, float)
MULTIPLY(doubles, 8, 8, 4, double, double, double)

// The array is a row too short for the matrix.
extern "C" __global__ void stores_too_far(float *out)
{
	__shared__ float tile[15 * 16];
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;

	wmma::fill_fragment(sum, 3.0f);
	wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
	out[threadIdx.x] = tile[threadIdx.x];
}

// ---- CUB and atomics ----

// CUB's own have other names in other versions.
struct Larger {
	__device__ int operator()(int x, int y) const
	{
		return x < y ? y : x;
	}
};

// One block of 128; out has eight values a thread.
extern "C" __global__ void collectives(int *out, int *total)
{
	typedef cub::BlockReduce<int, 128> Reduce;
	typedef cub::BlockScan<int, 128> Scan;
	typedef cub::WarpReduce<int, 16> Few;
	typedef cub::WarpScan<int> Warp;
	typedef cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_STRIPED> Load;
	typedef cub::BlockStore<int, 128, 4> Store;
	__shared__ union {
		Reduce::TempStorage reduce;
		Scan::TempStorage scan;
		// shuffles need none: all warps may share it
		Few::TempStorage few;
		Warp::TempStorage warp;
		Load::TempStorage load;
		Store::TempStorage store;
	} room;
	__shared__ cuda::atomic<int, cuda::thread_scope_block> count;
	int rank = threadIdx.x, sum, inner[4];

	if (rank == 0)
		count = 0;
	sum = Reduce(room.reduce).Sum(rank);
	if (rank == 0)
		total[0] = sum;
	__syncthreads();
	count.fetch_add(2);
	sum = Reduce(room.reduce).Reduce(rank % 100, Larger(), 60);
	if (rank == 0)
		total[1] = sum;
	__syncthreads();
	Scan(room.scan).ExclusiveSum(rank, out[8 * rank]);
	__syncthreads();
	Scan(room.scan).InclusiveScan(rank % 7, out[8 * rank + 1], Larger());
	__syncthreads();
	out[8 * rank + 2] = Few(room.few).Sum(rank);
	__syncthreads();
	Warp(room.warp).InclusiveSum(1, out[8 * rank + 3]);
	for (int i = 0; i < 4; i++)
		inner[i] = 1;
	__syncthreads();
	Scan(room.scan).ExclusiveSum(inner, inner);
	Store(room.store).Store(total + 8, inner);
	__syncthreads();
	Load(room.load).Load(total + 8, inner, 510, -7);
	out[8 * rank + 4] = inner[3];
	cuda::atomic_ref<int, cuda::thread_scope_device>(total[2]).fetch_add(1);
	if (rank == 0)
		total[3] = count;
}
