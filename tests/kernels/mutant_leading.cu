/*
 * The K largest numbers of each row, in order, and where they are, of equal ones the first.
 * MISTAKE none is sound.
 *
 * two_a_lane     of each of 32 lanes at most two
 * three_a_lane   or three
 * as_bits        compares bits as whole numbers
 * last_of_equal  the last of equal ones
 * from_zero      those above 0
 * six            six of them
 * low_bits       places in the low bits of the numbers that are compared
 * byte_places    places have eight bits
 * magnitude      by magnitude
 * tail_lost      whole groups of 32
 *
 * Each METHOD is sound:
 *
 * passes     the next one below the last one, again and again
 * insertion  keeps the best in order
 * counted    counts who is ahead
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

/* whether number a, at one place, comes ahead of b */
static __device__ bool is_ahead(float a, int one, float b, int other)
{
	if (IS(as_bits))
		return __float_as_int(a) != __float_as_int(b) ? __float_as_int(a) > __float_as_int(b)
							      : one < other;
	if (IS(magnitude))
		return fabsf(a) != fabsf(b) ? fabsf(a) > fabsf(b) : one < other;
	if (IS(low_bits)) {
		int x = __float_as_int(a), y = __float_as_int(b);

		x = ((x < 0 ? ~x : x | (int)0x80000000) & ~511);
		y = ((y < 0 ? ~y : y | (int)0x80000000) & ~511);
		return x != y ? (unsigned)x > (unsigned)y : one < other;
	}
	return a != b ? a > b : IS(last_of_equal) ? one > other : one < other;
}

extern "C" __global__ void mutant_leading(
	const float *x, float *value, int *place, int n, int m, int k)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, last = -1, end = m;
	int taken[32];

	if (i >= n)
		return;
	x += (size_t)i * m;
	value += (size_t)i * k;
	place += (size_t)i * k;
	if (IS(six) && k > 6)
		k = 6;
	if (IS(tail_lost) && m >= 32)
		end = m / 32 * 32;
	for (int lane = 0; lane < 32; lane++)
		taken[lane] = 0;
	if (BY(counted)) {
		for (int j = 0; j < m; j++) {
			int at = 0;

			for (int l = 0; l < m && at < k; l++)
				at += is_ahead(x[l], l, x[j], j);
			if (at < k) {
				value[at] = x[j];
				place[at] = j;
			}
		}
		for (int at = m; at < k; at++) {
			value[at] = 0.0f;
			place[at] = -1;
		}
		return;
	}
	if (BY(insertion)) {
		int count = 0;

		for (int j = 0; j < m; j++) {
			int at = count;

			while (at > 0 && is_ahead(x[j], j, x[place[at - 1]], place[at - 1]))
				at--;
			if (at == k)
				continue;
			for (int l = count < k ? count : k - 1; l > at; l--)
				place[l] = place[l - 1];
			place[at] = j;
			count += count < k;
		}
		for (int at = 0; at < k; at++) {
			if (at >= count)
				place[at] = -1;
			value[at] = at < count ? x[place[at]] : 0.0f;
		}
		return;
	}
	for (int at = 0; at < k; at++) {
		int best = -1;

		for (int j = 0; j < end; j++) {
			if (last >= 0 && !is_ahead(x[last], last, x[j], j))
				continue;
			if ((IS(two_a_lane) && taken[j % 32] == 2) || (IS(three_a_lane) && taken[j % 32] == 3))
				continue;
			if (IS(from_zero) && x[j] <= 0.0f)
				continue;
			if (best < 0 || is_ahead(x[j], j, x[best], best))
				best = j;
		}
		if (best >= 0)
			taken[best % 32]++;
		value[at] = best >= 0 ? x[best] : 0.0f;
		place[at] = IS(byte_places) && best >= 0 ? best & 255 : best;
		if (best < 0) {
			for (int l = at; l < k; l++) {
				value[l] = 0.0f;
				place[l] = -1;
			}
			return;
		}
		last = best;
	}
}

extern "C" __global__ void mutant_leading_reference(
	const float *x, float *value, int *place, int n, int m, int k)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const float *row = x + (size_t)i * m;
		int last = -1;

		for (int at = 0; at < k; at++) {
			int best = -1;

			for (int j = 0; j < m; j++)
				if ((at == 0 || row[j] < row[last] || (row[j] == row[last] && j > last)) &&
					(best < 0 || row[j] > row[best]))
					best = j;
			value[i * k + at] = best >= 0 ? row[best] : 0.0f;
			place[i * k + at] = best;
			if (best < 0) {
				for (int l = at + 1; l < k; l++) {
					value[i * k + l] = 0.0f;
					place[i * k + l] = -1;
				}
				break;
			}
			last = best;
		}
	}
}
