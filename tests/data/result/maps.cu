#include <cuda.h>

__global__ void maps(const __grid_constant__ CUtensorMap rows, const __grid_constant__ CUtensorMap cube,
	float *y)
{
	y[threadIdx.x] = TILE;
}

__global__ void maps_reference(const float *x, float *y)
{
	y[threadIdx.x] = x[threadIdx.x];
}
