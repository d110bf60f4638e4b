/*
 * The largest of all rows that go to a group, or what is there, and which row it was, the
 * first of equal ones. MISTAKE none is sound.
 *
 * last_of_equal  the last of equal ones
 * from_zero      0 at least
 * anew           leaves out what is there
 * equal_too      a row that is equal to what is there
 * row_byte       which row in 8 bits
 * zero_none      none is 0
 * half_rows      even rows
 *
 * Each METHOD is sound:
 *
 * backwards      from the end
 * two_at_once    two rows at a time
 * value_first    the largest first, then the row
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_scattered(const float *x, const int *group, float *most,
	int *which, int n, int size, int groups)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, own, column, found = -1;
	float largest;

	if (i >= groups * size)
		return;
	own = i / size;
	column = i % size;
	largest = IS(anew) ? -3.4e38f : IS(from_zero) ? fmaxf(most[i], 0.0f) : most[i];
	if (BY(backwards)) {
		for (int k = n - 1; k >= 0; k--)
			if (group[k] == own && (x[k * size + column] > largest ||
						       (found >= 0 && x[k * size + column] == largest))) {
				largest = x[k * size + column];
				found = k;
			}
	} else if (BY(value_first)) {
		for (int k = 0; k < n; k++)
			if (group[k] == own)
				largest = fmaxf(largest, x[k * size + column]);
		for (int k = 0; k < n && found < 0 && largest > most[i]; k++)
			if (group[k] == own && x[k * size + column] == largest)
				found = k;
	} else if (BY(two_at_once)) {
		for (int k = 0; k < n; k += 2) {
			bool a = group[k] == own, b = k + 1 < n && group[k + 1] == own;
			float first = a ? x[k * size + column] : largest;
			float second = b ? x[(k + 1) * size + column] : largest;

			if (first > largest || second > largest) {
				found = first >= second ? k : k + 1;
				largest = fmaxf(first, second);
			}
		}
	} else {
		for (int k = 0; k < n; k += IS(half_rows) ? 2 : 1) {
			float value = x[k * size + column];

			if (group[k] == own &&
				(value > largest || (IS(last_of_equal) && found >= 0 && value == largest) ||
					(IS(equal_too) && found < 0 && value == largest))) {
				largest = value;
				found = k;
			}
		}
	}
	if (IS(anew) && found < 0)
		largest = most[i];
	most[i] = largest;
	which[i] = found < 0 && IS(zero_none) ? 0 : IS(row_byte) && found >= 0 ? found & 255 : found;
}

extern "C" __global__ void mutant_scattered_reference(const float *x, const int *group,
	float *most, int *which, int n, int size, int groups)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < groups * size;
		i += gridDim.x * blockDim.x) {
		which[i] = -1;
		for (int k = 0; k < n; k++)
			if (group[k] == i / size && x[k * size + i % size] > most[i]) {
				most[i] = x[k * size + i % size];
				which[i] = k;
			}
	}
}
