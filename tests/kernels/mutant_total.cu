/*
 * Twice a table; the kernel gets the count of its numbers; MISTAKE none is
 * sound, and the slowest. The space names problems of its own, all of them whole blocks.
 *
 * whole_blocks    has no check
 * drops_partial   does nothing in a block that is not whole
 * by_fours        does nothing for what is left of fours
 */
extern "C" __global__ void mutant_total(const float *x, float *y, int total)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

#if MISTAKE == MISTAKE_whole_blocks
	y[i] = 2.0f * x[i];
#elif MISTAKE == MISTAKE_drops_partial
	if ((blockIdx.x + 1) * blockDim.x <= total)
		y[i] = 2.0f * x[i];
#elif MISTAKE == MISTAKE_by_fours
	for (int k = 4 * i; k < 4 * i + 4 && 4 * i + 3 < total; k++)
		y[k] = 2.0f * x[k];
#else
	volatile const float *values = x;
	float value = 0.0f;

	for (int again = 0; again < 512 && i < total; again++)
		value = 2.0f * values[i];
	if (i < total)
		y[i] = value;
#endif
}

extern "C" __global__ void mutant_total_reference(const float *x, float *y, int total)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x)
		y[i] = 2.0f * x[i];
}
