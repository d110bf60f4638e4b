/* Outside of the guard: an older header in the same unit does not define it. */
#ifndef AUTOTUNE_NULL
#ifdef __cplusplus
#define AUTOTUNE_NULL nullptr
#else
#define AUTOTUNE_NULL 0
#endif
#endif

#ifndef AUTOTUNE_ARITHMETIC
#define AUTOTUNE_ARITHMETIC 2

/*
 * Every header that autotune writes contains the following functions; only the first
 * copy in a translation unit is used. They compute the expressions of space files.
 */

#ifdef __cplusplus
#define AUTOTUNE_CAST(type, value) static_cast<type>(value)
#else
#define AUTOTUNE_CAST(type, value) ((type)(value))
#endif

/*
 * ---- integers, as in space files ----
 * *bad becomes 1 where a result is not defined, or an operand or a result of
 * arithmetic lies outside of -(2^62 - 1) to 2^62 - 1: sums of two such numbers fit.
 */

#define AUTOTUNE_LARGEST 4611686018427387903LL
#define AUTOTUNE_SMALLEST (-9223372036854775807LL - 1)

static inline long long autotune_none(int *bad)
{
	*bad = 1;
	return 0;
}

static inline long long autotune_known(long long property, int *bad)
{
	return property > 0 ? property : autotune_none(bad);
}

static inline long long autotune_within(long long a, int *bad)
{
	return a >= -AUTOTUNE_LARGEST && a <= AUTOTUNE_LARGEST ? a : autotune_none(bad);
}

static inline long long autotune_add(long long a, long long b, int *bad)
{
	return autotune_within(autotune_within(a, bad) + autotune_within(b, bad), bad);
}

static inline long long autotune_negate(long long a, int *bad)
{
	return -autotune_within(a, bad);
}

static inline long long autotune_subtract(long long a, long long b, int *bad)
{
	return autotune_add(a, autotune_negate(b, bad), bad);
}

static inline long long autotune_abs(long long a, int *bad)
{
	return a < 0 ? autotune_negate(a, bad) : autotune_within(a, bad);
}

static inline long long autotune_multiply(long long a, long long b, int *bad)
{
	const long long left = autotune_abs(a, bad), right = autotune_abs(b, bad);

	if (*bad || (right > 0 && left > AUTOTUNE_LARGEST / right))
		return autotune_none(bad);
	return a * b;
}

/* Truncated, as in C. */
static inline long long autotune_divide(long long a, long long b, int *bad)
{
	if (b == 0)
		return autotune_none(bad);
	return autotune_within(a, bad) / b;
}

static inline long long autotune_remainder(long long a, long long b, int *bad)
{
	if (b == 0)
		return autotune_none(bad);
	return autotune_within(a, bad) % b;
}

static inline long long autotune_ceil_div(long long a, long long b, int *bad)
{
	const long long rest = autotune_remainder(a, b, bad);

	return autotune_divide(a, b, bad) + (rest != 0 && (rest < 0) == (b < 0));
}

/* To the next multiple of b that is not above a. */
static inline long long autotune_round_down(long long a, long long b, int *bad)
{
	const long long step = autotune_abs(b, bad);
	const long long rest = autotune_remainder(a, step, bad);

	return autotune_subtract(a, rest < 0 ? rest + step : rest, bad);
}

static inline long long autotune_round_up(long long a, long long b, int *bad)
{
	return -autotune_round_down(autotune_negate(a, bad), b, bad);
}

static inline long long autotune_shift_left(long long a, long long b, int *bad)
{
	if (b < 0 || b > 63)
		return autotune_none(bad);
	return a == 0 ? 0
		      : autotune_multiply(
				a, b > 61 ? AUTOTUNE_SMALLEST : 1LL << b, bad);
}

static inline long long autotune_shift_right(long long a, long long b, int *bad)
{
	if (b < 0 || b > 63)
		return autotune_none(bad);
	return a < 0 ? ~(~a >> b) : a >> b;
}

static inline long long autotune_min(long long a, long long b)
{
	return a < b ? a : b;
}

static inline long long autotune_max(long long a, long long b)
{
	return a > b ? a : b;
}

static inline int autotune_is_pow2(long long a)
{
	return a > 0 && (a & (a - 1)) == 0;
}

static inline long long autotune_log2(long long a, int *bad)
{
	long long result = 0;

	if (a <= 0)
		return autotune_none(bad);
	for (; a > 1; a /= 2)
		result++;
	return result;
}

static inline long long autotune_gcd(long long a, long long b, int *bad)
{
	a = autotune_abs(a, bad);
	b = autotune_abs(b, bad);
	while (b != 0) {
		const long long rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static inline long long autotune_lcm(long long a, long long b, int *bad)
{
	const long long divisor = autotune_gcd(a, b, bad);

	if (divisor == 0)
		return 0;
	return autotune_multiply(
		autotune_abs(a, bad) / divisor, autotune_abs(b, bad), bad);
}

/* Bad for a negative exponent, as the result would not be an integer. */
static inline long long autotune_pow(long long a, long long b, int *bad)
{
	long long result = 1;

	if (b < 0)
		return autotune_none(bad);
	for (; b > 0; b /= 2) {
		if (b % 2 != 0)
			result = autotune_multiply(result, a, bad);
		if (b > 1)
			a = autotune_multiply(a, a, bad);
		/* a bad result stays bad: stop */
		if (*bad)
			return 0;
	}
	return result;
}

/* ---- reals: finite doubles, rounded after every operation ---- */

static inline double autotune_real_none(int *bad)
{
	*bad = 1;
	return 0.0;
}

static inline double autotune_finite(double a, int *bad)
{
	/* volatile: so the compiler cannot fuse two operations into one */
	volatile double stored = a;

	if (!(stored >= -1.7976931348623157e308 && stored <= 1.7976931348623157e308))
		return autotune_real_none(bad);
	return stored;
}

/* Bad beyond 2^53, where a double may not hold the same number. */
static inline double autotune_real(long long a, int *bad)
{
	if (a > 9007199254740992LL || a < -9007199254740992LL)
		return autotune_real_none(bad);
	return AUTOTUNE_CAST(double, a);
}

static inline int autotune_compare(double a, double b)
{
	return a < b ? -1 : a > b ? 1 : 0;
}

static inline double autotune_real_add(double a, double b, int *bad)
{
	return autotune_finite(a + b, bad);
}

static inline double autotune_real_subtract(double a, double b, int *bad)
{
	return autotune_finite(a - b, bad);
}

static inline double autotune_real_multiply(double a, double b, int *bad)
{
	return autotune_finite(a * b, bad);
}

static inline double autotune_real_divide(double a, double b, int *bad)
{
	if (autotune_compare(b, 0.0) == 0)
		return autotune_real_none(bad);
	return autotune_finite(a / b, bad);
}

static inline double autotune_real_min(double a, double b)
{
	return a < b ? a : b;
}

static inline double autotune_real_max(double a, double b)
{
	return a > b ? a : b;
}

static inline double autotune_real_abs(double a)
{
	return a < 0.0 ? -a : a;
}

static inline double autotune_real_floor(double a)
{
	double whole;

	/* from 2^52 on all doubles are whole numbers */
	if (!(a > -4503599627370496.0 && a < 4503599627370496.0))
		return a;
	whole = AUTOTUNE_CAST(double, AUTOTUNE_CAST(long long, a));
	return whole > a ? whole - 1.0 : whole;
}

static inline double autotune_real_ceil(double a)
{
	return -autotune_real_floor(-a);
}

static inline long long autotune_real_int(double a, int *bad)
{
	if (!(a >= -9223372036854775808.0 && a < 9223372036854775808.0))
		return autotune_none(bad);
	return AUTOTUNE_CAST(long long, a);
}

/* A real used as an integer; bad unless it is a whole number. */
static inline long long autotune_whole(double a, int *bad)
{
	long long whole = autotune_real_int(a, bad);

	if (autotune_compare(AUTOTUNE_CAST(double, whole), a) != 0)
		return autotune_none(bad);
	return whole;
}

static inline double autotune_real_ceil_div(double a, double b, int *bad)
{
	return autotune_real_ceil(autotune_real_divide(a, b, bad));
}

static inline double autotune_real_round_up(double a, double b, int *bad)
{
	b = autotune_real_abs(b);
	return autotune_finite(autotune_real_ceil_div(a, b, bad) * b, bad);
}

static inline double autotune_real_round_down(double a, double b, int *bad)
{
	b = autotune_real_abs(b);
	return autotune_finite(
		autotune_real_floor(autotune_real_divide(a, b, bad)) * b, bad);
}

/* Computed digit by digit, so that the result is rounded alike on every machine. */
static inline double autotune_real_sqrt(double a, int *bad)
{
	unsigned long long rest, root = 0, left = 0;
	double scale = 1.0;
	int i;

	if (!(a >= 0.0))
		return autotune_real_none(bad);
	if (!(a > 0.0))
		return a;
	/* scale a to 2^52 <= a < 2^54, where it is a whole number */
	for (; a < 4503599627370496.0; scale /= 2.0)
		a *= 4.0;
	for (; a >= 18014398509481984.0; scale *= 2.0)
		a /= 4.0;
	rest = AUTOTUNE_CAST(unsigned long long, a);
	/* the integer root of rest * 2^54: 54 binary digits, the last for rounding */
	for (i = 0; i < 54; i++) {
		/* two more digits of the operand, one more of the root */
		left = left * 4 + ((rest >> 52) & 3);
		rest = (rest << 2) & ((1ULL << 54) - 1);
		root *= 2;
		if (left > 2 * root) {
			left -= 2 * root + 1;
			root++;
		}
	}
	/* a square root is never exactly half way between two doubles */
	root = (root + 1) / 2;
	return AUTOTUNE_CAST(double, root) * (scale / 67108864.0);
}

#elif AUTOTUNE_ARITHMETIC != 2
#error "this unit has headers of different versions of autotune: write all of them again with autotune header"
#endif
