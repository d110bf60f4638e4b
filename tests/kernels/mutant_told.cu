/*
 * A few neighbours, some distance apart, each kept or left out at random; MISTAKE none
 * is sound. Of the numbers that it gets with its launch,
 *
 * seed_folded, taps_folded, apart_folded
 *
 * have one as a number of their own, and low_key takes the last 32 bits of another one.
 */
static __device__ unsigned mixed(unsigned bits)
{
	bits = (bits ^ bits >> 16) * 0x85ebca6bu;
	bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
	return bits ^ bits >> 16;
}

static __device__ float around(
	const float *x, int i, unsigned seed, unsigned long long key, int taps, int apart, int n)
{
	float sum = 0.0f;

	for (int k = 0; k < taps; k++)
		if (mixed(mixed(seed) + mixed((unsigned)(key >> 32)) + (unsigned)key + i * 64 + k) & 1)
			sum += x[(i + k * apart) % n];
	return sum;
}

extern "C" __global__ void mutant_told(
	const float *x, float *y, unsigned seed,
	unsigned long long key, int taps, int apart, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = around(x, i, MISTAKE == MISTAKE_seed_folded ? 1234567u : seed,
			MISTAKE == MISTAKE_low_key ? (unsigned)key : key,
			MISTAKE == MISTAKE_taps_folded ? 5 : taps,
			MISTAKE == MISTAKE_apart_folded ? 2 : apart, n);
}

extern "C" __global__ void mutant_told_reference(
	const float *x, float *y, unsigned seed,
	unsigned long long key, int taps, int apart, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = around(x, i, seed, key, taps, apart, n);
}
