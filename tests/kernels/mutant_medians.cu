/*
 * The median of five neighbours, edges repeated, where a value is far from it; and how
 * many are, which are added. MISTAKE none is sound.
 *
 * one_swap_less  leaves out an exchange
 * edge_zero      zeros beyond the edges
 * of_three       the median of three
 * always         always the median
 * limit_folded   the limit of the space
 * sets_count     sets the count
 * wraps          the other end beyond an edge
 * mean           the mean of the middle three
 *
 * Each METHOD is sound:
 *
 * network        by exchanges
 * counts         by counting
 * selection      by selection
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define EXCHANGE(a, b) \
	{ \
		float low = fminf(v[a], v[b]); \
		v[b] = fmaxf(v[a], v[b]); \
		v[a] = low; \
	}

extern "C" __global__ void mutant_medians(
	const float *x, float *y, int *replaced, float least, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v[5], median;

	if (i >= n)
		return;
	for (int k = 0; k < 5; k++) {
		int at = i + k - 2;

		if (IS(wraps))
			at = (at + n) % n;
		v[k] = IS(edge_zero) && (at < 0 || at >= n) ? 0.0f
							    : x[min(max(at, 0), n - 1)];
	}
	if (BY(counts)) {
		median = v[0];
		for (int a = 0; a < 5; a++) {
			int below = 0;

			for (int b = 0; b < 5; b++)
				below += v[b] < v[a] || (v[b] == v[a] && b < a);
			if (below == 2)
				median = v[a];
		}
	} else if (BY(selection)) {
		for (int a = 0; a < 3; a++)
			for (int b = a + 1; b < 5; b++)
				EXCHANGE(a, b)
		median = v[2];
	} else if (IS(of_three)) {
		median = fmaxf(fminf(v[1], v[2]), fminf(fmaxf(v[1], v[2]), v[3]));
	} else {
		EXCHANGE(0, 1)
		EXCHANGE(3, 4)
		EXCHANGE(0, 3)
		EXCHANGE(1, 4)
		EXCHANGE(1, 2)
		if (!IS(one_swap_less))
			EXCHANGE(2, 3)
		EXCHANGE(1, 2)
		median = v[2];
		if (IS(mean))
			median = (v[1] + v[2] + v[3]) / 3.0f;
	}
	if (IS(limit_folded))
		least = 0.5f;
	if (IS(always) || fabsf(x[i] - median) > least) {
		y[i] = median;
		if (!IS(sets_count))
			atomicAdd(replaced, fabsf(x[i] - median) > least ? 1 : 0);
	} else {
		y[i] = x[i];
	}
	if (IS(sets_count) && i == 0) {
		int all = 0;

		for (int k = 0; k < n; k++) {
			float w[5];

			for (int a = 0; a < 5; a++)
				w[a] = x[min(max(k + a - 2, 0), n - 1)];
			for (int a = 0; a < 3; a++)
				for (int b = a + 1; b < 5; b++)
					if (w[b] < w[a]) {
						float t = w[a];

						w[a] = w[b];
						w[b] = t;
					}
			all += fabsf(x[k] - w[2]) > least;
		}
		*replaced = all;
	}
}

extern "C" __global__ void mutant_medians_reference(
	const float *x, float *y, int *replaced, float least, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		float v[5];

		for (int k = 0; k < 5; k++) {
			int at = i + k - 2 < 0    ? 0
				 : i + k - 2 >= n ? n - 1
						  : i + k - 2,
			    j = k;

			for (; j > 0 && v[j - 1] > x[at]; j--)
				v[j] = v[j - 1];
			v[j] = x[at];
		}
		y[i] = x[i];
		if (fabsf(x[i] - v[2]) > least) {
			y[i] = v[2];
			atomicAdd(replaced, 1);
		}
	}
}
