/* references that write every other element only, or far outside their buffer; one does
   not compile */
#include "scale.cu"

extern "C" __global__ void holes_reference(const float *x, float *y, float factor, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		if (i % 2 == 0)
			y[i] = factor * x[i];
}

extern "C" __global__ void far_reference(const float *x, float *y, float factor, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i + (1 << 30)] = factor * x[i];
}

#ifdef BROKEN
extern "C" __global__ void broken_reference(const float *x, float *y, float factor, int n)
{
	y[0] = undefined;
}
#endif
