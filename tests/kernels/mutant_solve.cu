/*
 * Systems of three equations, solved each by a thread; a few are nearly singular.
 * MISTAKE none is sound.
 *
 * few_digits        takes coefficients with 11 digits, as TF32 does
 * short_products    keeps 12 digits of each product that it subtracts
 * last_of_block     is off by a 500th in the last system of a block
 * off_a_little      is off by a thousandth everywhere
 * next_to_singular  is off by a hundredth where a solution is large
 */
static __device__ float cut(float value, unsigned mask)
{
	return __uint_as_float(__float_as_uint(value) & mask);
}

extern "C" __global__ void mutant_solve(const float *a, const float *b, float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float m[3][4], v[3];

	if (i >= n)
		return;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++)
			m[r][c] = a[9 * i + 3 * r + c];
		m[r][3] = b[3 * i + r];
	}
#if MISTAKE == MISTAKE_few_digits
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			m[r][c] = cut(m[r][c], 0xffffe000u);
#endif
	for (int c = 0; c < 3; c++) {
		float inverse = 1.0f / m[c][c];

		for (int r = c + 1; r < 3; r++)
			for (int k = 3; k >= c; k--)
#if MISTAKE == MISTAKE_short_products
				m[r][k] -= cut(m[r][c] * inverse * m[c][k], 0xfffff000u);
#else
				m[r][k] -= m[r][c] * inverse * m[c][k];
#endif
	}
	for (int r = 2; r >= 0; r--) {
		v[r] = m[r][3];
		for (int c = r + 1; c < 3; c++)
			v[r] -= m[r][c] * v[c];
		v[r] /= m[r][r];
	}
#if MISTAKE == MISTAKE_last_of_block
	if (threadIdx.x == blockDim.x - 1)
		v[1] *= 1.002f;
#elif MISTAKE == MISTAKE_off_a_little
	v[2] *= 1.001f;
#elif MISTAKE == MISTAKE_next_to_singular
	if (fabsf(v[0]) > 100.0f)
		v[0] *= 1.005f;
#endif
	for (int r = 0; r < 3; r++)
		x[3 * i + r] = v[r];
}

extern "C" __global__ void mutant_solve_reference(const float *a, const float *b, float *x, int n)
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
