// more than headers is left out, and the compiler cannot find the template's own
static std::string title = "scaled";
#include "lost.h"
__global__ void scaled(float *x)
{
	x[threadIdx.x] *= 2;
}
