// Words that gcc gives to nvcc, and a syntax error of the CPU's code ahead of a header.
#include "gnu_host.h"
#include <cuda_fp16.h>

typedef struct {
	__extension__ union {
		struct {
			half low, high;
		} part;
		unsigned all;
	};
} pair;

__global__ void split(half *y, const pair *x)
{
	unsigned lane = 0;
#ifdef __CUDACC_RTC__
	__asm__ volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
#endif
	y[threadIdx.x] = lane ? x[threadIdx.x].part.low : x[threadIdx.x].part.high;
}
