/* Makes cases of rows, and those that are drawn from a domain (evaluator/cases.h). */
#include "evaluator/cases_parts.h"

#include "base/memory.h"
#include "evaluator/plan.h"
#include "space/domain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "case "

/*
 * The most elements of the largest buffer. A device that shares the machine's cores
 * pays for every thread of a launch: with a million elements ten cases took a minute
 * there. So threads count, too, where few of them have an element: 65,536 rows of one
 * column, a block for each row, took half a minute a launch.
 */
#define MOST_ELEMENTS (INT64_C(1) << 20)
#define MOST_ELEMENTS_SHARED (INT64_C(1) << 18)
#define THREADS_OF_AN_ELEMENT 4

/* The threads of a launch of the kernel; 0: it is not known. */
static int64_t count_threads(const struct cases *self)
{
	const struct at_launch *launch = &self->spec->launch;
	int64_t threads = 1, extent;

	for (size_t axis = 0; axis < 3; axis++)
		for (size_t part = 0; part < 2; part++) {
			const struct at_expression *expression =
				part ? launch->grid[axis] : launch->block[axis];

			if (!expression)
				continue;
			if (at_spec_integer(self->spec, expression, self->slots, "", 0,
				    1, INT32_MAX, &extent, NULL))
				return 0;
			threads = threads > INT64_MAX / extent ? INT64_MAX
							       : threads * extent;
		}
	return threads;
}

/* The elements of the largest buffer on a problem, or what a launch of many threads
   counts as; INT64_MAX: a count has no value. */
static int64_t count_elements(
	const struct cases *self, const struct at_problem *problem)
{
	const struct at_spec *spec = self->spec;
	int64_t most = 0, count;

	at_spec_bind(
		spec, problem, self->tuned, &self->device->properties, self->slots);
	at_spec_bind_configuration(spec, spec->defaults, self->slots);
	for (size_t i = 0; i < spec->argument_count; i++) {
		if (!spec->arguments[i].count)
			continue;
		if (at_spec_integer(spec, spec->arguments[i].count, self->slots, "", 0,
			    1, INT64_MAX, &count, NULL))
			return INT64_MAX;
		if (count > most)
			most = count;
	}
	count = self->device->shares_cores ? count_threads(self) / THREADS_OF_AN_ELEMENT
					   : 0;
	return count > most ? count : most;
}

/* The value that a row has for a size; NULL: the domain leaves it out. */
static const struct at_value *find_value(
	const struct cases *self, const struct at_value *values, const char *name)
{
	const struct at_domain *domain = &self->spec->domain;

	for (size_t i = 0; i < domain->number_count; i++)
		if (!domain->numbers[i].argument &&
			!strcmp(domain->numbers[i].name, name))
			return &values[i];
	return NULL;
}

/* Fills self->scratch with the sizes of a row that differ from the tuned ones: numbers
   of the domain, and sizes that the file computes from others. */
static void fill_sizes(struct cases *self, const struct at_value *values)
{
	const struct at_problem *tuned = self->tuned;

	self->scratch.size_count = 0;
	for (size_t i = 0; i < tuned->size_count; i++) {
		const struct at_size *size = &tuned->sizes[i];
		const struct at_value *drawn = find_value(self, values, size->name);
		struct at_value *value = &self->current[i];

		*value = drawn ? *drawn : size->value;
		if (!drawn && size->expression &&
			at_expression_evaluate(
				size->expression, self->current, value, NULL))
			*value = size->value;
		if (!at_value_equal(*value, size->value))
			self->scratch.sizes[self->scratch.size_count++] =
				(struct at_size){ .name = size->name, .value = *value };
	}
}

bool cases_admit(struct cases *self, const struct at_value *values, bool is_neighbour)
{
	int64_t elements;

	fill_sizes(self, values);
	elements = count_elements(self, &self->scratch);
	self->is_large = elements > self->most;
	/* one more in each of three sizes */
	return !self->is_large || (is_neighbour && elements / 4 < self->tuned_elements);
}

static bool admits(void *context, const struct at_value *values, bool is_neighbour)
{
	return cases_admit(context, values, is_neighbour);
}

/* Names a case after its sizes. */
static void name_case(struct at_problem *one)
{
	struct at_strbuf name = { 0 };

	at_strbuf_add(&name, PREFIX);
	for (size_t i = 0; i < one->size_count; i++) {
		at_strbuf_addf(&name, "%s%s=", i ? " " : "", one->sizes[i].name);
		at_value_format(one->sizes[i].value, &name);
	}
	one->name = at_strdup(at_strbuf_text(&name));
	at_strbuf_release(&name);
}

static void add_size(struct at_problem *one, const char *name, struct at_value value)
{
	struct at_size *size = &one->sizes[one->size_count];

	size->name = at_strdup(name);
	size->value = value;
	one->size_count++;
}

enum at_status cases_make(struct cases *self, const struct at_value *values,
	struct at_problem *out, struct at_error *err)
{
	const struct at_domain *domain = &self->spec->domain;
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	out->line = domain->line;
	out->name = at_strdup(PREFIX); /* for at_domain_values() */
	out->sizes = at_calloc(domain->number_count + self->tuned->size_count + 1,
		sizeof(*out->sizes));
	fill_sizes(self, values);
	for (size_t i = 0; i < self->scratch.size_count; i++)
		add_size(
			out, self->scratch.sizes[i].name, self->scratch.sizes[i].value);
	/* a scalar whose value the space makes of sizes may follow them already */
	status = at_domain_values(self->spec, out, self->tuned, self->followed, err);
	for (size_t i = 0; i < domain->number_count && !status; i++)
		if (domain->numbers[i].argument &&
			!at_value_equal(values[i], self->followed[i]))
			add_size(out, domain->numbers[i].name, values[i]);
	free(out->name);
	out->name = NULL;
	if (!status)
		name_case(out);
	return status;
}

void cases_release(struct cases *self)
{
	free(self->values);
	free(self->followed);
	free(self->current);
	free(self->slots);
	free(self->scratch.sizes);
}

enum at_status cases_begin(struct cases *self, const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	struct at_error *err)
{
	const size_t numbers = spec->domain.number_count, sizes = tuned->size_count;

	*self = (struct cases){ .spec = spec,
		.tuned = tuned,
		.device = device,
		.values = at_calloc(numbers + 1, sizeof(*self->values)),
		.followed = at_calloc(numbers + 1, sizeof(*self->followed)),
		.current = at_calloc(sizes + 1, sizeof(*self->current)),
		.slots = at_calloc(spec->slot_count + 1, sizeof(*self->slots)),
		.scratch.sizes = at_calloc(sizes + 1, sizeof(*self->scratch.sizes)) };
	self->most = device->shares_cores ? MOST_ELEMENTS_SHARED : MOST_ELEMENTS;
	self->tuned_elements = count_elements(self, tuned);
	return at_domain_values(spec, tuned, NULL, self->values, err);
}

void cases_set_contents(
	const struct at_spec *spec, struct at_case *one, uint64_t contents)
{
	struct at_strbuf name = { 0 };
	unsigned count = 0;

	at_strbuf_addf(&name, "%s%sother contents of", one->problem.name,
		one->problem.size_count ? ", " : "");
	for (size_t i = 0; i < CASES_CONTENTS_MOST; i++)
		if (contents >> i & 1)
			at_strbuf_addf(&name, "%s %.60s", count++ ? "," : "",
				spec->arguments[i].name);
	free(one->problem.name);
	one->problem.name = at_strbuf_detach(&name);
	one->promise = at_strdup(count > 1 ? "fixed = true in these arguments"
					   : "fixed = true in this argument");
	one->contents = contents;
	one->is_default = true;
}

/* Draws cases from the domain. */
static enum at_status draw(const struct at_spec *spec, const struct at_problem *tuned,
	const struct at_device_info *device, uint64_t seed, uint64_t contents,
	struct at_case *out, size_t *count, struct at_error *err)
{
	const size_t width = spec->domain.number_count;
	struct cases self;
	struct at_domain_draw draw = { .seed = seed,
		.count = spec->verify.case_count,
		.admits = admits,
		.context = &self };
	struct at_value *rows = NULL;
	size_t row_count = 0;
	enum at_status status = cases_begin(&self, spec, tuned, device, err);

	if (!status)
		status = at_domain_draw(spec, tuned, &draw, &rows, &row_count, err);
	for (size_t i = 0; i < row_count && !status; i++) {
		struct at_case *one = &out[(*count)++];

		one->is_large = !cases_admit(&self, &rows[i * width], false);
		status = cases_make(&self, &rows[i * width], &one->problem, err);
	}
	/* behind the two next to the tuned sizes */
	for (size_t i = 2; i < 2 + CASES_WITH_CONTENTS && i < row_count && contents;
		i++) {
		struct at_case *one = &out[*count];

		if (status || !cases_admit(&self, &rows[i * width], false))
			continue;
		status = cases_make(&self, &rows[i * width], &one->problem, err);
		(*count)++;
		if (!status)
			cases_set_contents(spec, one, contents);
	}
	free(rows);
	cases_release(&self);
	return status;
}

/* Moves cases with much data behind the others: where time ends, most are made. */
static void move_large(struct at_case *cases, size_t count)
{
	struct at_case *sorted = at_calloc(count + 1, sizeof(*sorted));
	size_t done = 0;

	for (int is_large = 0; is_large < 2; is_large++)
		for (size_t i = 0; i < count; i++)
			if (cases[i].is_large == is_large)
				sorted[done++] = cases[i];
	memcpy(cases, sorted, count * sizeof(*sorted));
	free(sorted);
}

enum at_status at_cases_make(const struct at_spec *spec, const struct at_problem *tuned,
	const struct at_device_info *device, uint64_t seed, struct at_case **out,
	size_t *count, struct at_error *err)
{
	uint64_t contents;
	enum at_status status = AT_OK;

	*out = NULL;
	*count = 0;
	if (spec->reference.kind == AT_REFERENCE_NONE ||
		spec->reference.kind == AT_REFERENCE_FILE)
		return AT_OK;
	*out = at_calloc((1 + CASES_DEFAULT_FACTOR) * spec->verify.case_count +
				 CASES_CONTENTS_MOST + CASES_WITH_CONTENTS + 2,
		sizeof(**out));
	at_plan_other_contents(spec, tuned, &contents);
	if (!spec->verify.derives_problems)
		contents = 0;
	if (spec->domain.line)
		status = draw(spec, tuned, device, seed, contents, *out, count, err);
	if (!status && spec->verify.derives_problems)
		status = cases_default(
			spec, tuned, device, seed, contents, *out, count, err);
	move_large(*out, *count);
	if (status) {
		at_cases_free(*out, *count);
		*out = NULL;
		*count = 0;
	}
	return status;
}

enum at_status at_case_without(const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_problem *one, size_t number,
	struct at_problem *out, struct at_error *err)
{
	static const struct at_device_info any = { 0 };
	struct cases self;
	struct at_value *values =
		at_calloc(spec->domain.number_count + 1, sizeof(*values));
	enum at_status status = cases_begin(&self, spec, tuned, &any, err);

	memset(out, 0, sizeof(*out));
	if (!status)
		status = at_domain_values(spec, one, tuned, values, err);
	if (!status && !at_value_equal(values[number], self.values[number])) {
		values[number] = self.values[number];
		if (!at_domain_check(spec, tuned, values, NULL))
			status = cases_make(&self, values, out, err);
	}
	if (status || !out->size_count)
		at_case_release(out);
	cases_release(&self);
	free(values);
	return status;
}

void at_case_release(struct at_problem *one)
{
	for (size_t i = 0; i < one->size_count; i++)
		free(one->sizes[i].name);
	free(one->sizes);
	free(one->name);
	memset(one, 0, sizeof(*one));
}

void at_cases_free(struct at_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		at_case_release(&cases[i].problem);
		free(cases[i].promise);
	}
	free(cases);
}

void at_case_write(const struct at_problem *one, struct at_strbuf *out)
{
	at_strbuf_add(out, "{");
	for (size_t i = 0; i < one->size_count; i++) {
		at_strbuf_addf(out, " %s = ", one->sizes[i].name);
		at_value_format(one->sizes[i].value, out);
		at_strbuf_add(out, ";");
	}
	at_strbuf_add(out, " }");
}
