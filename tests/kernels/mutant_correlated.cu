/*
 * Weighted correlations of all rows; 0 where one of them hardly changes, and 1 of a row with
 * itself. MISTAKE none is sound.
 *
 * no_mean           means are 0
 * half_mean         the mean of the first half
 * population        divides by one less
 * no_guard          divides by what is next to nothing
 * absolute          never below 0
 * first_64          the first 64 numbers
 * lower_only        of the upper half nothing
 * diagonal_computed a row that does not change goes not with itself
 * one_spread        the spread of the first of both
 * least_folded      the least spread of the space
 *
 * Each METHOD is sound:
 *
 * two_passes  means first
 * doubles     in double
 * turned      from the last number on
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_correlated(
	const float *x, const float *weight, float *y, float least, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, one, other, end;
	double all = 0.0, first = 0.0, second = 0.0, a = 0.0, b = 0.0, both = 0.0;
	float all_f = 0.0f, first_f = 0.0f, second_f = 0.0f, a_f = 0.0f, b_f = 0.0f, both_f = 0.0f, spread;

	if (i >= n * n)
		return;
	one = i / n;
	other = i % n;
	end = IS(first_64) ? min(m, 64) : m;
	if (one == other && !IS(diagonal_computed)) {
		y[i] = 1.0f;
		return;
	}
	if (IS(lower_only) && other > one) {
		y[i] = 0.0f;
		return;
	}
	for (int l = 0; l < (IS(half_mean) ? (end + 1) / 2 : end); l++) {
		int k = BY(turned) ? m - 1 - l : l;
		float w = weight[k], p = x[one * m + k], q = x[other * m + k];

		all_f += w;
		first_f += w * p;
		second_f += w * q;
		all += w;
		first += (double)w * p;
		second += (double)w * q;
	}
	if (BY(doubles) && all > 0.0) {
		first_f = (float)(first / all);
		second_f = (float)(second / all);
	} else if (all_f > 0.0f) {
		first_f /= all_f;
		second_f /= all_f;
	}
	if (IS(no_mean))
		first_f = second_f = 0.0f;
	for (int l = 0; l < end; l++) {
		int k = BY(turned) ? m - 1 - l : l;
		float w = weight[k], p = x[one * m + k] - first_f, q = x[other * m + k] - second_f;

		a_f += w * p * p;
		b_f += w * q * q;
		both_f += w * p * q;
		a += (double)w * p * p;
		b += (double)w * q * q;
		both += (double)w * p * q;
	}
	if (BY(doubles)) {
		a_f = (float)a;
		b_f = (float)b;
		both_f = (float)both;
	}
	if (IS(population))
		both_f *= (float)(m - 1) / m;
	if (IS(one_spread))
		b_f = a_f;
	spread = sqrtf(a_f) * sqrtf(b_f);
	y[i] = spread > least || IS(no_guard) ? both_f / spread : 0.0f;
	if (IS(absolute))
		y[i] = fabsf(y[i]);
}

extern "C" __global__ void mutant_correlated_reference(
	const float *x, const float *weight, float *y, float least, int n, int m)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += gridDim.x * blockDim.x) {
		const float *p = x + i / n * m, *q = x + i % n * m;
		float all = 0.0f, first = 0.0f, second = 0.0f, a = 0.0f, b = 0.0f, both = 0.0f, spread;

		for (int k = 0; k < m; k++) {
			all += weight[k];
			first += weight[k] * p[k];
			second += weight[k] * q[k];
		}
		if (all > 0.0f) {
			first /= all;
			second /= all;
		}
		for (int k = 0; k < m; k++) {
			a += weight[k] * (p[k] - first) * (p[k] - first);
			b += weight[k] * (q[k] - second) * (q[k] - second);
			both += weight[k] * (p[k] - first) * (q[k] - second);
		}
		spread = sqrtf(a) * sqrtf(b);
		y[i] = i / n == i % n ? 1.0f : spread > least ? both / spread : 0.0f;
	}
}
