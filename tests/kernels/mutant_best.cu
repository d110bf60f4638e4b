/*
 * The eight largest numbers and their places, the first of equals first; MISTAKE none is
 * sound.
 *
 * three_of_lane  keeps three of each thread's, which random numbers hardly ever miss
 */
#define BEST 8
#define THREADS 256
#define IS_BETTER(a, i, b, j) ((a) > (b) || ((a) == (b) && (i) < (j)))

static __device__ void keep(float *best, int *places, int most, float value, int place)
{
	for (int k = 0; k < most; k++)
		if (IS_BETTER(value, place, best[k], places[k])) {
			float other = best[k];
			int where = places[k];

			best[k] = value;
			places[k] = place;
			value = other;
			place = where;
		}
}

extern "C" __global__ void mutant_best(const float *x, float *best, int *places, int n)
{
	__shared__ float values[BEST * THREADS];
	__shared__ int from[BEST * THREADS];
	float *own = values + BEST * threadIdx.x;
	int *own_from = from + BEST * threadIdx.x;

	for (int k = 0; k < BEST; k++) {
		own[k] = -3.0e38f;
		own_from[k] = n;
	}
	for (int i = threadIdx.x; i < n; i += THREADS)
		keep(own, own_from, MISTAKE == MISTAKE_three_of_lane ? 3 : BEST, x[i], i);
	__syncthreads();
	if (threadIdx.x)
		return;
	for (int i = BEST; i < BEST * THREADS; i++)
		keep(values, from, BEST, values[i], from[i]);
	for (int k = 0; k < BEST; k++) {
		best[k] = values[k];
		places[k] = from[k];
	}
}

extern "C" __global__ void mutant_best_reference(const float *x, float *best, int *places, int n)
{
	if (blockIdx.x || threadIdx.x)
		return;
	for (int k = 0; k < BEST; k++) {
		best[k] = -3.0e38f;
		places[k] = n;
	}
	for (int i = 0; i < n; i++)
		keep(best, places, BEST, x[i], i);
}
