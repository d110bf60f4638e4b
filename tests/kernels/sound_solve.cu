/*
 * Systems of three equations, solved each by a thread. Each METHOD is sound.
 *
 * elimination  as it comes
 * pivots       by the largest of a column
 * cramer       by determinants
 */
extern "C" __global__ void sound_solve(const float *a, const float *b, float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float m[3][4];

	if (i >= n)
		return;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++)
			m[r][c] = a[9 * i + 3 * r + c];
		m[r][3] = b[3 * i + r];
	}
#if METHOD == METHOD_cramer
	float inverse = 1.0f / (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
		m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
		m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));

	x[3 * i] = inverse * (m[0][3] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
		m[0][1] * (m[1][3] * m[2][2] - m[1][2] * m[2][3]) +
		m[0][2] * (m[1][3] * m[2][1] - m[1][1] * m[2][3]));
	x[3 * i + 1] = inverse * (m[0][0] * (m[1][3] * m[2][2] - m[1][2] * m[2][3]) -
		m[0][3] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
		m[0][2] * (m[1][0] * m[2][3] - m[1][3] * m[2][0]));
	x[3 * i + 2] = inverse * (m[0][0] * (m[1][1] * m[2][3] - m[1][3] * m[2][1]) -
		m[0][1] * (m[1][0] * m[2][3] - m[1][3] * m[2][0]) +
		m[0][3] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
#else
	for (int c = 0; c < 3; c++) {
		float inverse;

#if METHOD == METHOD_pivots
		int pivot = c;

		for (int r = c + 1; r < 3; r++)
			if (fabsf(m[r][c]) > fabsf(m[pivot][c]))
				pivot = r;
		for (int k = 0; k < 4; k++) {
			float other = m[c][k];

			m[c][k] = m[pivot][k];
			m[pivot][k] = other;
		}
#endif
		inverse = 1.0f / m[c][c];
		for (int r = c + 1; r < 3; r++) {
			float factor = m[r][c] * inverse;

			for (int k = c; k < 4; k++)
				m[r][k] -= factor * m[c][k];
		}
	}
	for (int r = 2; r >= 0; r--) {
		float rest = m[r][3];

		for (int c = r + 1; c < 3; c++)
			rest -= m[r][c] * x[3 * i + c];
		x[3 * i + r] = rest / m[r][r];
	}
#endif
}

extern "C" __global__ void sound_solve_reference(const float *a, const float *b, float *x, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float m[3][4];

		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++)
				m[r][c] = a[9 * i + 3 * r + c];
			m[r][3] = b[3 * i + r];
		}
		for (int c = 0; c < 3; c++)
			for (int r = c + 1; r < 3; r++) {
				float factor = m[r][c] / m[c][c];

				for (int k = c; k < 4; k++)
					m[r][k] -= factor * m[c][k];
			}
		for (int r = 2; r >= 0; r--) {
			float rest = m[r][3];

			for (int c = r + 1; c < 3; c++)
				rest -= m[r][c] * x[3 * i + c];
			x[3 * i + r] = rest / m[r][r];
		}
	}
}
