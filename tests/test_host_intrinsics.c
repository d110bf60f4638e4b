/*
 * Intrinsics on the device "host" whose values CUDA defines to the last bit, held to
 * plain arithmetic in wider types, and functions that no C library has, held to
 * published values.
 */
#include "base/random.h"
#include "host_fixture.h"
#include "kernels/simd_list.h"

#include <limits.h>
#include <math.h>

#include "suite.h"

static const char *const kernels[] = { "parts", "products", "extremes",
	"rounded_floats", "rounded_roots", "rounded_doubles", "rounded_integers",
	"integers", "apart", "functions", "lengths", "lists" };

static int set_up(void **state)
{
	host_open("intrinsics.cu", kernels, AT_COUNT_OF(kernels));
	return 0;
}

static int tear_down(void **state)
{
	host_close();
	return 0;
}

/* ---- words of several parts ------------------------------------------------ */

static long part_of(unsigned word, int bits, bool is_signed, int i)
{
	long value = (long)(word >> bits * i) & ((1L << bits) - 1);

	return is_signed && value >> (bits - 1) ? value - (1L << bits) : value;
}

static long clip_to(long value, int bits, bool is_signed)
{
	long low = is_signed ? -(1L << (bits - 1)) : 0, high = low + (1L << bits) - 1;

	return value < low ? low : value > high ? high : value;
}

#define clip(value) clip_to(value, part_bits, part_is_signed)
#define EXPECT(function, bits, is_signed, expression) \
	{ \
		const int part_bits = (bits); \
		const bool part_is_signed = (is_signed); \
		unsigned word = 0; \
		(void)part_is_signed; \
		for (int k = 0; k < 32 / part_bits; k++) { \
			long x = part_of(a[i], part_bits, part_is_signed, k); \
			long y = part_of(b[i], part_bits, part_is_signed, k); \
			(void)x, (void)y; \
			GATHER(expression) \
		} \
		if (*got != word) \
			fail_msg(#function \
				" of 0x%08x, 0x%08x is 0x%08x and not 0x%08x", \
				a[i], b[i], *got, word); \
		got++; \
	}
#define COUNT_ONE(function, bits, is_signed, expression) +1

TEST(parts_of_words_are_calculated_by_themselves)
{
	enum {
		PAIRS = 2000,
		FUNCTIONS = 0 SIMD_PAIR(COUNT_ONE, 2, 16) SIMD_PAIR(COUNT_ONE, 4, 8)
			SIMD_ONE(COUNT_ONE, 2, 16) SIMD_ONE(COUNT_ONE, 4, 8)
				SIMD_SUM(COUNT_ONE, 2, 16) SIMD_SUM(COUNT_ONE, 4, 8)
	};
	static const unsigned edges[] = { 0, 0x80008000u, 0x7fff7fffu, 0xffffffffu,
		0x80808080u, 0x7f7f7f7fu, 0x01010101u, 0x00010001u, 0x7f80ff00u };
	static unsigned a[PAIRS], b[PAIRS], out[PAIRS * FUNCTIONS];
	const unsigned *got = out;
	struct at_random random;

	at_random_init(&random, 3);
	for (unsigned i = 0; i < PAIRS; i++) {
		a[i] = (unsigned)at_random_next(&random);
		b[i] = i % 3 ? (unsigned)at_random_next(&random) : a[i] ^ 0x01000001u;
	}
	for (size_t i = 0; i < AT_COUNT_OF(edges) * AT_COUNT_OF(edges); i++) {
		a[i] = edges[i % AT_COUNT_OF(edges)];
		b[i] = edges[i / AT_COUNT_OF(edges)];
	}
	RUN("parts", (PAIRS + 99) / 100, 100, POINTER(a), POINTER(b), POINTER(out),
		INTEGER(PAIRS));
	for (size_t i = 0; i < PAIRS; i++) {
#define GATHER(expression) \
	word |= ((unsigned)(expression) & ((1u << part_bits) - 1)) << part_bits * k;
		SIMD_PAIR(EXPECT, 2, 16)
		SIMD_PAIR(EXPECT, 4, 8)
		SIMD_ONE(EXPECT, 2, 16)
		SIMD_ONE(EXPECT, 4, 8)
#undef GATHER
#define GATHER(expression) word += (unsigned)(expression);
		SIMD_SUM(EXPECT, 2, 16)
		SIMD_SUM(EXPECT, 4, 8)
#undef GATHER
	}
}

TEST(products_of_parts_are_summed)
{
	/* halves of a -2 and -32767, bytes of b 2, -128, 127 and -1; or 65534 and 32769
	   with 2, 128, 127 and 255 */
	static const int expected[] = { 100 - 2 * 2 + 32767 * 128,
		100 - 2 * 127 + 32767, 100 + 65534 * 2 + 32769 * 128,
		100 + 65534 * 127 + 32769 * 255, 100 + -2 * 2 + -1 * -128 + 127 + 128,
		100 + 254 * 2 + 255 * 128 + 127 + 128 * 255, 2 * 128 + 300 * 127 - 7,
		65535 * 255 + 2 * 200 + 1, 5 - 12 - 21 - 32 + 9, 5, 7, 5, -1 };
	int out[AT_COUNT_OF(expected)] = { 0 };

	RUN("products", 1, 1, POINTER(out));
	for (size_t i = 0; i < AT_COUNT_OF(expected); i++)
		if (out[i] != expected[i])
			fail_msg("%zu: %d and not %d", i, out[i], expected[i]);
}

TEST(extremes_are_of_sums_that_wrap)
{
	static const int in[] = { INT_MAX, 5, -9 };
	/* INT_MAX + 5 is far below -9; as unsigned above it; halves: 0x8000 and -2, 0
	 * and 5 */
	static const int expected[] = { INT_MAX, 0, -9, INT_MIN + 4, 1, 1, 0x00000005,
		0x00017fff, 2 };
	int out[AT_COUNT_OF(expected)];

	RUN("extremes", 1, 1, POINTER(in), POINTER(out));
	for (size_t i = 0; i < AT_COUNT_OF(expected); i++)
		if (out[i] != expected[i])
			fail_msg("%zu: 0x%x and not 0x%x", i, (unsigned)out[i],
				(unsigned)expected[i]);
}

/* ---- rounding --------------------------------------------------------------- */

enum mode { NEAREST, DOWN, UP, CUT, MODES };

/* Of a number that is exact as a double. */
static float rounded(double exact, enum mode mode)
{
	float near = (float)exact;

	if (mode == CUT)
		mode = exact < 0 ? UP : DOWN;
	if (mode == DOWN && near > exact)
		return nextafterf(near, -INFINITY);
	if (mode == UP && near < exact)
		return nextafterf(near, INFINITY);
	return near;
}

static void hold(const char *what, double got, double expected, enum mode mode)
{
	if (got != expected)
		fail_msg("%s in mode %d is %a and not %a", what, (int)mode, got,
			expected);
}

/* Whether it is the nearest on that side of a quotient or a root, without either:
   side() is below 0 where a number is too small. */
static void hold_inverse(const char *what, float got, enum mode mode, double x,
	double y, double (*side)(double value, double x, double y))
{
	double below = side(nextafterf(got, -INFINITY), x, y), here = side(got, x, y);
	double above = side(nextafterf(got, INFINITY), x, y);
	bool fits;

	if (mode == CUT)
		mode = got < 0 ? UP : DOWN;
	fits = mode == DOWN ? here <= 0 && above > 0
	       : mode == UP ? here >= 0 && below < 0
			    : below < 0 && above > 0;
	if (!fits)
		fail_msg("%s of %a, %a in mode %d is %a", what, x, y, (int)mode, got);
}

static double side_of_quotient(double value, double x, double y)
{
	return y < 0 ? x - value * y : value * y - x;
}

static double side_of_root(double value, double x, double y)
{
	return value < 0 ? -1 : value * value - x;
}

/* 20 bits, and of a size that sums with others of its kind are exact as doubles. */
static float draw_float(struct at_random *random, int spread)
{
	double whole = (double)at_random_below(random, 1 << 20) + 1;

	return (float)ldexp(at_random_next(random) & 1 ? whole : -whole,
		(int)at_random_below(random, (uint64_t)spread) - 20);
}

TEST(floats_are_rounded_as_the_name_says)
{
	enum { TRIPLES = 3000 };
	static float in[3 * TRIPLES], out[20 * TRIPLES];
	size_t inexact = 0;
	struct at_random random;

	at_random_init(&random, 5);
	for (size_t i = 0; i < AT_COUNT_OF(in); i++)
		in[i] = draw_float(&random, 8);
	RUN("rounded_floats", TRIPLES / 100, 100, POINTER(in), POINTER(out),
		INTEGER(TRIPLES));
	for (size_t i = 0; i < TRIPLES; i++)
		for (int mode = 0; mode < MODES; mode++) {
			double x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
			const float *got = out + 20 * i + mode;

			hold("x + y", got[0], rounded(x + y, mode), mode);
			hold("x - y", got[4], rounded(x - y, mode), mode);
			hold("x * y", got[8], rounded(x * y, mode), mode);
			hold_inverse("x / y", got[12], mode, x, y, side_of_quotient);
			hold("x * y + z", got[16], rounded(x * y + z, mode), mode);
			inexact += got[8] != x * y;
		}
	assert_true(inexact > TRIPLES);
}

TEST(roots_are_rounded_as_the_name_says)
{
	enum { ROOTS = 2000 };
	static float in[ROOTS], out[9 * ROOTS];
	struct at_random random;

	at_random_init(&random, 6);
	for (size_t i = 0; i < ROOTS; i++)
		in[i] = fabsf(draw_float(&random, 30));
	RUN("rounded_roots", ROOTS / 100, 100, POINTER(in), POINTER(out),
		INTEGER(ROOTS));
	for (size_t i = 0; i < ROOTS; i++) {
		const float *got = out + 9 * i;
		double r = got[8], x = in[i];
		double low = (r + (double)nextafterf(got[8], 0)) / 2;
		double high = (r + (double)nextafterf(got[8], INFINITY)) / 2;

		for (int mode = 0; mode < MODES; mode++) {
			hold_inverse("root", got[mode], mode, x, 0, side_of_root);
			hold_inverse(
				"1 / x", got[4 + mode], mode, 1, x, side_of_quotient);
		}
		/* the reciprocal of the root lies between the middles beside it */
		assert_true(low * low * x <= 1 + 1e-15 && high * high * x >= 1 - 1e-15);
	}
}

/* Products and sums of whole numbers, which fit into 128 bits. */
static double rounded_wide(__int128 exact, enum mode mode)
{
	double near = (double)exact;

	if (mode == CUT)
		mode = exact < 0 ? UP : DOWN;
	if (mode == DOWN && (__int128)near > exact)
		return nextafter(near, -INFINITY);
	if (mode == UP && (__int128)near < exact)
		return nextafter(near, INFINITY);
	return near;
}

/* value * y - x, which is 0 where the value is the quotient */
static int side_of_wide_quotient(double value, __int128 x, __int128 y)
{
	int exponent;
	__int128 whole = (__int128)ldexp(frexp(value, &exponent), 53);
	__int128 product = whole * y, other = x << (53 - exponent);

	return product < other ? -1 : product > other;
}

static void hold_quotient(double got, enum mode mode, __int128 x, __int128 y)
{
	int here = side_of_wide_quotient(got, x, y) * (y < 0 ? -1 : 1);
	bool is_low = mode == DOWN || (mode == CUT && got > 0);
	double next = nextafter(got, is_low ? INFINITY : -INFINITY);
	int there = side_of_wide_quotient(next, x, y) * (y < 0 ? -1 : 1);

	if (is_low ? here > 0 || there <= 0 : here < 0 || there >= 0)
		fail_msg("a quotient in mode %d is %a", (int)mode, got);
}

TEST(doubles_are_rounded_as_the_name_says)
{
	enum { PAIRS = 2000 };
	static double in[2 * PAIRS], out[16 * PAIRS];
	struct at_random random;

	at_random_init(&random, 7);
	for (size_t i = 0; i < AT_COUNT_OF(in); i++) {
		in[i] = (double)(at_random_next(&random) >> 11) + 1;
		/* sums that have bits to lose */
		in[i] *= i % 2 && i % 3 ? 0x1p6 : 1;
		in[i] *= at_random_next(&random) & 1 ? 1 : -1;
	}
	RUN("rounded_doubles", PAIRS / 100, 100, POINTER(in), POINTER(out),
		INTEGER(PAIRS));
	for (size_t i = 0; i < PAIRS; i++)
		for (int mode = 0; mode < MODES; mode++) {
			__int128 x = (__int128)in[2 * i], y = (__int128)in[2 * i + 1];
			const double *got = out + 16 * i + mode;

			hold("x + y", got[0], rounded_wide(x + y, mode), mode);
			hold("x * y", got[4], rounded_wide(x * y, mode), mode);
			/* what the rounded product lacks is exact */
			hold("the rest of x * y", got[12],
				(double)(x * y - (__int128)((double)x * (double)y)),
				mode);
			if (mode != NEAREST)
				hold_quotient(got[8], mode, x, y);
		}
}

TEST(integers_are_rounded_as_the_name_says)
{
	static const long long in[] = { 0, 1, -1, 16777217, -16777217, 33554435,
		LLONG_MAX, LLONG_MIN, INT_MAX, INT_MIN, (1ll << 53) + 1,
		-(1ll << 53) - 1, (1ll << 62) + 1, 4294967295ll, -4294967297ll,
		123456789123456789ll };
	enum { COUNT = AT_COUNT_OF(in) };
	float out[16 * COUNT];
	double wide[8 * COUNT];

	RUN("rounded_integers", 1, COUNT, POINTER(in), POINTER(out), POINTER(wide),
		INTEGER(COUNT));
	for (size_t i = 0; i < COUNT; i++) {
		const __int128 all[] = { in[i], (unsigned long long)in[i], (int)in[i],
			(unsigned)in[i] };

		for (size_t k = 0; k < 4; k++)
			for (int mode = 0; mode < MODES; mode++) {
				__int128 exact = all[k];
				float near = (float)exact;
				bool is_up = mode == UP || (mode == CUT && exact < 0);
				bool is_down =
					mode == DOWN || (mode == CUT && exact > 0);

				if (is_down && (__int128)near > exact)
					near = nextafterf(near, -INFINITY);
				if (is_up && (__int128)near < exact)
					near = nextafterf(near, INFINITY);
				hold("a float of an integer",
					out[16 * i + 4 * k + (size_t)mode], near, mode);
				if (k < 2)
					hold("a double of an integer",
						wide[8 * i + 4 * k + (size_t)mode],
						rounded_wide(exact, mode), mode);
			}
	}
}

/* Where nothing fits: the nearest end, and of no number what PTX says of cvt. */
static long long whole_of(double x, int mode, int kind, bool is_double)
{
	static const double ends[] = { 0x1p31, 0x1p32, 0x1p63, 0x1p64 };
	static const unsigned long long largest[] = { INT_MAX, UINT_MAX, LLONG_MAX,
		ULLONG_MAX };
	bool is_signed = kind % 2 == 0;
	double whole = mode == NEAREST ? nearbyint(x)
		       : mode == DOWN  ? floor(x)
		       : mode == UP    ? ceil(x)
				       : trunc(x);

	if (isnan(x))
		return kind >= 2    ? LLONG_MIN
		       : !is_double ? 0
		       : is_signed  ? INT_MIN
				    : 0x80000000ll;
	if (whole >= ends[kind])
		return (long long)largest[kind];
	if (whole < (is_signed ? -ends[kind] : 0))
		return is_signed ? -(long long)largest[kind] - 1 : 0;
	return is_signed ? (long long)whole : (long long)(unsigned long long)whole;
}

TEST(numbers_that_no_integer_holds_become_the_nearest_one)
{
	static const double in[] = { 0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.25, 2.75, 1e9,
		3e9, -3e9, 2147483647.5, -2147483648.5, 4294967295.5, 1e18, 1e19, 2e19,
		-1e19, 1e300, -1e300, NAN, INFINITY, -INFINITY, 0x1p31, 0x1p32, 0x1p63,
		0x1p64, -0x1p31, -0x1p63, 1e-30, -1e-30 };
	enum { COUNT = AT_COUNT_OF(in) };
	long long out[32 * COUNT];

	RUN("integers", 1, COUNT, POINTER(in), POINTER(out), INTEGER(COUNT));
	for (size_t i = 0; i < COUNT; i++)
		for (int k = 0; k < 32; k++) {
			bool is_double = k >= 16;
			double x = is_double ? in[i] : (float)in[i];
			long long expected = whole_of(x, k % 4, k / 4 % 4, is_double);

			if (out[32 * i + (size_t)k] != expected)
				fail_msg("%a, conversion %d: %lld and not %lld", x, k,
					out[32 * i + (size_t)k], expected);
		}
}

TEST(what_is_rounded_by_itself_is_never_fused)
{
	static const float in[] = { 1 + 0x1p-23f, 1 + 0x1p-23f, -1 - 0x1p-22f };
	static const double wide[] = { 1 + 0x1p-52, 1 + 0x1p-52, -1 - 0x1p-51 };
	float out[4];
	double float64_out[3];

	RUN("apart", 1, 1, POINTER(in), POINTER(out), POINTER(wide),
		POINTER(float64_out));
	for (size_t i = 0; i < 3; i++)
		assert_true(out[i] == 0);
	assert_true(out[3] == 0x1p-46f);
	assert_true(float64_out[0] == 0 && float64_out[1] == 0 &&
		    float64_out[2] == 0x1p-104);
}

/* ---- functions -------------------------------------------------------------- */

TEST(functions_have_their_published_values)
{
	/* to 20 digits, by arbitrary precision */
	static const struct {
		const char *name;
		double x, value;
	} known[] = { { "erfinv", 0.75, 0.81341984759761854169 },
		{ "erfcinv", 0x1p-100, 8.1630489192174519887 },
		{ "normcdfinv", 0x1p-10, -3.0972690781987844624 },
		{ "normcdf", -10, 7.619853024160526066e-24 },
		{ "erfcx", 9, 0.062307724037774684437 },
		{ "cyl_bessel_i0", 3.5, 7.3782034322254796603 },
		{ "cyl_bessel_i1", -40, -14707396163259352.739 },
		{ "sinpi", 1048576.25, 0.7071067811865475244 },
		{ "cospi", -2.375, 0.38268343236508977173 } };
	enum { COUNT = AT_COUNT_OF(known) };
	double in[COUNT], out[COUNT];
	float narrow[COUNT];

	for (size_t i = 0; i < COUNT; i++)
		in[i] = known[i].x;
	RUN("functions", 1, COUNT, POINTER(in), POINTER(out), POINTER(narrow),
		INTEGER(COUNT));
	for (size_t i = 0; i < COUNT; i++) {
		double expected = known[i].value;

		if (fabs(out[i] - expected) > 8 * 0x1p-53 * fabs(expected))
			fail_msg("%s is %.17g and not %.17g", known[i].name, out[i],
				expected);
		if (narrow[i] != (float)expected)
			fail_msg("%sf is %a and not %a", known[i].name,
				(double)narrow[i], expected);
	}
}

TEST(lengths_neither_overflow_nor_vanish)
{
	static const double in[] = { 2, 3, 6, 3e200, 4e200, 12e200 };
	double out[7];

	RUN("lengths", 1, 1, POINTER(in), POINTER(out));
	assert_true(out[0] == 7 && out[1] == 7 && out[2] == 7);
	assert_true(fabs(out[3] - 1.0 / 7) < 1e-8 && fabs(out[4] - 13e200) < 1e186);
	/* whole and half turns are exact */
	assert_true(out[5] == 0 && out[6] == 1 - 1);
}

TEST(kernels_have_a_heap)
{
	int in[200], out[200];

	for (int i = 0; i < 200; i++)
		in[i] = i * i % 37;
	RUN("lists", 2, 100, POINTER(in), POINTER(out), INTEGER(200));
	for (int i = 0; i < 200; i++) {
		int sum = 0;

		for (int k = 0; k < 5; k++)
			sum += (5 - k) * in[(i + k) % 200];
		assert_int_equal(out[i], sum);
	}
}

RUN_SUITE(set_up, tear_down)
