__device__ inline float unneeded(float x) { return missing_intrinsic(x); }
