// Templates with a launch switch, a class for timing, a traits class.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                         \
    do {                                                                         \
        cudaError_t status_ = call;                                              \
        if (status_ != cudaSuccess) {                                            \
            fprintf(stderr, "CUDA error (%s:%d): %s\n", __FILE__, __LINE__,      \
                    cudaGetErrorString(status_));                                \
            exit(1);                                                             \
        }                                                                        \
    } while (0)
#define HOST_DEVICE __host__ __device__

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
static const int kMax[] = { 1, 2, 3 };

template <typename T> struct Traits;
template <> struct Traits<float> { static constexpr int vec = 4; using acc = float; };

class GpuTimer {
public:
    GpuTimer() { cudaEventCreate(&start_); cudaEventCreate(&stop_); }
    ~GpuTimer() { cudaEventDestroy(start_); cudaEventDestroy(stop_); }
    void Start() { cudaEventRecord(start_, 0); }
    float Elapsed();
private:
    cudaEvent_t start_, stop_;
    std::unique_ptr<int> owned_{};
};
float GpuTimer::Elapsed() { float ms; cudaEventElapsedTime(&ms, start_, stop_); return ms; }

struct Matrix {
    int rows, cols;
    float *data;
    Matrix(int r, int c) : rows{r}, cols{c} { cudaMalloc(&data, r * c * sizeof(float)); }
    HOST_DEVICE float get(int r, int c) const { return data[r * cols + c]; }
    void print(FILE *f = stdout) const { fprintf(f, "%d", rows); }
    friend std::ostream &operator<<(std::ostream &o, const Matrix &m) { return o << m.rows; }
};

namespace detail {
template <class F> void repeat(int n, F &&f) { for (int i = 0; i < n; i++) f(i); }
HOST_DEVICE inline float relu(float x) { return x > 0 ? x : 0; }
}

template <int BS, int ITEMS>
__global__ void relu_sum(const float *x, float *y, int n)
{
    static_assert(BS % 32 == 0, "whole warps");
    int first = blockIdx.x * BS * ITEMS + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (first + i * BS < n)
            y[first + i * BS] = detail::relu(x[first + i * BS]) + ceil_div(ITEMS, 2) * 0.0f;
}

__global__ void relu_plain(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = detail::relu(x[i]);
}

template <int BS>
void dispatch(int items, const float *x, float *y, int n, cudaStream_t stream = 0)
{
    switch (items) {
    case 1: relu_sum<BS, 1><<<ceil_div(n, BS), BS, 0, stream>>>(x, y, n); break;
    case 2: relu_sum<BS, 2><<<ceil_div(n, BS * 2), BS, 0, stream>>>(x, y, n); break;
    default: throw std::invalid_argument("items");
    }
    CUDA_CHECK(cudaGetLastError());
}

template void dispatch<128>(int, const float *, float *, int, cudaStream_t);


int main()
{
    const int n = 1 << 20;
    auto h = std::make_unique<float[]>(n);
    std::generate_n(h.get(), n, [&] { return 1.0f; });
    GpuTimer timer;
    detail::repeat(3, [&](int i) { dispatch<128>(std::min(i, 2), nullptr, nullptr, n); });
    printf("%f ms\n", timer.Elapsed());
    return 0;
}
