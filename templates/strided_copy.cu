/*
 * Takes `stride` interleaved channels apart: out[c * n + i] = in[i * stride + c] for
 * n records of `stride` floats. Reads and stores cannot both follow memory, unless
 * the data turns round in shared memory. A block has BLOCK records.
 *
 * ORDER  coalesced: neighbouring threads read neighbouring floats, and store far
 *        apart; strided: a thread reads a record, and neighbouring threads store
 *        neighbouring floats; staged: both follow memory
 * BLOCK  threads of a block, and its records
 * UNROLL of the loop over a record: all loads before the stores
 * PAD    staged: a float is left out after every 32: fewer bank conflicts
 *
 * The space alone reads L1, the compiler's policy for loads, or plain: none is asked
 * for.
 */
/* not every preprocessor looks for macros inside a pragma */
enum { STEPS = UNROLL };

#define PADDED(i) ((i) + (i) / 32 * PAD)

/* no __restrict__: with it the compiler takes the read-only cache, where no policy goes */
extern "C" __global__ void __launch_bounds__(BLOCK)
strided_copy(const float *in, float *out, long long n, int stride)
{
	const long long first = (long long)blockIdx.x * BLOCK;
	const int records = n - first < BLOCK ? n - first : BLOCK;
	const int thread = threadIdx.x;

	in += first * stride;
	out += first;
#if ORDER == ORDER_coalesced
	for (int first = thread; first < records * stride; first += BLOCK * UNROLL) {
		float kept[UNROLL];

#pragma unroll
		for (int j = 0; j < UNROLL; j++)
			if (first + j * BLOCK < records * stride)
				kept[j] = in[first + j * BLOCK];
#pragma unroll
		for (int j = 0; j < UNROLL; j++) {
			const int i = first + j * BLOCK;

			if (i < records * stride)
				out[i % stride * n + i / stride] = kept[j];
		}
	}
#elif ORDER == ORDER_strided
	if (thread >= records)
		return;
	for (int first = 0; first < stride; first += UNROLL) {
		float kept[UNROLL];

#pragma unroll
		for (int j = 0; j < UNROLL; j++)
			if (first + j < stride)
				kept[j] = in[thread * stride + first + j];
#pragma unroll
		for (int j = 0; j < UNROLL; j++)
			if (first + j < stride)
				out[(first + j) * n + thread] = kept[j];
	}
#else
	extern __shared__ float tile[];

#pragma unroll STEPS
	for (int i = thread; i < records * stride; i += BLOCK)
		tile[PADDED(i)] = in[i];
	__syncthreads();
	if (thread >= records)
		return;
#pragma unroll STEPS
	for (int c = 0; c < stride; c++)
		out[c * n + thread] = tile[PADDED(thread * stride + c)];
#endif
}

extern "C" __global__ void strided_copy_reference(const float *in, float *out, long long n,
	int stride)
{
	const long long step = (long long)gridDim.x * blockDim.x;

	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n * stride;
	     i += step)
		out[i % stride * n + i / stride] = in[i];
}
