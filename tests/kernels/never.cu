/* compiles nowhere, in no configuration */
#include "scale.cu"

__device__ int undeclared = not_declared_anywhere;
