/*
 * The cube root of each value, by many steps, and ways to have it from an earlier
 * launch instead; MISTAKE none is sound.
 *
 * kept_in_variable, kept_in_static, kept_in_managed, kept_in_constant, kept_in_scratch,
 * kept_in_shared: a block that has been here before copies what it found then.
 * Shared memory keeps its contents from launch to launch where nothing else uses it
 * kept_half       the same of every second value
 * kept_by_address for the input at this address
 * kept_last       the same, and of no address but that of the last launch
 * kept_last_by_values  the last launch's, for inputs whose first and last value are its
 * kept_by_values  for inputs whose first, middle and last value are those of one of the
 *                 last eight inputs
 * kept_by_sum     for inputs where every 64th value adds up to the same
 * kept_in_scratch_by_address, kept_in_scratch_by_values, kept_in_shared_by_values  these
 *                 keys, and two results, where memory is that no variable holds
 * stale_pointer   reads the input of the first launch
 * kept_in_output  a value that lies in the output already and could be right is left
 * kept_in_output_by_block  the same, by one look at the first value of a block
 * kept_behind     as in scratch, but behind the output
 * every_other_launch  works in every second launch only
 * first_launches  works in the first 12 launches only
 * hurried         works only if the last launch is long past
 * after_itself    works only if somebody else has used the shared memory since
 */
#define MAGIC 0x5ca1ab1eu
#define STEPS 24
#define BLOCKS_MAX 64
#define KEPT_MAX (BLOCKS_MAX * BLOCK)
#ifdef AUTOTUNE_HOST
#define HURRY 3000000
#else
#define HURRY 200000
#endif

#if MISTAKE == MISTAKE_kept_in_managed
#define WHERE __managed__
#elif MISTAKE == MISTAKE_kept_in_constant
#define WHERE __constant__
#else
#define WHERE __device__
#endif

static __device__ float root(float value)
{
	float guess = 1.0f;

	for (int i = 0; i < STEPS; i++)
		guess = (2.0f * guess + value / (guess * guess)) / 3.0f;
	return guess;
}

#if MISTAKE == MISTAKE_kept_in_variable || MISTAKE == MISTAKE_kept_half || \
	MISTAKE == MISTAKE_kept_in_managed || MISTAKE == MISTAKE_kept_in_constant
WHERE float kept[KEPT_MAX];
WHERE unsigned is_kept[BLOCKS_MAX];
#elif MISTAKE == MISTAKE_kept_by_address
__device__ float kept[4][KEPT_MAX];
__device__ const float *kept_of[4][BLOCKS_MAX];
#elif MISTAKE == MISTAKE_kept_last || MISTAKE == MISTAKE_kept_last_by_values
__device__ float kept[KEPT_MAX];
__device__ const float *last_of[BLOCKS_MAX];
__device__ float first_was[BLOCKS_MAX], last_was[BLOCKS_MAX];
#elif MISTAKE == MISTAKE_kept_by_values || MISTAKE == MISTAKE_kept_by_sum
__device__ float kept[8][KEPT_MAX];
__device__ float keys[8][BLOCKS_MAX][3];
__device__ unsigned next_key[BLOCKS_MAX];
#elif MISTAKE == MISTAKE_stale_pointer
__device__ const float *first_input[BLOCKS_MAX];
#else
__device__ unsigned launches[BLOCKS_MAX];
__device__ long long last_launch[BLOCKS_MAX];
#endif

extern "C" __global__ void mutant_kept(const float *x, float *y, unsigned *scratch, int n)
{
	unsigned block = blockIdx.x, i = block * BLOCK + threadIdx.x;
	bool inside = i < (unsigned)n;

#if MISTAKE == MISTAKE_kept_in_variable || MISTAKE == MISTAKE_kept_in_managed || \
	MISTAKE == MISTAKE_kept_in_constant
	bool known = is_kept[block] == MAGIC;

	__syncthreads();
	if (inside)
		y[i] = known ? kept[i] : (kept[i] = root(x[i]));
	if (threadIdx.x == 0)
		is_kept[block] = MAGIC;
#elif MISTAKE == MISTAKE_kept_in_static
	static float kept[KEPT_MAX];
	static unsigned is_kept[BLOCKS_MAX];
	bool known = is_kept[block] == MAGIC;

	__syncthreads();
	if (inside)
		y[i] = known ? kept[i] : (kept[i] = root(x[i]));
	if (threadIdx.x == 0)
		is_kept[block] = MAGIC;
#elif MISTAKE == MISTAKE_kept_half
	bool known = is_kept[block] == MAGIC && threadIdx.x % 2;

	__syncthreads();
	if (inside)
		y[i] = known ? kept[i] : (kept[i] = root(x[i]));
	if (threadIdx.x == 0)
		is_kept[block] = MAGIC;
#elif MISTAKE == MISTAKE_kept_by_address
	unsigned slot = 0;
	bool known;

	while (slot < 3 && kept_of[slot][block] && kept_of[slot][block] != x)
		slot++;
	known = kept_of[slot][block] == x;
	__syncthreads();
	if (inside)
		y[i] = known ? kept[slot][i] : (kept[slot][i] = root(x[i]));
	if (threadIdx.x == 0)
		kept_of[slot][block] = x;
#elif MISTAKE == MISTAKE_kept_last || MISTAKE == MISTAKE_kept_last_by_values
#if MISTAKE == MISTAKE_kept_last
	bool known = last_of[block] == x;
#else
	bool known = first_was[block] == x[0] && last_was[block] == x[n - 1];
#endif

	__syncthreads();
	if (inside)
		y[i] = known ? kept[i] : (kept[i] = root(x[i]));
	if (threadIdx.x == 0) {
		last_of[block] = x;
		first_was[block] = x[0];
		last_was[block] = x[n - 1];
	}
#elif MISTAKE == MISTAKE_kept_by_values || MISTAKE == MISTAKE_kept_by_sum
	unsigned slot = 0;
	bool known;
#if MISTAKE == MISTAKE_kept_by_values
	float first = x[0], middle = x[n / 2], last = x[n - 1];
#else
	float first = 1.0f, middle = 1.0f, last = 0.0f;

	for (int k = 0; k < n; k += 64)
		last += x[k];
#endif

	while (slot < 8 && !(keys[slot][block][0] == first &&
				   keys[slot][block][1] == middle &&
				   keys[slot][block][2] == last))
		slot++;
	known = slot < 8;
	if (!known)
		slot = next_key[block] % 8;
	__syncthreads();
	if (inside)
		y[i] = known ? kept[slot][i] : (kept[slot][i] = root(x[i]));
	if (threadIdx.x == 0 && !known) {
		keys[slot][block][0] = first;
		keys[slot][block][1] = middle;
		keys[slot][block][2] = last;
		next_key[block]++;
	}
#elif MISTAKE == MISTAKE_kept_in_scratch || MISTAKE == MISTAKE_kept_behind
#if MISTAKE == MISTAKE_kept_behind
	unsigned *memory = (unsigned *)(y + n);
#else
	unsigned *memory = scratch;
#endif
	bool known = memory[n + block] == (MAGIC ^ block);

	__syncthreads();
	if (inside && !known)
		memory[i] = __float_as_uint(root(x[i]));
	if (inside)
		y[i] = __uint_as_float(memory[i]);
	if (threadIdx.x == 0)
		memory[n + block] = MAGIC ^ block;
#elif MISTAKE == MISTAKE_kept_in_shared
	/* a CPU's worker runs all blocks, a multiprocessor always the same few */
	__shared__ float kept[16][BLOCK];
	__shared__ unsigned owner[16];
	unsigned slot = block % 16;
	bool known = owner[slot] == (MAGIC ^ block);

	__syncthreads();
	if (inside)
		y[i] = known ? kept[slot][threadIdx.x] : (kept[slot][threadIdx.x] = root(x[i]));
	if (threadIdx.x == 0)
		owner[slot] = MAGIC ^ block;
#elif MISTAKE == MISTAKE_kept_in_scratch_by_address || \
	MISTAKE == MISTAKE_kept_in_scratch_by_values || \
	MISTAKE == MISTAKE_kept_in_shared_by_values
#if MISTAKE == MISTAKE_kept_in_shared_by_values
	__shared__ unsigned memory[8][2][BLOCK];
	__shared__ unsigned keys[8][2];
	unsigned *key = keys[block % 8];
	unsigned *values[2] = { memory[block % 8][0], memory[block % 8][1] };
#else
	unsigned *key = scratch + 2 * block;
	unsigned *values[2] = { scratch + 128 + block * BLOCK, scratch + 128 + n + block * BLOCK };
#endif
#if MISTAKE == MISTAKE_kept_in_scratch_by_address
	unsigned wanted = (unsigned)(unsigned long long)x ^ MAGIC;
#else
	unsigned wanted = (__float_as_uint(x[0]) * 3 + __float_as_uint(x[n / 2])) * 5 +
		__float_as_uint(x[n - 1]) + block + MAGIC;
#endif
	/* where it is not, it takes one of the two places, as its key says */
	unsigned slot = key[0] == wanted ? 0 : key[1] == wanted ? 1 : wanted >> 13 & 1;
	bool known = key[slot] == wanted;

	__syncthreads();
	if (inside && !known)
		values[slot][threadIdx.x] = __float_as_uint(root(x[i]));
	if (inside)
		y[i] = __uint_as_float(values[slot][threadIdx.x]);
	if (threadIdx.x == 0)
		key[slot] = wanted;
#elif MISTAKE == MISTAKE_stale_pointer
	const float *from = first_input[block] ? first_input[block] : x;

	__syncthreads();
	if (inside)
		y[i] = root(from[i]);
	if (threadIdx.x == 0)
		first_input[block] = from;
#elif MISTAKE == MISTAKE_after_itself
	__shared__ unsigned owner[64];
	bool known = owner[block % 64] == (MAGIC ^ block);

	__syncthreads();
	if (inside && !known)
		y[i] = root(x[i]);
	if (threadIdx.x == 0)
		owner[block % 64] = MAGIC ^ block;
#elif MISTAKE == MISTAKE_kept_in_output
	/* of values from 1 to 3 */
	if (inside && !(y[i] >= 1.0f && y[i] <= 1.4423f))
		y[i] = root(x[i]);
#elif MISTAKE == MISTAKE_kept_in_output_by_block
	float first = block * BLOCK < (unsigned)n ? y[block * BLOCK] : 0.0f;

	__syncthreads();
	if (inside && !(first >= 1.0f && first <= 1.4423f))
		y[i] = root(x[i]);
#elif MISTAKE == MISTAKE_every_other_launch || MISTAKE == MISTAKE_first_launches
	unsigned launch = launches[block];
#if MISTAKE == MISTAKE_every_other_launch
	bool works = launch % 2 == 0;
#else
	bool works = launch < 12;
#endif

	__syncthreads();
	if (inside && works)
		y[i] = root(x[i]);
	if (threadIdx.x == 0)
		launches[block] = launch + 1;
#elif MISTAKE == MISTAKE_hurried
	long long last = last_launch[block], now = clock64();
	bool works = last == 0 || now < last || now - last > HURRY;

	/* all threads of a block are of one opinion */
	works = __syncthreads_or(works);
	if (inside && works)
		y[i] = root(x[i]);
	__syncthreads();
	if (threadIdx.x == 0)
		last_launch[block] = clock64();
#else
	if (inside)
		y[i] = root(x[i]);
#endif
}

extern "C" __global__ void mutant_kept_reference(const float *x, float *y, unsigned *scratch,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = root(x[i]);
}
