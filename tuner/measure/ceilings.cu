/*
 * The kernels that measure what a device does at best: copies, and chains of fused
 * multiply-adds. One source for every device, as support.cu is. The results of each
 * kernel prove that it ran: a copy is compared, and a chain counts its operations.
 */

typedef unsigned long long u64;

#define FIRST ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS ((u64)gridDim.x * blockDim.x)

/* ---- copies ------------------------------------------------------------- */

struct share {
	u64 begin, end, step;
};

/* A thread's share as a run of successive elements, of the same length for each. */
static __device__ struct share run_of(u64 count)
{
	u64 length = (count + THREADS - 1) / THREADS;
	struct share out;

	out.begin = FIRST * length < count ? FIRST * length : count;
	out.end = count - out.begin < length ? count : out.begin + length;
	out.step = 1;
	return out;
}

/* A thread's share for the best access: on a GPU the threads of a warp read successive
   elements together; on a CPU each thread reads a run of its own. */
static __device__ struct share share_of(u64 count)
{
#ifdef AUTOTUNE_HOST
	return run_of(count);
#else
	struct share out = { FIRST, count, THREADS };

	return out;
#endif
}

static __device__ uint4 pattern(u64 i, u64 seed)
{
	u64 a = (i + seed) * 0x9e3779b97f4a7c15ull, b = a ^ (a >> 29);

	return make_uint4((unsigned)a, (unsigned)(a >> 32), (unsigned)b, (unsigned)(b >> 32));
}

extern "C" __global__ void at_ceiling_fill(uint4 *data, u64 count, u64 seed)
{
	struct share mine = share_of(count);

	for (u64 i = mine.begin; i < mine.end; i += mine.step)
		data[i] = pattern(i, seed);
}

/* Adds to *wrong the number of elements that differ from those of at_ceiling_fill(). */
extern "C" __global__ void at_ceiling_check(const uint4 *data, u64 count, u64 seed, u64 *wrong)
{
	struct share mine = share_of(count);
	u64 mismatches = 0;

	for (u64 i = mine.begin; i < mine.end; i += mine.step) {
		uint4 is = data[i], must = pattern(i, seed);

		mismatches += ((is.x ^ must.x) | (is.y ^ must.y) | (is.z ^ must.z) |
				      (is.w ^ must.w)) != 0;
	}
	if (mismatches)
		atomicAdd(wrong, mismatches);
}

/* Copies with many threads, each with one element in flight. */
extern "C" __global__ void at_ceiling_copy_wide(
	uint4 *__restrict__ to, const uint4 *__restrict__ from, u64 count)
{
	struct share mine = share_of(count);

	for (u64 i = mine.begin; i < mine.end; i += mine.step)
		to[i] = from[i];
}

/* Copies with four elements of each thread in flight, for a device whose threads are
   too few to hide its latency. */
extern "C" __global__ void at_ceiling_copy_deep(
	uint4 *__restrict__ to, const uint4 *__restrict__ from, u64 count)
{
	struct share mine = share_of(count);
	u64 i = mine.begin, step = mine.step;

	for (; i + 3 * step < mine.end; i += 4 * step) {
		uint4 a = from[i], b = from[i + step];
		uint4 c = from[i + 2 * step], d = from[i + 3 * step];

		to[i] = a;
		to[i + step] = b;
		to[i + 2 * step] = c;
		to[i + 3 * step] = d;
	}
	for (; i < mine.end; i += step)
		to[i] = from[i];
}

/* Copies by memcpy(), for a CPU: its library bypasses the caches in a long copy. */
extern "C" __global__ void at_ceiling_copy_run(
	uint4 *__restrict__ to, const uint4 *__restrict__ from, u64 count)
{
	struct share mine = run_of(count);

	memcpy(to + mine.begin, from + mine.begin, (mine.end - mine.begin) * sizeof(*to));
}

/* ---- chains of fused multiply-adds -------------------------------------- */

/* On a GPU the threads are the lanes of its vectors; on a CPU vectors are explicit. */
#ifdef AUTOTUNE_HOST
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef float floats __attribute__((vector_size(VECTOR_BYTES)));
typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));
#else
typedef float floats;
typedef double doubles;
#endif

#define LANES (int)(sizeof(Reals) / sizeof(Real))

template <class Reals, class Real> static __device__ Reals spread(Real first, Real step)
{
	Reals out;

	for (int i = 0; i < LANES; i++)
		((Real *)&out)[i] = first + (Real)i * step;
	return out;
}

template <class Reals, class Real> static __device__ double total(Reals lanes)
{
	double sum = 0.0;

	for (int i = 0; i < LANES; i++)
		sum += (double)((Real *)&lanes)[i];
	return sum;
}

/*
 * The chains of a thread: enough to hide the latency of the units (4 cycles on two
 * units of an x86-64 CPU; a GPU also has many warps), and few enough for the registers.
 */
#if defined(AUTOTUNE_HOST) && !defined(__x86_64__)
#define CHAINS(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) \
	X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#else
#define CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#endif
/* The links of each chain in a round, between two tests of the loop's counter. */
#define LINKS 64

/*
 * *done: the sum of all chains. Factor and term are 1, which only the caller knows, so
 * that each link adds 1. The starts of the chains cancel out, so the sum is exactly the
 * number of links, as long as no chain reaches 2^24. The starts differ between chains,
 * lanes and threads, so that no compiler can merge two chains.
 */
template <class Reals, class Real>
static __device__ void chain(Real factor, Real term, unsigned rounds, double *done)
{
	Real first = (Real)(threadIdx.x + 1);
	Reals m = spread<Reals>(factor, (Real)0), c = spread<Reals>(term, (Real)0);
	double sum = 0.0;

#define START(j) \
	Reals a##j = (j) % 2 ? spread<Reals>(-first - (Real)((j) / 2), (Real)-16) \
			     : spread<Reals>(first + (Real)((j) / 2), (Real)16);
#define LINK(j) a##j = a##j * m + c;
#define END(j) sum += total<Reals, Real>(a##j);
	CHAINS(START)
	for (unsigned i = 0; i < rounds; i++) {
#pragma unroll
		for (int k = 0; k < LINKS; k++) {
			CHAINS(LINK)
		}
	}
	CHAINS(END)
	done[FIRST] = sum;
}

extern "C" __global__ void at_ceiling_float(
	float factor, float term, unsigned rounds, double *done)
{
	chain<floats>(factor, term, rounds, done);
}

extern "C" __global__ void at_ceiling_double(
	double factor, double term, unsigned rounds, double *done)
{
	chain<doubles>(factor, term, rounds, done);
}
