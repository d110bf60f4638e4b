/*
 * y = alpha A x + beta y, where values of one place add up. MISTAKE none is sound.
 *
 * last_counts    of one place the last value counts
 * no_beta        sets y
 * no_alpha       takes alpha for 1
 * no_neighbours  equal places next to each other count once
 * sixty_four     takes 64 of a row
 * diagonal       leaves out the diagonal
 * tail           leaves out what is no multiple of four
 *
 * Each METHOD is sound:
 *
 * backwards      from the end
 * two_sums       two sums
 * doubles        in double
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_triples(const int *row, const int *column, const float *value,
	const float *x, float *y, float alpha, float beta, int n, int rows, int columns)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
	float sum = 0.0f, other = 0.0f;
	double wide = 0.0;

	if (r >= rows)
		return;
	for (int k = 0; k < (IS(tail) ? n / 4 * 4 : n); k++) {
		int i = BY(backwards) ? n - 1 - k : k;

		if (row[i] != r)
			continue;
		if (IS(diagonal) && column[i] == r)
			continue;
		if (IS(no_neighbours) && i > 0 && row[i - 1] == r && column[i - 1] == column[i])
			continue;
		if (IS(sixty_four) && count++ >= 64)
			continue;
		if (IS(last_counts)) {
			bool again = false;

			for (int j = i + 1; j < n; j++)
				again = again || (row[j] == r && column[j] == column[i]);
			if (again)
				continue;
		}
		if (BY(doubles))
			wide += (double)value[i] * x[column[i]];
		else if (BY(two_sums) && i % 2)
			other += value[i] * x[column[i]];
		else
			sum += value[i] * x[column[i]];
	}
	if (BY(doubles))
		sum = (float)wide;
	y[r] = (IS(no_alpha) ? 1.0f : alpha) * (sum + other) + (IS(no_beta) ? 0.0f : beta * y[r]);
}

extern "C" __global__ void mutant_triples_reference(const int *row, const int *column, const float *value,
	const float *x, float *y, float alpha, float beta, int n, int rows, int columns)
{
	for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
		float sum = 0;

		for (int i = 0; i < n; i++)
			if (row[i] == r)
				sum += value[i] * x[column[i]];
		y[r] = alpha * sum + beta * y[r];
	}
}
