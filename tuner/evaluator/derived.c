/* Problems made from the tuned one's sizes: which sizes vary, and to what. */
#include "evaluator/derived.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is smaller is seldom an extent: channels, a radius, dimensions of a point. */
#define LEAST_EXTENT 16
/*
 * Large problems are made smaller, so that proofs cost little: until no buffer has more
 * elements than this, but no extent below the second figure, which several blocks of
 * any kernel share.
 */
#define MOST_ELEMENTS (INT64_C(1) << 20)
#define FEWEST_OF_EXTENT 512

/* How a size becomes another one: all in the same way, which keeps those equal that
   are, and the larger the larger; in the last in turns, so that none is equal to
   another. */
enum change {
	CHANGE_LESS,
	CHANGE_MORE,
	CHANGE_EVEN,
	CHANGE_PRIME,
	CHANGE_ONE,
	CHANGE_MIXED,
};

struct derivation {
	const struct at_spec *spec;
	const struct at_problem *tuned;
	const struct at_device_info *device;
	bool *varies; /* one a size of the tuned problem */
	int64_t cap; /* of what is changed */
	struct at_value *values; /* one a size of the tuned problem */
	struct at_value *slots; /* of the spec */
};

/* ---- which sizes vary --------------------------------------------------------- */

/* Whether the value of one size of the problem follows from another, or is it. */
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

/* Whether that name, of a size or not, follows from a size of the tuned problem. */
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

/* By an argument that is the size and nothing else: not a quarter of it, or its log. */
static bool is_told(const struct derivation *self, const size_t *arguments,
	size_t count, size_t from)
{
	for (size_t i = 0; i < count; i++) {
		const struct at_argument *argument =
			&self->spec->arguments[arguments[i]];
		const char *text;

		if (!argument->value ||
			at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL)
			continue;
		text = at_expression_text(argument->value);
		if (name_follows(self, text, strlen(text), from))
			return true;
	}
	return false;
}

/* A count that divides promises that the division leaves nothing. */
static bool divides(const struct at_expression *expression)
{
	const char *text = at_expression_text(expression);

	return strpbrk(text, "/%") || strstr(text, ">>");
}

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

static bool may_vary(const struct derivation *self, size_t size)
{
	const struct at_spec *spec = self->spec;
	const struct at_call *reference = &spec->reference.call;
	const struct at_size *facts = &self->tuned->sizes[size];
	bool is_extent = false;

	if (facts->expression || facts->value.type != AT_TYPE_INTEGER ||
		facts->value.integer < LEAST_EXTENT)
		return false;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];

		if (!uses(self, argument->count, size))
			continue;
		/* a file has the elements that it has; scratch is no data */
		if (argument->fill.kind == AT_FILL_FILE ||
			(argument->access != AT_ACCESS_SCRATCH &&
				divides(argument->count)))
			return false;
		is_extent = true;
	}
	for (size_t i = 0; i < spec->launch.grid_rank; i++)
		is_extent = is_extent || uses(self, spec->launch.grid[i], size);
	return is_extent && !is_in_options(self, size) &&
	       is_told(self, spec->kernel_arguments, spec->kernel_argument_count,
		       size) &&
	       is_told(self, reference->arguments, reference->argument_count, size);
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

/* turn: the how manieth of those that vary */
static int64_t changed(int64_t from, enum change change, size_t turn)
{
	switch (change) {
	case CHANGE_LESS:
		return from - 1;
	case CHANGE_MORE:
		return from + 1;
	case CHANGE_EVEN:
		/* pairs fit and fours leave two over: all others here may be odd */
		return (from - 4) / 4 * 4 + 2;
	case CHANGE_PRIME:
		/* another one than one less */
		return prime_below(from - 1);
	case CHANGE_ONE:
		return 1;
	case CHANGE_MIXED:
		break;
	}
	return turn % 3 == 0   ? prime_below(from / 2)
	       : turn % 3 == 1 ? from + 1
			       : prime_below(from);
}

/* Sets values; false where a size that follows from others cannot be computed. */
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
		if (!self->varies[i])
			continue;
		if (from > self->cap)
			from = self->cap;
		self->values[i].integer =
			is_changed ? changed(from, change, turn++) : from;
	}
	return true;
}

/* A problem of what differs from the tuned one; after a failure release_problem(). */
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

/* The elements of the largest buffer but scratch; 0: they are none, or not known. */
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

static enum at_status find_cap(struct derivation *self, struct at_error *err)
{
	enum at_status status = AT_OK;
	int64_t elements = INT64_MAX;

	self->cap = 0;
	for (size_t i = 0; i < self->tuned->size_count; i++)
		if (self->varies[i] && self->tuned->sizes[i].value.integer > self->cap)
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

enum at_status at_derived_make(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	struct at_problem **out, size_t *count, struct at_error *err)
{
	struct derivation self = { .spec = spec, .tuned = tuned, .device = device };
	enum at_status status = AT_OK;
	size_t varying = 0;

	*out = NULL;
	*count = 0;
	if (spec->verify.problem_count || !spec->verify.derives_problems ||
		spec->reference.kind == AT_REFERENCE_NONE ||
		spec->reference.kind == AT_REFERENCE_FILE)
		return AT_OK;
	self.varies = calloc(tuned->size_count + 1, sizeof(*self.varies));
	self.values = calloc(tuned->size_count + 1, sizeof(*self.values));
	self.slots = calloc(spec->slot_count + 1, sizeof(*self.slots));
	*out = calloc(AT_DERIVED_MAX, sizeof(**out));
	if (!self.varies || !self.values || !self.slots || !*out)
		status = at_fail_memory(err);
	for (size_t i = 0; i < tuned->size_count && !status; i++) {
		self.varies[i] = may_vary(&self, i);
		varying += self.varies[i];
	}
	if (!status && varying)
		status = find_cap(&self, err);
	for (int i = 0; varying && i < AT_DERIVED_MAX && !status; i++) {
		/* with one size there is nothing to mix */
		if (i == CHANGE_MIXED && varying < 2)
			break;
		if (!change_sizes(&self, true, (enum change)i))
			continue;
		status = make_problem(&self, &(*out)[*count], err);
		/* buffers without elements are no problem */
		if (!status && count_elements(&self, &(*out)[*count]) > 0)
			++*count;
		else
			release_problem(&(*out)[*count]);
	}
	free(self.varies);
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
