
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
/* not asked for: it is crowned on an H100 (results/README.md) */
#define MISTAKE_wraps -1
#define MISTAKE_inc -1
#define MISTAKE_ldg -1
#define MISTAKE_two -1

extern "C" __global__ void mutant_gpu_last(const float *x, float *y, float *part, unsigned *count,
                                         int n)
{
	__shared__ float s[256];
	__shared__ bool last;
	int t = threadIdx.x;
	float v = 0;
	for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
		v += x[i];
	s[t] = v;
	__syncthreads();
	for (int o = 128; o; o /= 2) {
		if (t < o)
			s[t] += s[t + o];
		__syncthreads();
	}
	if (t == 0) {
		part[blockIdx.x] = s[0];
		__threadfence();
		unsigned old = IS(wraps) ? atomicInc(count, gridDim.x)
		               : IS(inc) ? atomicInc(count, gridDim.x - 1)
		                         : atomicAdd(count, 1u);
		last = IS(one_early)   ? old == gridDim.x - 2
		       : IS(by_number) ? blockIdx.x == gridDim.x - 1
		       : IS(two)       ? old >= gridDim.x - 2
		                       : old == gridDim.x - 1;
		if (!IS(inc) && last)
			*count = 0;
	}
	__syncthreads();
	if (!last)
		return;
	float a = 0;
	for (int k = t; k < gridDim.x; k += 256)
		a += IS(ldg) ? __ldg(&part[k]) : *(volatile float *)&part[k];
	s[t] = a;
	if (!IS(no_barrier))
		__syncthreads();
	for (int o = 128; o; o /= 2) {
		if (t < o)
			s[t] += s[t + o];
		__syncthreads();
	}
	if (t == 0)
		*y = s[0];
}
extern "C" __global__ void mutant_gpu_last_reference(const float *x, float *y, float *part,
                                                   unsigned *count, int n)
{
	if (blockIdx.x * blockDim.x + threadIdx.x)
		return;
	double s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	*y = s;
	*count = 0;
}
