/*
 * y[i] = the sum of x[i + j] * weights[j]; x has TAPS - 1 more. The weights may lie in
 * constant memory, where there may be too little room for them.
 */
#if WHERE == WHERE_constant
__constant__ float table[ROOM];
#define WEIGHT(j) table[j]
#else
#define WEIGHT(j) weights[j]
#endif

extern "C" __global__ void weighted(const float *x, const float *weights, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (i >= n)
		return;
	for (int j = 0; j < TAPS; j++)
		sum += x[i + j] * WEIGHT(j);
	y[i] = sum;
}

/* made with the defaults: it has no pointer to fall back on */
#if WHERE == WHERE_constant
extern "C" __global__ void weighted_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double sum = 0;

		for (int j = 0; j < TAPS; j++)
			sum += (double)x[i + j] * WEIGHT(j);
		y[i] = (float)sum;
	}
}
#endif
