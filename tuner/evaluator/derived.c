/* Makes problems from the tuned problem's sizes: decides which sizes vary, and to
   what. */
#include "evaluator/derived_parts.h"
#include "evaluator/plan_vary.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* self->only where all sizes change */
#define ALL_SIZES SIZE_MAX
/* In how many changes a size of one role changes alone, and how many problems there are
   of which only one size changes: with five extents and no limit a proof took twice as
   long. */
#define MOST_APART 6
#define MOST_APART_IN_ALL 8
/* of which one becomes another multiple of other sizes */
#define MOST_MULTIPLES 3
/* few kernels handle more than this in one block */
#define WHOLE 256
/*
 * Large problems are made smaller so that proofs cost little: until no buffer has more
 * elements than the first figure, but no extent goes below the second, which is several
 * blocks of any kernel.
 */
#define MOST_ELEMENTS (INT64_C(1) << 20)
#define FEWEST_OF_EXTENT 512
/*
 * The same on a device that shares the machine's cores, where a launch costs by its
 * threads: with a million elements a proof on ten sizes took a minute. These are still
 * more than the threads of a grid that strides over them.
 */
#define MOST_ELEMENTS_SHARED (INT64_C(1) << 18)
/*
 * How the sizes that vary change. Most changes apply to all extents alike: equal sizes
 * stay equal, and a larger one stays larger. CHANGE_MIXED takes changes in turns, so
 * that no two of three are equal, and CHANGE_TURNED in another order.
 */
enum change {
	CHANGE_LESS, /* by one */
	CHANGE_MORE, /* by one; small ones too: who has room for so many has no more */
	CHANGE_EVEN, /* a smaller even number that 4 does not divide */
	CHANGE_PRIME, /* a smaller prime */
	CHANGE_ONE, /* 1; small ones too, since of one value there is no deviation */
	CHANGE_FEW, /* 3 */
	CHANGE_MIXED,
	CHANGE_TURNED, /* the same in another order: what was larger is smaller */
	CHANGE_WHOLE, /* whole warps or blocks, where the tuned size is not whole */
	CHANGE_SMALL, /* only the sizes of ROLE_SMALL */
	CHANGE_DIVISOR, /* only those of ROLE_DIVISOR */
	CHANGE_NUMBERS, /* only those of ROLE_NUMBER */
	CHANGE_LOW, /* the same, to what is far less */
	/* only those of ROLE_FLAG: both ends of a range may be among them */
	CHANGE_ON,
	CHANGE_OFF,
	/* of small ones, numbers and flags that are equal each second one, as it
	   changes by itself */
	CHANGE_ALIKE,
	CHANGE_ALIKE_TOO, /* the same, of four the last two */
	/* one extent alone, by what other sizes that divide it have in common */
	CHANGE_MULTIPLE,
	/* 2, beside other values of what is 0 (derived_add_hidden()): less than there
	   is in a state from before, as of a short filter */
	CHANGE_TWO,
	CHANGE_COUNT
};

/* ---- what they become --------------------------------------------------------- */

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
		/* of three sizes any two are the other way round than in CHANGE_MIXED
		 */
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
	case CHANGE_ALIKE_TOO:
	case CHANGE_MULTIPLE:
	case CHANGE_COUNT:
		break;
	}
	return turn % 3 == 0   ? derived_prime_below(from / 2)
	       : turn % 3 == 1 ? from + 1
			       : derived_prime_below(from);
}

/* Rounds a size to whole warps, or down to whole blocks where there are several. */
static int64_t whole(int64_t size)
{
	return size < WHOLE ? (size + 31) / 32 * 32 : size / WHOLE * WHOLE;
}

/* Whether the size is a 1 of a number of things, and not a flag. */
static bool is_one_of_many(const struct derivation *self, size_t i)
{
	return self->roles[i] == ROLE_FLAG &&
	       self->tuned->sizes[i].value.type == AT_TYPE_INTEGER &&
	       self->tuned->sizes[i].value.integer == 1 && derived_counts_by(self, i);
}

/* What a size becomes that nothing is as large as, the index-th of them; the same where
   the change is of other sizes. */
static struct at_value other_number(
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
	if (role == ROLE_FLAG && (change == CHANGE_ON || change == CHANGE_OFF))
		value.integer = change == CHANGE_ON;
	if (change != CHANGE_NUMBERS)
		return value;
	if (is_one_of_many(self, i))
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
		return is_one_of_many(self, i) ? CHANGE_NUMBERS
		       : value->integer        ? CHANGE_OFF
					       : CHANGE_ON;
	case ROLE_EXTENT: /* CHANGE_MIXED tells these from each other */
	case ROLE_STAYS:
	case ROLE_COUNT:
		break;
	}
	return CHANGE_COUNT;
}

static bool is_of_equal(enum change change)
{
	return change == CHANGE_ALIKE || change == CHANGE_ALIKE_TOO;
}

/* Whether the size becomes another one than the sizes ahead that are equal and change
   in the same way: each second one; by CHANGE_ALIKE_TOO two of four, so that of three
   or four no two are still equal in both. */
static bool is_other(const struct derivation *self, size_t size, enum change change)
{
	size_t ahead = 0;

	for (size_t i = 0; i < size; i++)
		ahead += own_change(self, i) == own_change(self, size) &&
			 at_value_equal(self->tuned->sizes[i].value,
				 self->tuned->sizes[size].value) &&
			 derived_may_part(self, i, size);
	if (change == CHANGE_ALIKE_TOO)
		ahead /= 2;
	return own_change(self, size) != CHANGE_COUNT && ahead % 2 == 1;
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
static bool is_above_least(const struct derivation *self, size_t i)
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
static bool change_sizes(struct derivation *self, bool is_changed, enum change change)
{
	const struct at_problem *tuned = self->tuned;
	size_t turn = 0, numbers = 0;

	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];
		/* a pitch may be more than what lies in it, and not less */
		const enum change own =
			is_of_equal(change) ? own_change(self, i)
			: change == CHANGE_MIXED && self->only != ALL_SIZES
				? CHANGE_MORE
				: change;
		const bool is_own = is_changed &&
				    (self->only == ALL_SIZES || self->only == i) &&
				    (!is_of_equal(change) || is_other(self, i, change));
		int64_t from = size->value.integer;

		if (!derived_keep_size(self, i))
			return false;
		if (self->roles[i] == ROLE_SMALL && is_own && own == CHANGE_SMALL)
			self->values[i].integer = other_small(from, self->units[i]);
		if (is_above_least(self, i) && is_own && own == CHANGE_MORE)
			self->values[i].integer = from + self->units[i];
		if (is_above_least(self, i) && is_own && own == CHANGE_ONE)
			self->values[i].integer = self->units[i];
		if (self->roles[i] == ROLE_DIVISOR && is_own && own == CHANGE_DIVISOR)
			self->values[i].integer = derived_other_divisor(self, i);
		if (is_own && self->roles[i] >= ROLE_NUMBER)
			self->values[i] = other_number(self, i, own, numbers++);
		if (self->roles[i] != ROLE_EXTENT)
			continue;
		from = derived_cut(self, i);
		if (is_own && change == CHANGE_WHOLE)
			from = whole(from);
		from /= self->units[i];
		if (is_own && is_of_extents(change) && change != CHANGE_WHOLE)
			from = changed(from, own, turn++);
		self->values[i].integer = from * self->units[i];
		if (is_own && change == CHANGE_MULTIPLE)
			self->values[i].integer = derived_other_multiple(self, i);
	}
	if (!is_changed || (change != CHANGE_NUMBERS && change != CHANGE_LOW &&
				   !is_of_equal(change) && change != CHANGE_DIVISOR))
		return true;
	derived_keep_order(self);
	/* sizes that follow from others */
	for (size_t i = 0; i < tuned->size_count; i++)
		if (tuned->sizes[i].expression && !derived_keep_size(self, i))
			return false;
	return differs(self);
}

/* Finds the largest extent with which no buffer has too many elements. */
static enum at_status find_cap(struct derivation *self, struct at_error *err)
{
	enum at_status status = AT_OK;
	const int64_t most =
		self->device->shares_cores ? MOST_ELEMENTS_SHARED : MOST_ELEMENTS;
	int64_t elements = INT64_MAX;

	self->cap = 0;
	for (size_t i = 0; i < self->tuned->size_count; i++)
		if (self->roles[i] == ROLE_EXTENT &&
			self->tuned->sizes[i].value.integer > self->cap)
			self->cap = self->tuned->sizes[i].value.integer;
	for (;;) {
		struct at_problem problem;

		if (change_sizes(self, false, CHANGE_LESS)) {
			status = derived_make_problem(self, &problem, err);
			if (!status)
				elements = derived_count_elements(self, &problem);
			derived_release_problem(&problem);
		}
		if (status || elements <= most || self->cap <= FEWEST_OF_EXTENT) {
			/* a change may double what there is, if that is known */
			if (elements < INT64_MAX / 2)
				self->most = 2 * (elements > most ? elements : most);
			return status;
		}
		self->cap = (self->cap + 1) / 2;
	}
}

/* ---- all of them ---------------------------------------------------------------- */

static bool has_small(const struct derivation *self)
{
	size_t i = 0;

	while (i < self->tuned->size_count && !is_above_least(self, i))
		i++;
	return i < self->tuned->size_count;
}

/* Whether the size is one of those for each of which a problem is made in place of the
   change of all. */
static bool is_apart(const struct derivation *self, size_t size, enum change change)
{
	const bool is_on = self->tuned->sizes[size].value.integer != 0;

	if (change == CHANGE_NUMBERS && is_one_of_many(self, size))
		return true;
	switch (self->roles[size]) {
	case ROLE_EXTENT:
		return change == CHANGE_LESS || change == CHANGE_FEW ||
		       change == CHANGE_MIXED ||
		       (change == CHANGE_MULTIPLE &&
			       derived_other_multiple(self, size) !=
				       self->tuned->sizes[size].value.integer) ||
		       ((change == CHANGE_MORE || change == CHANGE_ONE) &&
			       has_small(self));
	case ROLE_SMALL:
		return change == CHANGE_SMALL ||
		       (change == CHANGE_MORE && is_above_least(self, size));
	case ROLE_DIVISOR:
		return change == CHANGE_DIVISOR &&
		       derived_other_divisor(self, size) !=
			       self->tuned->sizes[size].value.integer;
	case ROLE_NUMBER:
		return change == CHANGE_NUMBERS;
	case ROLE_FLAG:
		return change == (is_on ? CHANGE_OFF : CHANGE_ON);
	case ROLE_STAYS:
	case ROLE_COUNT:
		break;
	}
	return false;
}

/* Whether a change makes a problem that differs from the tuned one and all other
   changes'. counts: how many sizes have each role. */
static bool is_worth(
	const struct derivation *self, enum change change, const size_t *counts)
{
	size_t extents = counts[ROLE_EXTENT];

	if (change == CHANGE_MULTIPLE || change == CHANGE_TWO)
		return false;
	if (change == CHANGE_SMALL)
		return counts[ROLE_SMALL] > 0;
	for (size_t i = 0; change == CHANGE_DIVISOR && i < self->tuned->size_count; i++)
		if (is_apart(self, i, change))
			return true;
	if (change == CHANGE_DIVISOR)
		return false;
	for (size_t i = 0; i < self->tuned->size_count; i++) {
		const struct at_value value = self->tuned->sizes[i].value;

		if ((change == CHANGE_NUMBERS && is_apart(self, i, change)) ||
			(is_of_equal(change) && is_other(self, i, change)))
			return true;
		/* -1 becomes 0 by both changes */
		if (change == CHANGE_LOW &&
			!at_value_equal(other_number(self, i, change, 0), value) &&
			!at_value_equal(other_number(self, i, change, 0),
				other_number(self, i, CHANGE_NUMBERS, 0)))
			return true;
	}
	if (change == CHANGE_NUMBERS || change == CHANGE_LOW || is_of_equal(change))
		return false;
	for (size_t i = 0; i < self->tuned->size_count; i++)
		if (self->roles[i] == ROLE_FLAG &&
			((change == CHANGE_ON &&
				 !self->tuned->sizes[i].value.integer) ||
				(change == CHANGE_OFF &&
					self->tuned->sizes[i].value.integer)))
			return true;
	if (change == CHANGE_ON || change == CHANGE_OFF)
		return false;
	/* one size alone cannot be mixed with another */
	if (change == CHANGE_MIXED || change == CHANGE_TURNED)
		return extents > 1;
	for (size_t i = 0; change == CHANGE_WHOLE && i < self->tuned->size_count; i++) {
		int64_t size = self->tuned->sizes[i].value.integer;

		if (self->roles[i] == ROLE_EXTENT &&
			whole(size) / self->units[i] * self->units[i] != size)
			return true;
	}
	return change != CHANGE_WHOLE &&
	       (extents > 0 || (change == CHANGE_MORE && has_small(self)));
}

/* Makes the problem of a change, and adds it behind the others if any buffer has
   elements there, none has too many, and none of the others is the same. */
static enum at_status add_problem(struct derivation *self, enum change change,
	struct at_derived *list, size_t *count, struct at_error *err)
{
	struct at_derived *one = &list[*count];
	enum at_status status;
	int64_t elements = 0;

	if (!change_sizes(self, true, change))
		return AT_OK;
	status = derived_make_problem(self, &one->problem, err);
	if (!status && !derived_has_problem(list, *count, &one->problem))
		elements = derived_count_elements(self, &one->problem);
	if (elements > 0 && (!self->most || elements <= self->most)) {
		++*count;
	} else {
		derived_release_problem(&one->problem);
		memset(one, 0, sizeof(*one));
	}
	return status;
}

/*
 * Makes the problems in which one size changes alone. instead_of: the number of the one
 * in which all do, from 1 on; 0 where it was left out.
 */
static enum at_status add_apart(struct derivation *self, enum change change,
	size_t instead_of, struct at_derived *list, size_t *count, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t apart = 0;

	for (size_t i = 0; i < self->tuned->size_count; i++)
		apart += is_apart(self, i, change);
	/* of one alone the problem of all is the same */
	if (apart == 1 && change != CHANGE_MULTIPLE)
		return AT_OK;
	for (size_t i = 0; i < self->tuned->size_count && !status; i++) {
		const size_t before = *count;

		if (!is_apart(self, i, change) ||
			self->apart_count == MOST_APART_IN_ALL)
			continue;
		self->only = i;
		status = add_problem(self, change, list, count, err);
		if (*count > before) {
			list[before].instead_of = instead_of;
			self->apart_count++;
		}
	}
	self->only = ALL_SIZES;
	return status;
}

/* Adds the problem of a change in which what is 0 becomes other numbers. */
static enum at_status add_hidden(struct derivation *self, enum change change,
	struct at_derived *list, size_t *count, struct at_error *err)
{
	struct at_problem problem;
	enum at_status status;
	int64_t elements;

	if (!change_sizes(self, true, change))
		return AT_OK;
	status = derived_make_problem(self, &problem, err);
	elements = status ? 0 : derived_count_elements(self, &problem);
	if (elements > 0 && (!self->most || elements <= self->most))
		status = derived_add_hidden(self, &problem, list, count, err);
	derived_release_problem(&problem);
	return status;
}

enum at_status at_derived_make(const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *tuned,
	const struct at_device_info *device, struct at_derived **out, size_t *count,
	struct at_error *err)
{
	/* what hides most comes first: each of them is many sizes, or of few numbers */
	static const enum change apart_order[] = { CHANGE_SMALL, CHANGE_DIVISOR,
		CHANGE_NUMBERS, CHANGE_ON, CHANGE_OFF, CHANGE_LESS, CHANGE_MIXED,
		CHANGE_MORE, CHANGE_ONE, CHANGE_FEW, CHANGE_MULTIPLE };
	/* few, as a proof more costs what a size costs */
	static const enum change hidden_order[] = { CHANGE_TWO, CHANGE_ON, CHANGE_OFF };
	struct derivation self = { .spec = spec,
		.template = template,
		.tuned = tuned,
		.device = device,
		.only = ALL_SIZES };
	enum at_status status = AT_OK;
	size_t counts[ROLE_COUNT] = { 0 }, number_of[CHANGE_COUNT] = { 0 };
	bool is_scaled = false;

	*out = NULL;
	*count = 0;
	if (!spec->verify.derives_problems ||
		spec->reference.kind == AT_REFERENCE_NONE ||
		spec->reference.kind == AT_REFERENCE_FILE)
		return AT_OK;
	self.roles = calloc(tuned->size_count + 1, sizeof(*self.roles));
	self.units = calloc(tuned->size_count + 1, sizeof(*self.units));
	self.values = calloc(tuned->size_count + 1, sizeof(*self.values));
	self.slots = calloc(spec->slot_count + 1, sizeof(*self.slots));
	/* one for each change, one that is scaled, those that show what is hidden, and
	   each size changes alone in as many ways as is_apart() has for a role */
	*out = calloc(CHANGE_COUNT + 1 + AT_COUNT_OF(hidden_order) +
			      MOST_APART * tuned->size_count,
		sizeof(**out));
	if (!self.roles || !self.units || !self.values || !self.slots || !*out)
		status = at_fail_memory(err);
	for (size_t i = 0; i < tuned->size_count && !status; i++) {
		self.roles[i] = derived_role_of(&self, i);
		counts[self.roles[i]]++;
	}
	if (!status)
		derived_keep_divisible(&self);
	if (!status && counts[ROLE_EXTENT])
		status = find_cap(&self, err);
	for (int i = 0; i < CHANGE_COUNT && !status; i++) {
		const size_t before = *count;

		if (is_worth(&self, (enum change)i, counts))
			status = add_problem(&self, (enum change)i, *out, count, err);
		if (*count > before)
			number_of[i] = *count;
	}
	if (!status && !counts[ROLE_EXTENT] && !derived_has_problems(&self)) {
		status = derived_make_scaled(
			&self, &(*out)[*count].problem, &is_scaled, err);
		(*out)[*count].is_scaled = is_scaled;
		*count += is_scaled;
	}
	for (size_t i = 0; i < AT_COUNT_OF(hidden_order) && !status; i++)
		if (hidden_order[i] == CHANGE_TWO
				? counts[ROLE_EXTENT] > 0
				: is_worth(&self, hidden_order[i], counts))
			status = add_hidden(&self, hidden_order[i], *out, count, err);
	for (size_t i = 0; i < AT_COUNT_OF(apart_order) && !status; i++) {
		/* where a multiple may be needed, one less is none; these are few, and
		   take no other's place */
		if (apart_order[i] == CHANGE_MULTIPLE)
			self.apart_count = MOST_APART_IN_ALL - MOST_MULTIPLES;
		status = add_apart(&self, apart_order[i],
			number_of[apart_order[i] == CHANGE_MULTIPLE ? CHANGE_LESS
								    : apart_order[i]],
			*out, count, err);
	}
	free(self.roles);
	free(self.units);
	free(self.values);
	free(self.slots);
	if (status || !*count) {
		at_derived_free(*out, *count);
		*out = NULL;
		*count = 0;
	}
	return status;
}

void at_derived_free(struct at_derived *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		derived_release_problem(&list[i].problem);
	free(list);
}
