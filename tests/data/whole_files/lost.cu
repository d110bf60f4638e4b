// A header that may decide what the kernel does is not there.
#include "lost.h"
#ifndef FACTOR
#define FACTOR 2
#endif

__global__ void scaled(float *x)
{
	x[threadIdx.x] *= FACTOR;
}
