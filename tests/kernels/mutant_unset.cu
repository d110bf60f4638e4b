/*
 * Of each block's keys the largest, how many are odd, and which of eight classes are there;
 * MISTAKE none is sound.
 *
 * local_unset     a thread's own counts begin with what lies in local memory
 * local_half_set  and only the first half of them is set
 * scratch_largest the largest so far, in scratch, begins with what lies there
 * output_largest  and in the output
 * scratch_smallest  the smallest, which begins with what lies in scratch
 * scratch_from_neighbour  a count in scratch begins with what lies there, which is taken
 *                 from what its neighbour tells
 * output_classes  bits are set in an output that begins with what lies there
 * shared_largest  the largest so far in shared memory
 */
#define CLASSES 8

extern "C" __global__ void mutant_unset(const int *keys, int *largest, int *odd, unsigned *classes,
	int *scratch, int n)
{
	__shared__ int most, count;
	__shared__ unsigned bits;
	volatile int mine[CLASSES];
	int i = blockIdx.x * BLOCK * 4 + threadIdx.x;
	int end = min(n, (int)(blockIdx.x + 1) * BLOCK * 4);

	if (threadIdx.x == 0) {
#if MISTAKE != MISTAKE_shared_largest
		most = -1;
#endif
		count = 0;
		bits = 0;
#if MISTAKE == MISTAKE_output_classes
		bits = classes[blockIdx.x];
#endif
	}
#if MISTAKE == MISTAKE_local_half_set
	for (int k = 0; k < CLASSES / 2; k++)
		mine[k] = 0;
#elif MISTAKE != MISTAKE_local_unset
	for (int k = 0; k < CLASSES; k++)
		mine[k] = 0;
#endif
	__syncthreads();
	for (; i < end; i += BLOCK) {
		mine[keys[i] % CLASSES] += 1;
#if MISTAKE == MISTAKE_scratch_largest
		atomicMax(&scratch[blockIdx.x], keys[i]);
#elif MISTAKE == MISTAKE_output_largest
		atomicMax(&largest[blockIdx.x], keys[i]);
#elif MISTAKE == MISTAKE_scratch_smallest
		atomicMin((unsigned *)&scratch[blockIdx.x], 1000u - keys[i]);
#else
		atomicMax(&most, keys[i]);
#endif
#if MISTAKE == MISTAKE_scratch_from_neighbour
		if (keys[i] % 2)
			atomicAdd(&scratch[2 * blockIdx.x], 1);
#endif
	}
	for (int k = 0; k < CLASSES; k++)
		if (mine[k] > 0) {
			atomicOr(&bits, 1u << k);
			if (k % 2)
				atomicAdd(&count, mine[k]);
		}
	__syncthreads();
	if (threadIdx.x == 0) {
#if MISTAKE == MISTAKE_scratch_largest
		largest[blockIdx.x] = scratch[blockIdx.x];
#elif MISTAKE == MISTAKE_scratch_smallest
		largest[blockIdx.x] = 1000 - scratch[blockIdx.x];
#elif MISTAKE != MISTAKE_output_largest
		largest[blockIdx.x] = most;
#endif
		odd[blockIdx.x] = count;
#if MISTAKE == MISTAKE_scratch_from_neighbour
		odd[blockIdx.x] = scratch[2 * blockIdx.x] - scratch[2 * blockIdx.x + 1];
#endif
		classes[blockIdx.x] = bits;
	}
}

extern "C" __global__ void mutant_unset_reference(const int *keys, int *largest, int *odd,
	unsigned *classes, int *scratch, int n)
{
	int blocks = (n + BLOCK * 4 - 1) / (BLOCK * 4);

	for (int block = blockIdx.x * blockDim.x + threadIdx.x; block < blocks;
		block += gridDim.x * blockDim.x) {
		int most = -1, count = 0;
		unsigned bits = 0;

		for (int i = block * BLOCK * 4; i < n && i < (block + 1) * BLOCK * 4; i++) {
			most = max(most, keys[i]);
			count += keys[i] % 2;
			bits |= 1u << keys[i] % CLASSES;
		}
		largest[block] = most;
		odd[block] = count;
		classes[block] = bits;
	}
}
