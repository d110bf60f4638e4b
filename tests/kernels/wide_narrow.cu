/* A reference that adds up in half, in bfloat16 and in pairs of half, and kernels that do
   so too, or in float. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define float_sums 1
#define half_sums 2
#if METHOD == half_sums
typedef half sum_type;
#else
typedef float sum_type;
#endif

__device__ float to_float(float a)
{
	return a;
}

__device__ float to_float(__half a)
{
	return __half2float(a);
}

extern "C" __global__ void wide_narrow(const __half *a, const half2 *x, __half *y,
	__nv_bfloat16 *z, half alpha, int rows, int columns)
{
	int row = blockIdx.x * BLOCK + threadIdx.x;
	sum_type sums[2] = { sum_type(0.0f), sum_type(0.0f) };
	float sum;

	if (row >= rows)
		return;
	for (int i = 0; i < columns; i++) {
		half2 pair = x[i / 2];

		sums[i % 2] += sum_type(to_float(a[row * columns + i]) *
			__half2float(i % 2 ? pair.y : pair.x));
	}
	sum = to_float(sums[0]) + to_float(sums[1]);
	y[row] = __float2half(sum * to_float(alpha));
	z[row] = __float2bfloat16(sum);
}

extern "C" __global__ void wide_narrow_reference(const __half *a, const half2 *x, __half *y,
	__nv_bfloat16 *z, half alpha, int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		const half2 *from = reinterpret_cast<const half2 *>(a + row * columns);
		half2 pairs = __float2half2_rn(0.0f);
		half sum = 0.0f, most = __hmax(a[row * columns], __float2half(-1.0f));
		__nv_bfloat16 brain = __float2bfloat16(0.0f);

		for (int i = 0; i < columns / 2; i++) {
			pairs = __hfma2(from[i], x[i], pairs);
			brain = __hadd(brain, __float2bfloat16(__half2float(from[i].x * x[i].x)));
			brain += __nv_bfloat16(__high2float(from[i]) * __high2float(x[i]));
		}
		sum = __hadd(__low2half(pairs), __high2half(pairs));
		if (sum > most && __hlt(sum, most))
			sum = -sum - __habs(most);
		y[row] = sum * alpha;
		z[row] = brain;
	}
}
