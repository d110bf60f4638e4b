/*
 * The number that a part of the first many numbers of a row do not exceed. MISTAKE none
 * is sound.
 *
 * steps_20       halves the range twenty times
 * positive_only  the range begins at 0
 * strictly       counts those below
 * always_middle  the middle of the row
 * from_mean      the number nearest to the mean
 * full_row       all of the row
 * unit_range     the range is from -4 to 4
 * rank_folded    the part of the space
 * even_mean      the mean of both in the middle
 *
 * Each METHOD is sound:
 *
 * counts   counts for each number who is ahead
 * bits     bit by bit of numbers in their order
 * bisects  halves the range of numbers in their order
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ unsigned ordered(float x)
{
	unsigned bits = (unsigned)__float_as_int(x);

	return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static __device__ float unordered(unsigned bits)
{
	return __int_as_float((int)(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits));
}

extern "C" __global__ void mutant_halved(const float *x, const int *many, float *y, int part, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, end, rank;

	if (i >= n)
		return;
	if (IS(rank_folded))
		part = 2;
	x += (size_t)i * m;
	end = IS(full_row) ? m : min(max(many[i], 1), m);
	rank = IS(always_middle) ? m / part : (end - 1) / part;
	if (BY(counts) || IS(strictly) || IS(always_middle) || IS(full_row) || IS(rank_folded) || IS(even_mean)) {
		float found = x[0], behind = x[0];

		for (int k = 0; k < end; k++) {
			int ahead = 0;

			for (int j = 0; j < end; j++)
				ahead += x[j] < x[k] || (x[j] == x[k] && j < k && !IS(strictly));
			if (ahead == rank)
				found = x[k];
			if (ahead == rank + 1)
				behind = x[k];
		}
		y[i] = IS(even_mean) && end % 2 == 0 ? 0.5f * (found + behind) : found;
		return;
	}
	if (BY(bits)) {
		unsigned prefix = 0;

		for (int bit = 31; bit >= 0; bit--) {
			int below = 0;

			for (int k = 0; k < end; k++)
				below += ordered(x[k]) < (prefix | 1u << bit);
			if (below <= rank)
				prefix |= 1u << bit;
		}
		y[i] = unordered(prefix);
		return;
	}
	if (BY(bisects)) {
		unsigned low = 0, high = 0xffffffffu;

		while (low < high) {
			unsigned middle = low + (high - low) / 2;
			int below = 0;

			for (int k = 0; k < end; k++)
				below += ordered(x[k]) <= middle;
			if (below > rank)
				high = middle;
			else
				low = middle + 1;
		}
		y[i] = unordered(low);
		return;
	}
	{
		float low = x[0], high = x[0], sum = 0.0f;

		for (int k = 0; k < end; k++) {
			low = fminf(low, x[k]);
			high = fmaxf(high, x[k]);
			sum += x[k];
		}
		if (IS(from_mean)) {
			float mean = sum / end, nearest = x[0];

			for (int k = 0; k < end; k++)
				if (fabsf(x[k] - mean) < fabsf(nearest - mean))
					nearest = x[k];
			y[i] = nearest;
			return;
		}
		if (IS(unit_range)) {
			low = -4.0f;
			high = 4.0f;
		}
		if (IS(positive_only))
			low = fmaxf(low, 0.0f);
		for (int step = 0; step < (IS(steps_20) ? 20 : 60); step++) {
			float middle = 0.5f * (low + high);
			int below = 0;

			for (int k = 0; k < end; k++)
				below += x[k] <= middle;
			if (below > rank)
				high = middle;
			else
				low = middle;
		}
		if (IS(steps_20)) {
			y[i] = high;
			return;
		}
		/* the largest that is not above */
		low = -3e38f;
		for (int k = 0; k < end; k++)
			if (x[k] <= high && x[k] > low)
				low = x[k];
		y[i] = low;
	}
}

extern "C" __global__ void mutant_halved_reference(const float *x, const int *many, float *y, int part, int m, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const float *row = x + (size_t)i * m;
		int end = many[i] < 1 ? 1 : many[i] < m ? many[i] : m;

		for (int k = 0; k < end; k++) {
			int ahead = 0;

			for (int j = 0; j < end; j++)
				ahead += row[j] < row[k] || (row[j] == row[k] && j < k);
			if (ahead == (end - 1) / part)
				y[i] = row[k];
		}
	}
}
