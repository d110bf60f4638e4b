/* What numbers become in proofs, whatever the space (plan_values.h). */
#include "evaluator/plan_values.h"

#include <math.h>

/* four of what is less may be a vector */
#define NO_POWER_LEAST 8

int64_t at_plan_other_count(int64_t value)
{
	/* of nothing, as after 0 steps, there may be no result */
	return value == 1 ? 2 : at_plan_smaller(value);
}

int64_t at_plan_smaller(int64_t value)
{
	int64_t unit = value & -value;

	if (value < 0)
		return -at_plan_smaller(-value);
	if (unit != value && value / 4 >= unit && value >= AT_PLAN_LARGE_COUNT)
		return value - value / 4 / unit * unit;
	return unit == value ? value / 2 : value - unit;
}

/* small ones are lengths of windows and numbers of axes, large ones take long to find
 */
#define PRIME_LEAST 11
#define PRIME_MOST INT32_MAX

static bool is_prime(int64_t n)
{
	for (int64_t i = 2; i * i <= n; i++)
		if (n % i == 0)
			return false;
	return n >= 2;
}

int64_t at_plan_as_prime(int64_t value, int64_t other)
{
	if (value < PRIME_LEAST || value > PRIME_MOST || !is_prime(value))
		return other;
	while (other > 2 && !is_prime(other))
		other--;
	return other;
}

int64_t at_plan_no_power(int64_t value)
{
	if (value >= NO_POWER_LEAST && !(value & (value - 1)))
		return value / 4 * 3;
	if (value >= PRIME_LEAST && value <= PRIME_MOST && is_prime(value))
		do
			value--;
		while (!is_prime(value));
	return value;
}

/* ---- real numbers ------------------------------------------------------------- */

/* Factors of numbers in their order: what was less stays less. The last ones share the
   largest. */
#define LEAST_FACTOR 48
#define MOST_FACTOR 60
#define WHOLE_FACTOR 64.0

double at_plan_other_real(double value, size_t index)
{
	size_t factor = LEAST_FACTOR + index;

	if (factor > MOST_FACTOR)
		factor = MOST_FACTOR;
	return value == 0 ? 0.5 : value * ((double)factor / WHOLE_FACTOR);
}

/* A term with a small factor may be below all tolerances. */
#define SMALL_FACTOR 0.02

bool at_plan_is_small_real(double value)
{
	return value != 0 && fabs(value) <= SMALL_FACTOR;
}

double at_plan_larger_real(double value)
{
	return copysign(sqrt(fabs(value)), value);
}

double at_plan_low_real(double value)
{
	if (fabs(value) <= SMALL_FACTOR)
		return value;
	return copysign(fmax(fabs(value) / AT_PLAN_LOW, SMALL_FACTOR), value);
}

/* ---- inputs for which the space has no fill ----------------------------------- */

/* Signed integers of 32 and 64 bits are as often positions and lengths as keys. A
   kernel may reach as far, or run as long, as they say, so that they stay small. */
#define SIGNED_END 32768.0

void at_plan_unsaid_range(enum at_element element, double *low, double *high)
{
	int bits = (int)(8 * at_element_bytes(element));
	bool is_signed = at_element_kind(element) == AT_ELEMENT_KIND_INTEGER;
	double end = ldexp(1, is_signed ? bits - 1 : bits);

	if (is_signed && end > SIGNED_END)
		end = SIGNED_END;
	*low = is_signed ? -end : 0;
	/* where the type has more bits than a double: the last double below its end */
	*high = bits < 53 || is_signed ? end - 1 : nextafter(end, 0);
}

/*
 * The patterns of a proof multiply rare values of a normal fill by 100 deviations, by
 * 16 for narrow types (measure/data_range.c). With these deviations exp() overflows
 * (beyond 88.7 for floats, 709 for doubles) in a kernel that does not subtract the
 * largest value first.
 */
#define DEVIATION_SHORT 6.0
#define DEVIATION_DOUBLE 8.0
#define SHORT_LARGEST 1e6

double at_plan_unsaid_deviation(enum at_element element)
{
	if (element == AT_ELEMENT_F64)
		return DEVIATION_DOUBLE;
	return at_element_largest(element) < SHORT_LARGEST ? DEVIATION_SHORT : 1;
}
