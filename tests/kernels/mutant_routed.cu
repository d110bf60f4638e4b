/*
 * The longest prefix that an address has, of some the first one. MISTAKE none is sound.
 *
 * first_match     the first prefix that it has
 * last_of_same    of some as long the last one
 * no_default      a prefix of no bits does not match
 * default_folded  the answer of the space if none exists
 * zero_length     a prefix of no bits has all
 * most_24         of a prefix at most 24 bits count
 * sixteen_low     looks at the low 16 bits only
 * signed_shift    where the highest bit is set, all below it counts
 * none_is_0       the first answer if none exists
 * bytes_only      whole bytes of a prefix count
 *
 * Each METHOD is sound:
 *
 * all          of all prefixes the best
 * by_length    from the longest on
 * from_behind  from the last one on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ bool has(unsigned address, unsigned prefix, int length)
{
	unsigned mask;

	if (IS(most_24) && length > 24)
		length = 24;
	if (IS(bytes_only))
		length = length / 8 * 8;
	if (length <= 0)
		return !IS(zero_length) || address == prefix;
	mask = 0xffffffffu << (32 - length);
	if (IS(sixteen_low))
		mask &= 0xffff;
	if (IS(signed_shift))
		return (int)(address ^ prefix) >> (32 - length) == 0 && (address >> 31 == 0 || (int)address >= (int)prefix);
	return ((address ^ prefix) & mask) == 0;
}

extern "C" __global__ void mutant_routed(const unsigned *address, const unsigned *prefix,
	const int *length, const int *to, int *hop, int missing, int p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = -1, longest = -1;

	if (i >= n)
		return;
	if (IS(default_folded))
		missing = -1;
	if (BY(by_length)) {
		for (int l = 32; l >= 0 && best < 0; l--)
			for (int k = 0; k < p && best < 0; k++)
				if (length[k] == l && has(address[i], prefix[k], l))
					best = k;
	} else if (BY(from_behind)) {
		for (int k = p - 1; k >= 0; k--)
			if (length[k] >= longest && has(address[i], prefix[k], length[k])) {
				longest = length[k];
				best = k;
			}
	} else {
		for (int k = 0; k < p; k++) {
			if (IS(no_default) && length[k] == 0)
				continue;
			if ((IS(last_of_same) ? length[k] >= longest : length[k] > longest) &&
				has(address[i], prefix[k], length[k])) {
				longest = length[k];
				best = k;
				if (IS(first_match))
					break;
			}
		}
	}
	hop[i] = best >= 0 ? to[best] : IS(none_is_0) ? to[0] : missing;
}

extern "C" __global__ void mutant_routed_reference(const unsigned *address,
	const unsigned *prefix, const int *length, const int *to, int *hop, int missing, int p,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int longest = -1;

		hop[i] = missing;
		for (int k = 0; k < p; k++) {
			bool is_same = true;

			for (int bit = 0; bit < length[k]; bit++)
				is_same = is_same && ((address[i] ^ prefix[k]) >> (31 - bit) & 1) == 0;
			if (is_same && length[k] > longest) {
				longest = length[k];
				hop[i] = to[k];
			}
		}
	}
}
