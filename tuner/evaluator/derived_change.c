/* What sizes become in each change (enum change). */
#include "evaluator/derived_parts.h"
#include "evaluator/plan_values.h"
#include "evaluator/plan_vary.h"

/* few kernels handle more than this in one block */
#define WHOLE 256

/* turn: how many sizes were changed before this one */
static int64_t changed(int64_t from, enum change change, size_t turn)
{
	switch (change) {
	case CHANGE_LESS:
		return from - 1;
	case CHANGE_MORE:
		return from + 1;
	case CHANGE_EVEN:
		/* pairs fit and a group of four leaves two over: all other changes here
		   may be odd */
		return (from - 4) / 4 * 4 + 2;
	case CHANGE_PRIME:
		/* one more below, so that it differs from CHANGE_LESS */
		return derived_prime_below(from - 1);
	case CHANGE_ONE:
		return 1;
	case CHANGE_TWO:
		return 2;
	case CHANGE_FEW:
		/* less than a halo, a warp or a vector; unlike 1, kernels seldom treat
		   it as a special case */
		return 3;
	case CHANGE_TURNED:
		/* of three sizes any two are the other way round than in CHANGE_MIXED;
		   a fourth one, which is more there, is less than a third here */
		if (turn > 2)
			return derived_prime_below(derived_prime_below(from));
		return turn % 3 == 0   ? from + 1
		       : turn % 3 == 1 ? derived_prime_below(from / 2)
				       : derived_prime_below(from);
	case CHANGE_MIXED:
	case CHANGE_WHOLE:
	case CHANGE_SMALL:
	case CHANGE_DIVISOR:
	case CHANGE_NUMBERS:
	case CHANGE_LOW:
	case CHANGE_ON:
	case CHANGE_OFF:
	case CHANGE_ALIKE:
	case CHANGE_KIND:
	case CHANGE_LAST_KIND:
	case CHANGE_ALIKE_TOO:
	case CHANGE_ALIKE_FIRST:
	case CHANGE_ALIKE_FIRST_TWO:
	case CHANGE_NONE:
	case CHANGE_NO_MARGIN:
	case CHANGE_MULTIPLE:
	case CHANGE_FITTING:
	case CHANGE_COUNT:
		break;
	}
	/* a fourth one, as a second pitch, is not what the first one is */
	if (change == CHANGE_MIXED && turn > 2)
		return from + (int64_t)turn - 1;
	return turn % 3 == 0   ? derived_prime_below(from / 2)
	       : turn % 3 == 1 ? from + 1
			       : derived_prime_below(from);
}

/* Rounds a size to whole warps, or down to whole blocks where there are several. */
int64_t derived_whole(int64_t size)
{
	return size < WHOLE ? (size + 31) / 32 * 32 : size / WHOLE * WHOLE;
}

/* Whether the size is a 1 of a number of things, and not a flag. */
bool derived_is_one_of_many(const struct derivation *self, size_t i)
{
	return self->roles[i] == ROLE_FLAG &&
	       self->tuned->sizes[i].value.type == AT_TYPE_INTEGER &&
	       self->tuned->sizes[i].value.integer == 1 && derived_counts_by(self, i);
}

/* What a size becomes that nothing is as large as, the index-th of them; the same where
   the change is of other sizes. */
struct at_value derived_other_number(
	const struct derivation *self, size_t i, enum change change, size_t index)
{
	const enum role role = self->roles[i];
	struct at_value value = self->tuned->sizes[i].value;

	if (role == ROLE_NUMBER && change == CHANGE_LOW) {
		if (value.type == AT_TYPE_REAL)
			value.real = at_plan_low_real(value.real);
		else
			value.integer = at_plan_low(self->spec, value.integer);
		return value;
	}
	if (change == CHANGE_NONE && derived_may_be_none(self, i)) {
		if (value.type == AT_TYPE_REAL)
			value.real = 0;
		else
			value.integer = 0;
		return value;
	}
	if (role == ROLE_FLAG && (change == CHANGE_ON || change == CHANGE_OFF))
		value.integer = change == CHANGE_ON;
	if (derived_is_of_kinds(change)) {
		const int64_t kind =
			derived_other_kind(self, i, change == CHANGE_LAST_KIND);

		value.integer = kind ? kind : value.integer;
	}
	if (change != CHANGE_NUMBERS)
		return value;
	if (derived_is_one_of_many(self, i))
		value.integer = at_plan_other_count(1);
	if (role != ROLE_NUMBER)
		return value;
	if (value.type == AT_TYPE_REAL)
		value.real = at_plan_is_small_real(value.real)
				     ? at_plan_larger_real(value.real)
				     : at_plan_other_real(value.real, index);
	else
		value.integer = at_plan_smaller(value.integer);
	return value;
}

/* The change by which a size that is equal to another one changes, of those but
   CHANGE_ALIKE; CHANGE_COUNT: none. */
static enum change own_change(const struct derivation *self, size_t i)
{
	const struct at_value *value = &self->tuned->sizes[i].value;

	switch (self->roles[i]) {
	case ROLE_SMALL:
		return CHANGE_SMALL;
	case ROLE_DIVISOR:
		return CHANGE_DIVISOR;
	case ROLE_NUMBER:
		return value->type == AT_TYPE_INTEGER ? CHANGE_NUMBERS : CHANGE_COUNT;
	case ROLE_FLAG:
		return derived_is_one_of_many(self, i) ? CHANGE_NUMBERS
		       : value->integer                ? CHANGE_OFF
						       : CHANGE_ON;
	case ROLE_EXTENT: /* CHANGE_MIXED tells these from each other */
	case ROLE_STAYS:
	case ROLE_COUNT:
		break;
	}
	return CHANGE_COUNT;
}

bool derived_is_of_equal(enum change change)
{
	return change == CHANGE_ALIKE || change == CHANGE_ALIKE_TOO ||
	       change == CHANGE_ALIKE_FIRST || change == CHANGE_ALIKE_FIRST_TWO;
}

/* of numbers for which the reference asks */
bool derived_is_of_kinds(enum change change)
{
	return change == CHANGE_KIND || change == CHANGE_LAST_KIND;
}

/* Whether the size becomes another one than the sizes ahead that are equal and change
   in the same way: each second one; by CHANGE_ALIKE_TOO two of four, so that of three
   or four no two are still equal in both. Of flags the others then change as well. */
bool derived_is_other(const struct derivation *self, size_t size, enum change change)
{
	const bool is_of_two =
		change == CHANGE_ALIKE_TOO || change == CHANGE_ALIKE_FIRST_TWO;
	const bool is_first =
		change == CHANGE_ALIKE_FIRST || change == CHANGE_ALIKE_FIRST_TWO;
	size_t ahead = 0, others = 0;

	for (size_t i = 0; i < self->tuned->size_count; i++) {
		const bool is_alike = i != size &&
				      own_change(self, i) == own_change(self, size) &&
				      at_value_equal(self->tuned->sizes[i].value,
					      self->tuned->sizes[size].value) &&
				      derived_may_part(self, i, size);

		others += is_alike;
		ahead += is_alike && i < size;
	}
	if (is_of_two)
		ahead /= 2;
	if (own_change(self, size) == CHANGE_COUNT ||
		(is_first && (self->roles[size] != ROLE_FLAG ||
				     others < (is_of_two ? 2 : 1))))
		return false;
	return ahead % 2 == !is_first;
}

/* Whether the change is of extents, as all that are not of one role alone. */
static bool is_of_extents(enum change change)
{
	return change < CHANGE_SMALL || change == CHANGE_TWO;
}

/* What a small extent becomes: one less, but 2 becomes 3. Of one all are next to each
   other, so that no stride shows; so 1 becomes 2, and a margin of 0 becomes 1. */
static int64_t other_small(int64_t size, int64_t unit)
{
	return size <= 2 * unit ? size + unit : size - unit;
}

/* Whether a size is small and becomes less by other_small(). It also becomes more and
   1, beside extents that do. */
bool derived_is_above_least(const struct derivation *self, size_t i)
{
	return self->roles[i] == ROLE_SMALL &&
	       self->tuned->sizes[i].value.integer > 2 * self->units[i];
}

/* Whether a size differs from the tuned problem's. */
static bool differs(const struct derivation *self)
{
	for (size_t i = 0; i < self->tuned->size_count; i++)
		if (!at_value_equal(self->values[i], self->tuned->sizes[i].value))
			return true;
	return false;
}

/* Sets self->values; is_changed false only applies the cap, and of self->only no other
   size changes. False where a size that follows from others cannot be computed, or the
   change changes nothing. */
bool derived_change(struct derivation *self, bool is_changed, enum change change)
{
	const struct at_problem *tuned = self->tuned;
	size_t turn = 0, numbers = 0;

	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];
		/* a pitch may be more than what lies in it, and not less */
		const enum change own =
			derived_is_of_equal(change) ? own_change(self, i)
			: change == CHANGE_MIXED && self->only != ALL_SIZES
				? CHANGE_MORE
				: change;
		const bool is_own = is_changed &&
				    (self->only == ALL_SIZES || self->only == i) &&
				    (!derived_is_of_equal(change) ||
					    derived_is_other(self, i, change));
		int64_t from = size->value.integer;

		if (!derived_keep_size(self, i))
			return false;
		if (self->roles[i] == ROLE_SMALL && is_own && own == CHANGE_SMALL)
			self->values[i].integer = other_small(from, self->units[i]);
		if (is_own && own == CHANGE_NO_MARGIN && derived_is_margin(self, i))
			self->values[i].integer = 0;
		if (self->roles[i] == ROLE_SMALL && is_own && own == CHANGE_FITTING)
			self->values[i].integer = derived_other_fitting(self, i);
		if (derived_is_above_least(self, i) && is_own && own == CHANGE_MORE)
			self->values[i].integer = from + self->units[i];
		if (derived_is_above_least(self, i) && is_own && own == CHANGE_ONE)
			self->values[i].integer = self->units[i];
		if (self->roles[i] == ROLE_DIVISOR && is_own && own == CHANGE_DIVISOR)
			self->values[i].integer = derived_other_divisor(self, i);
		if (is_own && self->roles[i] >= ROLE_NUMBER)
			self->values[i] = derived_other_number(self, i, own, numbers++);
		if (self->roles[i] != ROLE_EXTENT)
			continue;
		from = derived_cut(self, i);
		if (is_own && change == CHANGE_WHOLE)
			from = derived_whole(from);
		from /= self->units[i];
		if (is_own && is_of_extents(change) && change != CHANGE_WHOLE)
			from = changed(from, own, turn++);
		self->values[i].integer = from * self->units[i];
		if (is_own && change == CHANGE_MULTIPLE)
			self->values[i].integer = derived_other_multiple(self, i);
	}
	if (!is_changed ||
		(change != CHANGE_NUMBERS && change != CHANGE_LOW &&
			change != CHANGE_NONE && !derived_is_of_equal(change) &&
			!derived_is_of_kinds(change) && change != CHANGE_DIVISOR))
		return true;
	derived_keep_order(self);
	/* sizes that follow from others */
	for (size_t i = 0; i < tuned->size_count; i++)
		if (tuned->sizes[i].expression && !derived_keep_size(self, i))
			return false;
	return differs(self);
}
