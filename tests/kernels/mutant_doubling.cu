/* Prefix sums in log2(n) steps, each with twice the distance, then a number for each
   round, which a pointer leads to. */
extern "C" __global__ void mutant_doubling(
	const unsigned *from, unsigned *to, int distance, int n)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;

	if (i < n)
		to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
}

extern "C" __global__ void mutant_doubling_added(
	unsigned *sums, const unsigned *number, uint2 factor, int n)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;

	if (i < n)
		sums[i] += *number * factor.x + factor.y;
}

extern "C" __global__ void mutant_doubling_reference(
	unsigned *sums, const unsigned *numbers, int n, int rounds)
{
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		unsigned sum = 0;

		for (int i = 0; i < n; i++) {
			sum += sums[i];
			sums[i] = sum;
			for (int k = 0; k < rounds; k++)
				sums[i] += numbers[k] * (k + 1) + 7;
		}
	}
}
