/*
 * The operators of expressions on one or two integers. They are inline because
 * enumeration runs them by the million. Each stores the result in *out and returns
 * AT_EVALUATION_OK, or returns why there is no result. Private to expression_*.c.
 */
#ifndef AT_SPACE_EXPRESSION_INTEGER_H
#define AT_SPACE_EXPRESSION_INTEGER_H

#include "space/checked.h"
#include "space/expression.h"

static inline enum at_evaluated at_unless_overflow(bool fits)
{
	return fits ? AT_EVALUATION_OK : AT_EVALUATION_OVERFLOW;
}

static inline enum at_evaluated at_integer_multiply(int64_t a, int64_t b, int64_t *out)
{
	return at_unless_overflow(at_checked_multiply(a, b, out));
}

static inline enum at_evaluated at_integer_divide(int64_t a, int64_t b, int64_t *out)
{
	if (b == 0)
		return AT_EVALUATION_DIVISION_BY_ZERO;
	if (b == -1)
		return at_unless_overflow(at_checked_subtract(0, a, out));
	*out = a / b;
	return AT_EVALUATION_OK;
}

static inline enum at_evaluated at_integer_remainder(int64_t a, int64_t b, int64_t *out)
{
	if (b == 0)
		return AT_EVALUATION_DIVISION_BY_ZERO;
	/* INT64_MIN % -1 traps on some machines */
	*out = b == -1 ? 0 : a % b;
	return AT_EVALUATION_OK;
}

static inline enum at_evaluated at_integer_add(int64_t a, int64_t b, int64_t *out)
{
	return at_unless_overflow(at_checked_add(a, b, out));
}

static inline enum at_evaluated at_integer_subtract(int64_t a, int64_t b, int64_t *out)
{
	return at_unless_overflow(at_checked_subtract(a, b, out));
}

/* a times 2 to the power of b; also for a negative a, where C leaves it undefined */
static inline enum at_evaluated at_integer_shift_left(
	int64_t a, int64_t b, int64_t *out)
{
	if (b < 0 || b > 63)
		return AT_EVALUATION_OVERFLOW;
	if (b == 63) {
		*out = a ? INT64_MIN : 0;
		return at_unless_overflow(a == 0 || a == -1);
	}
	return at_unless_overflow(at_checked_multiply(a, (int64_t)1 << b, out));
}

/* keeps the sign, as every compiler does although C does not promise it */
static inline enum at_evaluated at_integer_shift_right(
	int64_t a, int64_t b, int64_t *out)
{
	if (b < 0 || b > 63)
		return AT_EVALUATION_OVERFLOW;
	*out = a < 0 ? ~(~a >> b) : a >> b;
	return AT_EVALUATION_OK;
}

#define AT_INTEGER_PLAIN(name, expression) \
	static inline enum at_evaluated at_integer_##name( \
		int64_t a, int64_t b, int64_t *out) \
	{ \
		*out = (expression); \
		return AT_EVALUATION_OK; \
	}

AT_INTEGER_PLAIN(less, a < b)
AT_INTEGER_PLAIN(less_equal, a <= b)
AT_INTEGER_PLAIN(greater, a > b)
AT_INTEGER_PLAIN(greater_equal, a >= b)
AT_INTEGER_PLAIN(equal, a == b)
AT_INTEGER_PLAIN(not_equal, a != b)
AT_INTEGER_PLAIN(bit_and, a &b)
AT_INTEGER_PLAIN(bit_xor, a ^ b)
AT_INTEGER_PLAIN(bit_or, a | b)
AT_INTEGER_PLAIN(min, a < b ? a : b)
AT_INTEGER_PLAIN(max, a > b ? a : b)
#undef AT_INTEGER_PLAIN

/* rounds towards plus infinity, whatever the signs */
static inline enum at_evaluated at_integer_ceil_div(int64_t a, int64_t b, int64_t *out)
{
	enum at_evaluated evaluation = at_integer_divide(a, b, out);

	if (evaluation)
		return evaluation;
	*out += b != -1 && a % b != 0 && (a < 0) == (b < 0);
	return AT_EVALUATION_OK;
}

/* How far a is above the largest multiple <= a; 0 <= *out < |multiple|. */
static inline enum at_evaluated at_integer_excess(
	int64_t a, int64_t multiple, int64_t *out)
{
	enum at_evaluated evaluation = at_integer_remainder(a, multiple, out);

	if (evaluation)
		return evaluation;
	if (*out < 0)
		*out += multiple < 0 ? -multiple : multiple;
	return AT_EVALUATION_OK;
}

static inline enum at_evaluated at_integer_round_down(
	int64_t a, int64_t b, int64_t *out)
{
	int64_t excess;
	enum at_evaluated evaluation;

	/* |INT64_MIN| does not fit; its only multiples are INT64_MIN and 0 */
	if (b == INT64_MIN) {
		*out = a < 0 ? INT64_MIN : 0;
		return AT_EVALUATION_OK;
	}
	evaluation = at_integer_excess(a, b, &excess);
	return evaluation ? evaluation : at_integer_subtract(a, excess, out);
}

static inline enum at_evaluated at_integer_round_up(int64_t a, int64_t b, int64_t *out)
{
	int64_t excess;
	enum at_evaluated evaluation;

	if (b == INT64_MIN) {
		*out = a == INT64_MIN ? a : 0;
		return at_unless_overflow(a <= 0);
	}
	evaluation = at_integer_excess(a, b, &excess);
	if (evaluation)
		return evaluation;
	if (excess == 0) {
		*out = a;
		return AT_EVALUATION_OK;
	}
	return at_integer_add(a, (b < 0 ? -b : b) - excess, out);
}

static inline uint64_t at_magnitude(int64_t a)
{
	return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}

static inline enum at_evaluated at_integer_gcd(int64_t a, int64_t b, int64_t *out)
{
	uint64_t x = at_magnitude(a), y = at_magnitude(b);

	while (y) {
		uint64_t rest = x % y;

		x = y;
		y = rest;
	}
	*out = (int64_t)(x & INT64_MAX);
	return at_unless_overflow(x <= INT64_MAX);
}

static inline enum at_evaluated at_integer_lcm(int64_t a, int64_t b, int64_t *out)
{
	int64_t divisor, product;

	if (a == 0 || b == 0) {
		*out = 0;
		return AT_EVALUATION_OK;
	}
	if (at_integer_gcd(a, b, &divisor) ||
		!at_checked_multiply(a / divisor, b, &product) || product == INT64_MIN)
		return AT_EVALUATION_OVERFLOW;
	*out = product < 0 ? -product : product;
	return AT_EVALUATION_OK;
}

static inline enum at_evaluated at_integer_negate(int64_t a, int64_t *out)
{
	return at_integer_subtract(0, a, out);
}

static inline enum at_evaluated at_integer_abs(int64_t a, int64_t *out)
{
	return a < 0 ? at_integer_negate(a, out) : at_integer_add(a, 0, out);
}

/* floor(log2(a)) */
static inline enum at_evaluated at_integer_log2(int64_t a, int64_t *out)
{
	if (a <= 0)
		return AT_EVALUATION_DOMAIN;
	for (*out = -1; a > 0; a >>= 1)
		++*out;
	return AT_EVALUATION_OK;
}

#define AT_INTEGER_PLAIN(name, expression) \
	static inline enum at_evaluated at_integer_##name(int64_t a, int64_t *out) \
	{ \
		*out = (expression); \
		return AT_EVALUATION_OK; \
	}

AT_INTEGER_PLAIN(plus, a)
AT_INTEGER_PLAIN(complement, ~a)
AT_INTEGER_PLAIN(not, a == 0)
AT_INTEGER_PLAIN(truth, a != 0)
AT_INTEGER_PLAIN(is_pow2, a > 0 && (a & (a - 1)) == 0)
AT_INTEGER_PLAIN(floor, a)
AT_INTEGER_PLAIN(ceil, a)
AT_INTEGER_PLAIN(int, a)
#undef AT_INTEGER_PLAIN

#endif
