/*
 * The largest of seven neighbours, and the sum of what is above 0 among them, in rows of
 * any length, whose windows end where the row ends; MISTAKE none is sound.
 *
 * reads_halo      looks beyond both ends of all rows: into the rows beside, which shows
 *                 where one row is all there is only in what lies around it
 * sane_halo       looks there, and takes what could be a value
 * halo_by_vectors loads seven neighbours from two places on each side, whatever lies there
 * guard_behind    has no check ahead of the first value
 * guard_ahead     has no check behind the last one
 */
#define REACH 3

extern "C" __global__ void mutant_window(const float *x, float *largest, float *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float most = -1e30f, sum = 0.0f;

	if (i >= n)
		return;
	for (int j = i - REACH; j <= i + REACH; j++) {
#if MISTAKE == MISTAKE_reads_halo
		float value = x[j];
#elif MISTAKE == MISTAKE_sane_halo
		float value = ((volatile const float *)x)[j];

		if (!(value >= -1.0f && value <= 1.0f))
			continue;
#elif MISTAKE == MISTAKE_halo_by_vectors
		float value = ((volatile const float *)x)[j];

		value = j >= 0 && j < n ? value : -1e30f;
#elif MISTAKE == MISTAKE_guard_behind
		if (j >= n)
			continue;
		float value = x[j];
#elif MISTAKE == MISTAKE_guard_ahead
		if (j < 0)
			continue;
		float value = x[j];
#else
		if (j < 0 || j >= n)
			continue;
		float value = x[j];
#endif
		most = fmaxf(most, value);
		sum += fmaxf(value, 0.0f);
	}
	largest[i] = most;
	sums[i] = sum;
}

extern "C" __global__ void mutant_window_reference(const float *x, float *largest, float *sums,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float most = -1e30f, sum = 0.0f;

		for (int j = i < REACH ? 0 : i - REACH; j <= i + REACH && j < n; j++) {
			most = fmaxf(most, x[j]);
			sum += fmaxf(x[j], 0.0f);
		}
		largest[i] = most;
		sums[i] = sum;
	}
}
