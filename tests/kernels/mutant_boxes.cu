/*
 * Keeps a box with a corner and a size if no better one that is kept covers it, of its
 * kind; of equal ones the first is better. MISTAKE none is sound.
 *
 * any_kind      of any kind
 * all_better    covered by any better one, kept or not
 * at_limit      not where the limit is met exactly
 * no_least      keeps the worst, too
 * limit_folded  the limit of the space
 * last_better   of equals the last is better
 * by_smaller    divides by the smaller area
 * most_100      keeps 100 at most
 *
 * Each METHOD is sound:
 *
 * sorted        ranks first
 * rounds        in rounds until nothing changes
 * backwards     looks from the last to the first
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

#define ROOM 4096

static __device__ bool covers(float4 a, float4 b, float most)
{
	float w = fminf(a.x + a.z, b.x + b.z) - fmaxf(a.x, b.x);
	float h = fminf(a.y + a.w, b.y + b.w) - fmaxf(a.y, b.y), both, all;

	both = fmaxf(w, 0.0f) * fmaxf(h, 0.0f);
	all = a.z * a.w + b.z * b.w - both;
	if (IS(by_smaller))
		all = fminf(a.z * a.w, b.z * b.w);
	return IS(at_limit) ? both >= most * all : both > most * all;
}

static __device__ bool is_better(const float *score, int a, int b)
{
	return score[a] > score[b] ||
	       (score[a] == score[b] && (IS(last_better) ? a > b : a < b));
}

extern "C" __global__ void mutant_boxes(const float4 *box, const float *score,
	const int *kind, unsigned char *keep, int *count, float most, float least,
	int n)
{
	__shared__ unsigned char state[ROOM];
	__shared__ int changed;
	int all = 0;

	if (IS(limit_folded))
		most = 0.3f;
	if (n > ROOM)
		return;
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		state[i] = score[i] < least && !IS(no_least) ? 1 : 0;
	__syncthreads();
	/* 0: not known, 1: not kept, 2: kept */
	do {
		__syncthreads();
		if (threadIdx.x == 0)
			changed = 0;
		__syncthreads();
		for (int i = threadIdx.x; i < n; i += blockDim.x) {
			bool waits = false, covered = false;

			if (state[i])
				continue;
			for (int k = 0; k < n; k++) {
				int j = BY(backwards) ? n - 1 - k : k;

				if (j == i || (kind[j] != kind[i] && !IS(any_kind)) ||
					!is_better(score, j, i) ||
					!covers(box[j], box[i], most))
					continue;
				if (state[j] == 2 || IS(all_better))
					covered = true;
				else if (state[j] == 0)
					waits = true;
			}
			if (covered || !waits) {
				state[i] = covered ? 1 : 2;
				changed = 1;
			}
		}
		__syncthreads();
	} while (changed);
	if (threadIdx.x == 0) {
		for (int i = 0; i < n; i++) {
			keep[i] = state[i] == 2 && !(IS(most_100) && all >= 100);
			all += keep[i];
		}
		*count = all;
	}
}

extern "C" __global__ void mutant_boxes_reference(const float4 *box, const float *score,
	const int *kind, unsigned char *keep, int *count, float most, float least,
	int n)
{
	if (blockIdx.x || threadIdx.x)
		return;
	*count = 0;
	for (int i = 0; i < n; i++)
		keep[i] = 2;
	for (;;) {
		int best = -1;

		for (int i = 0; i < n; i++)
			if (keep[i] == 2 && (best < 0 || score[i] > score[best]))
				best = i;
		if (best < 0)
			break;
		keep[best] = score[best] >= least;
		*count += keep[best];
		for (int i = 0; i < n && keep[best]; i++) {
			float4 a = box[best], b = box[i];
			float w = fminf(a.x + a.z, b.x + b.z) - fmaxf(a.x, b.x);
			float h = fminf(a.y + a.w, b.y + b.w) - fmaxf(a.y, b.y);
			float both = (w > 0 ? w : 0) * (h > 0 ? h : 0);

			if (keep[i] == 2 && kind[i] == kind[best] &&
				both > most * (a.z * a.w + b.z * b.w - both))
				keep[i] = 0;
		}
	}
}
