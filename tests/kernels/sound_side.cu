/*
 * On which side of three others a point lies: the sign of a determinant, of which many are
 * exactly 0 where all numbers are one of two. Each METHOD is sound.
 *
 * rows    by the first row
 * minors  by products of minors of two rows each, as the reference, in another order
 */
extern "C" __global__ void sound_side(const float *matrix, int *side, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const float *m = matrix + 16 * i;
	float sum = 0.0f;

	if (i >= n)
		return;
#if METHOD == METHOD_rows
	for (int c = 0; c < 4; c++) {
		int p = 4 + (c == 0), q = 4 + (c <= 1 ? 2 : 1), r = 4 + (c <= 2 ? 3 : 2);
		float minor = m[p] * (m[q + 4] * m[r + 8] - m[r + 4] * m[q + 8]) -
			m[q] * (m[p + 4] * m[r + 8] - m[r + 4] * m[p + 8]) +
			m[r] * (m[p + 4] * m[q + 8] - m[q + 4] * m[p + 8]);

		sum += c % 2 ? -m[c] * minor : m[c] * minor;
	}
#else
	for (int a = 2; a >= 0; a--)
		for (int b = 3; b > a; b--) {
			int c = a > 0 ? 0 : b > 1 ? 1 : 2, d = 6 - a - b - c;
			float upper = m[a] * m[4 + b] - m[b] * m[4 + a];
			float lower = m[8 + c] * m[12 + d] - m[8 + d] * m[12 + c];

			sum += (a + b) % 2 ? upper * lower : -upper * lower;
		}
#endif
	side[i] = (sum > 0.0f) - (sum < 0.0f);
}

extern "C" __global__ void sound_side_reference(const float *matrix, int *side, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const float *m = matrix + 16 * i;
		float sum = 0.0f;

		for (int a = 0; a < 4; a++)
			for (int b = a + 1; b < 4; b++) {
				int c = a > 0 ? 0 : b > 1 ? 1 : 2, d = 6 - a - b - c;

				sum += ((a + b) % 2 ? 1.0f : -1.0f) * (m[a] * m[4 + b] - m[b] * m[4 + a]) *
					(m[8 + c] * m[12 + d] - m[8 + d] * m[12 + c]);
			}
		side[i] = (sum > 0.0f) - (sum < 0.0f);
	}
}
