/*
 * What a symmetric matrix of three rows stretches by, the largest first, by turns of
 * its planes until nothing is beside its diagonal. MISTAKE none is sound.
 *
 * one_round      one round of turns
 * two_rounds     two rounds of turns
 * not_sorted     as they come
 * by_amount      the largest amount first
 * no_last_plane  never turns the last plane
 * diagonal       the diagonal alone
 * upwards        the smallest first
 *
 * Each METHOD is sound:
 *
 * doubles        in double
 * closed         by a formula, in double
 * other_planes   planes in another order
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

template <typename real> static __device__ void turn(real *m, int p, int q)
{
	/* m: xx yy zz xy yz zx */
	int pq = p + q == 1 ? 3 : p + q == 3 ? 4 : 5, r = 3 - p - q;
	int pr = p + r == 1   ? 3
		 : p + r == 3 ? 4
			      : 5,
	    qr = q + r == 1   ? 3
		 : q + r == 3 ? 4
			      : 5;
	real part, t, c, s, kept = m[pr];

	if (m[pq] == 0)
		return;
	part = (m[q] - m[p]) / (2 * m[pq]);
	t = (part < 0 ? -1 : 1) / (fabs(part) + sqrt(part * part + 1));
	c = 1 / sqrt(t * t + 1);
	s = t * c;
	m[p] -= t * m[pq];
	m[q] += t * m[pq];
	m[pq] = 0;
	m[pr] = c * kept - s * m[qr];
	m[qr] = s * kept + c * m[qr];
}

template <typename real>
static __device__ void stretch(const float *from, float *to, int rounds)
{
	real m[6];

	for (int k = 0; k < 6; k++)
		m[k] = from[k];
	for (int i = 0; i < rounds; i++) {
		if (BY(other_planes))
			turn(m, 1, 2);
		turn(m, 0, 1);
		turn(m, 0, 2);
		if (!BY(other_planes) && !IS(no_last_plane))
			turn(m, 1, 2);
	}
	for (int i = 0; i < 2 && !IS(not_sorted); i++)
		for (int k = 0; k < 2; k++)
			if (IS(by_amount)     ? fabs(m[k]) < fabs(m[k + 1])
				: IS(upwards) ? m[k] > m[k + 1]
					      : m[k] < m[k + 1]) {
				real kept = m[k];

				m[k] = m[k + 1];
				m[k + 1] = kept;
			}
	for (int k = 0; k < 3; k++)
		to[k] = m[k];
}

extern "C" __global__ void mutant_principal(const float *m, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	if (BY(closed)) {
		const float *a = m + 6 * i;
		double mean = ((double)a[0] + a[1] + a[2]) / 3, x = a[0] - mean,
		       y = a[1] - mean;
		double z = a[2] - mean, xy = a[3], yz = a[4], zx = a[5], size, half,
		       angle;

		size = sqrt(
			(x * x + y * y + z * z + 2 * (xy * xy + yz * yz + zx * zx)) /
			6);
		half = size > 0 ? (x * (y * z - yz * yz) - xy * (xy * z - yz * zx) +
					  zx * (xy * yz - y * zx)) /
					  (2 * size * size * size)
				: 0;
		angle = acos(fmin(fmax(half, -1.0), 1.0)) / 3;
		out[3 * i] = mean + 2 * size * cos(angle);
		out[3 * i + 2] = mean + 2 * size * cos(angle + 2.0943951023931953);
		out[3 * i + 1] =
			mean -
			2 * size * (cos(angle) + cos(angle + 2.0943951023931953));
		return;
	}
	if (BY(doubles))
		stretch<double>(m + 6 * i, out + 3 * i, 8);
	else
		stretch<float>(m + 6 * i, out + 3 * i,
			IS(diagonal)     ? 0
			: IS(one_round)  ? 1
			: IS(two_rounds) ? 2
					 : 8);
}

extern "C" __global__ void mutant_principal_reference(const float *m, float *out, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		float a[3][3] = { { m[6 * i], m[6 * i + 3], m[6 * i + 5] },
			{ m[6 * i + 3], m[6 * i + 1], m[6 * i + 4] },
			{ m[6 * i + 5], m[6 * i + 4], m[6 * i + 2] } };

		for (int round = 0; round < 10; round++)
			for (int p = 0; p < 2; p++)
				for (int q = p + 1; q < 3; q++) {
					float part, t, c, s;

					if (a[p][q] == 0.0f)
						continue;
					part = (a[q][q] - a[p][p]) / (2.0f * a[p][q]);
					t = (part < 0.0f ? -1.0f : 1.0f) /
					    (fabsf(part) + sqrtf(part * part + 1.0f));
					c = 1.0f / sqrtf(t * t + 1.0f);
					s = t * c;
					for (int k = 0; k < 3; k++) {
						float kept = a[p][k];

						a[p][k] = c * kept - s * a[q][k];
						a[q][k] = s * kept + c * a[q][k];
					}
					for (int k = 0; k < 3; k++) {
						float kept = a[k][p];

						a[k][p] = c * kept - s * a[k][q];
						a[k][q] = s * kept + c * a[k][q];
					}
				}
		for (int k = 0; k < 3; k++) {
			int larger = 0;

			for (int l = 0; l < 3; l++)
				larger += a[l][l] > a[k][k] ||
					  (a[l][l] == a[k][k] && l < k);
			out[3 * i + larger] = a[k][k];
		}
	}
}
