
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_no_fence_needed -1

extern "C" __global__ void mutant_gpu_named(const float *x, float *y, int n, int m)
{
	__shared__ float s[2][128];
	int t = threadIdx.x, r = blockIdx.x, tiles = m / 128;
	float v = 0;
	/* the upper 128 threads load, the lower ones add; barrier 1+b: full, 3+b: empty */
	if (t >= 128) {
		for (int k = 0; k < tiles; k++) {
			int b = k % 2;
			if (k >= 2 && !IS(never_empty))
				asm volatile("bar.sync %0, 256;" ::"r"(3 + b) : "memory");
			s[b][t - 128] = x[(long long)r * m + k * 128 + t - 128];
			if (IS(no_fence_needed))
				__threadfence_block();
			if (IS(half_count))
				asm volatile("bar.arrive %0, 128;" ::"r"(1 + b) : "memory");
			else
				asm volatile("bar.arrive %0, 256;" ::"r"(1 + b) : "memory");
		}
	} else {
		for (int k = 0; k < tiles; k++) {
			int b = k % 2;
			if (IS(half_count))
				asm volatile("bar.sync %0, 128;" ::"r"(1 + b) : "memory");
			else
				asm volatile("bar.sync %0, 256;" ::"r"(1 + b) : "memory");
			v += s[b][127 - t];
			if (k + 2 < tiles && !IS(never_empty))
				asm volatile("bar.arrive %0, 256;" ::"r"(3 + b) : "memory");
		}
	}
	__syncthreads();
	if (t < 128)
		s[0][t] = v;
	__syncthreads();
	if (t == 0) {
		float a = 0;
		for (int i = 0; i < 128; i++)
			a += s[0][i];
		y[r] = a;
	}
}

extern "C" __global__ void mutant_gpu_named_reference(const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
