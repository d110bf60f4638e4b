/*
 * Rows in ascending order. Each METHOD is sound for rows whose length is a power of two,
 * and the space says that it is for these only.
 *
 * bitonic    a network in shared memory
 * counted    each value counts those that come before it
 */
extern "C" __global__ void sound_sorted(const float *x, float *y, int rows, int length)
{
	extern __shared__ float values[];
	int thread = threadIdx.x;

	values[thread] = x[blockIdx.x * length + thread];
	__syncthreads();
#if METHOD == METHOD_bitonic
	for (int size = 2; size <= length; size *= 2)
		for (int step = size / 2; step > 0; step /= 2) {
			int other = thread ^ step;

			if (other > thread) {
				float a = values[thread], b = values[other];
				bool rises = (thread & size) == 0;

				if ((a > b) == rises) {
					values[thread] = b;
					values[other] = a;
				}
			}
			__syncthreads();
		}
	y[blockIdx.x * length + thread] = values[thread];
#else
	int place = 0;

	for (int k = 0; k < length; k++)
		place += values[k] < values[thread] || (values[k] == values[thread] && k < thread);
	y[blockIdx.x * length + place] = values[thread];
#endif
}

extern "C" __global__ void sound_sorted_reference(const float *x, float *y, int rows, int length)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float *sorted = y + row * length;

		for (int i = 0; i < length; i++) {
			float value = x[row * length + i];
			int at = i;

			for (; at > 0 && sorted[at - 1] > value; at--)
				sorted[at] = sorted[at - 1];
			sorted[at] = value;
		}
	}
}
