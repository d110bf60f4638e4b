/*
 * How far two series are from each other, each drawn out as may be, within a band
 * around the diagonal that is as wide as their lengths differ at least. MISTAKE none is
 * sound.
 *
 * band_folded      the band of the space
 * no_band          no band
 * not_widened      a band less wide than lengths differ
 * half_band        the band on one side alone
 * no_squares       adds up what they differ by
 * begins_anywhere  the second may begin anywhere
 * diagonal         nothing is drawn out
 * no_root          no root of the sum
 *
 * Each METHOD is sound:
 *
 * doubles          in double
 * by_columns       the second series first
 * from_the_end     from the end
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define FAR 1e30f

extern "C" __global__ void mutant_warped(const float *a, const float *b, float *far,
	float *work, int band, int m, int n, int pairs)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	float *row = work + p * (m + n);
	int outer = BY(by_columns) ? n : m, inner = BY(by_columns) ? m : n;
	double wide = 0;

	if (p >= pairs)
		return;
	if (IS(band_folded))
		band = 10;
	if (!IS(not_widened))
		band = max(band, abs(m - n));
	if (IS(no_band))
		band = m + n;
	for (int j = 0; j < inner; j++)
		row[j] = FAR;
	for (int i = 0; i < outer; i++) {
		float corner = i ? FAR : 0, left = FAR;

		for (int j = 0; j < inner; j++) {
			int k = BY(from_the_end) ? outer - 1 - i : i,
			    l = BY(from_the_end) ? inner - 1 - j : j;
			int of_a = BY(by_columns) ? l : k,
			    of_b = BY(by_columns) ? k : l;
			float step = a[p * m + of_a] - b[p * n + of_b], least;

			if (IS(begins_anywhere) && i == 0)
				corner = 0;
			least = fminf(corner,
				IS(diagonal) && i && j ? corner : fminf(left, row[j]));
			corner = row[j];
			if (of_b - of_a > band ||
				(IS(half_band) ? of_a > of_b : of_a - of_b > band))
				row[j] = FAR;
			else if (BY(doubles))
				row[j] = (float)((double)step * step + least);
			else
				row[j] = (IS(no_squares) ? fabsf(step) : step * step) +
					 least;
			left = row[j];
		}
	}
	wide = row[inner - 1];
	far[p] = IS(no_root) ? wide : BY(doubles) ? sqrt(wide) : sqrtf(row[inner - 1]);
}

extern "C" __global__ void mutant_warped_reference(const float *a, const float *b,
	float *far, float *work, int band, int m, int n, int pairs)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	int most = max(band, abs(m - n));

	for (; p < pairs; p += gridDim.x * blockDim.x) {
		float *row = work + p * (m + n);

		for (int j = 0; j < n; j++)
			row[j] = FAR;
		for (int i = 0; i < m; i++) {
			float corner = i ? FAR : 0, left = FAR;

			for (int j = 0; j < n; j++) {
				float step = a[p * m + i] - b[p * n + j];
				float least = fminf(corner, fminf(left, row[j]));

				corner = row[j];
				row[j] = left =
					abs(i - j) > most ? FAR : step * step + least;
			}
		}
		far[p] = sqrtf(row[n - 1]);
	}
}
