/*
 * How many letters to change, take away or put in until one word is the other. MISTAKE
 * none is sound.
 *
 * band             looks at most five beside the diagonal
 * no_change        counts a change as two
 * same_length      takes both for as long as the first
 * first_different  gives up where the first letters differ and the last
 * four_bits        compares four bits of a letter
 * swaps            counts two letters that change places as one step
 * empty_zero       an empty word is no distance
 * hamming_equal    words of one length differ by place only
 *
 * Each METHOD is sound:
 *
 * two_rows         keeps two rows
 * one_row          keeps one row
 * columns          goes by columns
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define MOST 64

extern "C" __global__ void mutant_edits(const unsigned char *a, const unsigned char *b,
	const int *length_a, const int *length_b, int *distance, int n, int l)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, rows[3][MOST + 1], p, q;

	if (i >= n)
		return;
	a += i * l;
	b += i * l;
	p = length_a[i];
	q = IS(same_length) ? p : length_b[i];
	if (BY(columns)) {
		const unsigned char *other = a;

		a = b;
		b = other;
		p = length_b[i];
		q = length_a[i];
	}
	if (IS(empty_zero) && (p == 0 || q == 0)) {
		distance[i] = 0;
		return;
	}
	if (IS(first_different) && p > 1 && q > 1 && p == q && a[0] != b[0] &&
		a[p - 1] != b[q - 1] && a[1] != b[1]) {
		distance[i] = p;
		return;
	}
	if (IS(hamming_equal) && p == q) {
		int count = 0;

		for (int k = 0; k < p; k++)
			count += a[k] != b[k];
		distance[i] = count;
		return;
	}
	if (BY(one_row)) {
		int *row = rows[0];

		for (int k = 0; k <= q; k++)
			row[k] = k;
		for (int j = 1; j <= p; j++) {
			int corner = row[0];

			row[0] = j;
			for (int k = 1; k <= q; k++) {
				int old = row[k];

				row[k] = min(min(row[k], row[k - 1]) + 1,
					corner + (a[j - 1] != b[k - 1]));
				corner = old;
			}
		}
		distance[i] = row[q];
		return;
	}
	for (int k = 0; k <= q; k++)
		rows[0][k] = k;
	for (int j = 1; j <= p; j++) {
		int *row = rows[j % 3], *above = rows[(j + 2) % 3],
		    *before = rows[(j + 1) % 3];

		row[0] = j;
		for (int k = 1; k <= q; k++) {
			int differs = IS(four_bits) ? (a[j - 1] & 15) != (b[k - 1] & 15)
						    : a[j - 1] != b[k - 1];

			row[k] = min(min(above[k], row[k - 1]) + 1,
				above[k - 1] + differs * (IS(no_change) ? 2 : 1));
			if (IS(swaps) && j > 1 && k > 1 && a[j - 1] == b[k - 2] &&
				a[j - 2] == b[k - 1])
				row[k] = min(row[k], before[k - 2] + 1);
			if (IS(band) && (k < j - 5 || k > j + 5))
				row[k] = j + k;
		}
	}
	distance[i] = rows[p % 3][q];
}

extern "C" __global__ void mutant_edits_reference(const unsigned char *a,
	const unsigned char *b, const int *length_a, const int *length_b, int *distance,
	int n, int l)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		int row[MOST + 1];

		for (int k = 0; k <= length_b[i]; k++)
			row[k] = k;
		for (int j = 1; j <= length_a[i]; j++) {
			int corner = row[0];

			row[0] = j;
			for (int k = 1; k <= length_b[i]; k++) {
				int change =
					corner + (a[i * l + j - 1] != b[i * l + k - 1]);
				int least = row[k] < row[k - 1] ? row[k] : row[k - 1];

				corner = row[k];
				row[k] = least + 1 < change ? least + 1 : change;
			}
		}
		distance[i] = row[length_b[i]];
	}
}
