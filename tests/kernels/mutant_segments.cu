/*
 * Running sums that begin anew at flags, and how many in a row are alike; MISTAKE none is
 * sound.
 *
 * short_sum   adds up in 16 bits, which the sums of numbers of both signs seldom leave
 * looks_512   looks for a flag 512 back at most
 * block_head  takes the first of a block for flagged where that is far away
 * low_bit     only odd flags count
 * byte_run    counts a run in 8 bits
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)

static __device__ int count_alike(const unsigned char *letters, int i, int n)
{
	int count = 1;

	if (i > 0 && letters[i - 1] == letters[i])
		return 0;
	while (i + count < n && letters[i + count] == letters[i])
		count++;
	return count;
}

extern "C" __global__ void mutant_segments(const int *x, const unsigned char *flag,
	const unsigned char *letters, int *sum, int *run, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, total = 0;

	if (i >= n)
		return;
	for (int k = i; k >= 0; k--) {
		total += x[k];
		if (IS(short_sum))
			total = (short)total;
		if ((IS(low_bit) ? flag[k] & 1 : flag[k]) || (IS(looks_512) && i - k == 511) ||
			(IS(block_head) && k % 256 == 0 && i - k > 300))
			break;
	}
	sum[i] = total;
	run[i] = count_alike(letters, i, n);
	if (IS(byte_run))
		run[i] &= 255;
}

extern "C" __global__ void mutant_segments_reference(const int *x, const unsigned char *flag,
	const unsigned char *letters, int *sum, int *run, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int k = i;

		sum[i] = x[i];
		while (!flag[k] && k > 0)
			sum[i] += x[--k];
		run[i] = count_alike(letters, i, n);
	}
}
