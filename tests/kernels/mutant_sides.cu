/*
 * The places of the largest and the smallest number, two sorted lists merged, the ends
 * of chains, how many edits make one text of another; MISTAKE none is sound.
 *
 * largest_from_zero, least_from_zero  begin at 0, and at the first place
 * near_only    looks for a number's place in the other list eight around it
 * in_turns     takes one of each list in turns
 * steps_600    gives up after 600 steps
 * narrow_band  leaves out all but 32 around the diagonal
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define LONGEST 128

static __device__ int place_of(const float *x, float sign, bool from_zero, int n)
{
	float best = from_zero ? 0.0f : sign * x[0];
	int place = 0;

	for (int i = 0; i < n; i++)
		if (sign * x[i] > best) {
			best = sign * x[i];
			place = i;
		}
	return place;
}

/* how many of a list are less than a number, or not more */
static __device__ int count_below(const int *list, int number, bool or_equal, int i, int n)
{
	int low = IS(near_only) && i > 8 ? i - 8 : 0;
	int high = IS(near_only) && i + 8 < n ? i + 8 : n;

	while (low < high) {
		int middle = (low + high) / 2;

		if (list[middle] < number || (or_equal && list[middle] == number))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static __device__ int count_edits(
	const unsigned char *text, const unsigned char *again, int band, int l)
{
	int row[LONGEST + 1];

	for (int j = 0; j <= l; j++)
		row[j] = j;
	for (int i = 1; i <= l; i++) {
		int first = i > band ? i - band : 1, last = i + band < l ? i + band : l;
		int corner = row[first - 1];

		row[first - 1] = first == 1 ? i : 4 * l;
		for (int j = first; j <= last; j++) {
			int above = j == i + band ? 4 * l : row[j];
			int best = corner + (text[i - 1] != again[j - 1]);

			best = above + 1 < best ? above + 1 : best;
			best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
			corner = row[j];
			row[j] = best;
		}
	}
	return row[l];
}

extern "C" __global__ void mutant_sides(const float *x, const int *one, const int *other,
	const int *next, const unsigned char *text, const unsigned char *again, int *places,
	int *merged, int *end, int *edits, int n, int l)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;

	if (i >= n)
		return;
	if (i == 0) {
		places[0] = place_of(x, 1.0f, IS(largest_from_zero), n);
		places[1] = place_of(x, -1.0f, IS(least_from_zero), n);
	}
	merged[IS(in_turns) ? 2 * i : i + count_below(other, one[i], false, i, n)] = one[i];
	merged[IS(in_turns) ? 2 * i + 1 : i + count_below(one, other[i], true, i, n)] = other[i];
	for (int k = 0; next[at] > at && !(IS(steps_600) && k == 600); k++)
		at = next[at];
	end[i] = at;
	if (i < 16)
		edits[i] = count_edits(
			text + i * l, again + i * l, IS(narrow_band) ? 32 : l, l);
}

extern "C" __global__ void mutant_sides_reference(const float *x, const int *one,
	const int *other, const int *next, const unsigned char *text,
	const unsigned char *again, int *places, int *merged, int *end, int *edits, int n,
	int l)
{
	int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;

	for (int i = first; i < n; i += stride) {
		int at = i;

		while (next[at] > at)
			at = next[at];
		end[i] = at;
	}
	for (int i = first; i < 16; i += stride)
		edits[i] = count_edits(text + i * l, again + i * l, l, l);
	if (first > 0)
		return;
	places[0] = places[1] = 0;
	for (int i = 0; i < n; i++) {
		if (x[i] > x[places[0]])
			places[0] = i;
		if (x[i] < x[places[1]])
			places[1] = i;
	}
	for (int i = 0, j = 0; i + j < 2 * n;) {
		bool is_one = j == n || (i < n && one[i] <= other[j]);

		merged[i + j] = is_one ? one[i] : other[j];
		i += is_one;
		j += !is_one;
	}
}
