/*
 * Sums of rows of positive values, in every order that people add in. Each METHOD is
 * sound, and each gives another last digit.
 *
 * sequential  one thread a row, one value after the other
 * doubles     the same in double precision
 * kahan       the same, with what rounding lost added to the next one
 * pairs       the same in four sums at a time
 * tree        a block a row, and a tree over its threads
 * shuffles    a warp a row
 * atomics     a block a row, whose threads add in the order in which they come
 * last_block  four blocks a row; the last one adds up
 */
#define FULL 0xffffffffu

__device__ unsigned counters[ROWS_MAX];

extern "C" __global__ void sound_sums(const float *x, float *sums, float *parts, int rows,
	int columns)
{
#if METHOD == METHOD_sequential || METHOD == METHOD_doubles || METHOD == METHOD_kahan || \
	METHOD == METHOD_pairs
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *values = x + (long long)row * columns;

	if (row >= rows)
		return;
#if METHOD == METHOD_sequential
	float sum = 0.0f;

	for (int i = 0; i < columns; i++)
		sum += values[i];
#elif METHOD == METHOD_doubles
	double sum = 0.0;

	for (int i = 0; i < columns; i++)
		sum += values[i];
#elif METHOD == METHOD_kahan
	float sum = 0.0f, lost = 0.0f;

	for (int i = 0; i < columns; i++) {
		float value = values[i] - lost, next = sum + value;

		lost = (next - sum) - value;
		sum = next;
	}
#else
	float four[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

	for (int i = 0; i < columns; i++)
		four[i % 4] += values[i];
	float sum = (four[0] + four[1]) + (four[2] + four[3]);
#endif
	sums[row] = (float)sum;
#elif METHOD == METHOD_shuffles
	int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	float sum = 0.0f;

	if (row >= rows)
		return;
	for (int i = lane; i < columns; i += 32)
		sum += x[(long long)row * columns + i];
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(FULL, sum, step);
	if (lane == 0)
		sums[row] = sum;
#else
	__shared__ float values[128];
	__shared__ float total;
	__shared__ bool is_last;
#if METHOD == METHOD_last_block
	int row = blockIdx.x / 4, quarter = (columns + 3) / 4;
	int begin = blockIdx.x % 4 * quarter, end = min(columns, begin + quarter);
#else
	int row = blockIdx.x, begin = 0, end = columns;
#endif
	float sum = 0.0f;

	if (threadIdx.x == 0)
		total = 0.0f;
	for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
		sum += x[(long long)row * columns + i];
	values[threadIdx.x] = sum;
	__syncthreads();
#if METHOD == METHOD_atomics
	atomicAdd(&total, sum);
	__syncthreads();
	if (threadIdx.x == 0)
		sums[row] = total;
#else
	for (int step = blockDim.x / 2; step > 0; step /= 2) {
		if (threadIdx.x < step)
			values[threadIdx.x] += values[threadIdx.x + step];
		__syncthreads();
	}
#if METHOD == METHOD_tree
	if (threadIdx.x == 0)
		sums[row] = values[0];
#else
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = values[0];
		__threadfence();
		is_last = atomicInc(&counters[row], 3) == 3;
	}
	__syncthreads();
	if (is_last && threadIdx.x == 0) {
		volatile float *four = parts + 4 * row;

		__threadfence();
		sums[row] = (four[0] + four[1]) + (four[2] + four[3]);
	}
#endif
#endif
#endif
}

extern "C" __global__ void sound_sums_reference(const float *x, float *sums, float *parts,
	int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		double sum = 0.0;

		for (int i = 0; i < columns; i++)
			sum += x[(long long)row * columns + i];
		sums[row] = (float)sum;
	}
}

/* one that has the error of the simplest kernel */
extern "C" __global__ void sound_sums_rounded(const float *x, float *sums, float *parts,
	int rows, int columns)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
		row += gridDim.x * blockDim.x) {
		float sum = 0.0f;

		for (int i = 0; i < columns; i++)
			sum += x[(long long)row * columns + i];
		sums[row] = sum;
	}
}
