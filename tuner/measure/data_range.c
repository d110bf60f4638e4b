/* The range of the numbers of an input, by its fill and its domain; data.c chooses the
   values of patterns from it. */
#include "measure/data_range.h"

#include <math.h>

/*
 * The ends of a normal fill for the patterns, in deviations. Patterns with rare values
 * (SPIKES, EXTREMES) reach so far that at a deviation of 1 exp() of one overflows a
 * float (beyond 88.7), which exposes a softmax that does not subtract its maximum.
 * Patterns that move all values (EQUAL, ASCENDING, ...) stay where most values of such
 * fills are.
 */
#define RARE_DEVIATIONS 100.0
#define USUAL_DEVIATIONS 4.0
/* The same for types whose largest number is 65504 or less: exp() overflows a half
   beyond 11. Sums of a few products of values further out would overflow too, and then
   nothing could be compared. */
#define RARE_DEVIATIONS_SHORT 16.0
#define SHORT_LARGEST 1e6

bool data_is_real(const struct at_measure_argument *facts)
{
	return at_element_kind(facts->element) == AT_ELEMENT_KIND_REAL;
}

enum at_access at_data_access(const struct at_measure_setup *setup, size_t argument)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];

	return facts->owner ? setup->arguments[facts->owner - 1].access : facts->access;
}

/*
 * The range of values that may replace a constant. A real becomes half to all of it,
 * which keeps its sign and its size. An integer may be a length, a stride, a divisor or
 * a flag. A shorter length fits where the longer one did, but 0 may be invalid, except
 * in place of 1, which is as likely a flag or a mask. A negative integer has a meaning
 * of its own ("none"), and an inout one is where counting begins: these stay. So does
 * 0, where sums begin.
 */
void data_constant_range(const struct at_measure_setup *setup, size_t argument,
	double *low, double *high)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	double value = facts->fill_a;

	*low = *high = value;
	if (data_is_real(facts)) {
		*low = fmin(value, value / 2);
		*high = fmax(value, value / 2);
	} else if (at_data_access(setup, argument) == AT_ACCESS_IN && value >= 1) {
		*low = value >= 2 ? 1 : 0;
	}
}

/*
 * Moves the ends to numbers that a type of few digits has, inside the range. Ends that
 * are rounded when they are stored could be outside by a thousandth or more.
 */
static void clamp_to_narrow(enum at_element element, double *low, double *high)
{
	double most = at_element_largest(element), end;

	*low = fmin(fmax(*low, -most), most);
	*high = fmin(fmax(*high, -most), most);
	end = at_element_round(element, *high);
	*high = end > *high ? at_element_below(element, *high) : end;
	end = at_element_round(element, -*low);
	*low = end > -*low ? -at_element_below(element, -*low) : 0 - end;
}

/* Limits the range to numbers that the element's type holds. */
static void clamp_to_element(enum at_element element, double *low, double *high)
{
	int bits = (int)(8 * at_element_bytes(element));
	double least = 0, most = ldexp(1, bits);

	switch (at_element_kind(element)) {
	case AT_ELEMENT_KIND_INTEGER:
		least = -ldexp(1, bits - 1);
		most = -least;
		break;
	case AT_ELEMENT_KIND_UNSIGNED:
		break;
	case AT_ELEMENT_KIND_REAL:
		if (at_element_is_narrow(element))
			clamp_to_narrow(element, low, high);
		return;
	case AT_ELEMENT_KIND_NONE:
		return;
	}
	/* for types with more bits than a double: the largest double below the end */
	most = bits < 53 ? most - 1 : nextafter(most, 0);
	*low = fmin(fmax(*low, least), most);
	*high = fmin(fmax(*high, least), most);
}

bool data_range(const struct at_measure_setup *setup, size_t argument,
	enum at_data_pattern pattern, double *low, double *high)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	double a = facts->fill_a, b = facts->fill_b, wide = USUAL_DEVIATIONS;

	if (facts->has_domain) {
		*low = facts->domain_low;
		*high = facts->domain_high;
		if (!data_is_real(facts)) {
			*low = ceil(*low);
			*high = floor(*high);
		}
		clamp_to_element(facts->element, low, high);
		return *low < *high;
	}
	switch (facts->fill) {
	case AT_FILL_NONE:
	case AT_FILL_FILE:
	case AT_FILL_SEQUENCE:
		return false;
	case AT_FILL_CONSTANT:
		data_constant_range(setup, argument, low, high);
		break;
	case AT_FILL_UNIFORM:
		*low = fmin(a, b);
		*high = fmax(a, b);
		/* kernels may rely on the fill's end being excluded */
		if (data_is_real(facts) && a < b)
			*high = fmax(a, at_element_below(facts->element, b));
		if (!data_is_real(facts)) {
			*low = ceil(*low);
			*high = floor(*high);
		}
		break;
	case AT_FILL_NORMAL:
		if (pattern == AT_DATA_SPIKES || pattern == AT_DATA_EXTREMES)
			wide = data_is_real(facts) &&
					       at_element_largest(facts->element) <
						       SHORT_LARGEST
				       ? RARE_DEVIATIONS_SHORT
				       : RARE_DEVIATIONS;
		*low = a - wide * fabs(b);
		*high = a + wide * fabs(b);
		if (!data_is_real(facts)) {
			*low = ceil(*low);
			*high = floor(*high);
		}
		break;
	case AT_FILL_INDEX:
		*low = 0;
		*high = ceil(a) - 1;
		break;
	}
	clamp_to_element(facts->element, low, high);
	return *low < *high && isfinite(*low) && isfinite(*high);
}

void data_ends(const struct at_measure_setup *setup, size_t argument,
	const struct at_data *data, double *low, double *high)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	enum at_fill_kind kind = facts->fill;
	double a = facts->fill_a, b = facts->fill_b;

	if (data->set && setup->sets[data->set - 1].fills[argument].kind) {
		kind = setup->sets[data->set - 1].fills[argument].kind;
		a = setup->sets[data->set - 1].fills[argument].a;
		b = setup->sets[data->set - 1].fills[argument].b;
	} else if (facts->has_domain) {
		kind = AT_FILL_UNIFORM;
		a = facts->domain_low;
		b = facts->domain_high;
	}
	*low = -INFINITY;
	*high = INFINITY;
	if (kind == AT_FILL_CONSTANT) {
		*low = fmin(a, a / 2);
		*high = fmax(a, a / 2);
	} else if (kind == AT_FILL_UNIFORM) {
		*low = a;
		*high = b;
	}
}
