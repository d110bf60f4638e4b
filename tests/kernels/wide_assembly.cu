/*
 * tanh(sin(x)) + cos(x), in the tuned kernel by instructions that take floats, in each
 * spelling of assembly. The reference is in double without them.
 */
extern "C" __global__ void wide_assembly(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float s, t, c;

	if (i >= n)
		return;
	asm("sin.approx.f32 %0, %1;" : "=f"(s) : "f"(x[i]));
	asm volatile("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(s));
	__asm__ __volatile__("cos.approx.f32 %0, %1;" : "=f"(c) : "f"(x[i]));
	__asm__ volatile (
		"add.f32 %0, %0, %1;" : "+f"(t) : "f"(c));
	y[i] = t;
}

extern "C" __global__ void wide_assembly_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = tanhf(sinf(x[i])) + cosf(x[i]);
}
