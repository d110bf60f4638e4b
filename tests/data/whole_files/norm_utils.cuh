#pragma once
#include "norm_common.h"
template <class T> struct alignas(16) Wide {
    static constexpr int count = 16 / sizeof(T);
    __device__ T &at(int i) { return items[i]; }
    T items[count];
};
__device__ inline float all_lanes(float v)
{
    for (int step = 16; step; step /= 2)
        v += __shfl_xor_sync(~0u, v, step);
    return v;
}
void whole_norm(float *out, const float *x, size_t n, cudaStream_t stream);
int most_blocks(const int *wanted, int count)
{
    int most = 0;

    for (int i = 0; i < count; i++)
        most = wanted[i] > most ? wanted[i] : most;
    return most + board.multiProcessorCount;
}
