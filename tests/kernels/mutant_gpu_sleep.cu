
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
/* not asked for: it is crowned on an H100 (results/README.md) */
#define MISTAKE_clock_200 -1
#define MISTAKE_with_sleep -1

extern "C" __global__ void mutant_gpu_sleep(const float *x, float *y, float *part,
                                          unsigned *count, int n)
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
		__threadfence();
		atomicAdd(count, 1u);
		if (IS(sleeps))
			__nanosleep(20000);
		else if (IS(clock_20)) {
			long long c = clock64();
			while (clock64() - c < 40000)
				;
		} else if (IS(clock_200)) {
			long long c = clock64();
			while (clock64() - c < 400000)
				;
		} else if (IS(gives_up)) {
			long long c = clock64();
			while (*(volatile unsigned *)count < gridDim.x && clock64() - c < 60000)
				;
		} else if (IS(with_sleep)) {
			while (*(volatile unsigned *)count < gridDim.x)
				__nanosleep(100);
		} else {
			while (*(volatile unsigned *)count < gridDim.x)
				;
		}
		__threadfence();
	}
	__syncthreads();
	float all = 0;
	for (int k = 0; k < gridDim.x; k++)
		all += *(volatile float *)&part[k];
	all /= n;
	for (int i = from + t; i < to; i += 256)
		y[i] = x[i] - all;
}
extern "C" __global__ void mutant_gpu_sleep_reference(const float *x, float *y, float *part,
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
