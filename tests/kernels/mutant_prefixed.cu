// A prefix sum in three launches: of tiles of 32 numbers, of their sums, and of all.
enum { TILE = 32, BLOCK = 64 };

extern "C" __global__ void mutant_prefixed_sums(const unsigned *in, unsigned *sums, int n)
{
	int tile = blockIdx.x * BLOCK + threadIdx.x;
	unsigned sum = 0;

	if (tile * TILE >= n)
		return;
	for (int i = tile * TILE; i < (tile + 1) * TILE && i < n; i++)
		sum += in[i];
	sums[tile] = sum;
}

// In one block. Each sum becomes the sum of those before it.
extern "C" __global__ void mutant_prefixed_totals(unsigned *sums, int tiles)
{
	__shared__ unsigned all[BLOCK];
	unsigned carry = 0;

	for (int first = 0; first < tiles; first += BLOCK) {
		int i = first + threadIdx.x;
		unsigned before = 0, total = 0;

		all[threadIdx.x] = i < tiles ? sums[i] : 0;
#if MISTAKE != MISTAKE_no_barrier
		__syncthreads();
#endif
		for (int j = 0; j < BLOCK; j++) {
			before += j < threadIdx.x ? all[j] : 0;
			total += all[j];
		}
		if (i < tiles)
			sums[i] = carry + before;
#if MISTAKE == MISTAKE_no_carry
		carry = total;
#elif MISTAKE == MISTAKE_few_tiles
		carry += first < 2 * BLOCK ? total : 0;
#else
		carry += total;
#endif
		__syncthreads();
	}
}

extern "C" __global__ void mutant_prefixed(const unsigned *in, unsigned *out, const unsigned *sums, int n)
{
	int tile = blockIdx.x * BLOCK + threadIdx.x;
	unsigned sum;

	if (tile * TILE >= n)
		return;
	sum = sums[tile];
	for (int i = tile * TILE; i < (tile + 1) * TILE && i < n; i++) {
#if MISTAKE == MISTAKE_exclusive
		out[i] = sum;
		sum += in[i];
#else
		out[i] = sum += in[i];
#endif
	}
}

extern "C" __global__ void mutant_prefixed_reference(const unsigned *in, unsigned *out, int n)
{
	unsigned sum = 0;

	for (int i = 0; i < n; i++)
		out[i] = sum += in[i];
}
