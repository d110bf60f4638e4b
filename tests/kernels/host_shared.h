// Included by host.cu: dynamic shared memory that is declared in a header.

template <class T> static __device__ T *reverse_in_block(T *begin, T value, int n)
{
	begin[n - 1 - threadIdx.x] = value;
	__syncthreads();
	return begin + threadIdx.x;
}

extern "C" __global__ void reverse_floats(const float *in, float *out)
{
	extern __shared__ __align__(16) float in_header[];

	out[threadIdx.x] = *reverse_in_block(in_header, in[threadIdx.x], blockDim.x);
}
