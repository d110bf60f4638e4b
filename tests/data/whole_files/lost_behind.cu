// the first header is left out, the second may decide what the kernel does
#include <samples_helper.h>
#include "lost.h"
__global__ void scaled(float *x)
{
	x[threadIdx.x] *= 2;
}
