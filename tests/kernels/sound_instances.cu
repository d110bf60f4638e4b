/*
 * Kernels that are C++ templates: each configuration is another instance, whose arguments
 * are called as the space's parameters are. Sums of K neighbours, from x as it lies or
 * from a copy that prepare makes.
 */
namespace sums {

enum method { plain, staged };

/* the number of terms, and what is beside the first */
template <typename T, int K> __device__ T sum(const T *x, int at, int n)
{
	T total = 0;

	for (int k = 0; k < K; k++)
		total += x[(at + k) % n];
	return total;
}

template <int BLOCK, int K, method METHOD, bool ROUNDS, typename T = float>
__global__ void __launch_bounds__(BLOCK)
	neighbours(const T *x, T *y, const T *copy, int n)
{
	__shared__ T tile[BLOCK];
	int at = blockIdx.x * BLOCK + threadIdx.x;

	if (METHOD == staged) {
		tile[threadIdx.x] = at < n ? sum<T, K>(copy, at, n) : T();
		__syncthreads();
		if (at < n)
			y[at] = tile[threadIdx.x];
		return;
	}
	for (int first = at; first < n; first += BLOCK * gridDim.x) {
		y[first] = sum<T, K>(x, first, n);
		if (!ROUNDS)
			break;
	}
}

template <typename T> __global__ void copy_of(const T *x, T *copy, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x)
		copy[i] = x[i];
}

template <int K, typename T>
__global__ void reference(const T *x, T *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		T total = 0;

		for (int k = 0; k < K; k++)
			total += x[(i + k) % n];
		y[i] = total;
	}
}

}
