/*
 * Keys are looked for in a table: from the place that a key's hash says on, until it is
 * there or a place is empty; what was deleted is passed over. MISTAKE none is sound.
 *
 * probes_32        gives up after 32 places
 * no_wrap          ends at the end of the table
 * below_0          anything below 0 is empty
 * ends_at_deleted  ends where something was deleted
 * skips_empty      goes on behind empty places
 * low_bits         the hash of a table of a power of two
 * home_only        looks at one place
 * wraps_short      begins again at the second place
 * first_probe_0    does not count the first place
 * key_24           compares 5 bits
 *
 * Each METHOD is sound:
 *
 * steps   place by place
 * halves  to the end, and then from the beginning
 * scan    who is nearest behind the place, of all that are right, if no empty one is nearer
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_probed(const int *key, const int *value, const int *asked,
	int *found, int *probes, int empty, int missing, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, wanted, home, count = 0, result = missing;

	if (i >= n)
		return;
	wanted = asked[i];
	home = IS(low_bits) ? (int)((unsigned)wanted * 2654435761u >> 7 & 511u)
			    : (int)((unsigned)wanted * 2654435761u % (unsigned)m);
	if (IS(low_bits) && home >= m)
		home = m - 1;
	if (BY(halves) || IS(no_wrap)) {
		bool is_over = false;

		for (int part = 0; part < (IS(no_wrap) ? 1 : 2) && !is_over; part++)
			for (int k = part ? 0 : home; k < (part ? home : m) && !is_over; k++) {
				count++;
				is_over = key[k] == empty || key[k] == wanted;
				if (key[k] == wanted && wanted != empty)
					result = value[k];
			}
	} else if (BY(scan)) {
		int first = m, nearest = m;

		for (int k = 0; k < m; k++) {
			int far = k >= home ? k - home : k - home + m;

			if (key[k] == empty && far < nearest)
				nearest = far;
			if (key[k] == wanted && far < first)
				first = far;
		}
		count = first < nearest ? first + 1 : nearest < m ? nearest + 1 : m;
		if (first < nearest)
			result = value[(home + first) % m];
	} else {
		for (int k = 0; k < (IS(home_only) ? 1 : IS(probes_32) && m > 32 ? 32 : m); k++) {
			int at = (home + k) % m;

			if (IS(wraps_short) && home + k >= m)
				at = (at + 1) % m;
			count++;
			if (IS(below_0) ? key[at] < 0 : key[at] == empty && !IS(skips_empty))
				break;
			if (IS(ends_at_deleted) && key[at] == empty - 1)
				break;
			if (IS(key_24) ? (key[at] & 31) == (wanted & 31) : key[at] == wanted) {
				result = value[at];
				break;
			}
		}
	}
	found[i] = result;
	probes[i] = IS(first_probe_0) ? count - 1 : count;
}

extern "C" __global__ void mutant_probed_reference(const int *key, const int *value,
	const int *asked, int *found, int *probes, int empty, int missing, int m, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int at = (int)((unsigned)asked[i] * 2654435761u % (unsigned)m);

		found[i] = missing;
		probes[i] = 0;
		for (int k = 0; k < m; k++) {
			probes[i]++;
			if (key[at] == empty)
				break;
			if (key[at] == asked[i]) {
				found[i] = value[at];
				break;
			}
			at = at + 1 == m ? 0 : at + 1;
		}
	}
}
