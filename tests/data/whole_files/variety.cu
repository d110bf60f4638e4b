// Many kinds of declarations, static_assert on the host, thrust, lambdas.
#include <cassert>
#include <iostream>
#include <iomanip>
#include <map>
#include <string>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/transform.h>
#include <cufft.h>
#include <curand.h>
#include <nccl.h>
#include <mpi.h>

using std::cout;
using namespace std;
typedef thrust::device_vector<float> dvec;
static const float coefficients[5] = { 0.1f, 0.2f, 0.4f, 0.2f, 0.1f };
__constant__ float weights[5];
static float host_in[1 << 10], host_out[1 << 10];
const std::map<std::string, int> modes = { { "a", 1 }, { "b", 2 } };
auto square = [](float v) { return v * v; };
enum class Mode { Fast, Slow };
extern "C" {
int launch_blur(const float *in, float *out, int n, int mode);
}
union Bits { float f; unsigned u; };
struct Base { virtual ~Base() {} virtual void run() = 0; };
struct Derived : public Base { void run() override { cout << "run" << endl; } };

template <typename T, typename U = typename std::enable_if<(sizeof(T) > 2)>::type>
void print(const T &x) { cout << setw(3) << x; }

template <Mode M>
__global__ void __launch_bounds__(1024) blur(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = -2; k <= 2; k++)
        sum += weights[k + 2] * in[min(max(i + k, 0), n - 1)];
    out[i] = sum;
    assert(M == Mode::Fast || M == Mode::Slow);
}

__global__ void blur_plain(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int k = -2; k <= 2; k++)
            sum += weights[k + 2] * in[i + k < 0 ? 0 : i + k >= n ? n - 1 : i + k];
        out[i] = sum;
    }
}

extern "C" int launch_blur(const float *in, float *out, int n, int mode)
{
    thrust::device_vector<float> a(in, in + n);
    thrust::transform(a.begin(), a.end(), a.begin(), [=] __device__(float v) { return v; });
    cudaMemcpyToSymbol(weights, coefficients, sizeof(coefficients));
#if USE_FAST
    if (mode == 0) {
#else
    if (mode == 1) {
#endif
        blur<Mode::Fast><<<(n + 255) / 256, 256>>>(in, out, n);
    } else
        blur<Mode::Slow><<<dim3((n + 255) / 256), dim3(256)>>>(in, out, n);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

int main(int argc, char *argv[]) try {
    MPI_Init(&argc, &argv);
    Derived d; d.run();
    print(square(3.f));
    for (auto &[name, value] : modes)
        cout << name << value << R"(})" << '{' << "\n";
    return launch_blur(host_in, host_out, 1 << 10, modes.at("a"));
} catch (...) {
    return 1;
}
