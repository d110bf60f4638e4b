/* Layer norm with a launcher, helpers in headers of its own, cuBLAS beside it. */
#include <assert.h>
#include <float.h>
#include <cublas_v2.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "norm_common.h"
#include "norm_utils.cuh"

namespace cg = cooperative_groups;
cublasHandle_t blas;
static size_t workspace_bytes = 1 << 25;

void rmsnorm_cpu(float *out, const float *inp, int N, int C) {
    for (int i = 0; i < N; i++) {
        float s = 0.f;
        for (int c = 0; c < C; c++) s += inp[i * C + c] * inp[i * C + c];
        for (int c = 0; c < C; c++) out[i * C + c] = inp[i * C + c] / sqrtf(s / C + 1e-5f);
    }
}

__global__ void rmsnorm_kernel(number* __restrict__ out, const number* __restrict__ inp, int N, int C) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * (BLOCK / 32) + warp.meta_group_rank();
    if (idx >= N) return;
    const number *x = inp + (size_t)idx * C;
    float sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) sum += (float)x[i] * (float)x[i];
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float s = rsqrtf(sum / C + 1e-5f);
    for (int c = warp.thread_rank(); c < C; c += warp.size())
        out[(size_t)idx * C + c] = (number)(s * (float)x[c]);
}

__global__ void rmsnorm_reference(number* out, const number* inp, int N, int C) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        float s = 0.0f;
        for (int c = 0; c < C; c++) s += inp[(size_t)i * C + c] * inp[(size_t)i * C + c];
        for (int c = 0; c < C; c++) out[(size_t)i * C + c] = inp[(size_t)i * C + c] * rsqrtf(s / C + 1e-5f);
    }
}

void rmsnorm_forward(number* out, const number* inp, int N, int C, cudaStream_t stream) {
    Range range("norm", N);
    const int block_size = BLOCK;
    const int grid_size = ROUND_UP_DIV(N * LANES, block_size);
    rmsnorm_kernel<<<grid_size, block_size, 0, stream>>>(out, inp, N, C);
    TRY(cudaGetLastError());
}

void product(float *out, const float *a, const float *b, int m, int n, int k) {
    const float alpha = 1.0f, beta = 0.0f;
    cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a, k, b, k, &beta, out, m);
}

int main(int argc, char **argv) {
    srand(0);
    float *x = (float *)malloc(100);
    int block_sizes[] = {32, 64, 128};
    for (int j = 0; j < sizeof(block_sizes) / sizeof(int); j++) {
        rmsnorm_forward(x, x, 1, 2, 0);
    }
    free(x);
    cublasDestroy(blas);
}
