/*
 * The inclusive prefix sum of n integers, any n: out[i] = in[0] + ... + in[i], modulo 2^32. Each block
 * scans a tile of BLOCK * ELEMENTS integers.
 *
 * BLOCK     threads of a block, whole warps
 * ELEMENTS  integers of a thread
 * VECTOR    integers of one load and store: 1, 2, 4; divides ELEMENTS
 * METHOD    where a block gets the sum of all tiles before its own.
 *           passes: scan_sums sums the tiles, scan_totals scans these sums in one block; so the
 *           input is read twice.
 *           look_back: the block publishes the sum of its tile, then adds up what earlier blocks
 *           published (Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled
 *           Look-back"); scan_clear runs before.
 *
 * state is scratch: the sum before each tile; with look_back the number of blocks that have begun,
 * then what each tile published: 0, its sum, or the sum of all integers up to its end.
 */
enum { WARPS = BLOCK / 32, STEPS = ELEMENTS / VECTOR, TILE = BLOCK * ELEMENTS };

struct __align__(4 * VECTOR) pack {
	unsigned at[VECTOR];
};

/* where a thread's first vector is; its next vectors are 32 * VECTOR integers apart */
static __device__ __forceinline__ int first_of(int tile)
{
	return tile * TILE + threadIdx.x / 32 * (32 * ELEMENTS) + threadIdx.x % 32 * VECTOR;
}

/* whole tiles without checks; values past n are zero */
static __device__ __forceinline__ void load_tile(const unsigned *in, int n, int tile,
	pack (&values)[STEPS])
{
	const int first = first_of(tile);

	if ((tile + 1) * TILE <= n) {
#pragma unroll
		for (int j = 0; j < STEPS; j++)
			values[j] = *(const pack *)(in + first + j * 32 * VECTOR);
		return;
	}
#pragma unroll
	for (int j = 0; j < STEPS; j++)
		for (int i = 0, at = first + j * 32 * VECTOR; i < VECTOR; i++, at++)
			values[j].at[i] = at < n ? in[at] : 0;
}

static __device__ __forceinline__ void store_tile(unsigned *out, int n, int tile,
	const pack (&values)[STEPS])
{
	const int first = first_of(tile);

	if ((tile + 1) * TILE <= n) {
#pragma unroll
		for (int j = 0; j < STEPS; j++)
			*(pack *)(out + first + j * 32 * VECTOR) = values[j];
		return;
	}
#pragma unroll
	for (int j = 0; j < STEPS; j++)
		for (int i = 0, at = first + j * 32 * VECTOR; i < VECTOR; i++, at++)
			if (at < n)
				out[at] = values[j].at[i];
}

/* the sum over the lanes up to this one */
static __device__ __forceinline__ unsigned scan_warp(unsigned sum)
{
#pragma unroll
	for (int lanes = 1; lanes < 32; lanes *= 2) {
		const unsigned other = __shfl_up_sync(0xffffffffu, sum, lanes);

		sum += threadIdx.x % 32 >= lanes ? other : 0;
	}
	return sum;
}

/* the sum of what all warps give, in every thread; before: of the warps before this one */
static __device__ __forceinline__ unsigned add_warps(unsigned sum, unsigned *before)
{
	__shared__ unsigned warps[WARPS];
	unsigned total = 0;

	if (threadIdx.x % 32 == 31)
		warps[threadIdx.x / 32] = sum;
	__syncthreads();
	*before = 0;
#pragma unroll
	for (int i = 0; i < WARPS; i++) {
		*before += i < threadIdx.x / 32 ? warps[i] : 0;
		total += warps[i];
	}
	return total;
}

#if METHOD == METHOD_look_back
enum : unsigned long long { OWN_SUM = 1ull << 32, WHOLE_SUM = 2ull << 32 };

/*
 * A warp publishes the sum of its block's tile and returns the sum of the tiles before: it reads 32
 * of them at once, back to a tile with its whole sum. Flag and sum are one word: no fence is needed.
 */
static __device__ unsigned look_back(volatile unsigned long long *tiles, int tile, unsigned sum)
{
	const int lane = threadIdx.x % 32;
	unsigned before = 0;

	if (lane == 0)
		tiles[tile] = (tile == 0 ? WHOLE_SUM : OWN_SUM) | sum;
	for (int end = tile; end > 0; end -= 32) {
		const int other = end - 1 - lane;
		unsigned long long found = WHOLE_SUM;

		while (other >= 0 && (found = tiles[other]) == 0)
			;
		const unsigned whole = __ballot_sync(0xffffffffu, found >= WHOLE_SUM);
		const int last = whole ? __ffs(whole) - 1 : 31;
		unsigned part = lane <= last ? (unsigned)found : 0;

		for (int lanes = 16; lanes > 0; lanes /= 2)
			part += __shfl_xor_sync(0xffffffffu, part, lanes);
		before += part;
		if (whole)
			break;
	}
	if (lane == 0 && tile > 0)
		tiles[tile] = WHOLE_SUM | (before + sum);
	return before;
}
#endif

extern "C" __global__ void scan_clear(unsigned long long *state, int tiles)
{
	const int i = blockIdx.x * 256 + threadIdx.x;

	if (i <= tiles)
		state[i] = 0;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
scan_sums(const unsigned *in, unsigned long long *state, int n)
{
	pack values[STEPS];
	unsigned sum = 0, before;

	load_tile(in, n, blockIdx.x, values);
#pragma unroll
	for (int j = 0; j < STEPS; j++)
		for (int i = 0; i < VECTOR; i++)
			sum += values[j].at[i];
	sum = add_warps(scan_warp(sum), &before);
	if (threadIdx.x == 0)
		state[blockIdx.x] = sum;
}

/* one block: each sum becomes the sum of those before it */
extern "C" __global__ void __launch_bounds__(BLOCK)
scan_totals(unsigned long long *state, int tiles)
{
	unsigned carry = 0;

	for (int first = 0; first < tiles; first += BLOCK) {
		const int i = first + threadIdx.x;
		const unsigned own = i < tiles ? state[i] : 0, sum = scan_warp(own);
		unsigned before;
		const unsigned total = add_warps(sum, &before);

		if (i < tiles)
			state[i] = carry + before + sum - own;
		carry += total;
		__syncthreads();
	}
}

extern "C" __global__ void __launch_bounds__(BLOCK)
scan(const unsigned *in, unsigned *out, unsigned long long *state, int n)
{
	pack values[STEPS];
	unsigned sum = 0, before;
#if METHOD == METHOD_look_back
	__shared__ unsigned shared;

	/* the number of a block says nothing of when it runs */
	if (threadIdx.x == 0)
		shared = atomicAdd((unsigned *)state, 1);
	__syncthreads();
	const int tile = shared;
#else
	/* from the end: what scan_sums read last is still in the L2 cache */
	const int tile = gridDim.x - 1 - blockIdx.x;
#endif

	load_tile(in, n, tile, values);
#pragma unroll
	for (int j = 0; j < STEPS; j++) {
		unsigned own = 0;

#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			own = values[j].at[i] += own;
		const unsigned lanes = scan_warp(own);

#pragma unroll
		for (int i = 0; i < VECTOR; i++)
			values[j].at[i] += sum + lanes - own;
		sum += __shfl_sync(0xffffffffu, lanes, 31);
	}
	sum = add_warps(sum, &before);
#if METHOD == METHOD_look_back
	if (threadIdx.x < 32)
		sum = look_back(state + 1, tile, sum);
	if (threadIdx.x == 0)
		shared = sum;
	__syncthreads();
	before += shared;
#else
	before += (unsigned)state[tile];
#endif
#pragma unroll
	for (int j = 0; j < STEPS; j++)
		for (int i = 0; i < VECTOR; i++)
			values[j].at[i] += before;
	store_tile(out, n, tile, values);
}

/* one block of 1024 threads, a piece each */
extern "C" __global__ void scan_reference(const unsigned *in, unsigned *out, int n)
{
	__shared__ unsigned sums[1024];
	const int piece = (n + 1023) / 1024, first = threadIdx.x * piece;
	const int end = first + piece < n ? first + piece : n;
	unsigned sum = 0;

	for (int i = first; i < end; i++)
		sum += in[i];
	sums[threadIdx.x] = sum;
	__syncthreads();
	sum = 0;
	for (int i = 0; i < threadIdx.x; i++)
		sum += sums[i];
	for (int i = first; i < end; i++)
		out[i] = sum += in[i];
}
