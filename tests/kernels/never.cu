/* y[i] = factor * x[i], UNROLL elements a thread; strides by the block */
extern "C" __global__ void scale(const float *x, float *y, float factor, int n)
{
	int first = blockIdx.x * BLOCK * UNROLL + threadIdx.x;

#pragma unroll
	for (int j = 0; j < UNROLL; j++) {
		int i = first + j * BLOCK;

		if (i < n)
			y[i] = factor * x[i];
	}
}

extern "C" __global__ void scale_reference(const float *x, float *y, float factor, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = factor * x[i];
}
int undeclared = not_declared_anywhere;
