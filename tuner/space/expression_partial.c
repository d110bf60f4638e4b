/* Arithmetic on intervals for partly known values: see expression_partial.h. */
#include "space/expression_partial.h"
#include "space/checked.h"

static bool partial_is_known_integer(const struct partial *self)
{
	return self->is_known && !self->evaluation &&
	       (self->value.type == AT_TYPE_INTEGER ||
		       self->value.type == AT_TYPE_BOOLEAN);
}

bool partial_is_integer(const struct partial *self)
{
	return self->is_known ? partial_is_known_integer(self) : self->is_integer;
}

bool partial_interval(const struct partial *self, int64_t *low, int64_t *high)
{
	if (partial_is_known_integer(self)) {
		*low = *high = self->value.integer;
		return true;
	}
	*low = self->low;
	*high = self->high;
	return !self->is_known && self->is_ranged;
}

struct partial partial_known(struct at_value value)
{
	return (struct partial){ .is_known = true, .value = value };
}

struct partial partial_truth(bool truth)
{
	return partial_known((struct at_value){ AT_TYPE_BOOLEAN, { truth } });
}

struct partial partial_open(bool is_ranged, int64_t low, int64_t high)
{
	return (struct partial){
		.is_integer = true, .is_ranged = is_ranged, .low = low, .high = high
	};
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

bool partial_combine(enum at_opcode code, const struct partial *a,
	const struct partial *b, int64_t *low, int64_t *high)
{
	int64_t a_low, a_high, b_low, b_high, corner[4];

	if (!partial_interval(a, &a_low, &a_high) ||
		!partial_interval(b, &b_low, &b_high))
		return false;
	switch ((int)code) {
	case AT_CODE_ADD:
		return at_checked_add(a_low, b_low, low) &&
		       at_checked_add(a_high, b_high, high);
	case AT_CODE_SUBTRACT:
		return at_checked_subtract(a_low, b_high, low) &&
		       at_checked_subtract(a_high, b_low, high);
	case AT_CODE_MULTIPLY:
		if (!at_checked_multiply(a_low, b_low, &corner[0]) ||
			!at_checked_multiply(a_low, b_high, &corner[1]) ||
			!at_checked_multiply(a_high, b_low, &corner[2]) ||
			!at_checked_multiply(a_high, b_high, &corner[3]))
			return false;
		*low = least(least(corner[0], corner[1]), least(corner[2], corner[3]));
		*high = most(most(corner[0], corner[1]), most(corner[2], corner[3]));
		return true;
	case AT_CODE_DIVIDE:
		*low = a_low / most(b_high, 1);
		*high = a_high / most(b_low, 1);
		return a_low >= 0 && b_low > 0;
	case AT_CODE_REMAINDER:
		*low = 0;
		*high = least(a_high, b_high - (b_high > INT64_MIN));
		return a_low >= 0 && b_low > 0;
	case AT_CODE_MIN:
		*low = least(a_low, b_low);
		*high = least(a_high, b_high);
		return true;
	case AT_CODE_MAX:
		*low = most(a_low, b_low);
		*high = most(a_high, b_high);
		return true;
	}
	return false;
}

int partial_compare(
	enum at_opcode code, const struct partial *a, const struct partial *b)
{
	int64_t a_low, a_high, b_low, b_high;
	bool apart;

	if (!partial_interval(a, &a_low, &a_high) ||
		!partial_interval(b, &b_low, &b_high))
		return -1;
	apart = a_high < b_low || b_high < a_low;
	switch ((int)code) {
	case AT_CODE_LESS:
		return a_high < b_low ? 1 : a_low >= b_high ? 0 : -1;
	case AT_CODE_LESS_EQUAL:
		return a_high <= b_low ? 1 : a_low > b_high ? 0 : -1;
	case AT_CODE_GREATER:
		return a_low > b_high ? 1 : a_high <= b_low ? 0 : -1;
	case AT_CODE_GREATER_EQUAL:
		return a_low >= b_high ? 1 : a_high < b_low ? 0 : -1;
	case AT_CODE_EQUAL:
		return apart ? 0 : -1;
	case AT_CODE_NOT_EQUAL:
		return apart ? 1 : -1;
	}
	return -1;
}

bool partial_is_true(const struct partial *self)
{
	return self->value.type == AT_TYPE_REAL ? self->value.real != 0
						: self->value.integer != 0;
}
