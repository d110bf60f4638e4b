// definitions of the space's parameters, and functions for other devices
#include "parameters.h"
#define BLOCK \
    256
static_assert(BLOCK == 128 && BLOCK_SIZE == 64, "the space's values count");
__device__ float wait_for(float x) { return missing_intrinsic(x); }
template <typename T> __global__ void later(T *x) { x[threadIdx.x] = wait_for(x[threadIdx.x]); missing_group group; }
template <typename T> __global__ void halve(T *x)
{
    if (threadIdx.x < BLOCK) x[threadIdx.x] /= 2;
}
template <typename T> void run(T *x) { halve<T><<<1, BLOCK>>>(x); later<T><<<1, BLOCK>>>(x); }
template void run<float>(float *x);
template void run<double>(double *x);
#undef BLOCK_SIZE
#define BLOCK_SIZE 8
static_assert(BLOCK_SIZE == 8, "the file's own from here on");
