
#ifndef IS
#define IS(name) (MISTAKE == MISTAKE_##name)
#endif
#define MISTAKE_reads_row -1

extern "C" __global__ void mutant_gpu_room(const float *x, float *y, int n, int m)
{
	extern __shared__ float s[];
	int t = threadIdx.x;
	const float *row = x + (long long)blockIdx.x * m;
	int kept = IS(twelve) ? 12288 : m;
	for (int i = t; i < kept; i += 256)
		s[i] = row[i];
	if (!IS(no_barrier))
		__syncthreads();
	float v = 0;
	for (int i = t; i < kept; i += 256)
		v += s[kept - 1 - i];
	if (IS(behind))
		v += s[m + 4096 + t] * 0.0f;
	if (IS(reads_row)) {
		v = 0;
		for (int i = t; i < m; i += 256)
			v += row[i];
	}
	__syncthreads();
	s[t] = v;
	__syncthreads();
	if (IS(grows))
		s[m + t] = v;
	if (t == 0) {
		float a = 0;
		for (int i = 0; i < 256; i++)
			a += s[i];
		y[blockIdx.x] = a;
	}
}

extern "C" __global__ void mutant_gpu_room_reference(const float *x, float *y, int n, int m)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n;
	     r += gridDim.x * blockDim.x) {
		float s = 0;
		for (int i = 0; i < m; i++)
			s += x[(long long)r * m + i];
		y[r] = s;
	}
}
