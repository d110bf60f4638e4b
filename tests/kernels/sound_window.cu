/*
 * The largest and the mean of seven neighbours, as many as there are. Each METHOD is sound.
 *
 * checked   looks whether there is a neighbour
 * clamped   takes the outermost value again, which changes no largest, and weighs it 0
 * tile      through shared memory with a halo, which holds -1e30 and 0 where nothing is
 */
#define REACH 3

extern "C" __global__ void sound_window(const float *x, float *largest, float *means, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
	float most = -1e30f, sum = 0.0f;

#if METHOD == METHOD_tile
	__shared__ float tile[128 + 2 * REACH];

	for (int k = threadIdx.x; k < blockDim.x + 2 * REACH; k += blockDim.x) {
		int from = (int)(blockIdx.x * blockDim.x) + k - REACH;

		tile[k] = from >= 0 && from < n ? x[from] : -1e30f;
	}
	__syncthreads();
	if (i >= n)
		return;
	for (int k = threadIdx.x; k <= threadIdx.x + 2 * REACH; k++) {
		most = fmaxf(most, tile[k]);
		sum += tile[k] > -1e30f ? tile[k] : 0.0f;
		count += tile[k] > -1e30f;
	}
#else
	if (i >= n)
		return;
	for (int j = i - REACH; j <= i + REACH; j++) {
#if METHOD == METHOD_clamped
		bool is_there = j >= 0 && j < n;
		float value = x[min(max(j, 0), n - 1)];

		most = fmaxf(most, value);
		sum += is_there ? value : 0.0f;
		count += is_there;
#else
		if (j >= 0 && j < n) {
			most = fmaxf(most, x[j]);
			sum += x[j];
			count++;
		}
#endif
	}
#endif
	largest[i] = most;
	means[i] = sum / count;
}

extern "C" __global__ void sound_window_reference(const float *x, float *largest, float *means,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int begin = max(i - REACH, 0), end = min(i + REACH + 1, n);
		float most = x[begin], sum = 0.0f;

		for (int j = begin; j < end; j++) {
			most = fmaxf(most, x[j]);
			sum += x[j];
		}
		largest[i] = most;
		means[i] = sum / (end - begin);
	}
}
