/*
 * Sums that go on from what is there, with a factor, and one more where a flag is set;
 * MISTAKE none is sound. The space has 1 for the factor and the flag, and begins at 0.
 *
 * no_factor       the factor is 1, so that it is not needed
 * offset_folded   has the offset as a number
 * flag_ignored    takes the flag for set
 * overwrites      does not add, but writes
 */
extern "C" __global__ void mutant_scalars(const float *x, float *sums, float factor,
	float offset, int more, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float add, before;

	if (i >= n)
		return;
	add = MISTAKE == MISTAKE_no_factor ? x[i] : factor * x[i];
	add += MISTAKE == MISTAKE_offset_folded ? 0.25f : offset;
	add += MISTAKE == MISTAKE_flag_ignored || more ? 1.0f : 0.0f;
	before = MISTAKE == MISTAKE_overwrites ? 0.0f : sums[i];
	sums[i] = before + add;
}

extern "C" __global__ void mutant_scalars_reference(const float *x, float *sums, float factor,
	float offset, int more, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sums[i] += factor * x[i] + offset + (more ? 1.0f : 0.0f);
}
