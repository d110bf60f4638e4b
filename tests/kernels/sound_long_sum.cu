/*
 * One sum of very many positive values. Each METHOD is sound: a sum in single precision,
 * one value after the other, loses much, and is what many a first version does.
 *
 * sequential  one thread
 * strided     a block, each of whose threads adds up a part
 * last_block  many blocks; the last one adds up
 * atomics     many blocks, which add to what prepare has set to 0
 */
__device__ unsigned counter;

extern "C" __global__ void sound_long_sum_begin(float *total)
{
	if (threadIdx.x == 0)
		total[0] = 0.0f;
}

extern "C" __global__ void sound_long_sum(const float *x, float *total, float *parts, int n)
{
	__shared__ float values[256];
	__shared__ bool is_last;
	float sum = 0.0f;

#if METHOD == METHOD_sequential
	if (threadIdx.x == 0) {
		for (int i = 0; i < n; i++)
			sum += x[i];
		total[0] = sum;
	}
#else
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += x[i];
	values[threadIdx.x] = sum;
	__syncthreads();
	for (int step = blockDim.x / 2; step > 0; step /= 2) {
		if (threadIdx.x < step)
			values[threadIdx.x] += values[threadIdx.x + step];
		__syncthreads();
	}
#if METHOD == METHOD_strided
	if (threadIdx.x == 0)
		total[0] = values[0];
#elif METHOD == METHOD_atomics
	if (threadIdx.x == 0)
		atomicAdd(&total[0], values[0]);
#else
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = values[0];
		__threadfence();
		is_last = atomicInc(&counter, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (is_last && threadIdx.x == 0) {
		__threadfence();
		sum = 0.0f;
		for (unsigned i = 0; i < gridDim.x; i++)
			sum += ((volatile float *)parts)[i];
		total[0] = sum;
	}
#endif
#endif
}

extern "C" __global__ void sound_long_sum_reference(const float *x, float *total, float *parts,
	int n)
{
	double sum = 0.0;

	if (blockIdx.x == 0 && threadIdx.x == 0) {
		for (int i = 0; i < n; i++)
			sum += x[i];
		total[0] = (float)sum;
	}
}
