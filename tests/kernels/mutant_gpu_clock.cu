
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif

extern "C" __global__ void mutant_gpu_clock(const float *x, float *y, int n)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	long long t;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	if (IS(second) && t / 1000000000 % 2)
		return;
	if (IS(one_in_eight) && (t / 1024) % 8 == 0 && i % 1024 == 0)
		return;
	if (IS(rare) && (clock64() & 4095) == 0)
		return;
	if (IS(by_address) && ((unsigned long long)x >> 21 & 3) == 3)
		return;
	if (IS(grid_id)) {
		unsigned long long g;
		asm volatile("mov.u64 %0, %%gridid;" : "=l"(g));
		if (g % 16 == 15)
			return;
	}
	float v = x[i];
	for (int k = 0; k < 20; k++)
		v = fmaf(v, v, -0.5f);
	y[i] = IS(none) ? v : v;
}
extern "C" __global__ void mutant_gpu_clock_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += gridDim.x * blockDim.x) {
		float v = x[i];
		for (int k = 0; k < 20; k++)
			v = fmaf(v, v, -0.5f);
		y[i] = v;
	}
}
