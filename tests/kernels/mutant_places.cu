/*
 * The nearest of a few centres and their next places, and which expert takes what, up to so
 * many, in order; MISTAKE none is sound.
 *
 * last_of_equals  takes the last of centres that are equally near
 * empty_divides   divides by 0 where a centre has nothing
 * empty_zero      such a centre goes to 0 in place of staying
 * most_255        a centre takes so many at most
 * room_folded     an expert's room is that of the space
 * last_expert     takes the last of experts that are equally good
 * all_fit         takes everything
 */
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define AXES 3
#define EXPERTS 8

static __device__ int nearest(const float *point, const float *centres, int count, bool is_last)
{
	float least = 3.0e38f;
	int best = 0;

	for (int k = 0; k < count; k++) {
		float sum = 0.0f;

		for (int a = 0; a < AXES; a++) {
			float d = point[a] - centres[k * AXES + a];

			sum += d * d;
		}
		if (sum < least || (is_last && sum == least)) {
			least = sum;
			best = k;
		}
	}
	return best;
}

static __device__ int expert_of(const float *scores, bool is_last)
{
	int best = 0;

	for (int k = 1; k < EXPERTS; k++)
		if (scores[k] > scores[best] || (is_last && scores[k] == scores[best]))
			best = k;
	return best;
}

static __device__ void compute(const float *points, const float *centres, const float *scores,
	float *moved, int *taken, int *slot, int n, int count, int room, int i, bool is_last,
	bool is_last_expert, int most, bool divides, bool to_zero, bool all_fit)
{
	if (i < n) {
		int mine = expert_of(scores + i * EXPERTS, is_last_expert), ahead = 0;

		for (int k = 0; k < i; k++)
			ahead += expert_of(scores + k * EXPERTS, is_last_expert) == mine;
		slot[i] = ahead < room || all_fit ? ahead : -1;
	}
	if (i < count) {
		float sums[AXES] = { 0.0f, 0.0f, 0.0f };
		int all = 0;

		for (int k = 0; k < n && all < most; k++)
			if (nearest(points + k * AXES, centres, count, is_last) == i) {
				all++;
				for (int a = 0; a < AXES; a++)
					sums[a] += points[k * AXES + a];
			}
		taken[i] = all;
		for (int a = 0; a < AXES; a++)
			moved[i * AXES + a] = all > 0 || divides ? sums[a] / all
				: to_zero ? 0.0f
					  : centres[i * AXES + a];
	}
}

extern "C" __global__ void mutant_places(const float *points, const float *centres,
	const float *scores, float *moved, int *taken, int *slot, int n, int count, int room)
{
	compute(points, centres, scores, moved, taken, slot, n, count,
		IS(room_folded) ? 70 : room, blockIdx.x * blockDim.x + threadIdx.x,
		IS(last_of_equals), IS(last_expert), IS(most_255) ? 255 : n, IS(empty_divides),
		IS(empty_zero), IS(all_fit));
}

extern "C" __global__ void mutant_places_reference(const float *points, const float *centres,
	const float *scores, float *moved, int *taken, int *slot, int n, int count, int room)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n || i < count;
		i += gridDim.x * blockDim.x)
		compute(points, centres, scores, moved, taken, slot, n, count, room, i, false,
			false, n, false, false, false);
}
