/*
 * Pieces of a picture that hang together have the number of their first pixel; those of few
 * pixels do not count. MISTAKE none is sound.
 *
 * small_stay   small pieces stay
 * four_always  not over corners
 * rounds_16    sixteen rounds
 * wraps_rows   the end of a row hangs together with the next
 *
 * Each METHOD is sound:
 *
 * union_find   trees of one thread
 * backwards    from the end
 * sweeps       to and fro
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_components(const unsigned char *image, int *label,
	int threshold, int eight, int min_size, int w, int h)
{
	__shared__ int changed;
	int rounds = 0;

	if (IS(four_always))
		eight = 0;
	if (BY(union_find)) {
		if (threadIdx.x == 0) {
			for (int i = 0; i < w * h; i++) {
				int x = i % w, y = i / w;
				label[i] = image[i] >= threshold ? i : -1;
				if (label[i] < 0)
					continue;
				for (int k = 0; k < 4; k++) {
					int a = x + (k == 0 ? -1 : k - 2), b = y - (k > 0);
					if (a < 0 || a >= w || b < 0 || (!eight && k % 2) || label[b * w + a] < 0)
						continue;
					int r = b * w + a, s = i;
					while (label[r] != r)
						r = label[r];
					while (label[s] != s)
						s = label[s];
					label[max(r, s)] = min(r, s);
				}
			}
			for (int i = 0; i < w * h; i++)
				if (label[i] >= 0)
					label[i] = label[label[i]];
		}
		__syncthreads();
	} else {
		for (int i = threadIdx.x; i < w * h; i += blockDim.x)
			label[i] = image[i] >= threshold ? i : -1;
		do {
			__syncthreads();
			if (threadIdx.x == 0)
				changed = 0;
			__syncthreads();
			for (int step = threadIdx.x; step < w * h; step += blockDim.x) {
				int i = BY(backwards) || (BY(sweeps) && rounds % 2) ? w * h - 1 - step : step;
				int x = i % w, y = i / w, best = label[i];

				if (best < 0)
					continue;
				for (int k = 0; k < 9; k++) {
					int a = x + k % 3 - 1, b = y + k / 3 - 1, other;
					if (!eight && k % 2 == 0)
						continue;
					if (b < 0 || b >= h || (!IS(wraps_rows) && (a < 0 || a >= w)))
						continue;
					if (b * w + a < 0 || b * w + a >= w * h)
						continue;
					other = *(volatile int *)&label[b * w + a];
					if (other >= 0 && other < best)
						best = other;
				}
				if (best < label[i]) {
					label[i] = best;
					atomicOr(&changed, 1);
				}
			}
			__syncthreads();
			rounds++;
		} while (changed && !(IS(rounds_16) && rounds >= 16));
	}
	__syncthreads();
	if (min_size > 1 && !IS(small_stay)) {
		if (threadIdx.x == 0)
			for (int i = w * h - 1; i >= 0; i--) {
				int n = 0;
				if (label[i] != i)
					continue;
				for (int j = i; j < w * h; j++)
					n += label[j] == i;
				if (n < min_size)
					for (int j = w * h - 1; j >= i; j--)
						if (label[j] == i)
							label[j] = -1;
			}
	}
}

extern "C" __global__ void mutant_components_reference(const unsigned char *image, int *label,
	int threshold, int eight, int min_size, int w, int h)
{
	int more = 1;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < w * h; i++)
		label[i] = image[i] >= threshold ? i : -1;
	while (more) {
		more = 0;
		for (int pass = 0; pass < 2; pass++)
			for (int s = 0; s < w * h; s++) {
				int i = pass ? w * h - 1 - s : s, x = i % w, y = i / w;
				if (label[i] < 0)
					continue;
				for (int dy = -1; dy <= 1; dy++)
					for (int dx = -1; dx <= 1; dx++) {
						int a = x + dx, b = y + dy;
						if (a < 0 || b < 0 || a >= w || b >= h || (!eight && dx && dy))
							continue;
						if (label[b * w + a] >= 0 && label[b * w + a] < label[i]) {
							label[i] = label[b * w + a];
							more = 1;
						}
					}
			}
	}
	for (int i = 0; i < w * h && min_size > 1; i++) {
		int n = 0;
		if (label[i] != i)
			continue;
		for (int j = i; j < w * h; j++)
			n += label[j] == i;
		for (int j = w * h - 1; j >= i && n < min_size; j--)
			if (label[j] == i)
				label[j] = -1;
	}
}
