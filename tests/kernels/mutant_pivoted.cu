/*
 * Many small systems, in place, by rows in the order of their largest numbers, the
 * first of equals; with the rows that were taken. MISTAKE none is sound.
 *
 * no_order           takes rows as they come
 * signed             the largest number with its sign
 * last_of_equals     of equals the last one
 * half_swapped       exchanges what lies behind alone
 * sides_not_swapped  the right sides stay
 * size_folded        knows the size
 * order_from_one     counts rows from 1
 * one_block          the first 64 systems
 *
 * Each METHOD is sound:
 *
 * doubles            in double
 * by_columns         columns one by one
 * not_moved          rows stay where they are until the end
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define A(row, column) a[((long)s * n + (row)) * n + (column)]
#define B(row) b[s * n + (row)]

extern "C" __global__ void mutant_pivoted(
	float *a, float *b, int *order, int systems, int n)
{
	int s = blockIdx.x * blockDim.x + threadIdx.x;

	if (s >= systems || (IS(one_block) && s >= 64))
		return;
	if (IS(size_folded) && n > 8)
		n = 8;
	for (int k = 0; k < n; k++) {
		int best = k;

		for (int i = k + 1; i < n && !IS(no_order); i++) {
			float one = IS(signed) ? A(i, k) : fabsf(A(i, k));
			float other = IS(signed) ? A(best, k) : fabsf(A(best, k));

			if (IS(last_of_equals) ? one >= other : one > other)
				best = i;
		}
		order[s * n + k] = best + IS(order_from_one);
		for (int j = IS(half_swapped) ? k : 0; j < n && best != k; j++) {
			float kept = A(k, j);

			A(k, j) = A(best, j);
			A(best, j) = kept;
		}
		if (best != k && !IS(sides_not_swapped)) {
			float kept = B(k);

			B(k) = B(best);
			B(best) = kept;
		}
		if (BY(by_columns)) {
			for (int i = k + 1; i < n; i++)
				A(i, k) /= A(k, k);
			for (int j = k + 1; j < n; j++)
				for (int i = k + 1; i < n; i++)
					A(i, j) -= A(i, k) * A(k, j);
			for (int i = k + 1; i < n; i++)
				B(i) -= A(i, k) * B(k);
			continue;
		}
		for (int i = k + 1; i < n; i++) {
			if (BY(doubles)) {
				double factor = (double)A(i, k) / A(k, k);

				A(i, k) = factor;
				for (int j = k + 1; j < n; j++)
					A(i, j) = A(i, j) - factor * A(k, j);
				B(i) = B(i) - factor * B(k);
				continue;
			}
			A(i, k) /= A(k, k);
			for (int j = k + 1; j < n; j++)
				A(i, j) = fmaf(-A(i, k), A(k, j), A(i, j));
			B(i) = fmaf(-A(i, k), B(k), B(i));
		}
	}
	for (int i = n - 1; i >= 0; i--) {
		float sum = B(i);

		for (int j = i + 1; j < n; j++)
			sum -= A(i, j) * B(j);
		B(i) = sum / A(i, i);
	}
}

extern "C" __global__ void mutant_pivoted_reference(
	float *a, float *b, int *order, int systems, int n)
{
	int s = blockIdx.x * blockDim.x + threadIdx.x;

	for (; s < systems; s += gridDim.x * blockDim.x) {
		for (int k = 0; k < n; k++) {
			int best = k;
			float kept;

			for (int i = k + 1; i < n; i++)
				if (fabsf(A(i, k)) > fabsf(A(best, k)))
					best = i;
			order[s * n + k] = best;
			for (int j = 0; j < n; j++) {
				kept = A(k, j);
				A(k, j) = A(best, j);
				A(best, j) = kept;
			}
			kept = B(k);
			B(k) = B(best);
			B(best) = kept;
			for (int i = k + 1; i < n; i++) {
				float factor = A(i, k) / A(k, k);

				A(i, k) = factor;
				for (int j = k + 1; j < n; j++)
					A(i, j) -= factor * A(k, j);
				B(i) -= factor * B(k);
			}
		}
		for (int i = n - 1; i >= 0; i--) {
			for (int j = i + 1; j < n; j++)
				B(i) -= A(i, j) * B(j);
			B(i) /= A(i, i);
		}
	}
}
