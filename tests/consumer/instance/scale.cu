static_assert(sizeof(TEXT) == 20, "an option of the space, as it is written there");

namespace tools {
template <int BLOCK, typename T>
__global__ void scale(const T *x, T *y, T factor, int n)
{
	int first = blockIdx.x * BLOCK * REPEAT + threadIdx.x;

	for (int i = first; i < first + BLOCK * REPEAT && i < n; i += BLOCK)
		y[i] = factor * x[i];
}
}

template <typename T>
__global__ void scale_plainly(const T *x, T *y, T factor, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = factor * x[i];
}
