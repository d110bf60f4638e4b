/* What a project has in a header of its own, with the toolkit's in it. */
#include <cuda_fp16.h>

static __device__ float as_half(float value)
{
	return __half2float(__float2half(value));
}
