/*
 * Ranks of rows within their groups, the most points first: how many are ahead, and how many
 * different points are ahead. Rows without points are last. MISTAKE none is sound.
 *
 * ties_apart       of as many points the first row is ahead
 * dense_is_rank    counts rows in place of points
 * all_one_group    one group
 * upwards          the least first
 * last_as_first    who has the most is second
 * group_64         looks at 64 rows of a group
 * packed           group and points in one number of 16 bits
 * before_only      rows ahead of it in the table
 * nulls_first      rows without points are first
 * unsigned_points  points below 0 are large
 *
 * Each METHOD is sound:
 *
 * counts       looks at all rows
 * from_behind  from the last row on
 * halves       rows ahead of it, then the others
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ bool is_above(int a, int b, int none)
{
	if (IS(upwards))
		return a < b;
	if (IS(unsigned_points))
		return (unsigned)a > (unsigned)b;
	if (IS(nulls_first) && (a == none || b == none))
		return a == none && b != none;
	if (a == none || b == none)
		return a != none;
	return a > b;
}

extern "C" __global__ void mutant_ranked(
	const int *group, const int *points, int *rank, int *dense, int none, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, ahead = 0, different = 0, seen = 0;

	if (i >= n)
		return;
	for (int k = 0; k < (IS(before_only) ? i : n); k++) {
		int j = BY(from_behind) ? n - 1 - k : BY(halves) ? (k + i) % n : k;
		bool is_first = true;

		if (!IS(all_one_group) && group[j] != group[i])
			continue;
		if (IS(group_64) && seen++ == 64)
			break;
		if (IS(packed) ? (short)(group[j] * 64 + points[j]) > (short)(group[i] * 64 + points[i])
			       : is_above(points[j], points[i], none) && points[j] != points[i]) {
			ahead++;
			/* whether another row ahead in the table has the same points */
			for (int l = 0; l < j && is_first; l++)
				is_first = (group[l] != group[i] && !IS(all_one_group)) || points[l] != points[j];
			different += is_first;
		} else if (IS(ties_apart) && points[j] == points[i] && j < i) {
			ahead++;
		}
	}
	rank[i] = ahead + 1 + (IS(last_as_first) && ahead == 0 && seen == 0);
	dense[i] = (IS(dense_is_rank) ? ahead : different) + 1;
}

extern "C" __global__ void mutant_ranked_reference(
	const int *group, const int *points, int *rank, int *dense, int none, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		rank[i] = 1;
		dense[i] = 1;
		if (points[i] == none) {
			/* all with points are ahead */
			for (int j = 0; j < n; j++)
				if (group[j] == group[i] && points[j] != none) {
					bool is_first = true;

					for (int l = 0; l < j; l++)
						is_first = is_first && (group[l] != group[i] || points[l] != points[j]);
					rank[i]++;
					dense[i] += is_first;
				}
			continue;
		}
		for (int j = 0; j < n; j++)
			if (group[j] == group[i] && points[j] != none && points[j] > points[i]) {
				bool is_first = true;

				for (int l = 0; l < j; l++)
					is_first = is_first && (group[l] != group[i] || points[l] != points[j]);
				rank[i]++;
				dense[i] += is_first;
			}
	}
}
