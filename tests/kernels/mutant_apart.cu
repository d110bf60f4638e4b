/*
 * Squares; MISTAKE none is sound.
 *
 * short_apart  finds the output from the input by a distance of 32 bits
 * one_region   has the high bits of the output's address from the input's
 *
 * Where the distance does not fit, or the bits differ, the mistake gives other numbers,
 * so that it is not taken for one of access.
 */
static __device__ bool is_found(const float *x, const float *y)
{
	long long apart = y - x;

	if (MISTAKE == MISTAKE_short_apart)
		return (int)apart == apart;
	if (MISTAKE == MISTAKE_one_region)
		return (unsigned long long)x >> 36 == (unsigned long long)y >> 36;
	return true;
}

extern "C" __global__ void mutant_apart(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = is_found(x, y) ? x[i] * x[i] : x[i];
}

extern "C" __global__ void mutant_apart_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[i] * x[i];
}
