/* a reference that writes every other element only */
#include "scale.cu"

extern "C" __global__ void holes_reference(const float *x, float *y, float factor, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		if (i % 2 == 0)
			y[i] = factor * x[i];
}
