
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_plain -1

static __device__ unsigned at(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}
extern "C" __global__ void mutant_gpu_bulk(const float *x, float *y, int n, int m)
{
	__shared__ __align__(128) float s[1024];
	__shared__ __align__(8) unsigned long long bar;
	__shared__ float q[256];
	int t = threadIdx.x, r = blockIdx.x;
	float v = 0;
	if (IS(plain)) {
		for (int i = t; i < m; i += 256)
			s[i] = x[(long long)r * m + i];
		__syncthreads();
	} else {
		if (t == 0) {
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)));
			asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		}
		__syncthreads();
		if (t == 0) {
			unsigned bytes = m * 4;
			asm volatile(
			    "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(&bar)),
			    "r"(IS(half_expected) ? bytes / 2 : bytes)
			    : "memory");
			for (unsigned k = 0; k < 2; k++)
				asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::"
				             "complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
				                 at(s) + k * bytes / 2),
				             "l"(x + (long long)r * m + k * m / 2),
				             "r"(bytes / 2), "r"(at(&bar))
				             : "memory");
		}
		if (!IS(no_wait)) {
			unsigned done = 0;
			while (!done)
				asm volatile(
				    "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, "
				    "[%1], %2; selp.u32 %0, 1, 0, p; }"
				    : "=r"(done)
				    : "r"(at(&bar)), "r"(IS(other_parity) ? 1 : 0)
				    : "memory");
		}
	}
	for (int i = t; i < m; i += 256)
		v += s[m - 1 - i];
	q[t] = v;
	__syncthreads();
	if (t == 0) {
		float a = 0;
		for (int i = 0; i < 256; i++)
			a += q[i];
		y[r] = a;
	}
}

extern "C" __global__ void mutant_gpu_bulk_reference(const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
