/*
 * Values that a bool lets through, how many it does, and the others as bools; each METHOD
 * is correct.
 *
 * branch    asks it
 * multiply  multiplies by it, and adds it up
 */
extern "C" __global__ void sound_bools(
	const bool *mask, const float *x, float *y, bool *others, int *count, int n)
{
	__shared__ int sum;
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	for (int k = threadIdx.x; k < n && blockIdx.x == 0; k += blockDim.x)
		atomicAdd(&sum, METHOD == METHOD_branch ? (mask[k] ? 1 : 0) : mask[k]);
	__syncthreads();
	if (i == 0)
		count[0] = sum;
	if (i >= n)
		return;
	y[i] = METHOD == METHOD_branch ? (mask[i] ? x[i] : 0.0f) : mask[i] * x[i];
	others[i] = METHOD == METHOD_branch ? !mask[i] : mask[i] ^ 1;
}

extern "C" __global__ void sound_bools_reference(
	const bool *mask, const float *x, float *y, bool *others, int *count, int n)
{
	int set = 0;

	for (int i = 0; i < n && blockIdx.x == 0 && threadIdx.x == 0; i++)
		set += mask[i] == true;
	if (blockIdx.x == 0 && threadIdx.x == 0)
		count[0] = set;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		y[i] = mask[i] ? x[i] : 0.0f;
		others[i] = mask[i] == false;
	}
}
