/* Makes problems from the tuned problem's sizes: decides which sizes vary, and to
   what. */
#include "evaluator/derived.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is smaller is seldom an extent, but a number of channels, a radius, the
   dimensions of a point. It varies alone, by one less. */
#define LEAST_EXTENT 16
/* A kernel that handles only whole blocks can be right on sizes that this divides. */
#define TAME 16
/* the largest divisor of a size ("N / 4") that is believed */
#define DIVISOR_MOST 1024
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
 * How the sizes that vary change. Most changes apply to all extents alike: equal sizes
 * stay equal, and a larger one stays larger. CHANGE_MIXED takes changes in turns, so
 * that no two are equal.
 */
enum change {
	CHANGE_LESS, /* by one */
	CHANGE_MORE, /* by one */
	CHANGE_EVEN, /* a smaller even number that 4 does not divide */
	CHANGE_PRIME, /* a smaller prime */
	CHANGE_ONE, /* 1 */
	CHANGE_FEW, /* 3 */
	CHANGE_MIXED,
	CHANGE_WHOLE, /* whole warps or blocks, where the tuned size is not whole */
	CHANGE_SMALL, /* only the sizes of ROLE_SMALL */
	CHANGE_COUNT
};

/* Whether a size varies, and how. */
enum role { ROLE_STAYS, ROLE_EXTENT, ROLE_SMALL };

struct derivation {
	const struct at_spec *spec;
	const struct at_problem *tuned;
	const struct at_device_info *device;
	enum role *roles; /* one for each size of the tuned problem */
	int64_t *units; /* one for each: what the size must stay a multiple of */
	int64_t cap; /* larger extents are cut to this first */
	struct at_value *values; /* one for each: its value after the change */
	struct at_value *slots; /* of the spec */
};

/* ---- which sizes vary --------------------------------------------------------- */

/* Whether size `size` of the problem is size `from`, or is computed from it. */
static bool follows(const struct at_problem *problem, size_t size, size_t from)
{
	const struct at_expression *expression = problem->sizes[size].expression;
	const int *slots;
	size_t count;

	if (size == from || !expression)
		return size == from;
	slots = at_expression_slots(expression, &count);
	for (size_t i = 0; i < count; i++)
		if (follows(problem, (size_t)slots[i], from))
			return true;
	return false;
}

/* Whether `name` is a size of the tuned problem that follows from size `from`. */
static bool name_follows(
	const struct derivation *self, const char *name, size_t length, size_t from)
{
	const struct at_problem *tuned = self->tuned;

	for (size_t i = 0; i < tuned->size_count; i++)
		if (strlen(tuned->sizes[i].name) == length &&
			!strncmp(tuned->sizes[i].name, name, length))
			return follows(tuned, i, from);
	return false;
}

static bool uses(const struct derivation *self, const struct at_expression *expression,
	size_t from)
{
	const int *slots;
	size_t count;

	if (!expression)
		return false;
	slots = at_expression_slots(expression, &count);
	for (size_t i = 0; i < count; i++) {
		const char *name = at_spec_slot_name(self->spec, slots[i]);

		if (name_follows(self, name, strlen(name), from))
			return true;
	}
	return false;
}

/* Whether an expression only adds, subtracts, multiplies and divides: then its value
   carries the values of all names in it. */
static bool is_plain(const char *text)
{
	for (const char *c = text; *c; c++)
		if (strchr("<>=!?:&|^%,.~'", *c) ||
			(*c == '(' && c > text &&
				(isalnum((unsigned char)c[-1]) || c[-1] == '_')))
			return false;
	return true;
}

/* Whether the argument is a whole number that is the size, or plainly follows from
   it. */
static bool tells(
	const struct derivation *self, const struct at_argument *argument, size_t from)
{
	return argument->value &&
	       at_element_kind(argument->element) != AT_ELEMENT_KIND_REAL &&
	       uses(self, argument->value, from) &&
	       is_plain(at_expression_text(argument->value));
}

/* Whether one of a call's arguments carries the size: itself, in a product or sum, or
   divided; not its logarithm, or a count of blocks. */
static bool is_told(const struct derivation *self, const size_t *arguments,
	size_t count, size_t from)
{
	for (size_t i = 0; i < count; i++) {
		if (tells(self, &self->spec->arguments[arguments[i]], from))
			return true;
		/* a field of a structure may carry it, too */
		for (size_t k = self->spec->given_count; k < self->spec->argument_count;
			k++)
			if (self->spec->arguments[k].owner == arguments[i] + 1 &&
				tells(self, &self->spec->arguments[k], from))
				return true;
	}
	return false;
}

/* Whether the text ahead of `place` ends with `end`, not counting blanks. */
static bool ends_with(const char *text, const char *place, const char *end)
{
	for (size_t left = strlen(end); left > 0; left--) {
		while (place > text && isspace((unsigned char)place[-1]))
			place--;
		if (place == text || *--place != end[left - 1])
			return false;
	}
	return true;
}

/* Whether the quotient at `slash` is rounded up, like "(N + 7) / 8" or "(N + W - 1) /
   W". Such a quotient does not promise that the divisor divides the size. */
static bool rounds_up(const char *text, const char *slash)
{
	const char *divisor = slash + 1 + strspn(slash + 1, " \t\n");
	char ends[2][80];
	int length = 0;

	while (isalnum((unsigned char)divisor[length]) || divisor[length] == '_')
		length++;
	if (length == 0 || length > 64)
		return false;
	snprintf(ends[0], sizeof(ends[0]), "+%.*s-1)", length, divisor);
	snprintf(ends[1], sizeof(ends[1]), "+%ld)", strtol(divisor, NULL, 10) - 1);
	return ends_with(text, slash, ends[0]) || ends_with(text, slash, ends[1]);
}

/*
 * What a size must stay a multiple of, so that quotients with it leave no remainder:
 * the product of the numbers behind each "/" of an expression. 0: a divisor is no
 * number or too large, or the expression has a "%" or a shift.
 */
static int64_t divisor_of(const struct at_expression *expression)
{
	const char *text = at_expression_text(expression), *c = text;
	int64_t product = 1;

	if (strchr(c, '%') || strstr(c, ">>"))
		return 0;
	while ((c = strchr(c, '/')) != NULL) {
		const char *slash = c++;
		char *end;
		long number;

		if (rounds_up(text, slash))
			continue;
		number = strtol(c, &end, 10);
		if (end == c || number < 1 || number > DIVISOR_MOST ||
			product > DIVISOR_MOST)
			return 0;
		product *= number;
	}
	return product;
}

/* Whether a compiler option contains the size: each value would then be another
   unit. */
static bool is_in_options(const struct derivation *self, size_t from)
{
	for (size_t i = 0; i < self->spec->option_count; i++) {
		const struct at_option *option = &self->spec->options[i];
		const char *c = option->text;

		if (uses(self, option->when, from))
			return true;
		while ((c = strstr(c, "${")) != NULL) {
			c += 2;
			if (name_follows(self, c, strcspn(c, "}"), from))
				return true;
		}
	}
	return false;
}

/* Whether the problems of `verify` for this device already try the size with a value
   that leaves partial blocks. */
static bool is_tried(const struct derivation *self, size_t size)
{
	const struct at_verify *verify = &self->spec->verify;
	const struct at_size *tuned = &self->tuned->sizes[size];

	for (size_t i = 0; i < verify->problem_count; i++) {
		const struct at_problem *problem = &verify->problems[i];

		if (problem->on && strcmp(problem->on, self->device->kind) != 0)
			continue;
		for (size_t j = 0; j < problem->size_count; j++)
			if (!strcmp(problem->sizes[j].name, tuned->name) &&
				(problem->sizes[j].value.type != AT_TYPE_INTEGER ||
					problem->sizes[j].value.integer % TAME != 0))
				return true;
	}
	return tuned->value.integer % TAME != 0 && verify->problem_count > 0;
}

/* Decides how a size varies; sets its unit where it does. */
static enum role role_of(struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;
	const struct at_call *reference = &spec->reference.call;
	const struct at_size *facts = &self->tuned->sizes[size];
	bool is_extent = false;
	int64_t unit = 1;

	if (facts->expression || facts->value.type != AT_TYPE_INTEGER ||
		facts->value.integer < 2 || is_tried(self, size))
		return ROLE_STAYS;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		bool is_count = uses(self, argument->count, size);
		int64_t divisor;

		/* a file has a fixed number of elements; scratch holds no data */
		if (is_count && argument->fill.kind == AT_FILL_FILE)
			return ROLE_STAYS;
		if (!uses(self, argument->value, size) &&
			(!is_count || argument->access == AT_ACCESS_SCRATCH)) {
			is_extent = is_extent || is_count;
			continue;
		}
		divisor = divisor_of(is_count ? argument->count : argument->value);
		if (!divisor && is_count)
			return ROLE_STAYS;
		if (divisor > unit)
			unit = divisor;
		is_extent = is_extent || is_count;
	}
	for (size_t i = 0; i < spec->launch.grid_rank; i++)
		is_extent = is_extent || uses(self, spec->launch.grid[i], size);
	if (!is_extent || is_in_options(self, size) ||
		!is_told(self, spec->kernel_arguments, spec->kernel_argument_count,
			size) ||
		!is_told(self, reference->arguments, reference->argument_count, size) ||
		facts->value.integer % unit != 0)
		return ROLE_STAYS;
	self->units[size] = unit;
	return facts->value.integer / unit < LEAST_EXTENT ? ROLE_SMALL : ROLE_EXTENT;
}

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
	case CHANGE_MIXED:
	case CHANGE_WHOLE:
	case CHANGE_SMALL:
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

/* Sets self->values; is_changed false only applies the cap. False where a size that
   follows from others cannot be computed. */
static bool change_sizes(struct derivation *self, bool is_changed, enum change change)
{
	const struct at_problem *tuned = self->tuned;
	size_t turn = 0;

	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];
		int64_t from = size->value.integer;

		self->values[i] = size->value;
		if (size->expression &&
			(at_expression_evaluate(size->expression, self->values,
				 &self->values[i], NULL) != AT_EVALUATION_OK ||
				self->values[i].type != size->value.type))
			return false;
		if (self->roles[i] == ROLE_SMALL && is_changed &&
			change == CHANGE_SMALL)
			self->values[i].integer = from - self->units[i];
		if (self->roles[i] != ROLE_EXTENT)
			continue;
		if (from > self->cap)
			from = self->cap;
		if (is_changed && change == CHANGE_WHOLE)
			from = whole(from);
		from /= self->units[i];
		if (is_changed && change != CHANGE_SMALL && change != CHANGE_WHOLE)
			from = changed(from, change, turn++);
		self->values[i].integer = from * self->units[i];
	}
	return true;
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

/* Finds the largest extent with which no buffer is larger than MOST_ELEMENTS. */
static enum at_status find_cap(struct derivation *self, struct at_error *err)
{
	enum at_status status = AT_OK;
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
		if (status || elements <= MOST_ELEMENTS ||
			self->cap <= FEWEST_OF_EXTENT)
			return status;
		self->cap = (self->cap + 1) / 2;
	}
}

/* Whether a change makes a problem that differs from the tuned one and all other
   changes'. */
static bool is_worth(
	const struct derivation *self, enum change change, size_t extents, size_t small)
{
	if (change == CHANGE_SMALL)
		return small > 0;
	/* one size alone cannot be mixed with another */
	if (change == CHANGE_MIXED)
		return extents > 1;
	for (size_t i = 0; change == CHANGE_WHOLE && i < self->tuned->size_count; i++) {
		int64_t size = self->tuned->sizes[i].value.integer;

		if (self->roles[i] == ROLE_EXTENT &&
			whole(size) / self->units[i] * self->units[i] != size)
			return true;
	}
	return change != CHANGE_WHOLE && extents > 0;
}

enum at_status at_derived_make(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	struct at_problem **out, size_t *count, struct at_error *err)
{
	struct derivation self = { .spec = spec, .tuned = tuned, .device = device };
	enum at_status status = AT_OK;
	size_t extents = 0, small = 0;

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
	*out = calloc(AT_DERIVED_MAX, sizeof(**out));
	if (!self.roles || !self.units || !self.values || !self.slots || !*out)
		status = at_fail_memory(err);
	for (size_t i = 0; i < tuned->size_count && !status; i++) {
		self.roles[i] = role_of(&self, i);
		extents += self.roles[i] == ROLE_EXTENT;
		small += self.roles[i] == ROLE_SMALL;
	}
	if (!status && extents)
		status = find_cap(&self, err);
	for (int i = 0; i < CHANGE_COUNT && !status; i++) {
		if (!is_worth(&self, (enum change)i, extents, small))
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

void at_derived_free(struct at_problem *problems, size_t count)
{
	for (size_t i = 0; i < count; i++)
		release_problem(&problems[i]);
	free(problems);
}
