/*
 * Where numbers would go among keys and among knots, and how many values are from a number
 * up to 100,000,000 above it. The MISTAKE:
 *
 * key_upper   behind a key that is equal
 * knot_upper  behind a knot that is equal
 * open        an equal value does not count
 * next_key    in front of a key that is less by one
 */
#define WIDTH 100000000

extern "C" __global__ void mutant_lookup(const int *keys, const float *knots, const int *wanted,
	const float *x, const int *values, const int *low, int *key, int *knot, int *hits, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, first = 0, last = m, count = 0;

	if (i >= n)
		return;
	while (first < last) {
		int middle = (first + last) / 2;

#if MISTAKE == MISTAKE_key_upper
		if (keys[middle] <= wanted[i])
#elif MISTAKE == MISTAKE_next_key
		if (keys[middle] < wanted[i] - 1)
#else
		if (keys[middle] < wanted[i])
#endif
			first = middle + 1;
		else
			last = middle;
	}
	key[i] = first;
	for (first = 0, last = m; first < last;) {
		int middle = (first + last) / 2;

#if MISTAKE == MISTAKE_knot_upper
		if (knots[middle] <= x[i])
#else
		if (knots[middle] < x[i])
#endif
			first = middle + 1;
		else
			last = middle;
	}
	knot[i] = first;
	for (int j = 0; j < m; j++)
#if MISTAKE == MISTAKE_open
		count += values[j] > low[i] && values[j] < low[i] + WIDTH;
#else
		count += values[j] >= low[i] && values[j] < low[i] + WIDTH;
#endif
	hits[i] = count;
}

extern "C" __global__ void mutant_lookup_reference(const int *keys, const float *knots, const int *wanted,
	const float *x, const int *values, const int *low, int *key, int *knot, int *hits, int n, int m)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int below = 0, under = 0, count = 0;

		for (int j = 0; j < m; j++) {
			below += keys[j] < wanted[i];
			under += knots[j] < x[i];
			count += values[j] >= low[i] && values[j] - WIDTH < low[i];
		}
		key[i] = below;
		knot[i] = under;
		hits[i] = count;
	}
}
