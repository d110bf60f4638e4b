/* Decides which sizes of the tuned problem vary in proofs, and which of them are in
   order (derived.h). */
#include "evaluator/derived_parts.h"
#include "evaluator/derived_quotients.h"
#include "evaluator/plan_values.h"
#include "evaluator/plan_vary.h"

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

bool derived_uses(const struct derivation *self, const struct at_expression *expression,
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

/* Whether the argument tells the size. An extent has to follow plainly from it, and be
   a whole number, else no kernel knows where to end. */
static bool tells(const struct derivation *self, const struct at_argument *argument,
	size_t from, bool is_extent)
{
	return argument->value && derived_uses(self, argument->value, from) &&
	       (!is_extent ||
		       (at_element_kind(argument->element) != AT_ELEMENT_KIND_REAL &&
			       is_plain(at_expression_text(argument->value))));
}

/* Whether one of a call's arguments carries the size: itself, in a product or sum, or
   divided; not its logarithm, or a count of blocks. */
static bool is_told(const struct derivation *self, const size_t *arguments,
	size_t count, size_t from, bool is_extent)
{
	for (size_t i = 0; i < count; i++) {
		if (tells(self, &self->spec->arguments[arguments[i]], from, is_extent))
			return true;
		/* a field of a structure may carry it, too */
		for (size_t k = self->spec->given_count; k < self->spec->argument_count;
			k++)
			if (self->spec->arguments[k].owner == arguments[i] + 1 &&
				tells(self, &self->spec->arguments[k], from, is_extent))
				return true;
	}
	return false;
}

/* The tuned problem's size of that name, if it is a whole number that does not follow
   from others; NULL: there is none. */
static const struct at_size *plain_size(
	const struct derivation *self, const char *name, size_t length)
{
	for (size_t i = 0; i < self->tuned->size_count; i++) {
		const struct at_size *size = &self->tuned->sizes[i];

		if (strlen(size->name) == length &&
			!strncmp(size->name, name, length) && !size->expression &&
			size->value.type == AT_TYPE_INTEGER && size->value.integer > 0)
			return size;
	}
	return NULL;
}

/*
 * The number that size `from` must stay a multiple of because another size stands
 * behind the "/", as in "M * (K / GROUP)". That one stays, since it divides here. 1
 * where the
 * "/" divides yet another size, which leaves no remainder either way. 0: it is no size,
 * or divides itself.
 */
static int64_t divisor_named(
	const struct derivation *self, const char *text, const char *slash, size_t from)
{
	const char *name = slash + 1 + strspn(slash + 1, " \t\n"), *end = slash, *begin;
	size_t length = derived_word_length(name);
	const struct at_size *divisor, *dividend;

	divisor = plain_size(self, name, length);
	if (!divisor || name_follows(self, name, length, from))
		return 0;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	for (begin = end; begin > text; begin--)
		if (!isalnum((unsigned char)begin[-1]) && begin[-1] != '_')
			break;
	dividend = plain_size(self, begin, (size_t)(end - begin));
	if (dividend && !name_follows(self, begin, (size_t)(end - begin), from) &&
		dividend->value.integer % divisor->value.integer == 0)
		return 1;
	return divisor->value.integer;
}

/*
 * What a size must stay a multiple of, so that quotients with it leave no remainder:
 * the product of the numbers behind each "/" of an expression; of a buffer's count also
 * of the sizes there. 0: a divisor is neither or too large, or the expression has a "%"
 * or a shift.
 */
static int64_t divisor_of(const struct derivation *self,
	const struct at_expression *expression, bool is_count, size_t from)
{
	const char *text = at_expression_text(expression), *c = text;
	int64_t product = 1;

	if (strchr(c, '%') || strstr(c, ">>"))
		return 0;
	while ((c = strchr(c, '/')) != NULL) {
		const char *slash = c++;
		char *end;
		int64_t number;

		if (derived_leaves_rest(text, slash))
			continue;
		number = strtol(c, &end, 10);
		if (end == c && is_count)
			number = divisor_named(self, text, slash, from);
		if (number < 1 || number > DIVISOR_MOST || product > DIVISOR_MOST)
			return 0;
		product *= number;
	}
	return product;
}

/* Whether a name between two places of a text follows from the size. */
static bool is_between(
	const struct derivation *self, const char *begin, const char *end, size_t from)
{
	for (size_t length; begin < end; begin += length + !length) {
		length = derived_word_length(begin);
		if (name_follows(self, begin, length, from))
			return true;
	}
	return false;
}

/*
 * Whether a count rounds the size up by a number: "(N + 1) / 2" or "ceil_div(N, 2)"
 * says of "N / 2" in another one, which is as many as fit, that N may be odd. Scratch
 * may be larger than it has to be.
 */
static bool is_rounded_up(const struct derivation *self, size_t from, int64_t number)
{
	static const char call[] = "ceil_div(";

	for (size_t i = 0; i < self->spec->argument_count; i++) {
		const struct at_argument *argument = &self->spec->arguments[i];
		const char *text = "", *end;
		char *behind;

		if (argument->access != AT_ACCESS_SCRATCH &&
			derived_uses(self, argument->count, from))
			text = at_expression_text(argument->count);
		for (const char *c = text; (c = strchr(c, '/')) != NULL; c++)
			if (derived_rounds_up(text, c) &&
				strtol(c + 1, NULL, 10) == number &&
				is_between(self, derived_opening_of(text, c), c, from))
				return true;
		for (const char *c = text; (c = strstr(c, call)) != NULL;) {
			c += strlen(call);
			end = derived_end_of_operand(c);
			if (*end == ',' && strtol(end + 1, &behind, 10) == number &&
				behind[strspn(behind, " \t\n")] == ')' &&
				is_between(self, c, end, from))
				return true;
		}
	}
	return false;
}

/* Whether the size, or what follows from it, stands behind a "/" that promises to leave
   no remainder. */
static bool stands_behind(const struct derivation *self, const char *text, size_t from)
{
	for (const char *c = text; (c = strchr(c, '/')) != NULL;) {
		const char *slash = c++;

		c += strspn(c, " \t\n");
		if (name_follows(self, c, derived_word_length(c), from) &&
			!derived_leaves_rest(text, slash))
			return true;
	}
	return false;
}

/* The same in an expression, or in what the sizes in it are computed by. */
static bool divides(const struct derivation *self,
	const struct at_expression *expression, size_t from)
{
	const struct at_size *sizes = self->tuned->sizes;

	if (stands_behind(self, at_expression_text(expression), from))
		return true;
	for (size_t i = 0; i < self->tuned->size_count; i++)
		if (sizes[i].expression && derived_uses(self, expression, i) &&
			stands_behind(
				self, at_expression_text(sizes[i].expression), from))
			return true;
	return false;
}

bool derived_divides_with(const struct derivation *self, size_t divisor, size_t other)
{
	for (size_t i = 0; i < self->spec->argument_count; i++) {
		const struct at_expression *count = self->spec->arguments[i].count;

		if (count && derived_uses(self, count, other) &&
			divides(self, count, divisor))
			return true;
	}
	return false;
}

/* Whether an expression, or what the sizes in it are computed by, asks what the size is
   ("BIAS ? N : 1") instead of computing with it. */
static bool asks_about(const struct derivation *self,
	const struct at_expression *expression, size_t from)
{
	static const char questions[] = "?<>=!&|";
	const struct at_size *sizes = self->tuned->sizes;

	if (!derived_uses(self, expression, from))
		return false;
	if (strpbrk(at_expression_text(expression), questions))
		return true;
	for (size_t i = 0; i < self->tuned->size_count; i++)
		if (sizes[i].expression && derived_uses(self, expression, i) &&
			derived_uses(self, sizes[i].expression, from) &&
			strpbrk(at_expression_text(sizes[i].expression), questions))
			return true;
	return false;
}

/* Whether a 0 or a 1 is a flag on which it depends how large something is. */
static bool is_asked_about(const struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;
	const struct at_value value = self->tuned->sizes[size].value;
	bool is_asked = false;

	if (value.type != AT_TYPE_INTEGER || value.integer < 0 || value.integer > 1)
		return false;
	for (size_t i = 0; i < spec->argument_count; i++)
		is_asked = is_asked || asks_about(self, spec->arguments[i].count, size);
	for (size_t i = 0; i < spec->launch.grid_rank; i++)
		is_asked = is_asked || asks_about(self, spec->launch.grid[i], size);
	return is_asked;
}

void derived_keep_divisible(struct derivation *self)
{
	const struct at_size *sizes = self->tuned->sizes;

	for (size_t i = 0; i < self->tuned->size_count; i++)
		for (size_t j = 0; j < self->tuned->size_count; j++) {
			const int64_t divisor = sizes[j].value.integer;

			if (self->roles[i] != ROLE_SMALL ||
				self->roles[j] != ROLE_DIVISOR || divisor < 2 ||
				sizes[i].value.integer % divisor != 0 ||
				self->units[i] % divisor == 0)
				continue;
			self->units[i] = divisor % self->units[i] == 0
						 ? divisor
						 : self->units[i] * divisor;
		}
}

bool derived_is_in_options(const struct derivation *self, size_t from)
{
	for (size_t i = 0; i < self->spec->option_count; i++) {
		const struct at_option *option = &self->spec->options[i];
		const char *c = option->text;

		if (derived_uses(self, option->when, from))
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
   that leaves partial blocks; of what is no extent, with any other value. */
static bool is_tried(const struct derivation *self, size_t size, bool is_extent)
{
	const struct at_verify *verify = &self->spec->verify;
	const struct at_size *tuned = &self->tuned->sizes[size];

	for (size_t i = 0; i < verify->problem_count; i++) {
		const struct at_problem *problem = &verify->problems[i];

		if (problem->on && strcmp(problem->on, self->device->kind) != 0)
			continue;
		for (size_t j = 0; j < problem->size_count; j++) {
			const struct at_size *other = &problem->sizes[j];

			if (strcmp(other->name, tuned->name) != 0)
				continue;
			if (is_extent ? other->value.type != AT_TYPE_INTEGER ||
						other->value.integer % TAME != 0
				      : !at_value_equal(other->value, tuned->value))
				return true;
		}
	}
	return is_extent && tuned->value.integer % TAME != 0 &&
	       verify->problem_count > 0;
}

/* Whether both kernels are told the size when they are launched, and no compiler is. */
static bool is_told_to_both(const struct derivation *self, size_t size, bool is_extent)
{
	const struct at_spec *spec = self->spec;
	const struct at_call *reference = &spec->reference.call;

	return !derived_is_in_options(self, size) &&
	       is_told(self, spec->kernel_arguments, spec->kernel_argument_count, size,
		       is_extent) &&
	       is_told(self, reference->arguments, reference->argument_count, size,
		       is_extent);
}

/* Whether an argument that is the size, or follows from it, is to keep its value. */
static bool is_fixed(const struct derivation *self, size_t size)
{
	for (size_t i = 0; i < self->spec->argument_count; i++)
		if (self->spec->arguments[i].is_fixed &&
			derived_uses(self, self->spec->arguments[i].value, size))
			return true;
	return false;
}

/*
 * The role of a size that nothing is as large as. It could as well be a number in the
 * arguments, and varies as those do (plan_vary.c), but with all that follows from it.
 */
static enum role role_of_number(const struct derivation *self, size_t size)
{
	const struct at_value *value = &self->tuned->sizes[size].value;
	bool is_flag = value->type == AT_TYPE_BOOLEAN ||
		       (value->type == AT_TYPE_INTEGER &&
			       (value->integer == 0 || value->integer == 1));

	if (value->type == AT_TYPE_INTEGER && !is_flag &&
		(value->integer == INT64_MIN ||
			at_plan_is_divided(self->spec, value->integer,
				at_plan_smaller(value->integer))))
		return ROLE_STAYS;
	if (is_tried(self, size, false) || is_fixed(self, size) ||
		!is_told_to_both(self, size, false))
		return ROLE_STAYS;
	return is_flag ? ROLE_FLAG : ROLE_NUMBER;
}

bool derived_counts_by(const struct derivation *self, size_t size)
{
	bool is_told_plainly = false;

	for (size_t i = 0; i < self->spec->argument_count; i++) {
		const struct at_argument *argument = &self->spec->arguments[i];

		if (!derived_uses(self, argument->value, size))
			continue;
		if (!at_plan_counts_by(self->spec, self->template, argument))
			return false;
		is_told_plainly = true;
	}
	return is_told_plainly;
}

int64_t derived_other_kind(const struct derivation *self, size_t size, bool is_last)
{
	const struct at_size *one = &self->tuned->sizes[size];
	int64_t kind = 0;

	if (self->roles[size] < ROLE_NUMBER || one->value.type != AT_TYPE_INTEGER)
		return 0;
	for (size_t i = 0; i < self->spec->argument_count && !kind; i++)
		if (self->spec->arguments[i].value &&
			!strcmp(at_expression_text(self->spec->arguments[i].value),
				one->name))
			kind = at_plan_other_kind(self->spec, self->template,
				&self->spec->arguments[i], one->value.integer, is_last);
	return kind;
}

bool derived_may_be_none(const struct derivation *self, size_t size)
{
	const struct at_size *one = &self->tuned->sizes[size];
	bool is_asked = false;

	for (size_t i = 0; i < self->spec->argument_count && !is_asked; i++)
		is_asked = self->spec->arguments[i].value &&
			   !strcmp(at_expression_text(self->spec->arguments[i].value),
				   one->name) &&
			   at_plan_asks_for_zero(self->spec, self->template,
				   &self->spec->arguments[i]);
	return is_asked && self->roles[size] == ROLE_NUMBER;
}

enum role derived_role_of(struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;
	const struct at_size *facts = &self->tuned->sizes[size];
	bool is_extent = false, is_divisor = false;
	int64_t unit = 1;

	if (facts->expression)
		return ROLE_STAYS;
	for (size_t i = 0; i < spec->argument_count; i++)
		is_extent =
			is_extent || derived_uses(self, spec->arguments[i].count, size);
	for (size_t i = 0; i < spec->launch.grid_rank; i++)
		is_extent = is_extent || derived_uses(self, spec->launch.grid[i], size);
	if (!is_extent || is_asked_about(self, size))
		return role_of_number(self, size);
	if (facts->value.type != AT_TYPE_INTEGER || facts->value.integer < 0 ||
		is_tried(self, size, facts->value.integer >= LEAST_EXTENT) ||
		(facts->value.integer < LEAST_EXTENT && is_fixed(self, size)))
		return ROLE_STAYS;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		bool is_count = derived_uses(self, argument->count, size);
		int64_t divisor;

		/* a file has a fixed number of elements; scratch holds no data */
		if (is_count && argument->fill.kind == AT_FILL_FILE)
			return ROLE_STAYS;
		if (!derived_uses(self, argument->value, size) &&
			(!is_count || argument->access == AT_ACCESS_SCRATCH))
			continue;
		is_divisor = is_divisor ||
			     (is_count && divides(self, argument->count, size));
		divisor = divisor_of(self, is_count ? argument->count : argument->value,
			is_count, size);
		if (!divisor && is_count && !is_divisor)
			return ROLE_STAYS;
		if (divisor > unit)
			unit = divisor;
	}
	if (!is_told_to_both(self, size, true))
		return ROLE_STAYS;
	if (unit > 1 && is_rounded_up(self, size, unit))
		unit = 1;
	self->units[size] = unit;
	if (is_divisor)
		return facts->value.integer > 0 ? ROLE_DIVISOR : ROLE_STAYS;
	if (facts->value.integer < LEAST_EXTENT)
		return ROLE_SMALL;
	if (facts->value.integer % unit != 0)
		return ROLE_STAYS;
	return facts->value.integer / unit < LEAST_EXTENT ? ROLE_SMALL : ROLE_EXTENT;
}

/* ---- the order of numbers ------------------------------------------------------ */

static double real_of(struct at_value value)
{
	return value.type == AT_TYPE_REAL ? value.real : (double)value.integer;
}

void derived_keep_order(struct derivation *self)
{
	const struct at_size *sizes = self->tuned->sizes;
	const size_t count = self->tuned->size_count;
	bool was_right;

	/* each turn takes a change back, or makes a number that was 0 smaller than all
	   that were more */
	do {
		was_right = true;
		for (size_t i = 0; i < count * count; i++) {
			struct at_value *low = &self->values[i / count],
					*high = &self->values[i % count];
			double lower = real_of(sizes[i / count].value),
			       upper = real_of(sizes[i % count].value);

			if (self->roles[i / count] != ROLE_NUMBER ||
				self->roles[i % count] != ROLE_NUMBER ||
				low->type != high->type || lower >= upper ||
				real_of(*low) <= real_of(*high) ||
				(lower == 0 && at_plan_is_small_real(upper)))
				continue;
			was_right = false;
			if (lower == 0 && low->type == AT_TYPE_REAL &&
				real_of(*high) > 0)
				low->real = real_of(*high) / 2;
			else if (upper >= real_of(*low))
				*high = sizes[i % count].value;
			else
				*low = sizes[i / count].value;
		}
	} while (!was_right);
}
