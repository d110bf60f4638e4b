/*
 * The tuner's own kernels: they fill inputs, poison and check memory, compare outputs
 * with what is expected, and flush caches. measure/support.c launches them.
 *
 * One source for every device: compiled by NVRTC for a GPU and by the C++ compiler for
 * the device `host`. All kernels take any number of blocks and threads. On a GPU a kernel
 * of this file must not need more than 64 registers.
 */

typedef unsigned long long u64;

#define FIRST ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE ((u64)gridDim.x * blockDim.x)
/*
 * A loop over this thread's share of `count` elements. Threads of a GPU stride, so that
 * a warp reads what lies side by side; on a processor, where they run one after the
 * other, each has a piece of its own.
 */
#ifdef AUTOTUNE_HOST
#define PIECE(count) ((count) <= STRIDE ? 1 : ((count) + STRIDE - 1) / STRIDE)
#define EACH(i, count) \
	for (u64 i##_piece = PIECE(count), i = FIRST * i##_piece, \
		 i##_end = i + i##_piece < (count) ? i + i##_piece : (count); \
		i < i##_end; i++)
#else
#define EACH(i, count) for (u64 i = FIRST; i < (count); i += STRIDE)
#endif
/* Every run waits until this unit is compiled, and unrolling a loop with a long body takes
   time to compile without making the loop faster. */
#ifdef AUTOTUNE_HOST
#define UNROLL_NONE
#else
#define UNROLL_NONE _Pragma("unroll 1")
#endif

/* types of elements, numbered as in space/element.h */
enum { I8 = 1, U8, I16, U16, I32, U32, I64, U64, F32, F64, F16, BF16, E4M3, E5M2 };
/* kinds of fills, numbered as in space/spec.h */
enum { CONSTANT = 1, UNIFORM, NORMAL, SEQUENCE, INDEX, FROM_FILE, JITTERED, ROWS };
/* patterns of data, numbered as in measure/measure.h */
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

/* A number of [0, 1) that depends on seed and index alone. */
static __device__ double unit(u64 seed, u64 index)
{
	return (double)(mix(seed + (index + 1) * 0x9e3779b97f4a7c15ull) >> 11) *
		(1.0 / 9007199254740992.0);
}

/*
 * The sequence a, a + b, ... with steps of different lengths: each number but the first
 * and the last is lowered by less than a step. No number is raised: if the sequence holds
 * where the rows of a matrix begin, no row then reaches past the end. No two numbers are
 * equal: if they are indices that a kernel writes to, each element is written once.
 */
static __device__ double jittered(int real, double a, double b, u64 seed, u64 i, u64 count)
{
	double off = fabs(b) * unit(seed, i);

	if (i == 0 || i + 1 >= count)
		off = 0.0;
	return a + b * (double)i - (real ? off : floor(off));
}

/*
 * The sequence with small steps in its first half and large ones in its second, so that
 * its numbers are far below those of the declared sequence. A kernel that merges two
 * sequences and gets one of each kind cannot count on them to advance side by side.
 */
static __device__ double bent(int real, double a, double b, u64 i, u64 count)
{
	double last = (double)(count - 1), half = floor(last / 2.0);
	/* what the sequence reaches in the middle, in steps of b: reals advance by half a
	   step at a time, integers by 1 */
	double at = half * (real ? 0.5 : 1.0 / b);

	at = (double)i <= half ? at * (double)i / half
			       : at + (last - at) * ((double)i - half) / (last - half);
	/* rounding may have left a little less than a whole number, which floor() would
	   lower by 1 */
	return real ? a + b * at : a + floor(b * at + 1.0 / 1024.0);
}

/* Whether a sequence with uneven steps is bent() or jittered(): the seed decides for the
   whole sequence. */
static __device__ int is_bent(double b, u64 seed, u64 count)
{
	return b > 0.0 && count > 2 && mix(~seed) % 2;
}

/*
 * Where the rows of a sparse matrix begin (declared as 0, b, 2 b, ...; the last number is
 * the end of the last row), with rows of 0 to 2 b elements instead of b. In some groups
 * of rows, and in at least one, a single row has all elements of the group: a kernel that
 * counts on rows of similar lengths fails there. A group has 32 rows, or so many that they
 * have more elements than a block has threads, but at most half of all rows. The first
 * group is never like that, since two inputs of rows would have none in common. In a
 * short group it is the last row in one set of data, and another one, so that the last is
 * empty, in the other.
 */
static __device__ __noinline__ double ragged(double b, u64 seed, u64 i, u64 count)
{
	u64 all = count - 1, half = (all + 1) / 2;
	u64 most = b < 32.0 ? (u64)(1055.0 / b) : 32;
	u64 size = all < 4 ? all : half < most ? half : most;
	u64 group = i < all ? i - i % size : i, end = group + size < all ? group + size : all;
	u64 shape = mix(seed ^ mix(group)), rows = end - group, full;

	if (i == group)
		return b * (double)i;
	/* the seeds of the two sets of data differ in this bit */
	full = rows == most	     ? shape / 4 % rows
	       : rows > 1 && seed % 2 ? shape / 4 % (rows - 1)
				      : rows - 1;
	if (group && (shape % 4 == 0 || group / size == 1 + mix(~seed) % ((all - 1) / size)))
		return b * (double)(i - group <= full ? group : end);
	return b * (double)i - floor((b + 1.0) * unit(seed, i));
}

/* The element of number i of a fill, as the space declares it. */
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
 * Which elements are spikes: the first, the last ones, and about 4096 others (an eighth
 * of all if there are few). A third of those may lie anywhere, a third lies at the edges
 * of warps and a third at the edges of blocks of 256, since kernels lose elements there.
 *
 * With more spikes, a sum over all elements that lacks one would be wrong by less than
 * 1/4096 of itself, which must stay far above any tolerance. With fewer, kernels that sum
 * up rows would have no row with a spike at its end.
 */
static __device__ int is_spike(u64 seed, u64 i, u64 count)
{
	double third = (count / 8 < 4096 ? (double)count / 8.0 : 4096.0) / 3.0;
	double chance = third / (double)count;

	if (i == 0 || count - 1 - i < (count < 32 ? 1 : 4))
		return 1;
	/* 2 of 32 elements are at edges of warps, 2 of 256 at edges of blocks */
	if ((i + 1) % 32 < 2)
		chance += third * 16.0 / (double)count;
	if ((i + 1) % 256 < 2)
		chance += third * 128.0 / (double)count;
	return unit(seed, i) < chance;
}

/*
 * The lowest or the highest integer of a range, but in one case of four with a single bit
 * changed. So a kernel that compares only some of the bits of two keys (a radix sort that
 * leaves out a digit, a hash table that keeps a part of the key) meets keys that differ
 * in just the bits it ignores.
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
 * For inputs that hold indices of the elements themselves (parents, next pointers): each
 * index is that of the element before, or in every second piece of the element behind. A
 * kernel that follows the indices has a long way to go, down in some pieces and up in
 * others. Pieces have 256 to 4096 elements, so that following the indices from all
 * elements takes some ten million steps at most. whole: all elements are one piece, if
 * they are no more than that: who doubles steps needs one round more then. It leads down
 * or up.
 */
static __device__ u64 neighbour(u64 i, u64 seed, u64 count, int whole)
{
	u64 piece = ((u64)1 << 25) / count, at;

	piece = piece > 4096 ? 4096 : piece;
	if (!whole)
		piece = piece > count / 2 ? count / 2 : piece;
	piece = piece < 256 ? 256 : piece;
	at = i % piece;
	if ((i / piece + (whole ? mix(~seed) / 2 : 0)) % 2 == 0)
		return at ? i - 1 : i;
	return at + 1 < piece && i + 1 < count ? i + 1 : i;
}

/*
 * For inputs that hold the ends of edges: the number by which the end of an edge is above
 * its beginning, `node`, so that edges follow each other in long paths. The paths have 256
 * to 4096 edges, as those of neighbour().
 */
static __device__ double linked(double node, double by, double high, u64 count)
{
	u64 most = ((u64)1 << 25) / count;

	most = most > 4096 ? 4096 : most < 256 ? 256 : most;
	return node + by > high || (u64)node % most + (u64)by >= most ? node : node + by;
}

/*
 * For kernels that look up in one input what another input holds: two random inputs have
 * hardly a number in common. With this shift all inputs (which: their number, from 0) hold
 * the same numbers: in some pieces at the same place, in others a few elements or a whole
 * row further on.
 */
static __device__ u64 shifted(u64 i, u64 which)
{
	/* a byte a piece; the last one is 300 */
	u64 by = 0x4013010b00050025ull >> i / 1024 % 8 * 8 & 255;

	return i + which * (i / 1024 % 8 == 3 ? 300 : by);
}

/*
 * The place of an element if all are seen as rows of 1024 (fewer, if there would not be
 * several rows) and numbered down the columns. Data that is sorted in this order is
 * sorted by column: of threads that each take every 1024th element, one has all of the
 * largest.
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
 * The element of number i of a pattern, between low and high, both included. For
 * ASCENDING and DESCENDING of reals, step says of which number all values are multiples
 * above low (0: any value); of integers, by how much they are above those of the input
 * that the edges of a graph begin in. measure/data.c decides on low, high and step.
 *
 * SPIKES: the elements between spikes add up to less than all spikes together, so that a
 * lost spike is seen; but each of them is large enough to count in a sum in float.
 */
static __device__ __noinline__ double patterned(int pattern, int real, double step, double low,
	double high, u64 seed, u64 i, u64 count)
{
	double base = low > 0.0 ? low : high < 0.0 ? high : 0.0;
	u64 bits = mix(seed ^ mix(i + 1)), piece;
	double part = (double)(bits >> 11) * (1.0 / 9007199254740992.0), end, share;

	switch (pattern) {
	case SPIKES:
		end = high <= base || (low < base && bits % 2) ? low : high;
		if (is_spike(seed, i, count)) {
			/* the first and the last spike are as large as can be; others have
			   14 bits, more than half precision can hold */
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
		/* a smaller share of an integer range would round to the base alone: they
		   lie in the sixteenth of the range that is nearest to the base */
		share = fabs(end - base) / 16.0 + 1.0;
		/* of many orders in a wide one: what is computed of large ones alone goes
		   beyond a type's range, or is cut off */
		if (share > 2048.0)
			share *= bits >> 2 & 2 ? 1.0 : bits >> 2 & 1 ? 1.0 / 16.0 : 1.0 / 256.0;
		share = floor(share * part);
		return end < base ? base - share : base + share;
	case ALTERNATING:
		return (i + mix(seed)) % 2 ? high : low;
	case NEGATIVE:
	case POSITIVE:
		/* one integer of eight is -1 or 1, by which many kernels mark what is empty */
		if (!real && bits % 8 == 0)
			return pattern == NEGATIVE ? high : low;
		return real ? low + (high - low) * part
			    : floor(low + (high - low + 1.0) * part);
	case EXTREMES:
		/* Pieces of integers are low or high as a whole, but for a few, the same pieces
		   of all inputs: what one element hands on to the next, as a sum that is
		   carried, has far to go where one input is low and another is high. */
		piece = (i / 64 + 1) * 0x9e3779b97f4a7c15ull;
		if (!real && mix(piece) % 4 == 0 && bits >> 8 & 31)
			return mix(seed ^ mix(piece)) % 2 ? high : low;
		if (!real)
			return one_bit_off(low, high, bits);
		/* Step 1: some pieces, and the end, are near one end of the range, but not
		   all alike: of differences to the mean nothing but rounding would be left. */
		share = step == 1.0 ? (high - low) / 8.0 * part : 0.0;
		if (step == 1.0 && i >= count - count / 8)
			return low + share;
		if (step == 1.0 && mix(seed + mix(i / 256)) % 4 == 0)
			return mix(seed ^ mix(i / 256)) % 2 ? high - share : low + share;
		return bits % 2 ? high : low;
	case ASCENDING:
	case DESCENDING:
		/* by every other seed indices that would descend lead on and on */
		if (!real && low == 0.0 && high + 1.0 == (double)count &&
			(pattern == ASCENDING || mix(~seed) % 2))
			return (double)neighbour(i, seed, count, pattern == DESCENDING);
		if (pattern == DESCENDING)
			i = count - 1 - i;
		if (pattern == DESCENDING && mix(seed) % 2)
			i = down_columns(i, count);
		/* each integer as often as any other */
		if (!real) {
			end = floor(low + (high - low + 1.0) * ((double)i / (double)count));
			return step > 0.0 ? linked(end, step, high, count) : end;
		}
		share = count > 1 ? (double)i / (double)(count - 1) : 0.0;
		if (step > 0.0)
			return low + step * floor((high - low) / step * share + 0.5);
		return low * (1.0 - share) + high * share;
	default: /* EQUAL; if low and high differ, a few elements of a long input are
		    different (texts to be searched), and none of a short one (what is
		    searched for) */
		return low != high && count > 256 && bits % 48 == 0 ? high : low;
	}
}

/*
 * Which elements differ in a set of data that is otherwise the same as another: one piece
 * of 16 elements in 64, and at least one piece, but neither the first nor the last. A
 * kernel that recognizes data by a few of its elements takes both sets for the same one,
 * and is seen to give the old result.
 */
static __device__ int is_edited(u64 seed, u64 i, u64 count)
{
	u64 piece = i / 16, pieces = count / 16;

	if (i < 16 || count - i <= 16)
		return count <= 64 && i == count / 2;
	return pieces < 128 ? piece == 1 + mix(seed) % (pieces > 2 ? pieces - 2 : 1) : mix(seed ^ mix(piece)) % 64 == 0;
}

/*
 * What the edited pieces hold in the second of the two sets of data that timed launches
 * alternate between: other numbers of the fill if the fill is random; for a constant,
 * numbers from low to high if these differ; for a sequence, uneven steps if it may have
 * them (low is 1).
 */
static __device__ double retouched(int kind, int real, double a, double b, double low,
	double high, u64 seed, u64 i, u64 count)
{
	if (kind == CONSTANT)
		return low < high ? filled(UNIFORM, real, low, high, ~seed, i, count) : a;
	/* a sequence that is bent stays bent in edited pieces: a mixture of both kinds
	   would not be in order */
	if (kind == JITTERED)
		return is_bent(b, seed, count) ? bent(real, a, b, i, count)
					       : jittered(real, a, b, ~seed, i, count);
	if (kind == SEQUENCE && low == 1.0)
		return jittered(real, a, b, ~seed, i, count);
	return filled(kind, real, a, b, kind == ROWS ? seed : ~seed, i, count);
}

/*
 * Which elements are set to 0: pieces of 256 and of 16 elements, single ones, and the
 * whole last quarter, so that some rows are all zeros, however long rows are. In an eighth
 * one element of 256 is left alone: a kernel that takes a piece for zeros by a few of its
 * elements is wrong there. but_one: all are set to 0 but a single one, by which a kernel is
 * wrong that takes everything for zeros.
 */
static __device__ int is_zeroed(u64 seed, u64 i, u64 count, int but_one)
{
	if (but_one)
		return i != mix(seed) % count;
	if (i >= count / 4 && i - count / 4 < count / 8)
		return i % 256 != mix(seed ^ ~(i / 256)) % 256;
	return i >= count - count / 4 || mix(seed ^ mix(i / 256)) % 8 == 0 ||
		mix(~seed ^ mix(i / 16)) % 8 == 0 || mix(seed + mix(i)) % 8 == 0;
}

/*
 * Above 2^53 the integers that a double can hold end in zero bits, and a kernel that
 * computes in double would lose nothing on them. This draws the last bits of such a 64-bit
 * integer separately; 0 if adding them could lead out of the range, which ends at `end`.
 */
static __device__ u64 last_bits(double value, double end, u64 seed, u64 i)
{
	double magnitude = fabs(value), step = 1.0;

	while (magnitude >= 9007199254740992.0 * step)
		step *= 2.0;
	return value + step > end ? 0 : mix(~seed ^ mix(i)) & ((u64)step - 1);
}

/*
 * Real types of less than four bytes, as in space/element.c: bits of the fraction, the
 * bias of the exponent, the code of the largest finite number, and the sign bit. They are
 * converted here, so that neither a GPU nor `host` needs a header of the toolkit for it.
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
 * The code of the nearest number of the type, ties to even; a value that is too large
 * becomes the largest finite number. Exponent and fraction form one integer, so that
 * adding 1 to it gives the next value, also across a change of the exponent.
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

/* The value of a code; the reverse of narrowed(). */
static __device__ __noinline__ double widened(unsigned code, int element)
{
	struct layout layout = layout_of(element);
	unsigned magnitude = code & (layout.sign - 1);
	u64 exponent = magnitude >> layout.fraction_bits;
	u64 bits = (u64)magnitude << (52 - layout.fraction_bits);
	double value;

	/* the code behind the largest number is infinity, but e4m3 has none; others are NaN */
	if (magnitude > layout.largest)
		bits = magnitude == layout.largest + 1 && element != E4M3 ? (u64)0x7ff << 52
									   : (u64)0xfff << 51;
	else if (exponent)
		bits += (u64)(1023 - layout.bias) << 52;
	else
		bits = 0;
	value = __longlong_as_double((long long)bits);
	/* subnormal: no hidden bit, a multiple of the smallest number */
	if (!exponent)
		value = (double)magnitude *
			__longlong_as_double((long long)((u64)(1024 - layout.bias - layout.fraction_bits) << 52));
	return code & layout.sign ? -value : value;
}

/* The types of C++, each with the type that a double becomes first: an integer that is
   too large for a type of few bits then keeps its last bits. */
#define ELEMENTS(X) \
	X(I8, signed char, long long) \
	X(U8, unsigned char, long long) \
	X(I16, short, long long) \
	X(U16, unsigned short, long long) \
	X(I32, int, long long) \
	X(U32, unsigned, long long) \
	X(F32, float, float) \
	X(F64, double, double) \
	X(I64, long long, long long) \
	X(U64, u64, u64)

/* Stores the value as element i of an array of this type. */
static __device__ void store(void *data, u64 i, int element, double value)
{
	switch (element) {
#define STORE(name, type, from) \
	case name: \
		((type *)data)[i] = (type)(from)value; \
		break;
		ELEMENTS(STORE)
#undef STORE
	case F16:
	case BF16:
		((unsigned short *)data)[i] = (unsigned short)narrowed(value, element);
		break;
	default:
		((unsigned char *)data)[i] = (unsigned char)narrowed(value, element);
		break;
	}
}

/* The value of element i of an array of this type. */
static __device__ double load(const void *data, u64 i, int element)
{
	switch (element) {
#define LOAD(name, type, from) \
	case name: \
		return (double)((const type *)data)[i];
		ELEMENTS(LOAD)
#undef LOAD
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
 * The offset in bytes of number i of one field of an array of structures, or of rows with
 * padding. layout packs three numbers: in bits 0 to 15 the offset of the field in a
 * structure, in bits 16 to 39 how many numbers the field or a row has, from bit 40 on the
 * bytes from one structure or row to the next.
 */
static __device__ u64 place_of(u64 layout, unsigned bytes, u64 i)
{
	unsigned offset = (unsigned)layout & 0xffff, lanes = (unsigned)(layout >> 16) & 0xffffff;

	return i / lanes * (layout >> 40) + offset + i % lanes * bytes;
}

/* Number i of an array, whose layout is 0 where its numbers follow each other. */
static __device__ void *number_at(const void *data, u64 layout, unsigned bytes, u64 i)
{
	return (unsigned char *)data + (layout ? place_of(layout, bytes, i) : i * bytes);
}

/*
 * Fills an array of count elements with data of a pattern: for DECLARED and the patterns
 * that are made from it, the fill's kind with its parameters a and b; for others numbers
 * between low and high; for ZEROED, low is 1 if all but one are to be 0. EQUAL indices
 * below a, if that is not 0, stay as declared in every fourth piece. layout is 0, or
 * as place_of() has it, and the numbers of the array then do not follow each other.
 */
extern "C" __global__ void at_fill(void *data, u64 count, int element, int kind, double a,
	double b, u64 seed, int pattern, double low, double high, u64 layout)
{
	int real = element >= F32;
	unsigned bytes = bytes_of(element);

	UNROLL_NONE
	EACH (i, count) {
		u64 at = pattern == REVERSED ? count - 1 - i
			: pattern == RELATED ? shifted(i, (u64)low)
					     : i;
		u64 by = pattern == EDITED && is_edited(seed, i, count) ? ~seed : seed;
		int is_declared = pattern == DECLARED || pattern == EDITED ||
			pattern == REVERSED || pattern == TIMED || pattern == ZEROED ||
			pattern == RELATED ||
			(pattern == EQUAL && kind == INDEX && a > 0.0 &&
				(count < 256 ? 4 * i / count : i / 64) % 4 == 3);
		double value = pattern == TIMED && is_edited(~seed, i, count)
			? retouched(kind, real, a, b, low, high, seed, i, count)
			: is_declared
			? filled(kind, real, a, b, by, at, count)
			: patterned(pattern, real, a, low, high, seed, i, count);

		if (pattern == ZEROED && is_zeroed(seed, i, count, low == 1.0))
			value = 0.0;

		/* rounding to a small type could give the end of the range, which is not
		   part of the range */
		if (element >= F16 && is_declared && kind == UNIFORM && a < b && value > high)
			value = high;
		store(number_at(data, layout, bytes, i), 0, element, value);
		if ((element == I64 || element == U64) && is_declared && kind == UNIFORM &&
			!layout && fabs(value) >= 9007199254740992.0)
			((u64 *)data)[i] += last_bits(value, b, by, at);
	}
}

/*
 * Half of the numbers become those of another input, which `kind` to `of_count` describe
 * as at_fill() is told, or of integers the next ones below and above; one of 128 becomes
 * a scalar, which is a constant. Only from low to high. Inputs of one seed get the same
 * ones, `ahead` of them shifted as by at_fill().
 */
extern "C" __global__ void at_relate(void *data, u64 count, int element, u64 seed, double ahead,
	int kind, double a, double b, u64 of_seed, u64 of_count, double low, double high,
	u64 layout)
{
	int real = element >= F32;
	unsigned bytes = bytes_of(element);

	UNROLL_NONE
	EACH (i, count) {
		u64 bits = mix(~seed ^ mix(shifted(i, (u64)ahead))), at = (bits >> 8) % of_count;
		double value = filled(kind, real, a, b, of_seed, at, of_count);

		if (!real && bits % 8 < 2)
			value += bits % 8 ? 1.0 : -1.0;
		if ((kind == CONSTANT ? (bits >> 48) % 128 == 0 : bits % 16 < 8) && low <= value &&
			value <= high)
			store(number_at(data, layout, bytes, i), 0, element, value);
	}
}

/* A range of bytes, of which those from `head` to `tail` are `words` aligned uint4. */
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

/* Sets all bytes to the pattern's lowest byte. */
extern "C" __global__ void at_pattern(unsigned char *data, u64 bytes, unsigned pattern)
{
	struct range range = split(data, bytes);
	unsigned word = (pattern & 0xff) * 0x01010101u;
	uint4 *words = (uint4 *)(data + range.head);

	EACH (i, range.words)
		words[i] = make_uint4(word, word, word, word);
	EACH (i, range.head)
		data[i] = (unsigned char)pattern;
	EACH (i, bytes - range.tail)
		data[range.tail + i] = (unsigned char)pattern;
}

/*
 * Fills memory that a kernel must not read before it has written there. The words differ:
 * NaN, large, small, negative (also if read as two bytes or one), 0 and random bits. A
 * kernel that reads them gets wrong results, also if it computes with two of them, such
 * as a difference or a product.
 */
extern "C" __global__ void at_garbage(unsigned char *data, u64 bytes, u64 seed)
{
	EACH (i, (bytes + 3) / 4) {
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

/* Counts bytes that differ from the pattern, as at_pattern_check() says. */
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
 * Adds the number of bytes that are not `pattern` to count_and_first[0]. The lowest offset
 * of one is kept in [1] as its complement, of which the largest is kept: so both results
 * can begin at 0.
 */
extern "C" __global__ void at_pattern_check(const unsigned char *data, u64 bytes,
	unsigned pattern, u64 *count_and_first)
{
	struct range range = split(data, bytes);
	unsigned word = (pattern & 0xff) * 0x01010101u;
	const uint4 *words = (const uint4 *)(data + range.head);

	EACH (i, range.words) {
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

/* Sets the padding of rows, which follows the first `row` of each `pitch` bytes, to the
   pattern's lowest byte; or, with results, looks for other bytes as at_pattern_check(). */
extern "C" __global__ void at_padding(unsigned char *data, u64 bytes, u64 row, u64 pitch,
	unsigned pattern, u64 *count_and_first)
{
	u64 padding = pitch - row;

	EACH (i, bytes / pitch * padding) {
		u64 at = i / padding * pitch + row + i % padding;

		if (count_and_first)
			check_bytes(data, at, at + 1, pattern, count_and_first);
		else
			data[at] = (unsigned char)pattern;
	}
}

/*
 * Adds the values of all threads to *sum. On a GPU each warp adds its own sum at once: half
 * a million atomic additions to one address would take longer than reading the data. All
 * threads of a block must call it. On `host` threads are fibers, for which exchanging
 * values costs more than adding one by one.
 */
template <typename T> static __device__ void add_up(T *sum, T value)
{
#ifndef AUTOTUNE_HOST
	for (int step = 16; step > 0; step /= 2)
		value += __shfl_down_sync(0xffffffffu, value, step);
	if (threadIdx.x % 32)
		return;
#endif
	if (value != 0)
		atomicAdd(sum, value);
}

/* Raises *largest to the largest value of all threads; as add_up() does. */
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
 * A checksum that does not depend on the order in which threads work: the sum of a hash of
 * (index, contents). It takes 16 bytes a hash, since multiplications take its time, not
 * memory.
 */
extern "C" __global__ void at_checksum(const unsigned *data, u64 words, u64 *sum)
{
	u64 quads = (u64)data % 16 ? 0 : words / 4;
	u64 local = 0;

	EACH (i, quads) {
		uint4 v = ((const uint4 *)data)[i];
		u64 low = (u64)v.y << 32 | v.x, high = (u64)v.w << 32 | v.z;

		/* the factors are odd, so that no change of one half is lost */
		local += mix(low * 0x9e3779b97f4a7c15ull + high * 0xc2b2ae3d27d4eb4full +
			     (i + 1) * 0x165667b19e3779f9ull);
	}
	EACH (i, words - 4 * quads) {
		u64 at = 4 * quads + i;

		local += mix(((at + 1) << 32) ^ ((u64)data[at] * 0x9e3779b97f4a7c15ull));
	}
	add_up(sum, local);
}

/* Whether any number in this word of a real type of less than four bytes has an exponent
   of all ones: infinity or NaN, or for e4m3 possibly a number, which is then looked at by
   itself. */
static __device__ int is_odd_word(unsigned word, int element)
{
	unsigned ones = element == F16 ? 0x7c00u : element == BF16 ? 0x7f80u : element == E4M3 ? 0x78u : 0x7cu;
	unsigned bits = element == F16 || element == BF16 ? 16 : 8;

	for (unsigned at = 0; at < 32; at += bits)
		if ((word >> at & ones) == ones)
			return 1;
	return 0;
}

static __device__ int differs(uint4 a, uint4 b)
{
	return ((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z) | (a.w ^ b.w)) != 0;
}

/*
 * Whether 16 bytes are the same on both sides and hold neither infinity nor NaN: then
 * nothing in them changes any result of a comparison. That is so for most bytes, and to
 * look at each number by itself takes three times as long as reading them.
 */
static __device__ int is_settled(uint4 a, uint4 e, int element)
{
	unsigned single = element == F32 ? 0x7f800000u : 0;
	unsigned high = element == F64 ? 0x7ff00000u : single;

	if (differs(a, e))
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

/* whether a number of this magnitude is finite; false for NaN, too */
#define IS_FINITE(magnitude) ((magnitude) <= 1.7976931348623157e308)

/*
 * IS_OFF: whether a number is wrong by more than this part of itself. Subnormal numbers do
 * not count, since some code flushes them to zero.
 *
 * The reference's own rounding in float is only one example of what rounding can do to a
 * tuned kernel. So values that the reference in float has off by ROUNDED_PART count as
 * lost to rounding, and a tuned kernel is blamed only from 8 times that on, LOST_PART.
 */
#define LOST_PART 0.0625
#define ROUNDED_PART (LOST_PART / 8)
#define IS_OFF(difference, magnitude, part) \
	((magnitude) > 1.1754943508222875e-38 && (difference) > (part) * (magnitude))
/*
 * Differences up to this part of an absolute tolerance are dust: what is left of terms as
 * large as the other values when they cancel out, and of 1 less a number next to 1. Narrow
 * types have none, since kernels compute in float and round once.
 */
#define IS_DUST(difference, atol, element) \
	(((element) == F32 || (element) == F64) && (difference) <= LOST_PART * (atol))

/*
 * How large the values of an expected output are. Values of 0, above `most` in magnitude
 * and NaN are left out of [0] to [2]:
 * result[0] how many values there are,
 * [1] the sum of `share` times their magnitudes, as the bits of a double. With share
 *     1 / count that is their mean, and cannot overflow;
 * [2] for how many of them 0 would pass as a result,
 * [3] how many of all values equal the first one,
 * [4] how many of those in [2] are not dust (IS_DUST()).
 */
extern "C" __global__ void at_scale(const void *data, u64 count, int element,
	double share, double rtol, double atol, double most, u64 *result, u64 layout)
{
	unsigned bytes = bytes_of(element);
	double sum = 0.0;
	u64 finite = 0, passing = 0, alike = 0, tiny = 0;
	double first = load(number_at(data, layout, bytes, 0), 0, element);

	UNROLL_NONE
	EACH (i, count) {
		double value = load(number_at(data, layout, bytes, i), 0, element);
		double magnitude = fabs(value);

		alike += value == first;
		if (!(magnitude <= most) || magnitude == 0.0)
			continue;
		finite++;
		sum += share * magnitude;
		passing += magnitude <= atol + rtol * magnitude;
		tiny += magnitude <= atol + rtol * magnitude && !IS_DUST(magnitude, atol, element);
	}
	add_up(&result[0], finite);
	add_up((double *)&result[1], sum);
	add_up(&result[2], passing);
	add_up(&result[3], alike);
	add_up(&result[4], tiny);
}

/* |a - b| of 64-bit integers, which a double cannot hold exactly */
static __device__ double distance64(u64 a, u64 b, int is_signed)
{
	int a_is_less = is_signed ? (long long)a < (long long)b : a < b;

	return (double)(a_is_less ? b - a : a - b);
}

/* Eight bytes of the mask of expected values; 0 if the key is 0: they are not masked. */
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
 * Masks what the reference gave, in place; a second call unmasks it. A kernel that
 * searches memory for the expected output then does not find it. The last 16 bytes are
 * masked whole, even if the output ends within them.
 */
extern "C" __global__ void at_mask(uint4 *data, u64 count, u64 key)
{
	EACH (i, count)
		data[i] = masked(data[i], key, i);
}

/* A copy of an input for a reference that computes in double: floats become doubles, and
   with `all` narrow reals, too. Other types stay as they are. */
extern "C" __global__ void at_widen(
	void *to, const void *from, u64 count, int element, int all)
{
	u64 bytes = count * bytes_of(element);

	if (element == F32 || (all && element >= F16))
		EACH (i, count)
			((double *)to)[i] = load(from, i, element);
	else
		EACH (i, bytes)
			((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

/*
 * Compares what the reference computed in its own type with what it computed in double:
 * result[0] how many values are finite in only one of them (the double rounded),
 * [1] the sum of all differences of the others, each divided by |value| + scale, as the
 *     bits of a double,
 * [2] the largest of these quotients, as the bits of a double,
 * [4] how many values the reference has off by more than ROUNDED_PART,
 * [5] for how many the quotient is above `agrees`.
 * With `replace` the value becomes the rounded double. A value stays if it and scale are
 * 0: the double's own rounding errors would look large beside zeros.
 */
extern "C" __global__ void at_narrow(void *narrow, const double *wide, u64 count,
	int element, double scale, double agrees, int replace, u64 *result)
{
	double worst = 0.0, sum = 0.0;
	u64 odd = 0, lost = 0, apart = 0;

	UNROLL_NONE
	EACH (i, count) {
		double e = load(narrow, i, element), d = wide[i], reach = fabs(e) + scale;
		double rounded = element == F64 ? d
			: element == F32        ? (double)(float)d
						: widened(narrowed(d, element), element);
		int is_finite = IS_FINITE(fabs(e));

		if (is_finite != IS_FINITE(fabs(rounded)) ||
			(!is_finite && e != rounded)) {
			odd++;
		} else if (is_finite && reach > 0.0) {
			if (fabs(d - e) > worst * reach)
				worst = fabs(d - e) / reach;
			sum += fabs(d - e) / reach;
			apart += fabs(d - e) > agrees * reach;
			lost += IS_OFF(fabs(rounded - e), fabs(d), ROUNDED_PART);
			if (replace)
				store(narrow, i, element, d);
		}
	}
	add_up(&result[0], odd);
	add_up((double *)&result[1], sum);
	add_up(&result[4], lost);
	add_up(&result[5], apart);
	keep_largest(&result[2], (u64)__double_as_longlong(worst));
}

/*
 * Moves each real of an input, in place, by 1 to `most` units in the last place up or
 * down, if it stays between low and high and does not reach them. A value near a border
 * (between two roundings, two classes, two cells of a grid) may then fall on its other
 * side. Integers become less by 1, unless they are `low`.
 */
extern "C" __global__ void at_jolt(void *data, u64 count, int element, unsigned most, u64 seed,
	double low, double high)
{
	EACH (i, count) {
		u64 bits = mix(seed ^ mix(i));

		if (element == F32) {
			float value = ((float *)data)[i];
			unsigned code = __float_as_uint(value), steps = 1 + (unsigned)(bits >> 8) % most;
			float jolted = __uint_as_float(bits % 2 ? code + steps : code - steps);

			/* 0, subnormal numbers and those next to them, and NaN, stay */
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

/* What a comparison has found so far. */
struct findings {
	u64 mismatches, first, odd, lost, inwards, outwards;
	double worst, used;
};

/* Compares one number of both sides: number `lane` at both addresses, which is number
   `at` of the whole output. */
static __device__ void compare_one(const void *as, const void *es, u64 lane, u64 at,
	int element, double rtol, double atol, double scale, struct findings *found)
{
	double difference, magnitude, allowed, whole;
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
	/* for integers `inwards` counts those off by more than 1: another member would
	   take two more registers */
	found->inwards += element < F32 && difference > 1.0;
	/* of a float: by more than dust, which is more than a part of itself */
	found->lost += magnitude <= atol && difference > 0.0 &&
		IS_OFF(difference, element < F16 ? atol : magnitude, LOST_PART);
	allowed = atol + rtol * magnitude;
	if (!(difference <= allowed && IS_FINITE(magnitude))) {
		found->mismatches++;
		if (at < found->first)
			found->first = at;
	}
	if (!IS_FINITE(difference))
		return;
	/* the product tells whether the division, which takes longer, is needed */
	whole = magnitude + scale;
	if (whole > 0.0 && difference > found->worst * whole)
		found->worst = difference / whole;
	if (allowed > 0.0 && difference > found->used * allowed)
		found->used = difference / allowed;
}

/*
 * Compares an output with what is expected (masked with `key`). A value may be off by
 * atol + rtol |expected|. A NaN on either side is a mismatch.
 * result[0] how many mismatches,
 * [1] the complement of the lowest index of a mismatch,
 * [2] of finite pairs the largest error, divided by |expected| + scale, as the
 *     bits of a double,
 * [3] of finite pairs the largest quotient of error and tolerance, as the bits of a
 *     double; if an output is compared with itself, how many values are not finite,
 * [4] how many values no larger than atol are off by more than LOST_PART, and not by dust,
 * [5] of reals of less than four bytes how many are nearer to 0 than expected; of integers
 *     how many are off by more than 1,
 * [6] of reals of less than four bytes how many are farther from 0 than expected.
 * If a layout is given (place_of()), only the numbers of that field are read, each with the
 * 16 bytes around it.
 */
extern "C" __global__ void at_compare(const uint4 *actual, const uint4 *expected,
	u64 count, int element, u64 key, double rtol, double atol, double scale, u64 *result,
	u64 layout)
{
	unsigned bytes = bytes_of(element);
	u64 lanes = layout ? 1 : 16 / bytes;
	u64 items = (count + lanes - 1) / lanes;
	struct findings found = { 0, ~(u64)0, 0, 0, 0, 0, 0.0, 0.0 };

	UNROLL_NONE
	EACH (i, items) {
		/* both arrays are aligned to 16 bytes, and the 16 bytes in which they end can
		   be read to their end */
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
		for (u64 at = begin; at < end; at++)
			compare_one(&actual_lanes, &expected_lanes, lane + at - begin, at,
				element, rtol, atol, scale, &found);
	}
	if (found.mismatches)
		atomicMax(&result[1], ~found.first);
	add_up(&result[0], found.mismatches);
	add_up(&result[4], found.lost);
	if (element >= F16 || element < F32) {
		add_up(&result[5], found.inwards);
		add_up(&result[6], found.outwards);
	}
	/* the bits of doubles that are not negative have the order of their values */
	keep_largest(&result[2], (u64)__double_as_longlong(found.worst));
	if (actual == expected)
		add_up(&result[3], found.odd);
	else
		keep_largest(&result[3], (u64)__double_as_longlong(found.used));
}

/*
 * Leaves poison in shared memory for the next kernel: in turns NaN, a large and a negative
 * large number; as integers -1, a large and a negative one. A sum, maximum or minimum that
 * begins with such a word is wrong. The device `host` poisons shared memory by itself
 * whenever it runs threads in random order.
 */
extern "C" __global__ void at_poison_shared(unsigned bytes)
{
#ifndef AUTOTUNE_HOST
	extern __shared__ unsigned shared_words[];
	/* volatile: the words are not read here, and the compiler must not drop the stores */
	volatile unsigned *words = shared_words;

	for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x) {
		unsigned kind = (i + blockIdx.x) % 3;

		words[i] = kind == 0 ? 0xffffffffu : kind == 1 ? 0x7f7f7f7fu : 0xfefefefeu;
	}
#endif
}

enum { SAVE = 1, RESTORE, DIFFER };

static __device__ int differs(unsigned char a, unsigned char b)
{
	return a != b;
}

/* Saves, restores or compares pieces of a variable. */
template <typename T>
static __device__ void visit(T *variable, T *copy, u64 begin, u64 end, int what, u64 *found)
{
	for (u64 i = begin + FIRST; i < end; i += STRIDE) {
		if (what == SAVE)
			copy[i] = variable[i];
		else if (what == RESTORE)
			variable[i] = copy[i];
		else
			*found += differs(variable[i], copy[i]);
	}
}

/*
 * Saves, restores or compares all __device__ variables of a module in one launch:
 * table[3 i] is the address of a variable, table[3 i + 1] that of its copy and
 * table[3 i + 2] its size in bytes. DIFFER counts pieces of 16 bytes that differ, and
 * single bytes behind the last whole piece.
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

		visit((uint4 *)variable, (uint4 *)copy, 0, quads, what, &found);
		visit(variable, copy, 16 * quads, bytes, what, &found);
	}
	if (what == DIFFER)
		add_up(differing, found);
}

/* Empties the caches by reading all of `data`, which leaves no dirty line behind. */
extern "C" __global__ void at_flush(const uint4 *data, u64 count, unsigned *sink)
{
	unsigned sum = 0;

	EACH (i, count) {
		uint4 v = data[i];

		sum += v.x ^ v.y ^ v.z ^ v.w;
	}
	/* never true, as data holds zeros; without it the compiler could drop the reads */
	if (sum == 0x9e3779b9u)
		*sink = sum;
}

/* Its time is what any launch takes. */
extern "C" __global__ void at_nothing()
{
}

/*
 * Leaves poison in local memory, where the threads of the next kernel will have their
 * local arrays: NaN, large and small numbers of both signs and no zero, in an order that
 * differs from thread to thread and from seed to seed. It fills the first LOCAL_WORDS of
 * each thread's stack, for as many threads as the device holds at once. The device `host`
 * does this by itself.
 */
extern "C" __global__ void __launch_bounds__(256) at_poison_local(unsigned seed)
{
#ifndef AUTOTUNE_HOST
	enum { LOCAL_WORDS = 1024 };
	/* volatile: the words are not read here, and the compiler must not drop the stores */
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
 * Occupies multiprocessors, so that a kernel that is proved meanwhile has only the others:
 * each block takes all shared memory and all registers of one. It ends when the host sets
 * words[0], or after limit_ns, which words[1] then says. words[2 + n] says that block n
 * has begun. The words lie in memory of the host. With n in words[0] it stays for n - 1
 * rounds more, of about a microsecond each. While another process has the device no round
 * passes, and nothing else of this process runs.
 */
extern "C" __global__ void __launch_bounds__(1024) at_crowd(
	volatile unsigned *words, u64 limit_ns)
{
#ifndef AUTOTUNE_HOST
	/* 1024 threads of 64 registers take all 65536 */
	enum { KEPT = 56 };

	if (threadIdx.x == 0) {
		u64 start_ns, now_ns;
		unsigned end;

		words[2 + blockIdx.x] = 1;
		asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start_ns));
		do {
#if __CUDA_ARCH__ >= 700
			/* without a pause so many blocks would keep the bus to the host busy */
			__nanosleep(2000);
#endif
			asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now_ns));
			end = words[0];
		} while (end == 0 && now_ns - start_ns < limit_ns);
		if (end == 0)
			words[1] = 1;
		for (; end > 1; end--) {
#if __CUDA_ARCH__ >= 700
			__nanosleep(1000);
#endif
			/* seldom: with a read from the host's memory in each round, 131 blocks
			   of an H200 took 14 microseconds a round */
			if (end % 16 == 0 && words[0] == 0)
				break;
		}
	}
	__syncthreads();
	/* Makes the compiler reserve the registers: KEPT loads ahead of the stores need as
	   many. It is never executed, since nobody asks for 1 ns. */
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
