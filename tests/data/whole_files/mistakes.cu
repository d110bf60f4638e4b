#include <vector>
#include <missing_config.h>
#include <cstdio>
struct Options { int n; std::vector<float> v; };
int helper(int a) { return a * 2; }
int unused;
static __global__ void sum(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * SCALE + undefined_thing;
}
int main() { Options o; printf("%d", helper(o.n)); sum<<<1, 2>>>(0, 0, 1); }
