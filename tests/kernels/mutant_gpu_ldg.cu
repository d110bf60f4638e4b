
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
/* not asked for: they are crowned on an H100 (results/README.md) */
#define MISTAKE_ldg -1
#define MISTAKE_nc -1
#define MISTAKE_cg -1

extern "C" __global__ void mutant_gpu_ldg(const float *x, float *y, int n, int m)
{
	int t = threadIdx.x;
	float *row = y + (long long)blockIdx.x * m;
	const float *from = x + (long long)blockIdx.x * m;
	/* Hillis-Steele in the output itself, read by others behind a barrier */
	for (int i = t; i < m; i += 256)
		row[i] = from[i];
	__syncthreads();
	for (int o = 1; o < m; o *= 2) {
		float v = 0;
		for (int i = t; i < m; i += 256) {
			v = row[i];
			if (i >= o) {
				float u;
				if (IS(ldg))
					u = __ldg(&row[i - o]);
				else if (IS(nc))
					asm volatile("ld.global.nc.L1::evict_last.f32 %0, [%1];"
					             : "=f"(u)
					             : "l"(&row[i - o]));
				else if (IS(cg))
					u = __ldcg(&row[i - o]);
				else
					u = row[i - o];
				v += u;
			}
		}
		if (!IS(no_barrier))
			__syncthreads();
		if (t < m)
			row[t] = v;
		__syncthreads();
	}
}
extern "C" __global__ void mutant_gpu_ldg_reference(const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			y[(long long)r * m + i] = s += x[(long long)r * m + i];
	}
}
