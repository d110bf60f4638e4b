/*
 * The tuner's own kernels: filling, poisoning, checking, comparing, flushing.
 * One source for every device: compiled by NVRTC for a GPU and by the C++
 * compiler for the CPU. All stride over the grid, so any geometry will do.
 * Numbers of elements and fills are those of space/spec.h.
 */

typedef unsigned long long u64;

#define FIRST ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE ((u64)gridDim.x * blockDim.x)
/* A loop whose body is long gains nothing from being unrolled, and this unit is compiled
   ahead of everything else that a run does. */
#ifdef AUTOTUNE_HOST
#define UNROLL_NONE
#else
#define UNROLL_NONE _Pragma("unroll 1")
#endif

enum { I8 = 1, U8, I16, U16, I32, U32, I64, U64, F32, F64 };
enum { CONSTANT = 1, UNIFORM, NORMAL, SEQUENCE, INDEX };

/* SplitMix64's finalizer: a good hash of (seed, index) */
static __device__ u64 mix(u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static __device__ double unit(u64 seed, u64 index)
{
	return (double)(mix(seed + (index + 1) * 0x9e3779b97f4a7c15ull) >> 11) *
		(1.0 / 9007199254740992.0);
}

static __device__ double filled(int kind, int real, double a, double b, u64 seed, u64 i)
{
	double u, v;

	switch (kind) {
	case CONSTANT:
		return a;
	case UNIFORM:
		u = unit(seed, i);
		return real ? a + (b - a) * u : floor(a + (b - a + 1.0) * u);
	case NORMAL:
		u = unit(seed, 2 * i);
		v = unit(seed, 2 * i + 1);
		return a + b * (sqrt(-2.0 * log(1.0 - u)) * cos(6.283185307179586 * v));
	case SEQUENCE:
		return a + b * (double)i;
	case INDEX:
		return floor(a * unit(seed, i));
	default:
		return 0.0;
	}
}

static __device__ void store(void *data, u64 i, int element, double value)
{
	switch (element) {
	case I8:
		((signed char *)data)[i] = (signed char)(long long)value;
		break;
	case U8:
		((unsigned char *)data)[i] = (unsigned char)(long long)value;
		break;
	case I16:
		((short *)data)[i] = (short)(long long)value;
		break;
	case U16:
		((unsigned short *)data)[i] = (unsigned short)(long long)value;
		break;
	case I32:
		((int *)data)[i] = (int)(long long)value;
		break;
	case U32:
		((unsigned *)data)[i] = (unsigned)(long long)value;
		break;
	case I64:
		((long long *)data)[i] = (long long)value;
		break;
	case U64:
		((u64 *)data)[i] = (u64)value;
		break;
	case F32:
		((float *)data)[i] = (float)value;
		break;
	default:
		((double *)data)[i] = value;
		break;
	}
}

extern "C" __global__ void at_fill(void *data, u64 count, int element, int kind, double a,
	double b, u64 seed)
{
	int real = element >= F32;

	UNROLL_NONE
	for (u64 i = FIRST; i < count; i += STRIDE)
		store(data, i, element, filled(kind, real, a, b, seed, i));
}

/*
 * A range of bytes as whole uint4 between `head` and `tail`, and what is left of
 * it on both sides.
 */
struct range {
	u64 head, words, tail;
};

static __device__ struct range split(const unsigned char *data, u64 bytes)
{
	struct range range;

	range.head = (16 - (u64)data % 16) % 16;
	if (range.head > bytes)
		range.head = bytes;
	range.words = (bytes - range.head) / 16;
	range.tail = range.head + 16 * range.words;
	return range;
}

extern "C" __global__ void at_pattern(unsigned char *data, u64 bytes, unsigned pattern)
{
	struct range range = split(data, bytes);
	unsigned word = (pattern & 0xff) * 0x01010101u;
	uint4 *words = (uint4 *)(data + range.head);

	for (u64 i = FIRST; i < range.words; i += STRIDE)
		words[i] = make_uint4(word, word, word, word);
	for (u64 i = FIRST; i < range.head; i += STRIDE)
		data[i] = (unsigned char)pattern;
	for (u64 i = range.tail + FIRST; i < bytes; i += STRIDE)
		data[i] = (unsigned char)pattern;
}

static __device__ void check_bytes(const unsigned char *data, u64 begin, u64 end,
	unsigned pattern, u64 *count_and_first)
{
	for (u64 i = begin; i < end; i++)
		if (data[i] != (unsigned char)pattern) {
			atomicAdd(&count_and_first[0], (u64)1);
			atomicMax(&count_and_first[1], ~i);
		}
}

/*
 * Bytes that are not `pattern` are counted; first holds the lowest such offset, as its
 * complement: the largest of those, so that the results of all checks begin at zero.
 */
extern "C" __global__ void at_pattern_check(const unsigned char *data, u64 bytes,
	unsigned pattern, u64 *count_and_first)
{
	struct range range = split(data, bytes);
	unsigned word = (pattern & 0xff) * 0x01010101u;
	const uint4 *words = (const uint4 *)(data + range.head);

	for (u64 i = FIRST; i < range.words; i += STRIDE) {
		uint4 v = words[i];
		u64 begin = range.head + 16 * i;

		if ((v.x ^ word) | (v.y ^ word) | (v.z ^ word) | (v.w ^ word))
			check_bytes(data, begin, begin + 16, pattern, count_and_first);
	}
	if (FIRST == 0) {
		check_bytes(data, 0, range.head, pattern, count_and_first);
		check_bytes(data, range.tail, bytes, pattern, count_and_first);
	}
}

/*
 * A warp's sum, or largest value, goes to memory in one piece: half a million
 * threads in a queue at one address would take longer than what they read. To be
 * called by all threads of a block. Fibers of a CPU are faster each for itself.
 */
static __device__ void add_up(u64 *sum, u64 value)
{
#ifndef AUTOTUNE_HOST
	for (int step = 16; step > 0; step /= 2)
		value += __shfl_down_sync(0xffffffffu, value, step);
	if (threadIdx.x % 32)
		return;
#endif
	if (value)
		atomicAdd(sum, value);
}

static __device__ void add_up_real(double *sum, double value)
{
#ifndef AUTOTUNE_HOST
	for (int step = 16; step > 0; step /= 2)
		value += __shfl_down_sync(0xffffffffu, value, step);
	if (threadIdx.x % 32)
		return;
#endif
	if (value != 0.0)
		atomicAdd(sum, value);
}

static __device__ void keep_largest(u64 *largest, u64 value)
{
#ifndef AUTOTUNE_HOST
	for (int step = 16; step > 0; step /= 2) {
		u64 other = __shfl_down_sync(0xffffffffu, value, step);

		if (other > value)
			value = other;
	}
	if (threadIdx.x % 32)
		return;
#endif
	if (value)
		atomicMax(largest, value);
}

/*
 * A checksum that does not depend on the order: the sum of mixed (index, contents), 16
 * bytes at a time, since it is the multiplications that take time and not the memory.
 */
extern "C" __global__ void at_checksum(const unsigned *data, u64 words, u64 *sum)
{
	u64 quads = (u64)data % 16 ? 0 : words / 4;
	u64 local = 0;

	for (u64 i = FIRST; i < quads; i += STRIDE) {
		uint4 v = ((const uint4 *)data)[i];
		u64 low = (u64)v.y << 32 | v.x, high = (u64)v.w << 32 | v.z;

		/* odd factors: no change of either half is lost */
		local += mix(low * 0x9e3779b97f4a7c15ull + high * 0xc2b2ae3d27d4eb4full +
			     (i + 1) * 0x165667b19e3779f9ull);
	}
	for (u64 i = 4 * quads + FIRST; i < words; i += STRIDE)
		local += mix(((i + 1) << 32) ^ ((u64)data[i] * 0x9e3779b97f4a7c15ull));
	add_up(sum, local);
}

static __device__ double load(const void *data, u64 i, int element)
{
	switch (element) {
	case I8:
		return ((const signed char *)data)[i];
	case U8:
		return ((const unsigned char *)data)[i];
	case I16:
		return ((const short *)data)[i];
	case U16:
		return ((const unsigned short *)data)[i];
	case I32:
		return ((const int *)data)[i];
	case U32:
		return ((const unsigned *)data)[i];
	case F32:
		return ((const float *)data)[i];
	case F64:
		return ((const double *)data)[i];
	case I64:
		return (double)((const long long *)data)[i];
	case U64:
		return (double)((const u64 *)data)[i];
	default:
		return 0.0;
	}
}

static __device__ unsigned bytes_of(int element)
{
	switch (element) {
	case I8:
	case U8:
		return 1;
	case I16:
	case U16:
		return 2;
	case I64:
	case U64:
	case F64:
		return 8;
	default:
		return 4;
	}
}

/*
 * The same bits, and no infinity or NaN among them: nothing in these 16 bytes adds to
 * any result. Most of what is compared is so, and to look at each number by itself takes
 * three times as long as to read them.
 */
static __device__ int is_settled(uint4 a, uint4 e, int element)
{
	unsigned single = element == F32 ? 0x7f800000u : 0;
	unsigned high = element == F64 ? 0x7ff00000u : single;

	if ((a.x ^ e.x) | (a.y ^ e.y) | (a.z ^ e.z) | (a.w ^ e.w))
		return 0;
	/* integers have no exponent that could be all ones */
	if (!high)
		return 1;
	return (e.y & high) != high && (e.w & high) != high &&
		(!single || ((e.x & single) != single && (e.z & single) != single));
}

/* finite, of a magnitude: false for NaN too */
#define IS_FINITE(magnitude) ((magnitude) <= 1.7976931348623157e308)

/*
 * How large the values of an expected output are. result[0] those that are finite and
 * not 0, [1] the sum of `share` times their magnitudes, as the bits of a double: with
 * share 1 / count the mean, which cannot overflow; [2] those of [0] for which 0 would
 * pass.
 */
extern "C" __global__ void at_scale(const void *data, u64 count, int element,
	double share, double rtol, double atol, u64 *result)
{
	double sum = 0.0;
	u64 finite = 0, passing = 0;

	UNROLL_NONE
	for (u64 i = FIRST; i < count; i += STRIDE) {
		double magnitude = fabs(load(data, i, element));

		if (!IS_FINITE(magnitude) || magnitude == 0.0)
			continue;
		finite++;
		sum += share * magnitude;
		passing += magnitude <= atol + rtol * magnitude;
	}
	add_up(&result[0], finite);
	add_up_real((double *)&result[1], sum);
	add_up(&result[2], passing);
}

/* |a - b| of 64-bit integers, which doubles cannot hold */
static __device__ double distance64(u64 a, u64 b, int is_signed)
{
	int a_is_less = is_signed ? (long long)a < (long long)b : a < b;

	return (double)(a_is_less ? b - a : a - b);
}

/* A copy in which floats are doubles; all else stays as it is. */
extern "C" __global__ void at_widen(void *to, const void *from, u64 count, int element)
{
	u64 bytes = count * bytes_of(element);

	if (element == F32)
		for (u64 i = FIRST; i < count; i += STRIDE)
			((double *)to)[i] = (double)((const float *)from)[i];
	else
		for (u64 i = FIRST; i < bytes; i += STRIDE)
			((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

/*
 * What was computed in float beside the same in double. result[0] values of which one
 * is finite and the other, as a float, is not; [2] the largest difference of the others
 * in parts of |float| + scale, as the bits of a double. With `replace` the float becomes
 * the double's rounding; never where there is nothing but zeros, beside which whatever
 * double leaves of rounding would look large.
 */
extern "C" __global__ void at_narrow(float *narrow, const double *wide, u64 count,
	double scale, int replace, u64 *result)
{
	double worst = 0.0;
	u64 odd = 0;

	UNROLL_NONE
	for (u64 i = FIRST; i < count; i += STRIDE) {
		double e = (double)narrow[i], d = wide[i], reach = fabs(e) + scale;
		double rounded = (double)(float)d;
		int is_finite = IS_FINITE(fabs(e));

		if (is_finite != IS_FINITE(fabs(rounded)) ||
			(!is_finite && e != rounded)) {
			odd++;
		} else if (is_finite && reach > 0.0) {
			if (fabs(d - e) > worst * reach)
				worst = fabs(d - e) / reach;
			if (replace)
				narrow[i] = (float)d;
		}
	}
	add_up(&result[0], odd);
	keep_largest(&result[2], (u64)__double_as_longlong(worst));
}

/*
 * result[0] mismatches, [1] the complement of the lowest index of one; of finite pairs,
 * as the bits of doubles: [2] the largest error, in parts of |expected| + scale, [3] the
 * largest part of its tolerance, atol + rtol |expected|, that one takes. Written so that
 * a NaN on either side is a mismatch.
 */
extern "C" __global__ void at_compare(const void *actual, const void *expected, u64 count,
	int element, double rtol, double atol, double scale, u64 *result)
{
	u64 lanes = 16 / bytes_of(element);
	u64 vectors = ((u64)actual | (u64)expected) % 16 ? 0 : count / lanes;
	u64 items = vectors + (count - vectors * lanes);
	double worst = 0.0, used = 0.0;
	u64 mismatches = 0, first = ~(u64)0;

	UNROLL_NONE
	for (u64 i = FIRST; i < items; i += STRIDE) {
		/* a vector, or one of the few behind the last of them */
		u64 begin = i < vectors ? i * lanes : i + vectors * (lanes - 1);
		u64 end = i < vectors ? begin + lanes : begin + 1;

		if (i < vectors && is_settled(((const uint4 *)actual)[i],
					   ((const uint4 *)expected)[i], element))
			continue;
		UNROLL_NONE
		for (u64 at = begin; at < end; at++) {
			double difference, magnitude, allowed, reach;
			int same;

			if (element == I64 || element == U64) {
				u64 a = ((const u64 *)actual)[at], e = ((const u64 *)expected)[at];

				difference = distance64(a, e, element == I64);
				magnitude = element == I64 ? fabs((double)(long long)e) : (double)e;
				same = a == e;
			} else {
				double a = load(actual, at, element), e = load(expected, at, element);

				/* equal infinities are equal, though their difference is NaN */
				same = a == e;
				difference = fabs(a - e);
				magnitude = fabs(e);
			}
			if (same)
				continue;
			allowed = atol + rtol * magnitude;
			if (!(difference <= allowed && IS_FINITE(magnitude))) {
				mismatches++;
				if (at < first)
					first = at;
			}
			if (!IS_FINITE(difference))
				continue;
			/* a product says whether a division, which takes longer, is worth it */
			reach = magnitude + scale;
			if (reach > 0.0 && difference > worst * reach)
				worst = difference / reach;
			if (allowed > 0.0 && difference > used * allowed)
				used = difference / allowed;
		}
	}
	if (mismatches)
		atomicMax(&result[1], ~first);
	add_up(&result[0], mismatches);
	/* of doubles that are not negative the larger has the larger bits */
	keep_largest(&result[2], (u64)__double_as_longlong(worst));
	keep_largest(&result[3], (u64)__double_as_longlong(used));
}

/*
 * What no kernel may count on: NaN, a large and a small number, in turns, in the
 * dynamic shared memory of the block. As integers -1, a large and a negative one; so
 * that no sum, maximum or minimum that begins there stays right. The device `host`
 * does this by itself, whenever it shuffles threads.
 */
extern "C" __global__ void at_poison_shared(unsigned bytes)
{
#ifndef AUTOTUNE_HOST
	extern __shared__ unsigned shared_words[];
	/* nobody reads them here: the compiler must not leave it out */
	volatile unsigned *words = shared_words;

	for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x) {
		unsigned kind = (i + blockIdx.x) % 3;

		words[i] = kind == 0 ? 0xffffffffu : kind == 1 ? 0x7f7f7f7fu : 0xfefefefeu;
	}
#endif
}

/* reads all of it and leaves no dirty line behind */
extern "C" __global__ void at_flush(const uint4 *data, u64 count, unsigned *sink)
{
	unsigned sum = 0;

	for (u64 i = FIRST; i < count; i += STRIDE) {
		uint4 v = data[i];

		sum += v.x ^ v.y ^ v.z ^ v.w;
	}
	if (sum == 0x9e3779b9u) /* never true for the zeros that lie there */
		*sink = sum;
}
