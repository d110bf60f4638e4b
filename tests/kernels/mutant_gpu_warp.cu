
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
/* not asked for: it is crowned on an H100 (results/README.md) */
#define MISTAKE_half_first -1
#define MISTAKE_all_add -1
#define MISTAKE_no_syncwarp -1
#define MISTAKE_shuffles -1

extern "C" __global__ void mutant_gpu_warp(const float *x, float *y, int n, int m)
{
	__shared__ float s[256];
	int t = threadIdx.x, r = blockIdx.x;
	float v = 0;
	for (int i = t; i < m; i += 256)
		v += x[(long long)r * m + i];
	s[t] = v;
	__syncthreads();
	for (int o = 128; o >= 32; o /= 2) {
		if (t < o)
			s[t] += s[t + o];
		if (!(IS(no_last_barrier) && o == 32))
			__syncthreads();
	}
	if (IS(half_first)) { /* the upper half of the warp is read while it may not have
		                 written yet */
		if (t < 32) {
			if (t >= 16) {
				for (int k = 0; k < 3; k++)
					s[t] = __expf(__logf(fabsf(s[t]) + 1e-30f)) *
					       (s[t] < 0 ? -1 : 1);
			} else
				s[t] += s[t + 16];
			__syncwarp();
		}
		if (t == 0) {
			float a = 0;
			for (int k = 0; k < 16; k++)
				a += s[k];
			y[r] = a;
		}
		return;
	}
	if (t < 32) {
		if (IS(shuffles)) {
			float a = s[t];
			for (int o = 16; o; o /= 2)
				a += __shfl_down_sync(~0u, a, o);
			s[t] = a;
		} else
			for (int o = 16; o; o /= 2) {
				float a = s[t];
				float b = t + o < 32 ? s[t + o] : 0;
				if (!IS(no_syncwarp))
					__syncwarp();
				if (IS(all_add)) {
					s[t] = a + s[(t + o) % 32];
					__syncwarp();
					continue;
				}
				s[t] = a + b;
				if (!IS(no_syncwarp))
					__syncwarp();
			}
	}
	if (t == 0)
		y[r] = s[0];
}

extern "C" __global__ void mutant_gpu_warp_reference(const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
