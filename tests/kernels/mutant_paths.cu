/*
 * The least number of all nodes that edges lead to from a node, passed along all edges until
 * nothing changes. The MISTAKE:
 *
 * rounds_16  sixteen rounds are taken to be enough
 * rounds_64  sixty-four
 * one_way    passes numbers on from the first end of an edge alone
 */
#define STEP(one, other) \
	if (label[one] < label[other]) { \
		atomicMin(&label[other], label[one]); \
		changed = 1; \
	}

extern "C" __global__ void mutant_paths(const int *a, const int *b, int *label, int n, int e)
{
	__shared__ int changed;
	int more = 1;

	for (int i = threadIdx.x; i < n; i += blockDim.x)
		label[i] = i;
	__syncthreads();
	for (int round = 0; more; round++) {
#if MISTAKE == MISTAKE_rounds_16
		if (round == 16)
			break;
#elif MISTAKE == MISTAKE_rounds_64
		if (round == 64)
			break;
#endif
		if (threadIdx.x == 0)
			changed = 0;
		__syncthreads();
		for (int i = threadIdx.x; i < e; i += blockDim.x) {
			STEP(a[i], b[i])
#if MISTAKE != MISTAKE_one_way
			STEP(b[i], a[i])
#endif
		}
		__syncthreads();
		more = changed;
		__syncthreads();
	}
}

extern "C" __global__ void mutant_paths_reference(const int *a, const int *b, int *label, int n, int e)
{
	int changed = 1;

	if (blockIdx.x || threadIdx.x)
		return;
	for (int i = 0; i < n; i++)
		label[i] = i;
	while (changed) {
		changed = 0;
		for (int i = 0; i < e; i++) {
			STEP(a[i], b[i])
			STEP(b[i], a[i])
		}
	}
}
