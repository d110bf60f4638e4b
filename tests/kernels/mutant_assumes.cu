/*
 * Values gathered by an index, masked, and added to what is there; MISTAKE none is sound.
 * The data of the space is as plain as that of a first test: all of the mask is set, the
 * index counts up, the sums begin at 0, every bias is the same.
 *
 * mask_ignored    takes all of the mask for set
 * mask_by_first   takes the first of each block for all of them
 * gather_in_order does not read the index
 * sums_overwritten  does not add, but writes
 * bias_folded     has the bias as a number
 * bias_by_first   reads one bias for all
 */
extern "C" __global__ void mutant_assumes(const float *x, const int *index, const int *mask,
	const float *bias, float *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, from, is_set;
	float add, before;

	if (i >= n)
		return;
	from = MISTAKE == MISTAKE_gather_in_order ? i : index[i];
	is_set = MISTAKE == MISTAKE_mask_ignored		   ? 1
		 : MISTAKE == MISTAKE_mask_by_first ? mask[blockIdx.x * blockDim.x]
						    : mask[i];
	add = MISTAKE == MISTAKE_bias_folded	 ? 0.25f
	      : MISTAKE == MISTAKE_bias_by_first ? bias[0]
						 : bias[i];
	before = MISTAKE == MISTAKE_sums_overwritten ? 0.0f : sums[i];
	sums[i] = before + (is_set ? x[from] : 0.0f) + add;
}

extern "C" __global__ void mutant_assumes_reference(const float *x, const int *index,
	const int *mask, const float *bias, float *sums, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sums[i] += (mask[i] ? x[index[i]] : 0.0f) + bias[i];
}
