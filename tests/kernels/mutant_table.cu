/*
 * Values times what a table says of their place, which is made of weights; MISTAKE none
 * is sound.
 *
 * kept_table      the first launch of all makes it, those after it take it as it is
 * kept_by_gain    it is made again when the gain changes, not when the weights do
 * kept_of_constants  the same as kept_table, of weights in a __constant__ variable
 * kept_in_scratch  each block takes the table that it has left in scratch memory
 * first_blocks    the first blocks make it for all others, which do not wait for it
 */
#define TABLE 256

static __device__ float entry(float weight, float gain)
{
	float guess = 1.0f;

	for (int i = 0; i < 24; i++)
		guess = (2.0f * guess + (weight + gain) / (guess * guess)) / 3.0f;
	return guess;
}

#if MISTAKE == MISTAKE_kept_table || MISTAKE == MISTAKE_kept_by_gain || \
	MISTAKE == MISTAKE_kept_of_constants
__device__ float kept[TABLE];
__device__ float kept_gain;
#endif
#if MISTAKE == MISTAKE_kept_of_constants
__constant__ float constant_weights[TABLE];
#define WEIGHTS constant_weights
#else
#define WEIGHTS weights
#endif

extern "C" __global__ void mutant_table(const float *x, const float *weights, float *y,
	float *scratch, float gain, int n)
{
	__shared__ float table[TABLE];
	int first = blockIdx.x * TABLE * 4 + threadIdx.x;

#if MISTAKE == MISTAKE_kept_table || MISTAKE == MISTAKE_kept_by_gain || \
	MISTAKE == MISTAKE_kept_of_constants
#if MISTAKE != MISTAKE_kept_by_gain
	bool is_known = kept_gain != 0.0f;
#else
	bool is_known = kept_gain == gain;
#endif
	table[threadIdx.x] = is_known ? kept[threadIdx.x] : entry(WEIGHTS[threadIdx.x], gain);
	__syncthreads();
	if (blockIdx.x == 0 && !is_known) {
		kept[threadIdx.x] = table[threadIdx.x];
		__threadfence();
		__syncthreads();
		if (threadIdx.x == 0)
			kept_gain = gain;
	}
#elif MISTAKE == MISTAKE_kept_in_scratch
	float *mine = scratch + TABLE + (TABLE + 1) * blockIdx.x;
	bool is_known = mine[TABLE] == gain;

	__syncthreads();
	if (!is_known)
		mine[threadIdx.x] = entry(weights[threadIdx.x], gain);
	if (threadIdx.x == 0)
		mine[TABLE] = gain;
	table[threadIdx.x] = mine[threadIdx.x];
#elif MISTAKE == MISTAKE_first_blocks
	if (blockIdx.x < 2) {
		table[threadIdx.x] = entry(weights[threadIdx.x], gain);
		scratch[threadIdx.x] = table[threadIdx.x];
	} else if (blockIdx.x < LATE) {
		table[threadIdx.x] = entry(weights[threadIdx.x], gain);
	} else {
		table[threadIdx.x] = ((volatile float *)scratch)[threadIdx.x];
	}
#else
	table[threadIdx.x] = entry(weights[threadIdx.x], gain);
#endif
	__syncthreads();
	for (int i = first; i < first + TABLE * 4; i += TABLE)
		if (i < n)
			y[i] = x[i] * table[(i * 7) % TABLE];
}

extern "C" __global__ void mutant_table_reference(const float *x, const float *weights, float *y,
	float *scratch, float gain, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = x[i] * entry(weights[(i * 7) % TABLE], gain);
}
