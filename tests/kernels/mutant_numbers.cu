/*
 * What single numbers of the space decide: a mask by a hash, one pass of a stable sort by
 * digits, bins with one for what is below and one for what is above. MISTAKE none is sound.
 *
 * low_seed      only the low half of the seed is mixed in
 * limit_folded  the limit is that of the space
 * shift_folded  so is the shift, which small keys do not show
 * low_folded    so is the lowest bin's beginning, which is negative
 * width_folded  so is the bins' width
 * seven_bits    digits have seven bits
 * unstable      equal digits change places
 * to_zero       divides towards 0, so that the lowest bin is twice as wide
 * no_above      what is above all bins counts as in the last one
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define DIGITS 255u
#define BINS 30

static __device__ unsigned mixed(unsigned place, unsigned seed)
{
	unsigned hash = (place + seed * 0x9e3779b9u) * 0x85ebca6bu;

	hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
	return hash ^ hash >> 16;
}

static __device__ int bin_of(int value, int low, int width, bool to_zero, bool no_above)
{
	int distance = value - low;

	if (distance < (to_zero ? 1 - width : 0))
		return 0;
	return distance / width < BINS ? distance / width + 1 : no_above ? BINS : BINS + 1;
}

extern "C" __global__ void mutant_numbers(const unsigned *keys, const int *x, int *on, int *place,
	int *bin, unsigned seed, unsigned limit, int shift, int low, int width, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, by = IS(shift_folded) ? 16 : shift;
	unsigned digits = IS(seven_bits) ? 127u : DIGITS, mine, other;
	int ahead = 0;

	if (i >= n)
		return;
	on[i] = mixed(i, IS(low_seed) ? seed & 0xffffu : seed) <
		(IS(limit_folded) ? 3435973836u : limit);
	mine = keys[i] >> by & digits;
	for (int k = 0; k < n; k++) {
		other = keys[k] >> by & digits;
		ahead += other < mine || (other == mine && (IS(unstable) ? k > i : k < i));
	}
	place[i] = ahead;
	bin[i] = bin_of(x[i], IS(low_folded) ? -150 : low, IS(width_folded) ? 10 : width,
		IS(to_zero), IS(no_above));
}

extern "C" __global__ void mutant_numbers_reference(const unsigned *keys, const int *x, int *on,
	int *place, int *bin, unsigned seed, unsigned limit, int shift, int low, int width, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned mine = keys[i] >> shift & DIGITS;

		on[i] = mixed(i, seed) < limit;
		place[i] = 0;
		for (int k = 0; k < n; k++) {
			unsigned other = keys[k] >> shift & DIGITS;

			place[i] += other < mine || (other == mine && k < i);
		}
		bin[i] = bin_of(x[i], low, width, false, false);
	}
}
