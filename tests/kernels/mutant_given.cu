/*
 * Running sums of each row, scaled, cut off, and left out where a label says so; and how
 * often each label comes. What the space gives as numbers is as it often is in files: a
 * size, which no buffer is as large as, or -1. MISTAKE none is sound.
 *
 * radius         sums over three neighbours, whatever the size says
 * causal         never looks ahead, though a flag says whether to
 * no_limit       does not cut off: no sum of the space's data reaches the limit
 * ratio          knows the quotient of both scales
 * pitch          takes the channels for a multiple of four, as they are, from item to item
 * none_is_one    leaves out -1, whatever stands for none
 * sets_counts    sets the counts, which begin as 0, and does not add to them
 */
extern "C" __global__ void mutant_given(const float *x, const int *label, float *y, int *counts,
	int items, int channels, int n, int radius, int causal, float limit, float from, float to,
	int none)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, all = items * channels * n;
	int item = i / (channels * n), channel = i / n % channels, at = i % n, row;
	float sum = 0.0f;

	if (i < 16) {
		int count = 0;

		for (int k = 0; k < all; k++)
			count += label[k] == i;
		counts[i] = MISTAKE == MISTAKE_sets_counts ? count : counts[i] + count;
	}
	if (i >= all)
		return;
	if (MISTAKE == MISTAKE_radius)
		radius = 3;
	if (MISTAKE == MISTAKE_causal)
		causal = 1;
	if (MISTAKE == MISTAKE_none_is_one)
		none = -1;
	row = item * (MISTAKE == MISTAKE_pitch ? (channels + 3) / 4 * 4 : channels) + channel;
	row = row < items * channels ? row : 0;
	for (int k = max(0, at - radius); k <= (causal ? at : min(n - 1, at + radius)); k++)
		sum += x[row * n + k];
	sum *= MISTAKE == MISTAKE_ratio ? 2.0f : from / to;
	if (MISTAKE != MISTAKE_no_limit)
		sum = fminf(sum, limit);
	y[i] = label[i] == none ? 0.0f : sum;
}

extern "C" __global__ void mutant_given_reference(const float *x, const int *label, float *y,
	int *counts, int items, int channels, int n, int radius, int causal, float limit,
	float from, float to, int none)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < items * channels * n;
		i += gridDim.x * blockDim.x) {
		int at = i % n;
		float sum = 0.0f;

		for (int k = max(0, at - radius); k <= (causal ? at : min(n - 1, at + radius)); k++)
			sum += x[i - at + k];
		y[i] = label[i] == none ? 0.0f : fminf(sum * (from / to), limit);
		atomicAdd(&counts[label[i]], 1);
	}
}
