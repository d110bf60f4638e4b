/*
 * Places of numbers in a ring that begins somewhere, their groups, and the first number of
 * each. MISTAKE none is sound.
 *
 * by_mask       the ring's length is a power of two
 * by_shift      the groups' width is
 * both_by_bits  both are
 * ring_folded   the ring of the space
 * group_folded  the groups of the space
 * signed_rest   ahead of where the ring begins there is no place
 * rounds_up     groups of the next number
 * ring_of_group a ring of groups
 *
 * Each METHOD is sound:
 *
 * plain      by rests and quotients
 * subtracts  rests by quotients
 * steps      quotients in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_moduli(
	const int *x, int *at, int *group, int *first, int ring, int width, int from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, place, which;

	if (i >= n)
		return;
	if (IS(ring_folded))
		ring = 64;
	if (IS(group_folded))
		width = 8;
	place = x[i] - from;
	if (IS(by_mask) || IS(both_by_bits)) {
		place &= ring - 1;
	} else if (IS(signed_rest)) {
		place = max(place, 0) % ring;
	} else {
		place = BY(subtracts) ? place - place / ring * ring
			: BY(steps)   ? place - (int)floor((double)place / ring) * ring
				      : place % ring;
		if (place < 0)
			place += ring;
	}
	if (IS(by_shift) || IS(both_by_bits))
		which = x[i] >> (31 - __clz(width));
	else if (IS(rounds_up))
		which = (x[i] + width - 1) / width;
	else
		which = BY(steps) ? (int)floor((double)x[i] / width) : x[i] / width;
	if (IS(ring_of_group))
		place = place / width * width;
	at[i] = place;
	group[i] = which;
	first[i] = which * width;
}

extern "C" __global__ void mutant_moduli_reference(
	const int *x, int *at, int *group, int *first, int ring, int width, int from, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		at[i] = ((x[i] - from) % ring + ring) % ring;
		group[i] = x[i] / width;
		first[i] = group[i] * width;
	}
}
