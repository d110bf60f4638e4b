#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

#define CHECK_INPUT(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")

namespace {
template <typename scalar_t>
__device__ __forceinline__ scalar_t sigmoid(scalar_t z) { return 1.0 / (1.0 + exp(-z)); }

template <typename scalar_t, int PER>
__global__ void gate_kernel(scalar_t *__restrict__ out, const scalar_t *__restrict__ x, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x * PER + threadIdx.x;
    for (int p = 0; p < PER; p++)
        if (i + p * blockDim.x < n)
            out[i + p * blockDim.x] = x[i + p * blockDim.x] * sigmoid(x[i + p * blockDim.x]);
}
} // namespace

__global__ void gate_plain(float *out, const float *x, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = x[i] / (1.0f + expf(-x[i]));
}

std::vector<torch::Tensor> gate_cuda_forward(torch::Tensor x, c10::optional<at::Tensor> mask)
{
    CHECK_INPUT(x);
    const at::cuda::OptionalCUDAGuard guard(x.device());
    auto out = torch::empty_like(x);
    const int threads = 256;
    const dim3 blocks((x.numel() + threads - 1) / threads);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gate_forward", ([&] {
        gate_kernel<scalar_t, 1><<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
            out.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(), x.numel());
    }));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return {out};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &gate_cuda_forward, "gate forward (CUDA)");
}
TORCH_LIBRARY_FRAGMENT(extra, m) { m.impl("gate", TORCH_FN(gate_cuda_forward)); }
