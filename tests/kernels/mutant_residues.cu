/*
 * Determinants and ranks of small matrices, of whole numbers modulo a prime. MISTAKE none is sound.
 *
 * inverse_by_heart  the exponent that inverts modulo 97
 * no_sign           rows change places as they like
 * no_pivot          never looks for another row
 * zero_column       ends at a column of zeros
 *
 * Each METHOD is sound:
 *
 * by_powers         inverses are powers
 * backwards         the last row that will do
 * longs             differences stay above 0
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define MOST 8

static __device__ long long power(long long x, int e, int p)
{
	long long y = 1;

	for (; e; e >>= 1) {
		if (e & 1)
			y = y * x % p;
		x = x * x % p;
	}
	return y;
}

static __device__ long long inverse(long long x, int p)
{
	long long a = x, b = p, u = 1, v = 0;

	if (BY(by_powers))
		return power(x, p - 2, p);
	if (IS(inverse_by_heart))
		return power(x, 95, p);
	while (b) {
		long long q = a / b, t = a - q * b;
		a = b;
		b = t;
		t = u - q * v;
		u = v;
		v = t;
	}
	return (u % p + p) % p;
}

extern "C" __global__ void mutant_residues(const int *a, int *det, int *rank, int p, int b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;
	long long m[MOST][MOST], d = 1;

	if (i >= b)
		return;
	for (int r = 0; r < n; r++)
		for (int c = 0; c < n; c++) {
			int v = a[(i * n + r) * n + c];
			m[r][c] = (v % p + p) % p;
		}
	for (int c = 0; c < n; c++) {
		int pivot = row;
		long long inv;

		if (BY(backwards)) {
			pivot = n - 1;
			while (pivot > row && !m[pivot][c])
				pivot--;
			if (pivot < n && row < n && !m[pivot][c])
				pivot = n;
		} else if (!IS(no_pivot)) {
			while (pivot < n && !m[pivot][c])
				pivot++;
		}
		if (pivot >= n || row >= n || !m[pivot][c]) {
			d = 0;
			if (IS(zero_column))
				break;
			continue;
		}
		if (pivot != row) {
			for (int k = 0; k < n; k++) {
				long long t = m[row][k];
				m[row][k] = m[pivot][k];
				m[pivot][k] = t;
			}
			if (!IS(no_sign))
				d = (p - d) % p;
		}
		d = d * m[row][c] % p;
		inv = inverse(m[row][c], p);
		for (int r = row + 1; r < n; r++) {
			long long f = m[r][c] * inv % p;
			for (int k = c; k < n; k++) {
				long long t = f * m[row][k] % p;
				m[r][k] = BY(longs) ? (m[r][k] + (p - t)) % p : ((m[r][k] - t) % p + p) % p;
			}
		}
		row++;
	}
	det[i] = (int)d;
	rank[i] = row;
}

extern "C" __global__ void mutant_residues_reference(const int *a, int *det, int *rank, int p, int b, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < b; i += gridDim.x * blockDim.x) {
		int m[MOST][MOST], d = 1, r = 0;

		for (int k = 0; k < n * n; k++)
			m[k / n][k % n] = ((a[i * n * n + k] % p) + p) % p;
		for (int c = 0; c < n; c++) {
			int s = r, inv = 1;
			while (s < n && m[s][c] == 0)
				s++;
			if (s == n) {
				d = 0;
				continue;
			}
			for (int k = 0; k < n && s != r; k++) {
				int t = m[r][k];
				m[r][k] = m[s][k];
				m[s][k] = t;
			}
			if (s != r)
				d = d ? p - d : 0;
			d = (int)((long long)d * m[r][c] % p);
			while ((long long)inv * m[r][c] % p != 1 && inv < p)
				inv++;
			for (int q = r + 1; q < n; q++) {
				long long f = (long long)m[q][c] * inv % p;
				for (int k = c; k < n; k++)
					m[q][k] = (int)((m[q][k] + (p - f) * m[r][k]) % p);
			}
			r++;
		}
		det[i] = d;
		rank[i] = r;
	}
}
