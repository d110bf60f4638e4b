/*
 * The sum of all values, clipped, and of each block; what is whole and begins as 0 is here a
 * ticket, a flag for each block, or a sum.
 *
 * one        adds up in the first thread
 * blocks     one sum a block; the last one by its ticket adds them up
 * flags      one sum a block, which says by a flag that it is there
 */
extern "C" __global__ void sound_given(const int *x, int *sums, int *total, unsigned *flags,
	unsigned *ticket, int *counts, int n, int low, int high, int pieces)
{
	int piece = blockIdx.x, length = (n + pieces - 1) / pieces, sum = 0;

#if METHOD == METHOD_one
	if (threadIdx.x || piece)
		return;
	for (piece = 0; piece < pieces; piece++) {
		sum = 0;
		for (int i = piece * length; i < min(n, (piece + 1) * length); i++)
			sum += min(max(x[i], low), high);
		sums[piece] = sum;
		*total = (piece ? *total : 0) + sum;
		counts[piece & 7]++;
	}
#else
	if (threadIdx.x || piece >= pieces)
		return;
	for (int i = piece * length; i < min(n, (piece + 1) * length); i++)
		sum += min(max(x[i], low), high);
	sums[piece] = sum;
	atomicAdd(&counts[piece & 7], 1);
	__threadfence();
#if METHOD == METHOD_flags
	atomicExch(&flags[piece], 1u);
	if (piece)
		return;
	sum = 0;
	for (int i = 0; i < pieces; i++) {
		while (atomicAdd(&flags[i], 0u) == 0)
			;
		__threadfence();
		sum += ((volatile int *)sums)[i];
		flags[i] = 0;
	}
	*total = sum;
#else
	if (atomicAdd(ticket, 1u) != (unsigned)pieces - 1)
		return;
	__threadfence();
	sum = 0;
	for (int i = 0; i < pieces; i++)
		sum += ((volatile int *)sums)[i];
	*total = sum;
	*ticket = 0;
#endif
#endif
}

/* is given flags and ticket, too, and has no use for them */
extern "C" __global__ void sound_given_reference(const int *x, int *sums, int *total,
	unsigned *flags, unsigned *ticket, int *counts, int n, int low, int high, int pieces)
{
	int length = (n + pieces - 1) / pieces, all = 0;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int piece = 0; piece < pieces; piece++) {
		int sum = 0;

		for (int i = piece * length; i < min(n, (piece + 1) * length); i++)
			sum += x[i] < low ? low : x[i] > high ? high : x[i];
		sums[piece] = sum;
		counts[piece & 7] += 1;
		all += sum;
	}
	*total = all;
}
