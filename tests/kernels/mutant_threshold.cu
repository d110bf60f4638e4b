/*
 * The shade that parts an image best, the first of equals, and which pixels are above
 * it; a mask says which count. MISTAKE none is sound.
 *
 * last_of_equals  of equals the last one
 * mask_ignored    all count
 * from_1          the first shade does not count
 * above_or_equal  who is at it is above
 * mean            the mean
 * half_shades     every other shade
 *
 * Each METHOD is sound:
 *
 * doubles         by means in double
 * by_counts       sums from counts
 * one_thread      the first thread does all
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_threshold(const unsigned char *shade,
	const unsigned char *mask, int *best, unsigned char *above, int n)
{
	__shared__ int count[256], at;
	int t = threadIdx.x;

	for (int k = t; k < 256; k += blockDim.x)
		count[k] = 0;
	__syncthreads();
	for (int i = t; i < n; i += blockDim.x)
		if (mask[i] || IS(mask_ignored))
			atomicAdd(&count[shade[i]], 1);
	__syncthreads();
	if (t == 0) {
		long long all = 0, sum = 0, below = 0, part = 0;
		double most = -1;

		for (int k = IS(from_1); k < 256; k++) {
			all += count[k];
			sum += (long long)k * count[k];
		}
		at = 0;
		for (int k = 0; k < 255; k++) {
			double apart;

			below += count[k];
			part += (long long)k * count[k];
			if (IS(half_shades) && k % 2)
				continue;
			if (below == 0 || below == all)
				continue;
			if (BY(doubles)) {
				double d = (double)part / below -
					   (double)(sum - part) / (all - below);

				apart = d * d * below * (all - below);
			} else {
				double d = (double)part * all - (double)sum * below;

				apart = d * d / ((double)below * (all - below));
			}
			if (BY(doubles)              ? apart > most * (1 + 1e-12)
				: IS(last_of_equals) ? apart >= most
						     : apart > most) {
				most = apart;
				at = k;
			}
		}
		if (IS(mean))
			at = all ? sum / all : 0;
		*best = at;
	}
	__syncthreads();
	for (int i = t; i < n; i += blockDim.x)
		above[i] = IS(above_or_equal) ? shade[i] >= at : shade[i] > at;
}

extern "C" __global__ void mutant_threshold_reference(const unsigned char *shade,
	const unsigned char *mask, int *best, unsigned char *above, int n)
{
	long long all = 0, sum = 0;
	double most = -1;

	if (blockIdx.x || threadIdx.x)
		return;
	*best = 0;
	for (int i = 0; i < n; i++)
		if (mask[i]) {
			all++;
			sum += shade[i];
		}
	for (int k = 0; k < 255; k++) {
		long long below = 0, part = 0;

		for (int i = 0; i < n; i++)
			if (mask[i] && shade[i] <= k) {
				below++;
				part += shade[i];
			}
		if (below > 0 && below < all) {
			double d = (double)part * all - (double)sum * below;
			double apart = d * d / ((double)below * (all - below));

			if (apart > most) {
				most = apart;
				*best = k;
			}
		}
	}
	for (int i = 0; i < n; i++)
		above[i] = shade[i] > *best;
}
