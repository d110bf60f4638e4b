#ifndef NORM_COMMON_H
#define NORM_COMMON_H
#include <cstdio>
#include <cstdlib>
#include <string>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <cuda_profiler_api.h>
#include <cuda_bf16.h>

extern cudaDeviceProp board;
#define LANES 32U
#define ROUND_UP_DIV(a, b) (((a) + (b) - 1) / (b))
typedef float number;

inline void stop_on_error(cudaError_t code, const char *where, int line)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s\n", where, line, cudaGetErrorString(code));
    exit(1);
};
#define TRY(call) stop_on_error((call), __FILE__, __LINE__)

class Range {
 public:
    Range(const std::string &name, int step)
    {
        nvtxRangePush((name + ':' + std::to_string(step)).c_str());
    }
    ~Range() { nvtxRangePop(); }
};

inline void save(FILE *out, const void *data, size_t bytes, cudaStream_t stream)
{
    void *copy;

    TRY(cudaMallocHost(&copy, bytes));
    TRY(cudaMemcpyAsync(copy, data, bytes, cudaMemcpyDeviceToHost, stream));
    TRY(cudaStreamSynchronize(stream));
    fwrite(copy, 1, bytes, out);
}
#endif
