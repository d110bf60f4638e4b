/*
 * Warnings about a valid space file with a part that has no effect: a constraint that
 * always holds, an unread size, a duplicate problem. A sound space must not get a
 * warning.
 */
#include "space/spec_load.h"

#include "base/hash_index.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	REMARKS_MAX = 100, /* per file: further ones would be of the same kinds */
};

/* values tried per parameter: a varying count varies early */
#define VALUES_TRIED 64

static void remark(struct at_spec_loader *loader, int line, const char *format, ...)
{
	struct at_spec *spec = loader->spec;
	struct at_strbuf text = { 0 };
	va_list arguments;

	if (spec->remark_count == REMARKS_MAX)
		return;
	va_start(arguments, format);
	at_strbuf_addv(&text, format, arguments);
	va_end(arguments);
	if (!spec->remarks)
		spec->remarks =
			at_spec_allocate(loader, REMARKS_MAX, sizeof(*spec->remarks));
	spec->remarks[spec->remark_count++] = (struct at_remark){ .line = line,
		.text = at_spec_own(spec, at_strbuf_detach(&text)) };
}

/* ---- conditions ---------------------------------------------------------------- */

static void look_at_constant(
	struct at_spec_loader *loader, const struct at_constraint *constraint)
{
	struct at_value value;

	if (!at_expression_is_constant(constraint->expression, &value))
		return;
	remark(loader, constraint->line,
		"the constraint \"%.80s\" names nothing that varies: it %s holds; compare a parameter, as in \"BLOCK <= 512\"",
		at_expression_text(constraint->expression),
		(value.type == AT_TYPE_REAL ? value.real != 0 : value.integer != 0)
			? "always"
			: "never");
}

static void look_at_constraints(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	struct at_hash_index known = { 0 };

	for (size_t i = 0; i < spec->constraint_count; i++) {
		const struct at_constraint *constraint = &spec->constraints[i];
		const char *text = at_expression_text(constraint->expression);
		uint32_t first = 0;

		at_hash_index_put(
			&known, at_hash_bytes(text, strlen(text)), (uint32_t)i, &first);
		if (first < i)
			remark(loader, constraint->line,
				"the constraint \"%.80s\" is given twice, first in line %d",
				text, spec->constraints[first].line);
		else
			look_at_constant(loader, constraint);
	}
	at_hash_index_release(&known);
}

/* ---- sizes and problems -------------------------------------------------------- */

static void note_sizes_of(
	const struct at_spec *spec, const struct at_problem *problem, bool *used)
{
	for (size_t i = 0; i < problem->size_count; i++) {
		const struct at_expression *expression = problem->sizes[i].expression;
		size_t count = 0;
		const int *slots =
			expression ? at_expression_slots(expression, &count) : NULL;

		for (size_t k = 0; k < count; k++)
			for (size_t s = 0; s < spec->size_count; s++)
				if ((size_t)slots[k] < problem->size_count &&
					!strcmp(spec->size_names[s],
						problem->sizes[slots[k]].name))
					used[s] = true;
	}
}

static void look_at_sizes(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	bool *used = at_calloc(spec->size_count + 1, sizeof(*used));

	/* size_lines has every use by an expression or an option: the whole file is
	   read. */
	for (size_t s = 0; s < spec->size_count; s++)
		used[s] = loader->size_lines[s] != 0;
	for (size_t i = 0; i < spec->problem_count; i++)
		note_sizes_of(spec, &spec->problems[i], used);
	/* A file without a kernel can only be counted, and lacks the sections that
	   would use sizes. */
	for (size_t s = 0; s < spec->size_count && spec->kernel; s++)
		if (!used[s])
			remark(loader, spec->problems[0].line,
				"the size \"%.80s\" is read nowhere: not by launch, arguments, constraints, options or metrics",
				spec->size_names[s]);
	free(used);
}

/* Whether each size of the problem has the same value in the other problem. A problem
   of verify may omit sizes: they are those of the tuned problem. */
static bool adds_nothing(const struct at_problem *self, const struct at_problem *other)
{
	for (size_t i = 0; i < self->size_count; i++) {
		const struct at_size *size =
			at_spec_find_size(other, self->sizes[i].name, i);

		if (!size || !at_value_equal(size->value, self->sizes[i].value))
			return false;
	}
	return true;
}

static bool share_devices(const struct at_problem *a, const struct at_problem *b)
{
	return !a->on || !b->on || !strcmp(a->on, b->on);
}

/* A hash of the sizes that does not depend on their order. */
static void sum_of_sizes(const struct at_problem *problem, uint64_t *out)
{
	struct at_strbuf text = { 0 };

	*out = 0;
	for (size_t i = 0; i < problem->size_count; i++) {
		at_strbuf_clear(&text);
		at_strbuf_addf(&text, "%s=", problem->sizes[i].name);
		at_value_format(problem->sizes[i].value, &text);
		*out += at_hash_bytes(at_strbuf_text(&text), text.length).low;
	}
	at_strbuf_release(&text);
}

/* Remarks on each problem with the sizes of an earlier one for the same device. All
   pairs are compared, but only by their sums unless these are equal. */
static void find_duplicates(struct at_spec_loader *loader,
	const struct at_problem *problems, size_t count, const char *what,
	const char *advice)
{
	uint64_t *sums = at_calloc(count + 1, sizeof(*sums));

	for (size_t i = 0; i < count; i++)
		sum_of_sizes(&problems[i], &sums[i]);
	for (size_t i = 0; i < count; i++) {
		const struct at_problem *problem = &problems[i];
		size_t k = 0;

		while (k < i &&
			(sums[k] != sums[i] || !share_devices(problem, &problems[k]) ||
				problem->size_count != problems[k].size_count ||
				!adds_nothing(problem, &problems[k])))
			k++;
		if (k < i)
			remark(loader, problem->line,
				"the problem \"%.80s\"%s has the sizes of \"%.80s\" in line %d: %s",
				problem->name, what, problems[k].name, problems[k].line,
				advice);
	}
	free(sums);
}

/* Whether the problem equals every tuned problem for the same devices. */
static bool is_tuned_anyway(
	const struct at_spec *spec, const struct at_problem *problem)
{
	size_t count = 0;

	for (size_t i = 0; i < spec->problem_count; i++) {
		if (!share_devices(problem, &spec->problems[i]))
			continue;
		if (!adds_nothing(problem, &spec->problems[i]))
			return false;
		count++;
	}
	return count > 0;
}

static void look_at_verify(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;

	find_duplicates(loader, spec->verify.problems, spec->verify.problem_count,
		" of verify", "remove one");
	for (size_t i = 0; i < spec->verify.problem_count; i++)
		if (is_tuned_anyway(spec, &spec->verify.problems[i]))
			remark(loader, spec->verify.problems[i].line,
				"the problem \"%.80s\" of verify has the sizes that are tuned: it proves nothing more; give ragged ones, such as a prime",
				spec->verify.problems[i].name);
}

/* ---- arguments ----------------------------------------------------------------- */

/* Whether a value of the parameter other than the default's changes the count. */
static bool changes_count(const struct at_spec *spec, const struct at_expression *count,
	size_t parameter, int64_t usual, uint16_t *configuration,
	struct at_value *slots)
{
	size_t values = spec->parameters[parameter].value_count;
	bool changes = false;

	for (size_t i = 0; i < values && i < VALUES_TRIED && !changes; i++) {
		int64_t other;

		configuration[parameter] = (uint16_t)i;
		at_spec_bind_configuration(spec, configuration, slots);
		changes = !at_spec_integer(spec, count, slots, "count", 0, 1, INT64_MAX,
				  &other, NULL) &&
			  other != usual;
	}
	configuration[parameter] = spec->defaults[parameter];
	at_spec_bind_configuration(spec, configuration, slots);
	return changes;
}

/* Inputs and outputs must be the same for all configurations, which share one
   reference. */
static void look_at_count(struct at_spec_loader *loader,
	const struct at_argument *argument, uint16_t *configuration,
	struct at_value *slots)
{
	const struct at_spec *spec = loader->spec;
	size_t count;
	const int *used;
	int64_t usual;

	if (!argument->count || argument->access == AT_ACCESS_SCRATCH ||
		argument->is_pointer ||
		at_spec_integer(spec, argument->count, slots, "count", 0, 1, INT64_MAX,
			&usual, NULL))
		return;
	used = at_expression_slots(argument->count, &count);
	for (size_t i = 0; i < count; i++) {
		const char *name = at_spec_slot_name(spec, used[i]);

		if ((size_t)used[i] >= spec->parameter_count ||
			!changes_count(spec, argument->count, (size_t)used[i], usual,
				configuration, slots))
			continue;
		remark(loader, argument->line,
			"the count \"%.80s\" of argument \"%.80s\" changes with %.80s, and only configurations with that of the defaults are tuned: write it of sizes alone; only a buffer of access = \"scratch\" may change",
			at_expression_text(argument->count), argument->name, name);
		return;
	}
}

static void look_at_counts(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	uint16_t *configuration =
		at_calloc(spec->parameter_count + 1, sizeof(*configuration));
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));

	for (size_t i = 0; i < spec->parameter_count; i++)
		configuration[i] = spec->defaults[i];
	if (spec->problem_count)
		at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	at_spec_bind_configuration(spec, configuration, slots);
	for (size_t i = 0; i < spec->given_count; i++)
		look_at_count(loader, &spec->arguments[i], configuration, slots);
	free(configuration);
	free(slots);
}

void at_spec_load_remarks(struct at_spec_loader *loader)
{
	find_duplicates(loader, loader->spec->problems, loader->spec->problem_count, "",
		"remove one, or both are tuned");
	look_at_counts(loader);
	look_at_sizes(loader);
	look_at_constraints(loader);
	for (size_t i = 0; i < loader->definitions.count; i++) {
		const struct at_definition *item = &loader->definitions.items[i];

		if (!item->is_used)
			remark(loader, item->line,
				"no expression uses \"%.80s\" of \"let\": use it, or remove it",
				item->name);
	}
	look_at_verify(loader);
}
