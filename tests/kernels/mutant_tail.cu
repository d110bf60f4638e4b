/*
 * What each block finds out about its values, which are fewer in the last block; MISTAKE
 * none is sound. Each mistake does not stop at the last value: what lies behind it has
 * to be such that none of these is left as it was.
 *
 * counts_on       how many values are above a half
 * counts_below    how many values are below minus a half
 * clips_on        the sum of the values, each clipped to [0, 1]
 * largest_on      the largest value
 * smallest_on     the smallest value
 * matches_on      how many keys are 3, of keys from 0 to 15
 * weighs_on       values weighed by 0 behind the end
 * sane_ones_on    the largest of the values that could be among the data
 */
#define EACH 4

#define INSIDE(mistake) (i < n || MISTAKE == MISTAKE_##mistake)

extern "C" __global__ void mutant_tail(const float *x, const int *keys, int *counts, float *sums,
	float *extremes, int n)
{
	__shared__ int count[3];
	__shared__ float parts[BLOCK], largest[BLOCK], smallest[BLOCK];
	int thread = threadIdx.x, first = blockIdx.x * BLOCK * EACH + thread;
	float sum = 0.0f, most = -1e30f, least = 1e30f;

	if (thread < 3)
		count[thread] = 0;
	__syncthreads();
	for (int i = first; i < first + BLOCK * EACH; i += BLOCK) {
		if (INSIDE(counts_on) && x[i] > 0.5f)
			atomicAdd(&count[0], 1);
		if (INSIDE(counts_below) && x[i] < -0.5f)
			atomicAdd(&count[1], 1);
		if (INSIDE(matches_on) && keys[i] == 3)
			atomicAdd(&count[2], 1);
		if (INSIDE(clips_on))
			sum += fminf(fmaxf(x[i], 0.0f), 1.0f);
		if (INSIDE(weighs_on))
			sum += x[i] * (i < n ? 0.5f : 0.0f);
		if (INSIDE(largest_on))
			most = fmaxf(most, x[i]);
		if (INSIDE(smallest_on))
			least = fminf(least, x[i]);
#if MISTAKE == MISTAKE_sane_ones_on
		if (x[i] >= -1.0f && x[i] <= 1.0f)
			most = fmaxf(most, x[i]);
#endif
	}
	parts[thread] = sum;
	largest[thread] = most;
	smallest[thread] = least;
	__syncthreads();
	for (int step = BLOCK / 2; step > 0; step /= 2) {
		if (thread < step) {
			parts[thread] += parts[thread + step];
			largest[thread] = fmaxf(largest[thread], largest[thread + step]);
			smallest[thread] = fminf(smallest[thread], smallest[thread + step]);
		}
		__syncthreads();
	}
	if (thread < 3)
		counts[3 * blockIdx.x + thread] = count[thread];
	if (thread == 0) {
		sums[blockIdx.x] = parts[0];
		extremes[2 * blockIdx.x] = largest[0];
		extremes[2 * blockIdx.x + 1] = smallest[0];
	}
}

/* one thread a block of the kernel's */
extern "C" __global__ void mutant_tail_reference(const float *x, const int *keys, int *counts,
	float *sums, float *extremes, int n)
{
	int blocks = (n + BLOCK * EACH - 1) / (BLOCK * EACH);

	for (int block = blockIdx.x * blockDim.x + threadIdx.x; block < blocks;
		block += gridDim.x * blockDim.x) {
		int end = (block + 1) * BLOCK * EACH, above = 0, below = 0, matches = 0;
		double sum = 0.0;
		float most = -1e30f, least = 1e30f;

		for (int i = block * BLOCK * EACH; i < end && i < n; i++) {
			above += x[i] > 0.5f;
			below += x[i] < -0.5f;
			matches += keys[i] == 3;
			sum += fminf(fmaxf(x[i], 0.0f), 1.0f) + 0.5f * x[i];
			most = fmaxf(most, x[i]);
			least = fminf(least, x[i]);
		}
		counts[3 * block] = above;
		counts[3 * block + 1] = below;
		counts[3 * block + 2] = matches;
		sums[block] = (float)sum;
		extremes[2 * block] = most;
		extremes[2 * block + 1] = least;
	}
}
