/* Outside of the guard: an older header in the same unit does not define it. */
#ifndef AUTOTUNE_NULL
#ifdef __cplusplus
#define AUTOTUNE_NULL nullptr
#else
#define AUTOTUNE_NULL 0
#endif
#endif

#ifndef AUTOTUNE_ARITHMETIC
#define AUTOTUNE_ARITHMETIC 1

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
 * *bad becomes 1 where a result does not fit into 64 bits, or is not defined.
 */

#define AUTOTUNE_LARGEST 9223372036854775807LL
#define AUTOTUNE_SMALLEST (-AUTOTUNE_LARGEST - 1)

static inline long long autotune_none(int *bad)
{
	*bad = 1;
	return 0;
}

static inline long long autotune_known(long long property, int *bad)
{
	return property > 0 ? property : autotune_none(bad);
}

static inline long long autotune_add(long long a, long long b, int *bad)
{
	if (b > 0 ? a > AUTOTUNE_LARGEST - b : a < AUTOTUNE_SMALLEST - b)
		return autotune_none(bad);
	return a + b;
}

static inline long long autotune_subtract(long long a, long long b, int *bad)
{
	if (b > 0 ? a < AUTOTUNE_SMALLEST + b : a > AUTOTUNE_LARGEST + b)
		return autotune_none(bad);
	return a - b;
}

static inline long long autotune_negate(long long a, int *bad)
{
	return autotune_subtract(0, a, bad);
}

static inline long long autotune_abs(long long a, int *bad)
{
	return a < 0 ? autotune_negate(a, bad) : a;
}

static inline long long autotune_multiply(long long a, long long b, int *bad)
{
	if (a == 0 || b == 0)
		return 0;
	if (a == AUTOTUNE_SMALLEST || b == AUTOTUNE_SMALLEST)
		return a == 1 ? b : b == 1 ? a : autotune_none(bad);
	if ((a < 0 ? -a : a) <= AUTOTUNE_LARGEST / (b < 0 ? -b : b))
		return a * b;
	/* the smallest integer has a larger magnitude than the largest one */
	if ((a < 0) != (b < 0) && AUTOTUNE_SMALLEST % a == 0 &&
		AUTOTUNE_SMALLEST / a == b)
		return AUTOTUNE_SMALLEST;
	return autotune_none(bad);
}

static inline long long autotune_divide(long long a, long long b, int *bad)
{
	if (b == 0)
		return autotune_none(bad);
	return b == -1 ? autotune_negate(a, bad) : a / b;
}

static inline long long autotune_remainder(long long a, long long b, int *bad)
{
	if (b == 0)
		return autotune_none(bad);
	return b == -1 ? 0 : a % b;
}

static inline long long autotune_ceil_div(long long a, long long b, int *bad)
{
	long long quotient = autotune_divide(a, b, bad);

	if (b == 0 || b == -1)
		return quotient;
	return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}

/* The distance from a down to the next multiple of b. */
static inline long long autotune_excess(long long a, long long b, int *bad)
{
	long long rest = autotune_remainder(a, b, bad);

	return rest >= 0 ? rest : b < 0 ? rest - b : rest + b;
}

static inline long long autotune_round_down(long long a, long long b, int *bad)
{
	if (b == AUTOTUNE_SMALLEST)
		return a < 0 ? b : 0;
	return autotune_subtract(a, autotune_excess(a, b, bad), bad);
}

static inline long long autotune_round_up(long long a, long long b, int *bad)
{
	long long excess;

	if (b == AUTOTUNE_SMALLEST)
		return a == b ? b : a > 0 ? autotune_none(bad) : 0;
	excess = autotune_excess(a, b, bad);
	return excess == 0 ? a : autotune_add(a, (b < 0 ? -b : b) - excess, bad);
}

static inline long long autotune_shift_left(long long a, long long b, int *bad)
{
	if (b < 0 || b > 63)
		return autotune_none(bad);
	if (b == 63)
		return a == 0 ? 0 : a == -1 ? AUTOTUNE_SMALLEST : autotune_none(bad);
	return autotune_multiply(a, 1LL << b, bad);
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
	/* computed with negative numbers, whose range includes all magnitudes */
	a = a > 0 ? -a : a;
	b = b > 0 ? -b : b;
	while (b != 0) {
		long long rest = autotune_remainder(a, b, bad);

		a = b;
		b = rest;
	}
	return autotune_negate(a, bad);
}

static inline long long autotune_lcm(long long a, long long b, int *bad)
{
	long long divisor;

	if (a == 0 || b == 0)
		return 0;
	divisor = autotune_gcd(a, b, bad);
	if (divisor == 0)
		return autotune_none(bad);
	return autotune_abs(autotune_multiply(a / divisor, b, bad), bad);
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

#elif AUTOTUNE_ARITHMETIC != 1
#error "this unit has headers of different versions of autotune: write all of them again with autotune header"
#endif
