
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_by_atomics -1
#define MISTAKE_no_fence -1
#define MISTAKE_stale -1

extern "C" __global__ void mutant_gpu_grid(const float *x, float *y, float *part, unsigned *count,
                                         int n)
{
	__shared__ float s[256];
	int t = threadIdx.x;
	float v = 0;
	int each = (n + gridDim.x - 1) / gridDim.x, from = blockIdx.x * each,
	    to = min(n, from + each);
	for (int i = from + t; i < to; i += 256)
		v += x[i];
	s[t] = v;
	__syncthreads();
	for (int o = 128; o; o /= 2) {
		if (t < o)
			s[t] += s[t + o];
		__syncthreads();
	}
	if (t == 0) {
		*(volatile float *)&part[blockIdx.x] = s[0];
		if (!IS(no_fence))
			__threadfence();
		atomicAdd(count, 1u);
		if (IS(no_volatile)) {
			while (*count < gridDim.x)
				;
		} else if (IS(half_there)) {
			while (*(volatile unsigned *)count < gridDim.x / 2)
				;
		} else if (IS(no_wait))
			;
		else if (IS(one_short)) {
			while (*(volatile unsigned *)count < gridDim.x - 1)
				;
		} else if (IS(by_atomics)) {
			while (atomicAdd(count, 0u) < gridDim.x)
				;
		} else {
			while (*(volatile unsigned *)count < gridDim.x)
				;
		}
		__threadfence();
	}
	if (!IS(no_barrier))
		__syncthreads();
	float all = 0;
	for (int k = 0; k < gridDim.x; k++)
		all += IS(stale) ? part[k] : *(volatile float *)&part[k];
	all /= n;
	for (int i = from + t; i < to; i += 256)
		y[i] = x[i] - all;
}
extern "C" __global__ void mutant_gpu_grid_reference(const float *x, float *y, float *part,
                                                   unsigned *count, int n)
{
	__shared__ float mean;
	if (threadIdx.x == 0) {
		double s = 0;
		for (int i = 0; i < n; i++)
			s += x[i];
		mean = s / n;
		if (blockIdx.x == 0)
			*count = 16;
	}
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[i] - mean;
}
