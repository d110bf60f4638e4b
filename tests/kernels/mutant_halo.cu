/*
 * One step of smoothing, in place: rows that two blocks share in halves; each half
 * needs a value of the other half as it was; MISTAKE none is sound: it reads that value
 * from a copy.
 *
 * in_place        reads it where the other block writes
 * in_place_early  the same, but as the very first thing, when the other block cannot have
 *                 got so far unless it began much earlier
 * adds_without_atomics  adds the halves' sums one after the other
 */
extern "C" __global__ void mutant_halo(float *values, const float *copy, float *sums, int rows)
{
	__shared__ float tile[BLOCK + 2];
	__shared__ float parts[BLOCK];
	int row = blockIdx.x / 2, half = blockIdx.x % 2, thread = threadIdx.x;
	int begin = row * 2 * BLOCK, i = begin + half * BLOCK + thread;
#if MISTAKE == MISTAKE_in_place || MISTAKE == MISTAKE_in_place_early
	const volatile float *others = values;
#else
	const volatile float *others = copy;
#endif

#if MISTAKE == MISTAKE_in_place_early
	if (thread == 0) {
		tile[0] = half ? others[begin + BLOCK - 1] : 0.0f;
		tile[BLOCK + 1] = half ? 0.0f : others[begin + BLOCK];
	}
	__syncthreads();
#endif
	tile[thread + 1] = values[i];
	parts[thread] = values[i];
	__syncthreads();
	for (int step = BLOCK / 2; step > 0; step /= 2) {
		if (thread < step)
			parts[thread] += parts[thread + step];
		__syncthreads();
	}
#if MISTAKE != MISTAKE_in_place_early
	if (thread == 0) {
		tile[0] = half ? others[begin + BLOCK - 1] : 0.0f;
		tile[BLOCK + 1] = half ? 0.0f : others[begin + BLOCK];
	}
	__syncthreads();
#endif
	values[i] = 0.25f * tile[thread] + 0.5f * tile[thread + 1] + 0.25f * tile[thread + 2];
#if MISTAKE == MISTAKE_adds_without_atomics
	float sum = ((volatile float *)sums)[row];

	__syncthreads();
	if (thread == 0)
		((volatile float *)sums)[row] = sum + parts[0];
#else
	if (thread == 0)
		atomicAdd(&sums[row], parts[0]);
#endif
}

extern "C" __global__ void mutant_halo_reference(float *values, const float *copy, float *sums,
	int rows)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float *cells = values + row * 2 * BLOCK, before = 0.0f;
		double sum = 0.0;

		for (int i = 0; i < 2 * BLOCK; i++) {
			float here = cells[i], after = i + 1 < 2 * BLOCK ? cells[i + 1] : 0.0f;

			sum += here;
			cells[i] = 0.25f * before + 0.5f * here + 0.25f * after;
			before = here;
		}
		sums[row] += (float)sum;
	}
}

extern "C" __global__ void mutant_halo_copy(const float *values, float *copy, int cells)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells;
		i += gridDim.x * blockDim.x)
		copy[i] = values[i];
}
