/*
 * From each element up to its root, over parents of lower numbers; and the place of the
 * smallest of eight keys. MISTAKE none is sound.
 *
 * few_steps   gives up after 32 steps, many_steps after 200
 * last_bit    compares keys without their last bit
 */
extern "C" __global__ void mutant_follow(const int *parent, const int *key, int *root, int *depth,
	int *least, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int at = i, steps = 0, best = i;

	if (i >= n)
		return;
	while (parent[at] < at) {
#if MISTAKE == MISTAKE_few_steps
		if (steps == 32)
			break;
#elif MISTAKE == MISTAKE_many_steps
		if (steps == 200)
			break;
#endif
		at = parent[at];
		steps++;
	}
	for (int k = i + 1; k < i + 8 && k < n; k++) {
#if MISTAKE == MISTAKE_last_bit
		if (key[k] >> 1 < key[best] >> 1)
#else
		if (key[k] < key[best])
#endif
			best = k;
	}
	root[i] = at;
	depth[i] = steps;
	least[i] = best;
}

extern "C" __global__ void mutant_follow_reference(const int *parent, const int *key, int *root,
	int *depth, int *least, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int at = i, steps = 0, best = i;

		for (; parent[at] < at; steps++)
			at = parent[at];
		for (int k = i + 1; k < i + 8 && k < n; k++)
			if (key[k] < key[best])
				best = k;
		root[i] = at;
		depth[i] = steps;
		least[i] = best;
	}
}
