/*
 * New words go into a cache that is a ring for each sequence, as many as a sequence has;
 * its length grows. MISTAKE none is sound.
 *
 * all_new      all new words, however many a sequence has
 * wraps_once   takes the length for less than two rings
 * length_kept  lengths stay
 * ring_32      a ring of 32
 * four_heads   four heads
 * one_word     the first new word alone
 * overwrites   begins at 0
 * swapped      heads and words change places
 *
 * Each METHOD is sound:
 *
 * backwards    the last one first
 * by_place     each place asks which word it has
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_appended(const float *fresh, const int *counts, int *lengths,
	float *cache, int batch, int words, int heads, int size, int ring)
{
	int item = blockIdx.x, length = lengths[item], count = counts[item];
	int head_count = IS(four_heads) ? 4 : heads, modulus = IS(ring_32) ? 32 : ring;

	if (item >= batch)
		return;
	__syncthreads();
	if (IS(all_new))
		count = words;
	if (IS(one_word))
		count = min(count, 1);
	if (IS(overwrites))
		length = 0;
	if (BY(by_place)) {
		for (int i = threadIdx.x; i < ring * heads * size; i += blockDim.x) {
			int place = i / (heads * size), k = place - length % ring;

			k += k < 0 ? ring : 0;
			while (k + ring < count)
				k += ring;
			if (k < count)
				cache[(long long)item * ring * heads * size + i] =
					fresh[((long long)item * words + k) * heads * size +
						i % (heads * size)];
		}
	} else {
		for (int i = threadIdx.x; i < head_count * size; i += blockDim.x)
			for (int step = 0; step < count; step++) {
				int k = BY(backwards) ? count - 1 - step : step, place = length + k;
				long long from = ((long long)item * words + k) * heads * size + i;

				if (BY(backwards) && step >= ring)
					break;
				if (IS(wraps_once))
					place = place >= 2 * modulus ? place % modulus :
						place >= modulus ? place - modulus : place;
				else
					place %= modulus;
				if (IS(wraps_once) && length + k >= 2 * modulus)
					place = min(length + k - modulus, modulus - 1);
				if (IS(swapped))
					from = ((long long)item * heads + i / size) * words * size +
						(long long)k * size + i % size;
				cache[((long long)item * ring + place) * heads * size + i] = fresh[from];
			}
	}
	if (threadIdx.x == 0 && !IS(length_kept))
		lengths[item] = length + count;
}

extern "C" __global__ void mutant_appended_reference(const float *fresh, const int *counts,
	int *lengths, float *cache, int batch, int words, int heads, int size, int ring)
{
	if (blockIdx.x || threadIdx.x)
		return;
	for (int item = 0; item < batch; item++) {
		for (int k = 0; k < counts[item]; k++)
			for (int i = 0; i < heads * size; i++)
				cache[((long long)item * ring + (lengths[item] + k) % ring) * heads * size +
					i] = fresh[((long long)item * words + k) * heads * size + i];
		lengths[item] += counts[item];
	}
}
