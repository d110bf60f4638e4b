#include <cstdio>
#define DEFINE_LAUNCHER(NAME, B) void launch_##NAME(float *x, int n) { NAME<<<(n + B - 1) / B, B>>>(x, n); }
#define KERNEL(NAME) extern "C" __global__ void NAME(float *x, int n)
#define API __host__ __device__
#ifdef WITH_STREAM
void run(float *x, cudaStream_t s) {
#else
void run(float *x) {
#endif
    int blocks[] = { 1, 2 };
    if (x) {
#ifdef WITH_STREAM
        kernel<<<1, 2, 0, s>>>(x, 1);
    }
#else
        kernel<<<blocks[0], 2>>>(x, 1);
    }
#endif
}
KERNEL(twice)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
DEFINE_LAUNCHER(twice, 128)
DEFINE_LAUNCHER(twice2, 128);
template <typename T> API T half_of(T x) { return x / 2; }
inline void check(cudaError_t e) { if (e) { printf("}"); } }
struct Pair { float a, b; API float sum() const { return a + b; } void show() { std::printf("%f", a); FILE *f = fopen("x", "w"); } };
class Launcher { public: template <int N> void go(float *x) { thrice<N><<<1, N>>>(x, 1); } ~Launcher() {} };
template <int N> __global__ void thrice(float *x, int n) { Pair p = { 1, 2 }; if (threadIdx.x < n) x[threadIdx.x] = half_of(x[threadIdx.x]) + p.sum() + N; }
int main(void) { Launcher l; l.go<3>(nullptr); return 0; }
