/* Makes problems from the tuned problem's sizes: decides which sizes vary, and to
   what. */
#include "evaluator/derived_parts.h"
#include "evaluator/plan_vary.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
 * The same of a problem that is made smaller as a whole. It is what the host and
 * sanitizers run, which take a thousand times as long as the device.
 */
#define MOST_ELEMENTS_SCALED (INT64_C(1) << 16)
#define FEWEST_SCALED 64
/* what is not larger is seldom an extent that could as well be a part of it, but the
   length of a filter, a number of channels or heads */
#define LARGE 256

/*
 * How the sizes that vary change. Most changes apply to all extents alike: equal sizes
 * stay equal, and a larger one stays larger. CHANGE_MIXED takes changes in turns, so
 * that no two are equal, and CHANGE_TURNED begins them elsewhere.
 */
enum change {
	CHANGE_LESS, /* by one */
	CHANGE_MORE, /* by one */
	CHANGE_EVEN, /* a smaller even number that 4 does not divide */
	CHANGE_PRIME, /* a smaller prime */
	CHANGE_ONE, /* 1 */
	CHANGE_FEW, /* 3 */
	CHANGE_MIXED,
	CHANGE_TURNED, /* the same from another turn on: what was larger is smaller */
	CHANGE_WHOLE, /* whole warps or blocks, where the tuned size is not whole */
	CHANGE_SMALL, /* only the sizes of ROLE_SMALL */
	CHANGE_NUMBERS, /* only those of ROLE_NUMBER */
	CHANGE_LOW, /* the same, to what is far less */
	/* only those of ROLE_FLAG: both ends of a range may be among them */
	CHANGE_ON,
	CHANGE_OFF,
	CHANGE_COUNT
};

/* ---- what they become --------------------------------------------------------- */

static bool is_prime(int64_t n)
{
	for (int64_t i = 2; i * i <= n; i++)
		if (n % i == 0)
			return false;
	return n >= 2;
}

static int64_t prime_below(int64_t n)
{
	int64_t prime = n - 1;

	while (prime > 2 && !is_prime(prime))
		prime--;
	return prime;
}

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
		return prime_below(from - 1);
	case CHANGE_ONE:
		return 1;
	case CHANGE_FEW:
		/* less than a halo, a warp or a vector; unlike 1, kernels seldom treat
		   it as a special case */
		return 3;
	case CHANGE_TURNED:
		turn++;
		break;
	case CHANGE_MIXED:
	case CHANGE_WHOLE:
	case CHANGE_SMALL:
	case CHANGE_NUMBERS:
	case CHANGE_LOW:
	case CHANGE_ON:
	case CHANGE_OFF:
	case CHANGE_COUNT:
		break;
	}
	return turn % 3 == 0   ? prime_below(from / 2)
	       : turn % 3 == 1 ? from + 1
			       : prime_below(from);
}

/* Rounds a size to whole warps, or down to whole blocks where there are several. */
static int64_t whole(int64_t size)
{
	return size < WHOLE ? (size + 31) / 32 * 32 : size / WHOLE * WHOLE;
}

/* Sets the value of a size to the tuned one; of a size that follows from others, to
   what follows from their values. False where that cannot be computed. */
static bool keep_size(struct derivation *self, size_t i)
{
	const struct at_size *size = &self->tuned->sizes[i];

	self->values[i] = size->value;
	return !size->expression ||
	       (at_expression_evaluate(size->expression, self->values, &self->values[i],
			NULL) == AT_EVALUATION_OK &&
		       self->values[i].type == size->value.type);
}

/* What a size becomes that nothing is as large as, the index-th of them; the same where
   the change is of other sizes. */
static struct at_value other_number(const struct derivation *self,
	struct at_value value, enum role role, enum change change, size_t index)
{
	if (role == ROLE_NUMBER && change == CHANGE_LOW) {
		if (value.type == AT_TYPE_REAL)
			value.real = at_plan_low_real(value.real);
		else if (!at_plan_is_divided(
				 self->spec, value.integer, at_plan_low(value.integer)))
			value.integer = at_plan_low(value.integer);
		return value;
	}
	if (role == ROLE_FLAG && (change == CHANGE_ON || change == CHANGE_OFF))
		value.integer = change == CHANGE_ON;
	if (role != ROLE_NUMBER || change != CHANGE_NUMBERS)
		return value;
	if (value.type == AT_TYPE_REAL)
		value.real = at_plan_is_small_real(value.real)
				     ? at_plan_larger_real(value.real)
				     : at_plan_other_real(value.real, index);
	else
		value.integer = at_plan_smaller(value.integer);
	return value;
}

/* Whether the change is of extents, as all that are not of one role alone. */
static bool is_of_extents(enum change change)
{
	return change < CHANGE_SMALL;
}

/* What a small extent becomes: one less, but 2 becomes 3. Of one all are next to each
   other, so that no stride shows. */
static int64_t other_small(int64_t size, int64_t unit)
{
	return size == 2 * unit ? size + unit : size - unit;
}

/* Whether a size differs from the tuned problem's. */
static bool differs(const struct derivation *self)
{
	for (size_t i = 0; i < self->tuned->size_count; i++)
		if (!at_value_equal(self->values[i], self->tuned->sizes[i].value))
			return true;
	return false;
}

/* Sets self->values; is_changed false only applies the cap. False where a size that
   follows from others cannot be computed, or the change changes nothing. */
static bool change_sizes(struct derivation *self, bool is_changed, enum change change)
{
	const struct at_problem *tuned = self->tuned;
	size_t turn = 0, numbers = 0;

	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];
		int64_t from = size->value.integer;

		if (!keep_size(self, i))
			return false;
		if (self->roles[i] == ROLE_SMALL && is_changed &&
			change == CHANGE_SMALL)
			self->values[i].integer = other_small(from, self->units[i]);
		if (is_changed && self->roles[i] >= ROLE_NUMBER)
			self->values[i] = other_number(
				self, size->value, self->roles[i], change, numbers++);
		if (self->roles[i] != ROLE_EXTENT)
			continue;
		if (from > self->cap)
			from = self->cap;
		if (is_changed && change == CHANGE_WHOLE)
			from = whole(from);
		from /= self->units[i];
		if (is_changed && is_of_extents(change) && change != CHANGE_WHOLE)
			from = changed(from, change, turn++);
		self->values[i].integer = from * self->units[i];
	}
	if (!is_changed || (change != CHANGE_NUMBERS && change != CHANGE_LOW))
		return true;
	derived_keep_order(self);
	/* sizes that follow from others */
	for (size_t i = 0; i < tuned->size_count; i++)
		if (tuned->sizes[i].expression && !keep_size(self, i))
			return false;
	return differs(self);
}

/* Makes a problem of the sizes that differ from the tuned problem's. After a failure
   the caller must call release_problem() too. */
static enum at_status make_problem(
	const struct derivation *self, struct at_problem *out, struct at_error *err)
{
	const struct at_problem *tuned = self->tuned;
	struct at_strbuf name = { 0 };

	memset(out, 0, sizeof(*out));
	out->line = tuned->line;
	out->sizes = calloc(tuned->size_count + 1, sizeof(*out->sizes));
	if (!out->sizes)
		return at_fail_memory(err);
	for (size_t i = 0; i < tuned->size_count; i++) {
		struct at_size *size = &out->sizes[out->size_count];

		if (at_value_equal(self->values[i], tuned->sizes[i].value))
			continue;
		size->value = self->values[i];
		size->name = at_strdup(tuned->sizes[i].name);
		if (!size->name) {
			at_strbuf_release(&name);
			return at_fail_memory(err);
		}
		out->size_count++;
		at_strbuf_add(&name, name.length ? " " : "derived ");
		at_strbuf_add(&name, size->name);
		at_strbuf_add(&name, "=");
		at_value_format(size->value, &name);
	}
	out->name = at_strbuf_detach(&name);
	return out->name ? AT_OK : at_fail_memory(err);
}

static void release_problem(struct at_problem *problem)
{
	for (size_t i = 0; i < problem->size_count; i++)
		free(problem->sizes[i].name);
	free(problem->sizes);
	free(problem->name);
}

/* The elements of the largest buffer, scratch aside; 0 where there is none or it is not
   known. */
static int64_t count_elements(
	const struct derivation *self, const struct at_problem *problem)
{
	const struct at_spec *spec = self->spec;
	int64_t most = 0, count;

	at_spec_bind(
		spec, problem, self->tuned, &self->device->properties, self->slots);
	at_spec_bind_configuration(spec, spec->defaults, self->slots);
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		if (!argument->count || argument->access == AT_ACCESS_SCRATCH)
			continue;
		if (at_spec_integer(spec, argument->count, self->slots, "a count", 0, 1,
			    INT64_MAX, &count, NULL))
			return 0;
		if (count > most)
			most = count;
	}
	return most;
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
			status = make_problem(self, &problem, err);
			if (!status)
				elements = count_elements(self, &problem);
			release_problem(&problem);
		}
		if (status || elements <= most || self->cap <= FEWEST_OF_EXTENT)
			return status;
		self->cap = (self->cap + 1) / 2;
	}
}

/* ---- a part of the tuned problem ------------------------------------------------- */

/* Whether the tuned kernel can know the size: an argument uses it in whatever way, or
   an option does. Otherwise it may stand in the template as a number. */
static bool is_known(const struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->kernel_argument_count; i++)
		if (derived_uses(self, spec->arguments[spec->kernel_arguments[i]].value,
			    size))
			return true;
	return derived_is_in_options(self, size);
}

/* Whether the size scales: a large extent of a buffer or of the grid. */
static bool scales(const struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;
	const struct at_size *tuned = &self->tuned->sizes[size];
	bool is_extent = false;

	if (tuned->expression || tuned->value.type != AT_TYPE_INTEGER ||
		tuned->value.integer <= LARGE || !is_known(self, size))
		return false;
	for (size_t i = 0; i < spec->argument_count && !is_extent; i++)
		is_extent = spec->arguments[i].access != AT_ACCESS_SCRATCH &&
			    derived_uses(self, spec->arguments[i].count, size);
	for (size_t i = 0; i < spec->launch.grid_rank && !is_extent; i++)
		is_extent = derived_uses(self, spec->launch.grid[i], size);
	return is_extent;
}

/* Sets self->values to the tuned sizes, those that scale divided. False: one of them
   cannot be divided, or one that follows from it cannot be computed. */
static bool divide_sizes(struct derivation *self, int64_t divisor)
{
	const struct at_problem *tuned = self->tuned;

	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];

		if (!keep_size(self, i))
			return false;
		if (!scales(self, i))
			continue;
		if (size->value.integer % divisor != 0 ||
			size->value.integer / divisor < FEWEST_SCALED)
			return false;
		self->values[i].integer = size->value.integer / divisor;
	}
	return true;
}

/*
 * Makes the tuned problem with all large sizes divided by the same power of two: the
 * smallest that is needed for few elements, or the largest that divides them all. So
 * what fits exactly still does (struct at_plan's is_scaled), and sizes that are in
 * proportion stay so. *is_made false: it would not be smaller.
 */
static enum at_status make_scaled(struct derivation *self, struct at_problem *out,
	bool *is_made, struct at_error *err)
{
	enum at_status status = AT_OK;
	int64_t elements, divisor = 1;

	*is_made = false;
	for (size_t i = 0; i < self->spec->argument_count; i++)
		/* a file has a fixed number of elements */
		if (self->spec->arguments[i].fill.kind == AT_FILL_FILE)
			return AT_OK;
	do {
		struct at_problem problem;

		if (!divide_sizes(self, divisor))
			break;
		status = make_problem(self, &problem, err);
		elements = status ? 0 : count_elements(self, &problem);
		if (elements <= 0 || problem.size_count == 0) {
			release_problem(&problem);
			/* not divided yet */
			if (divisor > 1)
				break;
		} else {
			if (*is_made)
				release_problem(out);
			*out = problem;
			*is_made = true;
		}
		divisor *= 2;
	} while (!status && elements > MOST_ELEMENTS_SCALED);
	return status;
}

/* How often a value counts in products of three. */
#define IN_A_PRODUCT 3
/* the most values whose products are looked at; configurations have few large ones */
#define VALUES_MOST 64

bool at_derived_suits(const struct at_spec *spec, const struct at_problem *scaled,
	const struct at_problem *tuned, const uint16_t *configuration)
{
	int64_t values[VALUES_MOST];
	size_t count = 0;

	for (size_t i = 0; i < spec->parameter_count && count < VALUES_MOST; i++) {
		const struct at_value *value =
			&spec->parameters[i].values[configuration[i]];
		size_t same = 0;

		if (value->type != AT_TYPE_INTEGER || value->integer < 2 ||
			value->integer > INT32_MAX)
			continue;
		for (size_t k = 0; k < count; k++)
			same += values[k] == value->integer;
		if (same < IN_A_PRODUCT)
			values[count++] = value->integer;
	}
	for (size_t size = 0; size < scaled->size_count; size++) {
		int64_t part = scaled->sizes[size].value.integer, whole = 0;

		for (size_t i = 0; i < tuned->size_count; i++)
			if (!strcmp(tuned->sizes[i].name, scaled->sizes[size].name))
				whole = tuned->sizes[i].value.integer;
		for (size_t a = 0; a < count; a++) {
			if (whole % values[a] == 0 && part % values[a] != 0)
				return false;
			for (size_t b = 0; b < a; b++) {
				int64_t two = values[a] * values[b];

				if (two > whole || whole % two != 0)
					continue;
				if (part % two != 0)
					return false;
				for (size_t c = 0; c < b; c++)
					if (values[c] <= whole / two &&
						whole % (two * values[c]) == 0 &&
						part % (two * values[c]) != 0)
						return false;
			}
		}
	}
	return true;
}

/* ---- all of them ---------------------------------------------------------------- */

/* Whether a change makes a problem that differs from the tuned one and all other
   changes'. counts: how many sizes have each role. */
static bool is_worth(
	const struct derivation *self, enum change change, const size_t *counts)
{
	size_t extents = counts[ROLE_EXTENT];

	if (change == CHANGE_SMALL)
		return counts[ROLE_SMALL] > 0;
	if (change == CHANGE_NUMBERS)
		return counts[ROLE_NUMBER] > 0;
	for (size_t i = 0; change == CHANGE_LOW && i < self->tuned->size_count; i++) {
		const struct at_value value = self->tuned->sizes[i].value;
		enum role role = self->roles[i];

		/* -1 becomes 0 by both changes */
		if (!at_value_equal(
			    other_number(self, value, role, change, 0), value) &&
			!at_value_equal(other_number(self, value, role, change, 0),
				other_number(self, value, role, CHANGE_NUMBERS, 0)))
			return true;
	}
	if (change == CHANGE_LOW)
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
	return change != CHANGE_WHOLE && extents > 0;
}

/* Whether `verify` has a problem for this device. */
static bool has_problems(const struct derivation *self)
{
	const struct at_verify *verify = &self->spec->verify;

	for (size_t i = 0; i < verify->problem_count; i++)
		if (!verify->problems[i].on ||
			!strcmp(verify->problems[i].on, self->device->kind))
			return true;
	return false;
}

enum at_status at_derived_make(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	struct at_problem **out, size_t *count, bool *is_scaled, struct at_error *err)
{
	struct derivation self = { .spec = spec, .tuned = tuned, .device = device };
	enum at_status status = AT_OK;
	size_t counts[ROLE_COUNT] = { 0 };

	*out = NULL;
	*count = 0;
	*is_scaled = false;
	if (!spec->verify.derives_problems ||
		spec->reference.kind == AT_REFERENCE_NONE ||
		spec->reference.kind == AT_REFERENCE_FILE)
		return AT_OK;
	self.roles = calloc(tuned->size_count + 1, sizeof(*self.roles));
	self.units = calloc(tuned->size_count + 1, sizeof(*self.units));
	self.values = calloc(tuned->size_count + 1, sizeof(*self.values));
	self.slots = calloc(spec->slot_count + 1, sizeof(*self.slots));
	*out = calloc(AT_DERIVED_MAX, sizeof(**out));
	if (!self.roles || !self.units || !self.values || !self.slots || !*out)
		status = at_fail_memory(err);
	for (size_t i = 0; i < tuned->size_count && !status; i++) {
		self.roles[i] = derived_role_of(&self, i);
		counts[self.roles[i]]++;
	}
	if (!status && counts[ROLE_EXTENT])
		status = find_cap(&self, err);
	for (int i = 0; i < CHANGE_COUNT && !status; i++) {
		if (!is_worth(&self, (enum change)i, counts))
			continue;
		if (!change_sizes(&self, true, (enum change)i))
			continue;
		status = make_problem(&self, &(*out)[*count], err);
		/* leave out a problem in which no buffer has elements */
		if (!status && count_elements(&self, &(*out)[*count]) > 0)
			++*count;
		else
			release_problem(&(*out)[*count]);
	}
	if (!status && !counts[ROLE_EXTENT] && !has_problems(&self))
		status = make_scaled(&self, &(*out)[*count], is_scaled, err);
	*count += *is_scaled;
	free(self.roles);
	free(self.units);
	free(self.values);
	free(self.slots);
	if (status || !*count) {
		at_derived_free(*out, *count);
		*out = NULL;
		*count = 0;
		*is_scaled = false;
	}
	return status;
}

void at_derived_free(struct at_problem *problems, size_t count)
{
	for (size_t i = 0; i < count; i++)
		release_problem(&problems[i]);
	free(problems);
}
