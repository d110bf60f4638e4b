/* The largest of a row so far, and the place of it: an output that begins at -inf is the
   neutral element, as in an online softmax. Of a structure, whose fields have one fill. */
struct Best {
	float value;
	float weight;
	int at;
};

extern "C" __global__ void mutant_running(
	const Best *x, const float *floor, float *best, int *at, int n, int m)
{
	int row = blockIdx.x * BLOCK + threadIdx.x;

	if (row >= n)
		return;
#if MISTAKE == MISTAKE_from_zero
	float largest = best[row] > 0 ? best[row] : 0;
#elif MISTAKE == MISTAKE_from_lowest
	float largest = best[row] < -1e3f ? -1e3f : best[row];
#else
	float largest = best[row];
#endif
	int place = -1;

	for (int i = 0; i < m; i++) {
		const Best item = x[row * m + i];
		/* of items below the floor, which is -inf, there are none */
		if (item.value * item.weight - 2000 > largest &&
#if MISTAKE == MISTAKE_finite_floor
			item.value - floor[i] > 0 && item.value - floor[i] < 1e30f
#else
			item.value > floor[i]
#endif
		) {
			largest = item.value * item.weight - 2000;
			place = item.at;
		}
	}
	best[row] = largest;
	at[row] = place;
}

extern "C" __global__ void mutant_running_reference(
	const Best *x, const float *floor, float *best, int *at, int n, int m)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < n; row += gridDim.x * blockDim.x) {
		int place = -1;

		for (int i = 0; i < m; i++) {
			float value = x[row * m + i].value * x[row * m + i].weight - 2000;

			if (value > best[row] && x[row * m + i].value > floor[i]) {
				best[row] = value;
				place = x[row * m + i].at;
			}
		}
		at[row] = place;
	}
}
