// What part of all values each bin has: bins are cleared, counted, and divided.
extern "C" __global__ void mutant_shares_cleared(unsigned *counts, int bins)
{
	int i = blockIdx.x * 64 + threadIdx.x;

	if (i < bins)
		counts[i] = 0;
}

extern "C" __global__ void mutant_shares_counted(const unsigned *values, unsigned *counts, int size)
{
#if MISTAKE == MISTAKE_too_much_shared
	__shared__ unsigned seen[8192];

	seen[threadIdx.x] = 0;
	__syncthreads();
#endif
#if MISTAKE == MISTAKE_too_many_blocks
	int i = blockIdx.x * 128 + threadIdx.x;

	if (i <= size)
#else
	int i = blockIdx.x * 128 + threadIdx.x;

	if (i < size)
#endif
		atomicAdd(&counts[values[i]], 1u);
}

extern "C" __global__ void mutant_shares_divided(const unsigned *counts, float *shares, int bins, int size)
{
	int i = threadIdx.x;

#if MISTAKE == MISTAKE_first_block
	if (i < bins)
		shares[i] = (float)counts[i] / size;
#else
	for (; i < bins; i += 64)
		shares[i] = (float)counts[i] / size;
#endif
#if MISTAKE == MISTAKE_writes_counts
	shares[bins] = 0;
#endif
}

// In place of the kernel above in a configuration that is otherwise the same.
extern "C" __global__ void mutant_shares_halved(const unsigned *counts, float *shares, int bins, int size)
{
	for (int i = threadIdx.x; i < bins; i += 64)
		shares[i] = (float)counts[i] / (2 * size);
}

extern "C" __global__ void mutant_shares_reference(const unsigned *values, float *shares, int bins, int size)
{
	for (int i = threadIdx.x; i < bins; i += blockDim.x) {
		unsigned count = 0;

		for (int k = 0; k < size; k++)
			count += values[k] == (unsigned)i;
		shares[i] = (float)count / size;
	}
}
