/*
 * The shortest ways between all nodes and the first node on each, the first that is
 * found; a number stands for none. MISTAKE none is sound.
 *
 * none_folded  the number for none of the space
 * adds_none    adds up what stands for none
 * half_way     passes on half of the nodes
 * symmetric    takes ways for the same in both directions
 * keeps_self   a way to itself is not 0
 * last_found   of equal ways the last one
 * twice        goes on from what has just changed in one row
 * bytes_next   keeps nodes in 5 bits
 *
 * Each METHOD is sound:
 *
 * in_place     in place, with a barrier
 * rows_kept    a copy of the row
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

extern "C" __global__ void mutant_distances(int *d, int *next, int none, int n)
{
	if (IS(none_folded))
		none = 1000;
	for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
		if (i / n == i % n && !IS(keeps_self))
			d[i] = 0;
		if (IS(symmetric) && i / n > i % n)
			d[i] = d[i % n * n + i / n];
		next[i] = IS(bytes_next) ? i % n & 31 : i % n;
	}
	__syncthreads();
	for (int k = 0; k < (IS(half_way) ? (n + 1) / 2 : n); k++) {
		for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
			int a = d[i / n * n + k], b = d[k * n + i % n];

			if ((a >= none || b >= none) && !IS(adds_none))
				continue;
			if (IS(last_found) ? a + b <= d[i] && i / n != k && i % n != k
					   : a + b < d[i]) {
				d[i] = a + b;
				next[i] = next[i / n * n + k];
			}
		}
		if (!IS(twice) || k % 2)
			__syncthreads();
	}
}

extern "C" __global__ void mutant_distances_reference(int *d, int *next, int none, int n)
{
	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n * n; i++) {
		if (i / n == i % n)
			d[i] = 0;
		next[i] = i % n;
	}
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				if (d[i * n + k] < none && d[k * n + j] < none &&
					d[i * n + k] + d[k * n + j] < d[i * n + j]) {
					d[i * n + j] = d[i * n + k] + d[k * n + j];
					next[i * n + j] = next[i * n + k];
				}
}
