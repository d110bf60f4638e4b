/*
 * What the cubins *_variables.cubin beside this file were compiled from, with NVRTC
 * 13.0: variables of every kind that a kernel can write.
 */
__constant__ float table[10];
__device__ int counters[4];
static __device__ float hidden[8];
__device__ int initialised = 5;
static __device__ int first[3] = { 1, 2, 3 };
template <int N> __device__ int of_template[N];
namespace
{
__device__ double unnamed;
}

extern "C" __global__ void variables(int *out)
{
	static __device__ int calls;
	static int more_calls;

	calls++;
	more_calls++;
	hidden[out[0]]++;
	counters[out[1]]++;
	initialised++;
	first[out[2]]++;
	of_template<5>[out[3]]++;
	unnamed += 1;
	out[4] = calls + more_calls + counters[out[5]] + (int)table[out[6]];
}
