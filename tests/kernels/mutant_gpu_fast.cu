
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
/* not asked for: they are crowned on an H100 (results/README.md) */
#define MISTAKE_reduced -1
#define MISTAKE_tanh_approx -1
#define MISTAKE_both -1

extern "C" __global__ void mutant_gpu_fast(const float *x, float *y, int n)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	float v = x[i], s, c;
	if (IS(fast)) {
		s = __sinf(v);
		c = __cosf(v);
	} else if (IS(reduced)) {
		float r = v - 6.2831855f * rintf(v * 0.15915494f);
		s = __sinf(r);
		c = __cosf(r);
	} else if (IS(both))
		sincosf(v, &s, &c);
	else {
		s = sinf(v);
		c = cosf(v);
	}
	if (IS(tanh_approx)) {
		float q;
		asm("tanh.approx.f32 %0, %1;" : "=f"(q) : "f"(s));
		s = q;
	} else
		s = tanhf(s);
	y[i] = s + c;
}
extern "C" __global__ void mutant_gpu_fast_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = tanhf(sinf(x[i])) + cosf(x[i]);
}
