/* Makes problems from the tuned problem's sizes: decides which sizes vary, and to
   what. */
#include "evaluator/derived_parts.h"
#include "evaluator/plan_vary.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In how many changes a size of one role changes alone, and how many problems there are
   of which only one size changes: with five extents and no limit a proof took twice as
   long. */
#define MOST_APART 6
#define MOST_APART_IN_ALL 8
/* and how many more of which one becomes another multiple of other sizes, or another of
   the numbers for which the reference asks */
#define MOST_MULTIPLES 3
#define MOST_KINDS 4
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

		if (derived_change(self, false, CHANGE_LESS)) {
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

static bool has_small(const struct derivation *self)
{
	size_t i = 0;

	while (i < self->tuned->size_count && !derived_is_above_least(self, i))
		i++;
	return i < self->tuned->size_count;
}

/* Whether the size is one of those for each of which a problem is made in place of the
   change of all. */
static bool is_apart(const struct derivation *self, size_t size, enum change change)
{
	const bool is_on = self->tuned->sizes[size].value.integer != 0;

	if (change == CHANGE_NUMBERS && derived_is_one_of_many(self, size))
		return true;
	if (derived_is_of_kinds(change))
		return derived_other_kind(self, size, change == CHANGE_LAST_KIND);
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
		       (change == CHANGE_FITTING &&
			       derived_other_fitting(self, size) !=
				       self->tuned->sizes[size].value.integer) ||
		       (change == CHANGE_MORE && derived_is_above_least(self, size));
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

	if (change == CHANGE_MULTIPLE || change == CHANGE_FITTING ||
		change == CHANGE_TWO)
		return false;
	if (change == CHANGE_SMALL)
		return counts[ROLE_SMALL] > 0;
	for (size_t i = 0; change == CHANGE_NO_MARGIN && i < self->tuned->size_count;
		i++)
		if (derived_is_margin(self, i))
			return true;
	if (change == CHANGE_NO_MARGIN)
		return false;
	for (size_t i = 0; change == CHANGE_DIVISOR && i < self->tuned->size_count; i++)
		if (is_apart(self, i, change))
			return true;
	if (change == CHANGE_DIVISOR)
		return false;
	for (size_t i = 0; i < self->tuned->size_count; i++) {
		const struct at_value value = self->tuned->sizes[i].value;

		if ((change == CHANGE_NUMBERS && is_apart(self, i, change)) ||
			(derived_is_of_equal(change) &&
				derived_is_other(self, i, change)) ||
			(derived_is_of_kinds(change) &&
				derived_other_kind(
					self, i, change == CHANGE_LAST_KIND)))
			return true;
		if (change == CHANGE_NONE && derived_may_be_none(self, i))
			return true;
		/* -1 becomes 0 by both changes */
		if (change == CHANGE_LOW &&
			!at_value_equal(
				derived_other_number(self, i, change, 0), value) &&
			!at_value_equal(derived_other_number(self, i, change, 0),
				derived_other_number(self, i, CHANGE_NUMBERS, 0)))
			return true;
	}
	if (change == CHANGE_NUMBERS || change == CHANGE_LOW || change == CHANGE_NONE ||
		derived_is_of_equal(change) || derived_is_of_kinds(change))
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
			derived_whole(size) / self->units[i] * self->units[i] != size)
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

	if (!derived_change(self, true, change))
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
	if (apart == 1 && change != CHANGE_MULTIPLE && change != CHANGE_FITTING)
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

/* Whether two extents are equal in the space: a square, for which a flag may be meant.
 */
static bool has_equal_extents(const struct derivation *self)
{
	for (size_t i = 0; i < self->tuned->size_count; i++)
		for (size_t k = 0; k < i; k++)
			if (self->roles[i] == ROLE_EXTENT &&
				self->roles[k] == ROLE_EXTENT &&
				at_value_equal(self->tuned->sizes[i].value,
					self->tuned->sizes[k].value))
				return true;
	return false;
}

/* Adds the problem of a change in which what is 0 becomes other numbers. */
static enum at_status add_hidden(struct derivation *self, enum change change,
	struct at_derived *list, size_t *count, struct at_error *err)
{
	struct at_problem problem;
	enum at_status status;
	int64_t elements;

	if (!derived_change(self, true, change))
		return AT_OK;
	status = derived_make_problem(self, &problem, err);
	elements = status ? 0 : derived_count_elements(self, &problem);
	if (elements > 0 && (!self->most || elements <= self->most))
		status = derived_add_hidden(self, &problem,
			change == CHANGE_PRIME ||
				(change == CHANGE_MIXED && !has_equal_extents(self)),
			list, count, err);
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
		CHANGE_MORE, CHANGE_ONE, CHANGE_FEW, CHANGE_KIND, CHANGE_LAST_KIND,
		CHANGE_MULTIPLE, CHANGE_FITTING };
	/* few, as a proof more costs what a size costs */
	static const enum change hidden_order[] = { CHANGE_TWO, CHANGE_MIXED,
		CHANGE_PRIME, CHANGE_ON, CHANGE_OFF };
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
		if (hidden_order[i] == CHANGE_TWO ? counts[ROLE_EXTENT] > 0
			: hidden_order[i] == CHANGE_PRIME
				? counts[ROLE_EXTENT] == 1 || has_equal_extents(&self)
				: is_worth(&self, hidden_order[i], counts))
			status = add_hidden(&self, hidden_order[i], *out, count, err);
	for (size_t i = 0; i < AT_COUNT_OF(apart_order) && !status; i++) {
		/* where a multiple may be needed, one less is none; these and kinds are
		   few, and take no other's place */
		if (apart_order[i] == CHANGE_KIND)
			self.apart_count = MOST_APART_IN_ALL - MOST_KINDS;
		if (apart_order[i] == CHANGE_MULTIPLE ||
			apart_order[i] == CHANGE_FITTING)
			self.apart_count = MOST_APART_IN_ALL - MOST_MULTIPLES;
		status = add_apart(&self, apart_order[i],
			number_of[apart_order[i] == CHANGE_MULTIPLE  ? CHANGE_LESS
				  : apart_order[i] == CHANGE_FITTING ? CHANGE_SMALL
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
