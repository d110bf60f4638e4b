/*
 * Where in a list numbers belong. A processor learns the turns that it takes on the same
 * numbers, and is several times as fast then; each METHOD is sound.
 *
 * halves  looks in the half in which it is
 * steps   goes on as long as numbers are less
 */
extern "C" __global__ void sound_turns(const float *x, const float *list, int *places, int n,
	int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = m;

	if (i >= n)
		return;
#if METHOD == METHOD_halves
	while (low < high) {
		int middle = (low + high) / 2;

		if (list[middle] <= x[i])
			low = middle + 1;
		else
			high = middle;
	}
#else
	while (low < high && list[low] <= x[i])
		low++;
#endif
	places[i] = low;
}

extern "C" __global__ void sound_turns_reference(const float *x, const float *list,
	int *places, int n, int m)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		places[i] = 0;
		while (places[i] < m && list[places[i]] <= x[i])
			places[i]++;
	}
}
