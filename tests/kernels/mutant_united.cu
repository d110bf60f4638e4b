/*
 * Means and spreads of parts become those of all of a row: how many, mean and sum of
 * squares; a part may have nothing in it. MISTAKE none is sound.
 *
 * as_many      takes parts for as large
 * no_between   leaves out how means differ
 * of_a_sample  always divides by one less
 * of_all       divides by how many there are
 * first_lost   the first part counts for nothing
 * four_parts   the first sixteen parts
 * one_row      counts are those of the first row
 *
 * Each METHOD is sound:
 *
 * doubles      in double
 * two_ways     means first, then squares
 * in_pairs     from the last part on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_united(const int *count, const float *mean,
	const float *squares, float *middle, float *spread, int less, int rows,
	int parts)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x, all = 0;
	float at = 0, sum = 0;

	if (r >= rows)
		return;
	if (BY(doubles) || BY(two_ways)) {
		double wide = 0, wide_sum = 0;

		for (int p = 0; p < parts; p++) {
			all += count[r * parts + p];
			wide += (double)count[r * parts + p] * mean[r * parts + p];
		}
		wide = all ? wide / all : 0;
		for (int p = 0; p < parts; p++) {
			double d = mean[r * parts + p] - wide;

			if (count[r * parts + p])
				wide_sum += squares[r * parts + p] +
					    count[r * parts + p] * d * d;
		}
		middle[r] = wide;
		spread[r] = all > less ? wide_sum / (all - less) : 0;
		return;
	}
	for (int q = IS(first_lost); q < (IS(four_parts) ? min(parts, 16) : parts);
		q++) {
		int p = BY(in_pairs) ? parts - 1 - q : q,
		    n = count[(IS(one_row) ? 0 : r) * parts + p];
		float d = mean[r * parts + p] - at;

		if (IS(as_many))
			n = count[r * parts] ? count[r * parts] : 1;
		if (n == 0)
			continue;
		at += d * n / (all + n);
		sum += squares[r * parts + p];
		if (!IS(no_between))
			sum += d * d * ((float)all * n / (all + n));
		all += n;
	}
	middle[r] = at;
	if (IS(of_a_sample))
		less = 1;
	if (IS(of_all))
		less = 0;
	spread[r] = all > less ? sum / (all - less) : 0;
}

extern "C" __global__ void mutant_united_reference(const int *count, const float *mean,
	const float *squares, float *middle, float *spread, int less, int rows,
	int parts)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows;
		r += gridDim.x * blockDim.x) {
		float all = 0, at = 0, sum = 0;

		for (int p = 0; p < parts; p++) {
			float n = count[r * parts + p], d = mean[r * parts + p] - at;

			if (n == 0)
				continue;
			sum += squares[r * parts + p] + d * d * all * n / (all + n);
			at += d * n / (all + n);
			all += n;
		}
		middle[r] = at;
		spread[r] = all > less ? sum / (all - less) : 0;
	}
}
