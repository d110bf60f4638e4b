/* Sums before each tile, of all tiles before it: one block adds up what tiles have. */

extern "C" __global__ void mutant_tabled_tiles(const int *x, int *tiles, int n)
{
	__shared__ int sum;

	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	for (int i = blockIdx.x * BLOCK + threadIdx.x; i < min(n, (int)(blockIdx.x + 1) * BLOCK);
		i += blockDim.x)
		atomicAdd(&sum, x[i]);
	__syncthreads();
	if (threadIdx.x == 0)
		tiles[blockIdx.x] = sum;
}

extern "C" __global__ void mutant_tabled(const int *tiles, int *y, int count)
{
	int sum = 0;

#if MISTAKE == MISTAKE_short_table
	__shared__ int table[64];

	for (int i = 0; i < min(count, 64); i++)
		table[i] = tiles[i];
	for (int i = 0; i < count; i++) {
		y[i] = sum;
		sum += i < 64 ? table[i] : 0;
	}
#else
	for (int i = 0; i < count; i++) {
		y[i] = sum;
		sum += tiles[i];
	}
#endif
}

extern "C" __global__ void mutant_tabled_reference(const int *x, int *y, int n, int count)
{
	for (int tile = threadIdx.x; tile < count; tile += blockDim.x) {
		y[tile] = 0;
		for (int i = 0; i < tile * BLOCK; i++)
			y[tile] += x[i];
	}
}
