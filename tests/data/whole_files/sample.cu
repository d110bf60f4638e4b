/* In the manner of a sample program: one file, everything in it. */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <cuda_runtime.h>
#include <helper_functions.h>
#include <helper_cuda.h>
#include <vector>
#include <chrono>

const char *program_name = "turn";
#define TILE_DIM 32
#ifndef BLOCK_ROWS
#define BLOCK_ROWS 8
#endif
int repeats = TILE_DIM;

__global__ void turn_tiles(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        if (x < width && y + i < height)
            tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        if (x < height && y + i < width)
            odata[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

__global__ void turn_plainly(float *odata, const float *idata, int width, int height)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < width * height; k += gridDim.x * blockDim.x)
        odata[(k % width) * height + k / width] = idata[k];
}

void turn_on_cpu(float *gold, float *idata, const int size_x, const int size_y)
{
    for (int y = 0; y < size_y; ++y)
        for (int x = 0; x < size_x; ++x)
            gold[(x * size_y) + y] = idata[(y * size_x) + x];
}

void read_options(int argc, char **argv, cudaDeviceProp &deviceProp, int &size_x, int &size_y);

void print_usage()
{
    printf("usage: %s [WIDTH HEIGHT]\n", program_name);
}

int main(int argc, char **argv)
{
    int devID = findCudaDevice(argc, (const char **)argv);
    cudaDeviceProp deviceProp;
    checkCudaErrors(cudaGetDeviceProperties(&deviceProp, devID));
    int size_x = 1024, size_y = 1024;
    dim3 grid(size_x / TILE_DIM, size_y / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS);
    cudaEvent_t start, stop;
    size_t mem_size = static_cast<size_t>(sizeof(float) * size_x * size_y);
    float *h_idata = (float *)malloc(mem_size);
    std::vector<float> gold(size_x * size_y);
    float *d_idata, *d_odata;
    checkCudaErrors(cudaMalloc((void **)&d_idata, mem_size));
    checkCudaErrors(cudaMalloc((void **)&d_odata, mem_size));
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventRecord(start, 0));
    for (int i = 0; i < 10; i++) {
        turn_tiles<<<grid, threads>>>(d_odata, d_idata, size_x, size_y);
        checkCudaErrors(cudaGetLastError());
    }
    auto t0 = std::chrono::high_resolution_clock::now();
    bool res = compareData(gold.data(), h_idata, size_x * size_y, 0.01f, 0.0f);
    printf("%s %d\n", res ? "ok" : "bad", repeats);
    exit(res ? EXIT_SUCCESS : EXIT_FAILURE);
}
