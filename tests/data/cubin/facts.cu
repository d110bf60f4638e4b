/*
 * What the cubins beside this file were compiled from, with NVRTC 12.4
 * (cuda12_sm_*.cubin) and 13.0 (cuda13_sm_*.cubin).
 */
__constant__ float table[10];

extern "C" __global__ void __launch_bounds__(128) facts(float *out, int n)
{
	__shared__ float tile[100];
	float local[16];

	local[threadIdx.x & 15] = out[n];
	local[n & 15] = out[0];
	tile[threadIdx.x % 100] = local[n];
	__syncthreads();
	out[threadIdx.x] = tile[n] + table[n];
}

extern "C" __global__ void plain(float *out)
{
	out[threadIdx.x] = 1;
}
