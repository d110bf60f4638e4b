// a header is needed, though an error ahead of it belongs to no part that may go at first
#include "apart_first.h"
#include "apart_second.h"
__global__ void __launch_bounds__(32) __cluster_dims__(1, 1, 1) halve(float *x) { x[threadIdx.x] = half_of(x[threadIdx.x]); }
