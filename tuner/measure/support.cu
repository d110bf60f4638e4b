/*
 * The tuner's own kernels: filling, poisoning, checking, comparing, flushing.
 * One source for every device: compiled by NVRTC for a GPU and by the C++
 * compiler for the CPU. All stride over the grid, so any geometry will do.
 * Numbers of elements are those of space/element.h, of fills those of space/spec.h.
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

enum { I8 = 1, U8, I16, U16, I32, U32, I64, U64, F32, F64, F16, BF16, E4M3, E5M2 };
enum { CONSTANT = 1, UNIFORM, NORMAL, SEQUENCE, INDEX, FROM_FILE, JITTERED, ROWS };
/* those of measure/measure.h */
enum {
	DECLARED,
	SPIKES,
	EQUAL,
	ALTERNATING,
	EXTREMES,
	ASCENDING,
	DESCENDING,
	EDITED,
	REVERSED,
	TIMED,
	ZEROED,
	RELATED,
	NEGATIVE,
	POSITIVE
};

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

/*
 * A sequence with steps of other lengths: each number but the first and the last goes
 * down by less than a step. Never up: where numbers are the beginnings of pieces, the
 * pieces still end before the end. None equals its neighbour, so that what is written
 * to by number is written to once.
 */
static __device__ double jittered(int real, double a, double b, u64 seed, u64 i, u64 count)
{
	double off = fabs(b) * unit(seed, i);

	if (i == 0 || i + 1 >= count)
		off = 0.0;
	return a + b * (double)i - (real ? off : floor(off));
}

/*
 * The same further down: small steps in the first half, and large ones in the second. Of
 * two sequences neither is then everywhere near the other.
 */
static __device__ double bent(int real, double a, double b, u64 i, u64 count)
{
	double last = (double)(count - 1), half = floor(last / 2.0);
	/* in parts of a step: halves for reals, of integers 1 */
	double at = half * (real ? 0.5 : 1.0 / b);

	at = (double)i <= half ? at * (double)i / half
			       : at + (last - at) * ((double)i - half) / (last - half);
	/* of a whole number rounding may have left a little less */
	return real ? a + b * at : a + floor(b * at + 1.0 / 1024.0);
}

/* Which of the two a sequence is, all of it. */
static __device__ int is_bent(double b, u64 seed, u64 count)
{
	return b > 0.0 && count > 2 && mix(~seed) % 2;
}

/*
 * Beginnings of rows (0, b, 2 b, ...; the last one is the end of all) that are ragged:
 * rows of 0 to 2 b, and of some groups of 32 rows, at least one, one row has all that is
 * in the group, which no kernel made for even rows stands.
 */
static __device__ __noinline__ double ragged(double b, u64 seed, u64 i, u64 count)
{
	u64 group = i - i % 32, end = group + 32 < count ? group + 32 : count - 1;
	u64 shape = mix(seed ^ mix(group));

	if (i % 32 == 0 || i + 1 >= count)
		return b * (double)i;
	if (shape % 4 == 0 || group / 32 == mix(~seed) % ((count + 30) / 32))
		return b * (double)(i % 32 <= shape / 4 % 32 ? group : end);
	return b * (double)i - floor((b + 1.0) * unit(seed, i));
}

static __device__ double filled(
	int kind, int real, double a, double b, u64 seed, u64 i, u64 count)
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
	case JITTERED:
		return is_bent(b, seed, count) ? bent(real, a, b, i, count)
					       : jittered(real, a, b, seed, i, count);
	case ROWS:
		return ragged(b, seed, i, count);
	default:
		return 0.0;
	}
}

/*
 * Which elements are spikes: the first, the last ones, and about 4096 others (an eighth,
 * where there are few): a third of them anywhere, a third at the edges of warps, a third
 * at those of blocks of 256, since it is there that elements get lost. Not more: a sum
 * over all of them is off by 1/4096 when it lacks one, far above any tolerance. Not
 * less: of rows that are summed up one by one, some must have theirs at the end.
 */
static __device__ int is_spike(u64 seed, u64 i, u64 count)
{
	double third = (count / 8 < 4096 ? (double)count / 8.0 : 4096.0) / 3.0;
	double chance = third / (double)count;

	if (i == 0 || count - 1 - i < (count < 32 ? 1 : 4))
		return 1;
	/* two of 32, and two of 256 */
	if ((i + 1) % 32 < 2)
		chance += third * 16.0 / (double)count;
	if ((i + 1) % 256 < 2)
		chance += third * 128.0 / (double)count;
	return unit(seed, i) < chance;
}

/*
 * Integers at an end, but one of four with one more bit than that has, of any weight:
 * there is hardly a part of their bits by which no two of them look alike, though they
 * are not.
 */
static __device__ double one_bit_off(double low, double high, u64 bits)
{
	u64 more = mix(~bits);
	double step = 1.0;
	unsigned weights = 1;

	if (more % 4)
		return bits % 2 ? high : low;
	for (; 2.0 * step <= high - low; step *= 2.0)
		weights++;
	step = 1.0;
	for (unsigned weight = (unsigned)(more >> 8) % weights; weight > 0; weight--)
		step *= 2.0;
	return bits % 2 ? high - step : low + step;
}

/*
 * Numbers of neighbours, in order: who follows them has a long way, down from the
 * elements of some pieces, up from those of the others. As long as all of them together
 * have a few million steps: pieces of up to 4096, but of 256 at least.
 */
static __device__ u64 neighbour(u64 i, u64 count)
{
	u64 piece = ((u64)1 << 25) / count, at;

	piece = piece > 4096 ? 4096 : piece;
	piece = piece > count / 2 ? count / 2 : piece;
	piece = piece < 256 ? 256 : piece;
	at = i % piece;
	if (i / piece % 2 == 0)
		return at ? i - 1 : i;
	return at + 1 < piece && i + 1 < count ? i + 1 : i;
}

/*
 * Inputs that hold the same numbers: in some pieces at the same places, in others a
 * little or a row further on. Of random ones hardly any are found in both.
 */
static __device__ u64 shifted(u64 i, u64 which)
{
	u64 piece = i / 1024 % 4;

	return i + which * (piece == 0 ? 37 : piece == 1 ? 0 : piece == 2 ? 5 : 300);
}

/*
 * Where an element comes in an order that goes down columns of a row of 1024, or of as
 * many as leave several rows: what lanes or blocks share by turns is sorted by who has
 * it, and one of them has all of the largest.
 */
static __device__ u64 down_columns(u64 i, u64 count)
{
	u64 rows, more, column;
	int shift = 10;

	while (shift > 3 && (count >> shift) < 8)
		shift--;
	rows = count >> shift;
	more = count - (rows << shift);
	column = i & (((u64)1 << shift) - 1);
	return column * rows + (column < more ? column : more) + (i >> shift);
}

/*
 * Between low and high, both included, and in order by whole steps (0: of any length);
 * data.c says what these are for a pattern. The
 * quiet elements between spikes come to less than all spikes together, so that one of
 * these counts, but are not so small that a sum in float would swallow them one by one.
 */
static __device__ __noinline__ double patterned(int pattern, int real, double step, double low,
	double high, u64 seed, u64 i, u64 count)
{
	double base = low > 0.0 ? low : high < 0.0 ? high : 0.0;
	u64 bits = mix(seed ^ mix(i + 1));
	double part = (double)(bits >> 11) * (1.0 / 9007199254740992.0), end, share;

	switch (pattern) {
	case SPIKES:
		end = high <= base || (low < base && bits % 2) ? low : high;
		if (is_spike(seed, i, count)) {
			/* whole at the ends; else of 14 bits, more than half precision has */
			share = floor(part * 1024.0) * (1.0 / 16384.0);
			if (!real || i == 0 || i + 1 == count)
				share = 0.0;
			return end - (end - base) * share;
		}
		share = 2048.0 / (double)count;
		if (share > 1.0 / 16.0)
			share = 1.0 / 16.0;
		if (share < 1.0 / 16384.0)
			share = 1.0 / 16384.0;
		if (real)
			return base + (end - base) * (share * part);
		/* of integers the nearest sixteenth, which rounds to the base alone */
		share = floor((fabs(end - base) / 16.0 + 1.0) * part);
		return end < base ? base - share : base + share;
	case ALTERNATING:
		return (i + mix(seed)) % 2 ? high : low;
	case NEGATIVE:
	case POSITIVE:
		/* of whole numbers one of eight is -1 or 1, which kernels take for none */
		if (!real && bits % 8 == 0)
			return pattern == NEGATIVE ? high : low;
		return real ? low + (high - low) * part
			    : floor(low + (high - low + 1.0) * part);
	case EXTREMES:
		return !real ? one_bit_off(low, high, bits) : bits % 2 ? high : low;
	case ASCENDING:
	case DESCENDING:
		if (pattern == DESCENDING)
			i = count - 1 - i;
		else if (!real && low == 0.0 && high + 1.0 == (double)count)
			return (double)neighbour(i, count);
		if (pattern == DESCENDING && mix(seed) % 2)
			i = down_columns(i, count);
		/* of integers each as often as the next */
		if (!real)
			return floor(low + (high - low + 1.0) * ((double)i / (double)count));
		share = count > 1 ? (double)i / (double)(count - 1) : 0.0;
		if (step > 0.0)
			return low + step * floor((high - low) / step * share + 0.5);
		return low * (1.0 - share) + high * share;
	default: /* EQUAL: or texts that are so but for a few places, the short ones all over */
		return low != high && count > 256 && bits % 48 == 0 ? high : low;
	}
}

/*
 * Pieces of 16 elements, one of 64 and at least one, but neither at the start nor at the
 * end of all: what knows data by some of its elements takes it for the same.
 */
static __device__ int is_edited(u64 seed, u64 i, u64 count)
{
	u64 piece = i / 16, pieces = count / 16;

	if (i < 16 || count - i <= 16)
		return count <= 64 && i == count / 2;
	return pieces < 128 ? piece == 1 + mix(seed) % (pieces > 2 ? pieces - 2 : 1) : mix(seed ^ mix(piece)) % 64 == 0;
}

/*
 * What an edited piece of what is timed holds: other numbers, where the fill has others,
 * else from low to high where these differ. A sequence that may (low is 1) has uneven
 * steps there.
 */
static __device__ double retouched(int kind, int real, double a, double b, double low,
	double high, u64 seed, u64 i, u64 count)
{
	if (kind == CONSTANT)
		return low < high ? filled(UNIFORM, real, low, high, ~seed, i, count) : a;
	/* of those of uneven steps the shape stays: pieces of two are in no order */
	if (kind == JITTERED)
		return is_bent(b, seed, count) ? bent(real, a, b, i, count)
					       : jittered(real, a, b, ~seed, i, count);
	if (kind == SEQUENCE && low == 1.0)
		return jittered(real, a, b, ~seed, i, count);
	return filled(kind, real, a, b, kind == ROWS ? seed : ~seed, i, count);
}

/*
 * Zeros: pieces of 256 and of 16 elements, single ones, and all of the last quarter, so
 * that whatever the length of a row, some rows have nothing else.
 */
static __device__ int is_zeroed(u64 seed, u64 i, u64 count)
{
	return i >= count - count / 4 || mix(seed ^ mix(i / 256)) % 8 == 0 ||
		mix(~seed ^ mix(i / 16)) % 8 == 0 || mix(seed + mix(i)) % 8 == 0;
}

/*
 * 64-bit integers beyond what a double holds: its last digits are zeros, which hides who
 * loses them. So they are drawn apart, where that does not lead out of the range.
 */
static __device__ u64 last_bits(double value, double end, u64 seed, u64 i)
{
	double magnitude = fabs(value), step = 1.0;

	while (magnitude >= 9007199254740992.0 * step)
		step *= 2.0;
	return value + step > end ? 0 : mix(~seed ^ mix(i)) & ((u64)step - 1);
}

/*
 * Types of less than four bytes, as space/element.c has them: bits of the fraction, the
 * bias of the exponent, and the code of the largest number. No header of the toolkit is
 * needed for them, here nor on the CPU.
 */
struct layout {
	int fraction_bits, bias;
	unsigned largest, sign;
};

static __device__ struct layout layout_of(int element)
{
	struct layout layout;

	layout.fraction_bits = element == F16 ? 10 : element == BF16 ? 7 : element == E4M3 ? 3 : 2;
	layout.bias = element == BF16 ? 127 : element == E4M3 ? 7 : 15;
	layout.largest = element == F16 ? 0x7bff : element == BF16 ? 0x7f7f : element == E4M3 ? 0x7e : 0x7b;
	layout.sign = element == F16 || element == BF16 ? 0x8000 : 0x80;
	return layout;
}

/*
 * The nearest, ties to even; what is too large becomes the largest. Exponent and
 * fraction are one number, of which a step further is the next value.
 */
static __device__ __noinline__ unsigned narrowed(double value, int element)
{
	struct layout layout = layout_of(element);
	u64 bits = (u64)__double_as_longlong(value);
	unsigned sign = bits >> 63 ? layout.sign : 0, code;
	int exponent, shift = 52 - layout.fraction_bits;
	u64 significand, rest, half;

	bits &= ~((u64)1 << 63);
	exponent = (int)(bits >> 52) - 1023;
	significand = (bits & (((u64)1 << 52) - 1)) | (u64)1 << 52;
	if (exponent > layout.bias + 1)
		exponent = layout.bias + 2;
	if (exponent < 1 - layout.bias)
		shift += 1 - layout.bias - exponent;
	if (shift > 53)
		return sign;
	code = (unsigned)(significand >> shift);
	rest = significand & (((u64)1 << shift) - 1);
	half = (u64)1 << (shift - 1);
	code += rest > half || (rest == half && code % 2);
	if (exponent > 1 - layout.bias)
		code += (unsigned)(exponent + layout.bias - 1) << layout.fraction_bits;
	return sign | (code > layout.largest ? layout.largest : code);
}

static __device__ __noinline__ double widened(unsigned code, int element)
{
	struct layout layout = layout_of(element);
	unsigned magnitude = code & (layout.sign - 1);
	u64 exponent = magnitude >> layout.fraction_bits;
	u64 bits = (u64)magnitude << (52 - layout.fraction_bits);
	double value;

	if (magnitude > layout.largest) /* infinity right behind it, unless it has none */
		bits = magnitude == layout.largest + 1 && element != E4M3 ? (u64)0x7ff << 52
									   : (u64)0xfff << 51;
	else if (exponent)
		bits += (u64)(1023 - layout.bias) << 52;
	else
		bits = 0;
	value = __longlong_as_double((long long)bits);
	if (!exponent) /* no bit is hidden: in parts of the smallest */
		value = (double)magnitude *
			__longlong_as_double((long long)((u64)(1024 - layout.bias - layout.fraction_bits) << 52));
	return code & layout.sign ? -value : value;
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
	case F16:
	case BF16:
		((unsigned short *)data)[i] = (unsigned short)narrowed(value, element);
		break;
	case E4M3:
	case E5M2:
		((unsigned char *)data)[i] = (unsigned char)narrowed(value, element);
		break;
	default:
		((double *)data)[i] = value;
		break;
	}
}

static __device__ unsigned bytes_of(int element)
{
	switch (element) {
	case I8:
	case U8:
	case E4M3:
	case E5M2:
		return 1;
	case I16:
	case U16:
	case F16:
	case BF16:
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
 * Where number i of a field of a structure lies, in bytes: the offset of the field, how
 * many numbers it has in an element, and how far apart these are.
 */
static __device__ u64 place_of(u64 layout, unsigned bytes, u64 i)
{
	unsigned offset = (unsigned)layout & 0xfffff, lanes = (unsigned)(layout >> 20) & 0xfffff;

	return i / lanes * (layout >> 40) + offset + i % lanes * bytes;
}

extern "C" __global__ void at_fill(void *data, u64 count, int element, int kind, double a,
	double b, u64 seed, int pattern, double low, double high, u64 layout)
{
	int real = element >= F32;
	unsigned bytes = bytes_of(element);

	UNROLL_NONE
	for (u64 i = FIRST; i < count; i += STRIDE) {
		u64 at = pattern == REVERSED ? count - 1 - i
			: pattern == RELATED ? shifted(i, (u64)low)
					     : i;
		u64 by = pattern == EDITED && is_edited(seed, i, count) ? ~seed : seed;
		int is_declared = pattern == DECLARED || pattern == EDITED ||
			pattern == REVERSED || pattern == TIMED || pattern == ZEROED ||
			pattern == RELATED;
		double value = pattern == TIMED && is_edited(~seed, i, count)
			? retouched(kind, real, a, b, low, high, seed, i, count)
			: is_declared
			? filled(kind, real, a, b, by, at, count)
			: patterned(pattern, real, a, low, high, seed, i, count);

		if (pattern == ZEROED && is_zeroed(seed, i, count))
			value = 0.0;

		/* rounded, it would be the end of the range, which is not in it */
		if (element >= F16 && is_declared && kind == UNIFORM && a < b && value > high)
			value = high;
		store(layout ? (unsigned char *)data + place_of(layout, bytes, i) : data,
			layout ? 0 : i, element, value);
		if ((element == I64 || element == U64) && is_declared && kind == UNIFORM &&
			!layout && fabs(value) >= 9007199254740992.0)
			((u64 *)data)[i] += last_bits(value, b, by, at);
	}
}

/*
 * Half of the numbers become those of another input, which `kind` to `of_count` describe
 * as at_fill() is told, or of integers the next ones below and above. Only from low to
 * high. Inputs of one seed get the same ones, `ahead` of them shifted as by at_fill().
 */
extern "C" __global__ void at_relate(void *data, u64 count, int element, u64 seed, double ahead,
	int kind, double a, double b, u64 of_seed, u64 of_count, double low, double high)
{
	int real = element >= F32;

	UNROLL_NONE
	for (u64 i = FIRST; i < count; i += STRIDE) {
		u64 bits = mix(~seed ^ mix(shifted(i, (u64)ahead))), at = (bits >> 8) % of_count;
		double value = filled(kind, real, a, b, of_seed, at, of_count);

		if (!real && bits % 8 < 2)
			value += bits % 8 ? 1.0 : -1.0;
		if (bits % 16 < 8 && low <= value && value <= high)
			store(data, i, element, value);
	}
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

/*
 * What a kernel must not count on, another in every word: not a number, large, small,
 * negative (of two bytes and one, too), 0 and anything, so that also what is computed from
 * two of them is wrong.
 */
extern "C" __global__ void at_garbage(unsigned char *data, u64 bytes, u64 seed)
{
	for (u64 i = FIRST; i < (bytes + 3) / 4; i += STRIDE) {
		u64 bits = mix(seed + (i + 1) * 0x9e3779b97f4a7c15ull);
		unsigned kind = (unsigned)(bits >> 32) % 8;
		unsigned word = kind == 0 ? 0xffffffffu
			: kind == 1	  ? 0x7b7b7b7bu
			: kind == 2	  ? 0xfbfbfbfbu
			: kind == 3	  ? 0x3e3e3e3eu
			: kind == 4	  ? 0xbebebebeu
			: kind == 5	  ? 0u
			: kind == 6	  ? (unsigned)bits % 64
					  : (unsigned)bits;

		for (u64 at = 4 * i; at < 4 * i + 4 && at < bytes; at++)
			data[at] = (unsigned char)(word >> (8 * (at % 4)));
	}
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
	case F16:
	case BF16:
		return widened(((const unsigned short *)data)[i], element);
	case E4M3:
	case E5M2:
		return widened(((const unsigned char *)data)[i], element);
	default:
		return 0.0;
	}
}

/* Whether any of the numbers in a word of a type of less than four bytes has an exponent
   of all ones; of e4m3, where one of those is NaN and the others are numbers, too. */
static __device__ int is_odd_word(unsigned word, int element)
{
	unsigned ones = element == F16 ? 0x7c00u : element == BF16 ? 0x7f80u : element == E4M3 ? 0x78u : 0x7cu;
	unsigned bits = element == F16 || element == BF16 ? 16 : 8;

	for (unsigned at = 0; at < 32; at += bits)
		if ((word >> at & ones) == ones)
			return 1;
	return 0;
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
	if (element >= F16)
		return !is_odd_word(e.x, element) && !is_odd_word(e.y, element) &&
			!is_odd_word(e.z, element) && !is_odd_word(e.w, element);
	/* integers have no exponent that could be all ones */
	if (!high)
		return 1;
	return (e.y & high) != high && (e.w & high) != high &&
		(!single || ((e.x & single) != single && (e.z & single) != single));
}

/* finite, of a magnitude: false for NaN too */
#define IS_FINITE(magnitude) ((magnitude) <= 1.7976931348623157e308)

/*
 * How large the values of an expected output are, up to `most`. result[0] those that are
 * not 0, [1] the sum of `share` times their magnitudes, as the bits of a double: with
 * share 1 / count the mean, which cannot overflow; [2] those of [0] for which 0 would
 * pass; [3] those that are as the first.
 */
extern "C" __global__ void at_scale(const void *data, u64 count, int element,
	double share, double rtol, double atol, double most, u64 *result, u64 layout)
{
	unsigned bytes = bytes_of(element);
	double sum = 0.0;
	u64 finite = 0, passing = 0, alike = 0;
	double first = layout ? load((const unsigned char *)data + place_of(layout, bytes, 0), 0, element)
			      : load(data, 0, element);

	UNROLL_NONE
	for (u64 i = FIRST; i < count; i += STRIDE) {
		double value = layout
			? load((const unsigned char *)data + place_of(layout, bytes, i), 0, element)
			: load(data, i, element);
		double magnitude = fabs(value);

		alike += value == first;
		if (!(magnitude <= most) || magnitude == 0.0)
			continue;
		finite++;
		sum += share * magnitude;
		passing += magnitude <= atol + rtol * magnitude;
	}
	add_up(&result[0], finite);
	add_up_real((double *)&result[1], sum);
	add_up(&result[2], passing);
	add_up(&result[3], alike);
}

/* |a - b| of 64-bit integers, which doubles cannot hold */
static __device__ double distance64(u64 a, u64 b, int is_signed)
{
	int a_is_less = is_signed ? (long long)a < (long long)b : a < b;

	return (double)(a_is_less ? b - a : a - b);
}

/* Eight bytes of what expected values are masked with; 0 where they are not. */
static __device__ u64 mask_word(u64 key, u64 word)
{
	return key ? mix(key + (word + 1) * 0x9e3779b97f4a7c15ull) : 0;
}

static __device__ uint4 masked(uint4 v, u64 key, u64 i)
{
	u64 low = mask_word(key, 2 * i), high = mask_word(key, 2 * i + 1);

	return make_uint4(v.x ^ (unsigned)low, v.y ^ (unsigned)(low >> 32),
		v.z ^ (unsigned)high, v.w ^ (unsigned)(high >> 32));
}

/*
 * Masks what the reference gave, in place, and a second time unmasks it: a kernel that
 * finds it in memory has found nothing. The last 16 bytes are masked whole.
 */
extern "C" __global__ void at_mask(uint4 *data, u64 count, u64 key)
{
	for (u64 i = FIRST; i < count; i += STRIDE)
		data[i] = masked(data[i], key, i);
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
 * A number is off by more than that part of itself; not what some flush to zero. What
 * rounding does to the reference in float is another draw of what it does to others: who
 * is off by so much is so by 8 times more than is taken for rounding there.
 */
#define LOST_PART 0.0625
#define ROUNDED_PART (LOST_PART / 8)
#define IS_OFF(difference, magnitude, part) \
	((magnitude) > 1.1754943508222875e-38 && (difference) > (part) * (magnitude))

/* Above this part the reference in float says something else than that in double. */
#define AGREES 1e-2

/*
 * What was computed in float beside the same in double. result[0] values of which one
 * is finite and the other, as a float, is not; [2] the largest difference of the others
 * in parts of |float| + scale, as the bits of a double, [1] the sum of these parts; [4]
 * those that float has off by more than ROUNDED_PART, [5] those whose part is above AGREES. With `replace` the float becomes
 * the double's rounding; never where there is nothing but zeros, beside which whatever
 * double leaves of rounding would look large.
 */
extern "C" __global__ void at_narrow(float *narrow, const double *wide, u64 count,
	double scale, int replace, u64 *result)
{
	double worst = 0.0, sum = 0.0;
	u64 odd = 0, lost = 0, apart = 0;

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
			sum += fabs(d - e) / reach;
			apart += fabs(d - e) > AGREES * reach;
			lost += IS_OFF(fabs(d - e), fabs(d), ROUNDED_PART);
			if (replace)
				narrow[i] = (float)d;
		}
	}
	add_up(&result[0], odd);
	add_up_real((double *)&result[1], sum);
	add_up(&result[4], lost);
	add_up(&result[5], apart);
	keep_largest(&result[2], (u64)__double_as_longlong(worst));
}

/*
 * A copy in which about half of the floats are the next ones towards 0: as good an input
 * as the other, that rounds in another way. Whole numbers stay, since below them another
 * place in a table may begin. Seed 0: as it is.
 */
extern "C" __global__ void at_nudge(void *to, const void *from, u64 count, int element, u64 seed)
{
	u64 bytes = count * bytes_of(element);

	if (element != F32) {
		for (u64 i = FIRST; i < bytes; i += STRIDE)
			((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
		return;
	}
	for (u64 i = FIRST; i < count; i += STRIDE) {
		float value = ((const float *)from)[i], nudged = value;

		/* not a number, too, is not a whole one: it stays one */
		if (seed && mix(seed ^ mix(i)) % 2 && truncf(value) != value)
			nudged = __uint_as_float(__float_as_uint(value) - 1);
		((float *)to)[i] = nudged;
	}
}

/*
 * In place, up to `most` steps up or down, and between the ends of what the input may be,
 * which are none of it: whatever is rounded to whole steps of something, or put in one of
 * several classes, goes to the other one where it was near a border. Integers are less by
 * one, but for the least.
 */
extern "C" __global__ void at_jolt(void *data, u64 count, int element, unsigned most, u64 seed,
	double low, double high)
{
	for (u64 i = FIRST; i < count; i += STRIDE) {
		u64 bits = mix(seed ^ mix(i));

		if (element == F32) {
			float value = ((float *)data)[i];
			unsigned code = __float_as_uint(value), steps = 1 + (unsigned)(bits >> 8) % most;
			float jolted = __uint_as_float(bits % 2 ? code + steps : code - steps);

			/* zeros and what is next to them, and what is not a number, stay */
			if (truncf(value) != value && (code & 0x7fffffff) > 0x00800000 &&
				(double)jolted > low && (double)jolted < high)
				((float *)data)[i] = jolted;
		} else if (element == F64) {
			double value = ((double *)data)[i];
			u64 code = (u64)__double_as_longlong(value), steps = 1 + (bits >> 8) % most;
			double jolted = __longlong_as_double(
				(long long)(bits % 2 ? code + steps : code - steps));

			if (trunc(value) != value && code << 1 > (u64)1 << 53 && jolted > low &&
				jolted < high)
				((double *)data)[i] = jolted;
		} else if (load(data, i, element) > low) {
			store(data, i, element, load(data, i, element) - 1.0);
		}
	}
}

/*
 * Of whole numbers that jump by more than one: in how many steps a point leaves a set is a
 * matter of all that was rounded on its way, and seldom the same number twice. Where a draw
 * went shows how far others may be, on either side; simulated with 516 points that fused
 * operations count otherwise, not all lie within what 128 draws gave. So it is of reals that
 * a few last bits take beyond their tolerance, as where two large numbers leave a small one.
 */
#define JUMP_FACTOR 4.0
static __device__ int is_in_jump(double a, double drawn, double expected, double least)
{
	double jump = fabs(drawn - expected);

	return jump > least && fabs(a - expected) <= JUMP_FACTOR * jump;
}

/* What the reference gave for inputs that were jolted is as good as what is expected; by
   many steps reals go anywhere. */
extern "C" __global__ void at_excuse(void *actual, const void *drawn, const void *expected,
	u64 count, int element, double rtol, double atol, int is_near)
{
	unsigned bytes = bytes_of(element);

	for (u64 i = FIRST; i < count; i += STRIDE) {
		double a = load(actual, i, element), d = load(drawn, i, element);
		double e = load(expected, i, element);
		int same = a == d;

		/* what is right without a draw stays as it is, and is judged by that */
		if (a == e || fabs(a - e) <= atol + rtol * fabs(e))
			continue;
		if (element == I64 || element == U64)
			same = ((const u64 *)actual)[i] == ((const u64 *)drawn)[i];
		else if (!same && IS_FINITE(a) && IS_FINITE(d))
			same = fabs(a - d) <= atol + rtol * fabs(d);
		if (!same && element < F32)
			same = is_in_jump(a, d, e, 1.0);
		else if (!same && is_near && IS_FINITE(a) && IS_FINITE(d))
			same = is_in_jump(a, d, e, atol + rtol * fabs(e));
		for (unsigned k = 0; same && k < bytes; k++)
			((unsigned char *)actual)[i * bytes + k] =
				((const unsigned char *)expected)[i * bytes + k];
	}
}

/* How many times as far as the reference in float was off others may be: where rounding
   is magnified, one of them is lucky at one value, and another one at another. */
#define REACH_FACTOR 32.0
/* Beyond this part of a value nobody could tell a result from none. */
#define REACH_PART 0.1

/*
 * How far off `drawn` is at each value, or was before. What is not finite is none of
 * rounding. result[0] counts values that others may have off by more than REACH_PART.
 */
extern "C" __global__ void at_reach(float *reach, const float *drawn, const float *expected,
	u64 count, double scale, int is_first, u64 *result)
{
	u64 beyond = 0;

	UNROLL_NONE
	for (u64 i = FIRST; i < count; i += STRIDE) {
		double e = (double)expected[i], far = fabs((double)drawn[i] - e);
		double before = is_first ? 0.0 : (double)reach[i];

		if (!IS_FINITE(far) || far < before)
			far = before;
		reach[i] = (float)far;
		beyond += REACH_FACTOR * far > REACH_PART * (fabs(e) + scale);
	}
	add_up(&result[0], beyond);
}

/* What a comparison has found so far. */
struct findings {
	u64 mismatches, first, odd, lost, inwards, outwards;
	double worst, used;
};

/* One number of both sides, the `lane`th of what lies there; it is number `at`. */
static __device__ void compare_one(const void *as, const void *es, u64 lane, u64 at,
	int element, double rtol, double atol, double scale, double more,
	struct findings *found)
{
	double difference, magnitude, allowed, reach;
	int same;

	if (element == I64 || element == U64) {
		u64 a = ((const u64 *)as)[lane], e = ((const u64 *)es)[lane];

		difference = distance64(a, e, element == I64);
		magnitude = element == I64 ? fabs((double)(long long)e) : (double)e;
		same = a == e;
	} else {
		double a = load(as, lane, element), e = load(es, lane, element);

		/* equal infinities are equal, though their difference is NaN */
		same = a == e;
		difference = fabs(a - e);
		magnitude = fabs(e);
		found->inwards += element >= F16 && fabs(a) < magnitude;
		found->outwards += element >= F16 && fabs(a) > magnitude;
	}
	if (same) {
		found->odd += !IS_FINITE(magnitude);
		return;
	}
	/* of integers who is far off: one more sum would be two registers more */
	found->inwards += element < F32 && difference > 1.0;
	found->lost += magnitude <= atol && difference > more &&
		IS_OFF(difference, magnitude, LOST_PART);
	allowed = atol + rtol * magnitude + more;
	if (!(difference <= allowed && IS_FINITE(magnitude))) {
		found->mismatches++;
		if (at < found->first)
			found->first = at;
	}
	if (!IS_FINITE(difference))
		return;
	/* a product says whether a division, which takes longer, is worth it */
	reach = magnitude + scale;
	if (reach > 0.0 && difference - more > found->worst * reach)
		found->worst = (difference - more) / reach;
	if (allowed > 0.0 && difference > found->used * allowed)
		found->used = difference / allowed;
}

/*
 * result[0] mismatches, [1] the complement of the lowest index of one; of finite pairs,
 * as the bits of doubles: [2] the largest error, in parts of |expected| + scale, less what
 * its reach explains, [3] the
 * largest part of its tolerance, atol + rtol |expected|, that one takes. Written so that
 * a NaN on either side is a mismatch, for which `more` is what a value may be off by
 * beyond that, REACH_FACTOR times its reach, but not more than reach_part. [4] of what is no larger than atol, those that
 * are off by more than LOST_PART; [5] of reals of less than four bytes those nearer to 0 than
 * they should be, [6] those further off; [5] of integers those off by more than 1. Compared
 * with itself: [3] how many are infinite.
 * Of a field (layout) nothing is read but its own numbers, each in the 16 bytes around it.
 */
extern "C" __global__ void at_compare(const uint4 *actual, const uint4 *expected,
	u64 count, int element, u64 key, double rtol, double atol, double scale, u64 *result,
	u64 layout, const float *reaches, double reach_part)
{
	unsigned bytes = bytes_of(element);
	u64 lanes = layout ? 1 : 16 / bytes;
	u64 items = (count + lanes - 1) / lanes;
	struct findings found = { 0, ~(u64)0, 0, 0, 0, 0, 0.0, 0.0 };

	UNROLL_NONE
	for (u64 i = FIRST; i < items; i += STRIDE) {
		/* both begin at whole 16 bytes, and the last few lie in pages that are there */
		uint4 actual_lanes, expected_lanes;
		u64 begin = i * lanes, end = begin + lanes < count ? begin + lanes : count;
		u64 word = layout ? place_of(layout, bytes, i) / 16 : i;
		u64 lane = layout ? place_of(layout, bytes, i) % 16 / bytes : 0;

		actual_lanes = actual[word];
		expected_lanes = masked(expected[word], key, word);
		if (!layout && end == begin + lanes &&
			is_settled(actual_lanes, expected_lanes, element))
			continue;
		UNROLL_NONE
		for (u64 at = begin; at < end; at++) {
			double more = 0.0;

			if (reaches) {
				double most = reach_part * (scale +
					fabs(load(&expected_lanes, lane + at - begin, element)));

				more = REACH_FACTOR * (double)reaches[at];
				more = more < most ? more : most;
			}
			compare_one(&actual_lanes, &expected_lanes, lane + at - begin, at,
				element, rtol, atol, scale, more, &found);
		}
	}
	if (found.mismatches)
		atomicMax(&result[1], ~found.first);
	add_up(&result[0], found.mismatches);
	add_up(&result[4], found.lost);
	if (element >= F16 || element < F32) {
		add_up(&result[5], found.inwards);
		add_up(&result[6], found.outwards);
	}
	/* of doubles that are not negative the larger has the larger bits */
	keep_largest(&result[2], (u64)__double_as_longlong(found.worst));
	if (actual == expected)
		add_up(&result[3], found.odd);
	else
		keep_largest(&result[3], (u64)__double_as_longlong(found.used));
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

enum { SAVE = 1, RESTORE, DIFFER };

/*
 * The variables of a module, all in one call: table[3 i] is the address of one,
 * table[3 i + 1] that of its copy, table[3 i + 2] its bytes. DIFFER counts in pieces of
 * 16 bytes, and bytes behind them.
 */
extern "C" __global__ void at_variables(const u64 *table, u64 count, int what, u64 *differing)
{
	u64 found = 0;

	UNROLL_NONE
	for (u64 at = 0; at < count; at++) {
		unsigned char *variable = (unsigned char *)table[3 * at];
		unsigned char *copy = (unsigned char *)table[3 * at + 1];
		u64 bytes = table[3 * at + 2];
		u64 quads = ((u64)variable | (u64)copy) % 16 ? 0 : bytes / 16;

		for (u64 i = FIRST; i < quads; i += STRIDE) {
			uint4 v = ((uint4 *)variable)[i], c = ((uint4 *)copy)[i];

			if (what == SAVE)
				((uint4 *)copy)[i] = v;
			else if (what == RESTORE)
				((uint4 *)variable)[i] = c;
			else
				found += ((v.x ^ c.x) | (v.y ^ c.y) | (v.z ^ c.z) | (v.w ^ c.w)) != 0;
		}
		for (u64 i = 16 * quads + FIRST; i < bytes; i += STRIDE) {
			if (what == SAVE)
				copy[i] = variable[i];
			else if (what == RESTORE)
				variable[i] = copy[i];
			else
				found += variable[i] != copy[i];
		}
	}
	if (what == DIFFER)
		add_up(differing, found);
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

/* what any launch takes */
extern "C" __global__ void at_nothing()
{
}

/*
 * What no kernel may count on in local arrays: NaN, large and small numbers of both
 * signs, in turns that differ from thread to thread and seed to seed, and no zero. It
 * lies where the stacks of the next kernels' threads will: the first LOCAL_WORDS of each
 * thread's, for as many threads as the device holds. The device `host` does this by
 * itself.
 */
extern "C" __global__ void __launch_bounds__(256) at_poison_local(unsigned seed)
{
#ifndef AUTOTUNE_HOST
	enum { LOCAL_WORDS = 1024 };
	/* nobody reads them here: the compiler must not leave it out */
	volatile unsigned words[LOCAL_WORDS];
	unsigned kind = seed + threadIdx.x + 7 * blockIdx.x;

	UNROLL_NONE
	for (unsigned i = 0; i < LOCAL_WORDS; i++) {
		kind = kind % 5 + 1;
		words[i] = kind == 1   ? 0x7fffffffu /* quiet NaN */
			   : kind == 2 ? 0xfefefefeu
			   : kind == 3 ? 0x01010101u
			   : kind == 4 ? 0x7e7e7e7eu
				       : 0x81818181u;
	}
#endif
}

/*
 * A filler: each of its blocks has a multiprocessor for itself, by its shared memory and
 * by taking all registers, until somebody on the other side sets words[0], or limit_ns
 * are over, which words[1] then says. words[2 + n] says that block n has begun. The
 * words lie in memory of the host.
 */
extern "C" __global__ void __launch_bounds__(1024) at_crowd(
	volatile unsigned *words, u64 limit_ns)
{
#ifndef AUTOTUNE_HOST
	/* with 1024 threads of 64 registers nothing is left of 65536 */
	enum { KEPT = 56 };

	if (threadIdx.x == 0) {
		u64 start_ns, now_ns;

		words[2 + blockIdx.x] = 1;
		asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start_ns));
		do {
#if __CUDA_ARCH__ >= 700
			/* else so many would keep the bus to the host busy */
			__nanosleep(2000);
#endif
			asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now_ns));
		} while (words[0] == 0 && now_ns - start_ns < limit_ns);
		if (words[0] == 0)
			words[1] = 1;
	}
	__syncthreads();
	/* so many loads ahead of the stores take so many registers, though nobody asks for
	   so short a time */
	if (limit_ns == 1) {
		unsigned kept[KEPT];

#pragma unroll
		for (unsigned i = 0; i < KEPT; i++)
			kept[i] = words[i];
#pragma unroll
		for (unsigned i = 0; i < KEPT; i++)
			words[i] = kept[KEPT - 1 - i];
	}
#endif
}
