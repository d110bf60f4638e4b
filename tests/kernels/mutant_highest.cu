/*
 * The highest value so far in each row and where it was, the last of equal ones, from either
 * end. MISTAKE none is sound.
 *
 * first_of_equal  the first of equal ones
 * from_zero       0 at least
 * forwards        from the beginning always
 * without_own     leaves out the value itself
 * sixty_four      looks back 64 values
 *
 * Each METHOD is sound:
 *
 * anew            looks at all for each value
 * two_at_once     two values at a time
 * places_only     keeps the place alone
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_highest(const float *x, float *high, int *place, int reverse,
	int rows, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, best = -1;
	float most = IS(from_zero) ? 0.0f : -3.4e38f;

	if (row >= rows)
		return;
	x += (long long)row * n;
	high += (long long)row * n;
	place += (long long)row * n;
	if (IS(forwards))
		reverse = 0;
	for (int step = 0; step < n; step++) {
		int i = reverse ? n - 1 - step : step;

		if (BY(anew) || (IS(sixty_four) && step >= 64)) {
			best = i;
			for (int k = step; k >= (IS(sixty_four) ? step - 63 : 0); k--) {
				int j = reverse ? n - 1 - k : k;

				if (x[j] > x[best])
					best = j;
			}
			most = x[best];
		} else if (BY(places_only)) {
			if (best < 0 || x[i] >= x[best])
				best = i;
			most = x[best];
		} else if (IS(first_of_equal) ? x[i] > most : x[i] >= most) {
			most = x[i];
			best = i;
		}
		high[i] = IS(without_own) && step && best == i ? high[reverse ? i + 1 : i - 1] : most;
		place[i] = best;
	}
}

extern "C" __global__ void mutant_highest_reference(const float *x, float *high, int *place,
	int reverse, int rows, int n)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x)
		for (int step = 0, best = -1; step < n; step++) {
			int i = reverse ? n - 1 - step : step;

			if (best < 0 || x[(long long)row * n + i] >= x[(long long)row * n + best])
				best = i;
			high[(long long)row * n + i] = x[(long long)row * n + best];
			place[(long long)row * n + i] = best;
		}
}
