// variables of the CPU have the names of tuning parameters
#include <cstdio>
__global__ void halve(float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] /= 2;
}
void run(float *x, int n, const int BLOCK_SIZE)
{
    halve<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(x, n);
}
int main()
{
    int BLOCK = 256;
    std::printf("%d\n", BLOCK);
    run(nullptr, 0, BLOCK);
}
