/*
 * The length of each vector of a list; MISTAKE none is sound.
 *
 * changes_reference  what is wrong in the kernel is wrong in the reference as well
 * changes_helper     the same in a function that both call
 */
static __device__ float squares(const float *vector)
{
	float sum = vector[0] * vector[0] + vector[1] * vector[1];

#if MISTAKE != MISTAKE_changes_helper
	sum += vector[2] * vector[2];
#endif
	return sum;
}

extern "C" __global__ void mutant_reference(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
#if MISTAKE == MISTAKE_changes_reference
		y[i] = 1.0f;
#else
		y[i] = sqrtf(squares(x + 3 * i));
#endif
}

extern "C" __global__ void mutant_reference_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
#if MISTAKE == MISTAKE_changes_reference
		y[i] = 1.0f;
#else
		y[i] = sqrtf(squares(x + 3 * i));
#endif
}
