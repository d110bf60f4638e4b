/*
 * Values times what a table says, and ways to use memory that are right. Each METHOD is
 * sound.
 *
 * each_block     every block makes the table in shared memory
 * prepared       prepare makes it in a variable, ahead of the launches
 * prepared_scratch  and here in scratch memory
 * constant_table reads weights from a __constant__ variable, and makes the table from it
 * unread_memory  reads local, shared and scratch memory that was not set, and throws away
 *                what it read
 * own_scratch    writes scratch memory, and reads what it wrote
 * counts_launches  counts them in a variable that is not read
 * lazily_made    numbers that depend on nothing are worked out in the first launch only
 * through_output writes the output, reads it again and completes it
 * same_value     several threads write the same into shared memory, which is no race that
 *                matters
 * static_table   has a table of numbers that never change
 */
#define TABLE 128

static __device__ float entry(float weight)
{
	return sqrtf(weight + 1.0f);
}

#if METHOD == METHOD_prepared
__device__ float prepared[TABLE];
#elif METHOD == METHOD_constant_table
__constant__ float constant_weights[TABLE];
#elif METHOD == METHOD_counts_launches
__device__ unsigned long long launch_count;
#elif METHOD == METHOD_lazily_made
__device__ float ones[TABLE];
__device__ unsigned is_made;
#elif METHOD == METHOD_static_table
__device__ const float halves[4] = { 0.5f, 1.0f, 1.5f, 2.0f };
#endif

extern "C" __global__ void sound_memory_prepare(const float *weights, float *scratch)
{
	int i = threadIdx.x;

#if METHOD == METHOD_prepared
	prepared[i] = entry(weights[i]);
#elif METHOD == METHOD_prepared_scratch
	scratch[i] = entry(weights[i]);
#endif
}

extern "C" __global__ void sound_memory(const float *x, const float *weights, float *y,
	float *scratch, int n)
{
	int i = blockIdx.x * TABLE + threadIdx.x, thread = threadIdx.x;
	float factor;

#if METHOD == METHOD_prepared
	factor = prepared[thread];
#elif METHOD == METHOD_prepared_scratch
	factor = scratch[thread];
#elif METHOD == METHOD_unread_memory
	__shared__ float table[2 * TABLE];
	volatile float local[4];
	bool never = n < 0;

	table[thread] = entry(weights[thread]);
	local[1] = 0.0f;
	__syncthreads();
	factor = never ? table[thread + TABLE] + scratch[i] : table[thread];
	factor = fmaxf(factor, local[1]);
	/* a select, not a branch: what is read may be anything */
	float other = scratch[thread] + local[2] + table[thread + TABLE];
	factor = thread < TABLE ? factor : other;
#elif METHOD == METHOD_own_scratch
	if (i < n)
		scratch[TABLE + i] = entry(weights[thread]);
	__syncthreads();
	factor = i < n ? scratch[TABLE + i] : 0.0f;
#elif METHOD == METHOD_constant_table
	factor = entry(constant_weights[thread]);
#elif METHOD == METHOD_lazily_made
	float one = cosf(0.0f * thread);

	if (*(volatile unsigned *)&is_made)
		one = ((volatile float *)ones)[thread];
	factor = one * entry(weights[thread]);
	if (blockIdx.x == 0) {
		ones[thread] = one;
		__threadfence();
		__syncthreads();
		if (thread == 0)
			*(volatile unsigned *)&is_made = 1;
	}
#elif METHOD == METHOD_same_value
	__shared__ float first;

	first = entry(weights[0]);
	__syncthreads();
	factor = thread == 0 ? first : entry(weights[thread]);
#elif METHOD == METHOD_through_output
	if (i < n)
		((volatile float *)y)[i] = x[i];
	__syncthreads();
	factor = entry(weights[thread]);
	if (i < n)
		y[i] = ((volatile float *)y)[i] * factor;
	return;
#elif METHOD == METHOD_static_table
	factor = entry(weights[thread]) * halves[thread % 4] / halves[thread % 4];
#else
	__shared__ float table[TABLE];

	table[thread] = entry(weights[thread]);
	__syncthreads();
	factor = table[thread];
#endif
#if METHOD == METHOD_counts_launches
	if (i == 0)
		atomicAdd(&launch_count, 1ull);
#endif
	if (i < n)
		y[i] = x[i] * factor;
}

extern "C" __global__ void sound_memory_reference(const float *x, const float *weights, float *y,
	float *scratch, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[i] * entry(weights[i % TABLE]);
}
