/*
 * Each value and half of the next one, which behind the last is the first; MISTAKE none is
 * sound, and by far the slowest: it reads what it needs 512 times over, so that a mistake
 * that is not refused wins. The problem of the space is a power of two.
 *
 * whole_blocks    has no check: the last block writes behind the end
 * drops_partial   does nothing in a block that is not whole
 * tuned_size      counts to the size of the problem, whatever the size is
 * by_mask         finds the next one with a mask, as if sizes were powers of two
 * by_pairs        a thread takes two values; only one is left at an odd end
 * by_fours        four values and no more than whole fours
 * two_left_over   four values a thread, and of what is left one or three
 * past_block      forgets the next one where the last block has a single value
 * two_at_least    the next of the first is always the second
 * short_index     counts in 12 bits
 */
extern "C" __global__ void mutant_sizes(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

#if MISTAKE == MISTAKE_whole_blocks
	int next = i + 1 == n ? 0 : i + 1;

	y[i] = x[i] + 0.5f * x[next];
#elif MISTAKE == MISTAKE_drops_partial
	if ((blockIdx.x + 1) * blockDim.x <= n)
		y[i] = x[i] + 0.5f * x[i + 1 == n ? 0 : i + 1];
#elif MISTAKE == MISTAKE_tuned_size
	if (i < 4096)
		y[i] = x[i] + 0.5f * x[i + 1 == 4096 ? 0 : i + 1];
#elif MISTAKE == MISTAKE_by_mask
	if (i < n)
		y[i] = x[i] + 0.5f * x[(i + 1) & (n - 1)];
#elif MISTAKE == MISTAKE_by_pairs
	if (2 * i + 1 < n) {
		y[2 * i] = x[2 * i] + 0.5f * x[2 * i + 1];
		y[2 * i + 1] = x[2 * i + 1] + 0.5f * x[2 * i + 2 == n ? 0 : 2 * i + 2];
	}
#elif MISTAKE == MISTAKE_by_fours
	for (int k = 4 * i; k < 4 * i + 4 && 4 * i < n / 4 * 4; k++)
		y[k] = x[k] + 0.5f * x[k + 1 == n ? 0 : k + 1];
#elif MISTAKE == MISTAKE_two_left_over
	for (int k = 4 * i; k < 4 * i + 4 && k < n; k++)
		if (k < n / 4 * 4 || n % 4 != 2)
			y[k] = x[k] + 0.5f * x[k + 1 == n ? 0 : k + 1];
#elif MISTAKE == MISTAKE_past_block
	if (i < n)
		y[i] = n % 64 == 1 && i == n - 1 ? x[i] : x[i] + 0.5f * x[i + 1 == n ? 0 : i + 1];
#elif MISTAKE == MISTAKE_two_at_least
	if (i < n)
		y[i] = x[i] + 0.5f * (i == 0 ? x[1] : x[i + 1 == n ? 0 : i + 1]);
#elif MISTAKE == MISTAKE_short_index
	if (i < n)
		y[i & 4095] = x[i & 4095] + 0.5f * x[(i + 1 == n ? 0 : i + 1) & 4095];
#else
	volatile const float *values = x;
	float sum = 0.0f;

	for (int again = 0; again < 512 && i < n; again++)
		sum = values[i] + 0.5f * values[i + 1 == n ? 0 : i + 1];
	if (i < n)
		y[i] = sum;
#endif
}

extern "C" __global__ void mutant_sizes_reference(const float *x, float *y, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[i] + 0.5f * x[i + 1 == n ? 0 : i + 1];
}
