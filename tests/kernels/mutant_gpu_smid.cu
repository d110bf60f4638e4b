
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_tree -1

static __device__ unsigned smid()
{
	unsigned s;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(s));
	return s;
}
extern "C" __global__ void mutant_gpu_smid(const float *x, float *y, float *w, int n, int m)
{
	int t = threadIdx.x, r = blockIdx.x;
	__shared__ float s[256];
	float v = 0;
	for (int i = t; i < m; i += 256)
		v += x[(long long)r * m + i];
	unsigned place = IS(mod) ? r % 256 : smid() % 256;
	if (IS(none) || IS(tree))
		s[t] = v;
	else {
		volatile float *p = w + place * 256;
		p[t] = v;
		__threadfence_block();
		__syncthreads();
		s[t] = p[t];
	}
	__syncthreads();
	if (IS(tree)) {
		for (int o = 128; o; o /= 2) {
			if (t < o)
				s[t] += s[t + o];
			__syncthreads();
		}
		if (t == 0)
			y[r] = s[0];
	} else if (t == 0) {
		float a = 0;
		if (IS(from_place))
			for (int i = 0; i < 256; i++)
				a += ((volatile float *)w)[place * 256 + i];
		else
			for (int i = 0; i < 256; i++)
				a += s[i];
		y[r] = a;
	}
	if (IS(upper) && smid() >= 128 && t == 0)
		y[r] = v;
}
extern "C" __global__ void mutant_gpu_smid_reference(const float *x, float *y, float *w, int n,
                                                   int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
