/*
 * Neighbours trade places, of an even number of them; MISTAKE none is sound,
 * and by far the slowest.
 *
 * by_fours  leaves out two where four do not divide
 */
extern "C" __global__ void mutant_even(const float2 *x, float2 *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	volatile const float2 *values = x;
	float2 value = make_float2(0.0f, 0.0f);

#if MISTAKE == MISTAKE_by_fours
	n = n / 4 * 4;
#endif
	for (int again = 0; 2 * i < n && again < (MISTAKE == MISTAKE_none ? 512 : 1); again++)
		value = make_float2(values[i].y, values[i].x);
	if (2 * i < n)
		y[i] = value;
}

extern "C" __global__ void mutant_even_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[(i ^ 1) < n ? i ^ 1 : i];
}
