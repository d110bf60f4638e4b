/*
 * What is right for the data that a space declares. Each METHOD is sound: whatever other
 * data these are proved with has to be of the kind.
 *
 * plain       as the reference does it
 * halving     looks a value up in a sorted table by halving, not one by one
 * stable      works out the softplus so that large values do it no harm
 * other_order goes through rows from their ends
 */
extern "C" __global__ void sound_data(const float *x, const int *places, const int *table,
	const int *lengths, const float *divisors, const int *moduli, float *scattered,
	int *found, float *activated, float *quotients, float *row_sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, wanted, at;
	float sum = 0.0f;

	if (i >= n)
		return;
	/* each place is there once */
	scattered[places[i]] = x[i];
	wanted = (i * 37) % (3 * n);
#if METHOD == METHOD_halving
	at = 0;
	for (int end = n; end - at > 1;) {
		int middle = (at + end) / 2;

		if (table[middle] <= wanted)
			at = middle;
		else
			end = middle;
	}
#else
	at = n - 1;
	while (at > 0 && table[at] > wanted)
		at--;
#endif
	found[i] = at + i % moduli[i];
#if METHOD == METHOD_stable
	activated[i] = fmaxf(x[i], 0.0f) + log1pf(expf(-fabsf(x[i])));
#else
	activated[i] = logf(1.0f + expf(x[i]));
#endif
	quotients[i] = sqrtf(divisors[i]) / divisors[i] + logf(divisors[i]);
#if METHOD == METHOD_other_order
	for (int k = lengths[i] - 1; k >= 0; k--)
		sum += x[(i + k) % n];
#else
	for (int k = 0; k < lengths[i]; k++)
		sum += x[(i + k) % n];
#endif
	row_sums[i] = sum;
}

extern "C" __global__ void sound_data_reference(const float *x, const int *places,
	const int *table, const int *lengths, const float *divisors, const int *moduli,
	float *scattered, int *found, float *activated, float *quotients, float *row_sums, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int wanted = (i * 37) % (3 * n), at = n - 1;
		float sum = 0.0f;

		scattered[places[i]] = x[i];
		while (at > 0 && table[at] > wanted)
			at--;
		found[i] = at + i % moduli[i];
		activated[i] = logf(1.0f + expf(x[i]));
		quotients[i] = sqrtf(divisors[i]) / divisors[i] + logf(divisors[i]);
		for (int k = 0; k < lengths[i]; k++)
			sum += x[(i + k) % n];
		row_sums[i] = sum;
	}
}
