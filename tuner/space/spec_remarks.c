/*
 * Warnings about a space file that is valid but says something nobody means: a
 * condition that compares nothing, a size that nothing reads, the same thing twice. A
 * sound space must not get any.
 */
#include "space/spec_load.h"

#include "base/hash_index.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	REMARKS_MAX = 100, /* of one file: further ones would be of the same kinds */
};

/* An rtol from here on is too loose for any kernel that computes in float or double. */
#define LOOSE_RTOL 0.1

enum at_status at_spec_remark(
	struct at_spec_loader *loader, int line, const char *format, ...)
{
	struct at_spec *spec = loader->spec;
	struct at_strbuf text = { 0 };
	struct at_remark *items;
	va_list arguments;

	if (spec->remark_count == REMARKS_MAX)
		return AT_OK;
	va_start(arguments, format);
	at_strbuf_addv(&text, format, arguments);
	va_end(arguments);
	items = realloc(spec->remarks, (spec->remark_count + 1) * sizeof(*items));
	if (items)
		spec->remarks = items;
	if (!items || text.failed) {
		at_strbuf_release(&text);
		return at_fail_memory(loader->err);
	}
	items[spec->remark_count++] =
		(struct at_remark){ .line = line, .text = at_strbuf_detach(&text) };
	return AT_OK;
}

/* ---- conditions ---------------------------------------------------------------- */

/* The hash of a text but for its blanks. */
static enum at_status hash_but_blanks(
	const char *text, struct at_hash *out, struct at_error *err)
{
	struct at_strbuf dense = { 0 };
	enum at_status status = AT_OK;

	while (*text) {
		size_t length = strcspn(text, " \t\r\n\v\f");

		at_strbuf_add_bytes(&dense, text, length);
		text += length;
		text += strspn(text, " \t\r\n\v\f");
	}
	if (dense.failed)
		status = at_fail_memory(err);
	else
		*out = at_hash_bytes(at_strbuf_text(&dense), dense.length);
	at_strbuf_release(&dense);
	return status;
}

/* A parameter alone is a condition where it is a boolean. */
static bool is_condition(const struct at_spec *spec, const struct at_expression *self)
{
	size_t count;
	const int *slots = at_expression_slots(self, &count);

	if (at_expression_is_condition(self))
		return true;
	return count == 1 && (size_t)slots[0] < spec->parameter_count &&
	       spec->parameters[slots[0]].type == AT_TYPE_BOOLEAN;
}

static enum at_status look_at_condition(struct at_spec_loader *loader, int line,
	const char *what, const struct at_expression *condition)
{
	const char *text = at_expression_text(condition);
	struct at_value value;
	size_t count;
	bool holds;

	at_expression_slots(condition, &count);
	if (!count &&
		at_expression_evaluate(condition, NULL, &value, NULL) ==
			AT_EVALUATION_OK &&
		value.type != AT_TYPE_WORD) {
		holds = value.type == AT_TYPE_REAL ? value.real != 0
						   : value.integer != 0;
		return at_spec_remark(loader, line,
			"%s \"%.80s\" names nothing that varies: it %s holds; compare a parameter, as in \"BLOCK <= 512\"",
			what, text, holds ? "always" : "never");
	}
	if (count && !is_condition(loader->spec, condition))
		return at_spec_remark(loader, line,
			"%s \"%.80s\" compares nothing: it holds wherever it is not 0; write \"(%.80s) != 0\" if that is meant, else what it should be",
			what, text, text);
	return AT_OK;
}

static enum at_status look_at_constraints(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	struct at_hash_index known = { 0 };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->constraint_count && !status; i++) {
		const struct at_constraint *constraint = &spec->constraints[i];
		const char *text = at_expression_text(constraint->expression);
		struct at_hash key;
		uint32_t first = 0;

		status = hash_but_blanks(text, &key, loader->err);
		if (!status)
			status = at_hash_index_put(
				&known, key, (uint32_t)i, &first, loader->err);
		if (!status && first < i)
			status = at_spec_remark(loader, constraint->line,
				"the constraint \"%.80s\" is given twice, first in line %d",
				text, spec->constraints[first].line);
		else if (!status)
			status = look_at_condition(loader, constraint->line,
				"the constraint", constraint->expression);
	}
	at_hash_index_release(&known);
	return status;
}

/* ---- options ------------------------------------------------------------------- */

/* Options that may be given more than once, each time for something else. */
static bool may_be_repeated(const char *option)
{
	static const char *const lists[] = { "-I", "--include-path", "-include",
		"--pre-include", "--ptxas-options", "-Xptxas", "--diag-", "-diag-",
		"--define-macro", "--undefine-macro", "-Xcompiler", "-W", "-f", "-m",
		"-isystem", "--system-include", "-gencode", "--generate-code", "-X" };

	/* "-D" and "-U" alone: the option behind them has the name that they define. */
	if (!strcmp(option, "-D") || !strcmp(option, "-U"))
		return true;

	for (size_t i = 0; i < AT_COUNT_OF(lists); i++)
		if (!strncmp(option, lists[i], strlen(lists[i])))
			return true;
	return false;
}

/* Of "--maxrregcount=32" and "--maxrregcount=64" the compiler obeys only one. */
static enum at_status look_at_options(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	struct at_hash_index known = { 0 };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->option_count && !status; i++) {
		const struct at_option *option = &spec->options[i];
		uint32_t first = 0;

		if (option->when)
			status = look_at_condition(loader, option->line,
				"\"when\" of an option", option->when);
		if (status || option->when || may_be_repeated(option->text))
			continue;
		status = at_hash_index_put(&known,
			at_hash_bytes(option->text, strcspn(option->text, "=")),
			(uint32_t)i, &first, loader->err);
		if (!status && first < i)
			status = at_spec_remark(loader, option->line,
				"the option \"%.80s\" comes behind \"%.80s\" of line %d: leave one out",
				option->text, spec->options[first].text,
				spec->options[first].line);
	}
	at_hash_index_release(&known);
	return status;
}

/* ---- sizes and problems -------------------------------------------------------- */

/* Marks the sizes that later sizes of the problem are computed from. */
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

static enum at_status look_at_sizes(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	bool *used = calloc(spec->size_count + 1, sizeof(*used));
	enum at_status status = AT_OK;
	char reference[128];

	if (!used)
		return at_fail_memory(loader->err);
	for (size_t s = 0; s < spec->size_count; s++) {
		/* size_lines has every use by an expression, since the whole file was
		   compiled. */
		used[s] = loader->size_lines[s] != 0;
		snprintf(reference, sizeof(reference), "${%s}", spec->size_names[s]);
		for (size_t i = 0; i < spec->option_count; i++)
			used[s] |= strstr(spec->options[i].text, reference) != NULL;
	}
	for (size_t i = 0; i < spec->problem_count; i++)
		note_sizes_of(spec, &spec->problems[i], used);
	/* A file without a kernel can only be counted, and lacks the sections that
	   would use sizes. */
	for (size_t s = 0; s < spec->size_count && spec->kernel && !status; s++)
		if (!used[s])
			status = at_spec_remark(loader, spec->problems[0].line,
				"the size \"%.80s\" is read nowhere: not by launch, arguments, constraints, options or metrics",
				spec->size_names[s]);
	free(used);
	return status;
}

/* The size of that name. Problems mostly give their sizes in one order, so the place
   that it has in another problem comes first. */
static const struct at_size *find_size(
	const struct at_problem *problem, const char *name, size_t place)
{
	if (place < problem->size_count && !strcmp(problem->sizes[place].name, name))
		return &problem->sizes[place];
	for (size_t i = 0; i < problem->size_count; i++)
		if (!strcmp(problem->sizes[i].name, name))
			return &problem->sizes[i];
	return NULL;
}

/* Whether each size of the problem has the same value in the other one. A problem of
   verify may leave sizes out: they are those of the tuned problem. */
static bool adds_nothing(const struct at_problem *self, const struct at_problem *other)
{
	for (size_t i = 0; i < self->size_count; i++) {
		const struct at_size *size = find_size(other, self->sizes[i].name, i);

		if (!size || !at_value_equal(size->value, self->sizes[i].value))
			return false;
	}
	return true;
}

static bool share_devices(const struct at_problem *a, const struct at_problem *b)
{
	return !a->on || !b->on || !strcmp(a->on, b->on);
}

/* A number that problems with the same sizes share, in whatever order they give them,
   and that others hardly ever have. */
static enum at_status sum_of_sizes(
	const struct at_problem *problem, uint64_t *out, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;

	*out = 0;
	for (size_t i = 0; i < problem->size_count && !text.failed; i++) {
		at_strbuf_clear(&text);
		at_strbuf_addf(&text, "%s=", problem->sizes[i].name);
		at_value_format(problem->sizes[i].value, &text);
		*out += at_hash_bytes(at_strbuf_text(&text), text.length).low;
	}
	if (text.failed)
		status = at_fail_memory(err);
	at_strbuf_release(&text);
	return status;
}

/*
 * Calls tell() for each problem, with the first one ahead of it that has the same sizes
 * for the same device, or NULL. All pairs are compared, but by no more than a number
 * unless they are the same.
 */
static enum at_status look_for_twins(struct at_spec_loader *loader,
	const struct at_problem *problems, size_t count,
	enum at_status (*tell)(struct at_spec_loader *loader,
		const struct at_problem *problem, const struct at_problem *first))
{
	uint64_t *sums = calloc(count + 1, sizeof(*sums));
	enum at_status status = sums ? AT_OK : at_fail_memory(loader->err);

	for (size_t i = 0; i < count && !status; i++)
		status = sum_of_sizes(&problems[i], &sums[i], loader->err);
	for (size_t i = 0; i < count && !status; i++) {
		const struct at_problem *problem = &problems[i];
		size_t k = 0;

		while (k < i &&
			(sums[k] != sums[i] || !share_devices(problem, &problems[k]) ||
				problem->size_count != problems[k].size_count ||
				!adds_nothing(problem, &problems[k])))
			k++;
		status = tell(loader, problem, k < i ? &problems[k] : NULL);
	}
	free(sums);
	return status;
}

static enum at_status tell_of_problem(struct at_spec_loader *loader,
	const struct at_problem *problem, const struct at_problem *first)
{
	if (!first)
		return AT_OK;
	return at_spec_remark(loader, problem->line,
		"the problem \"%.80s\" has the sizes of \"%.80s\" in line %d: it is the same one, and tuned twice",
		problem->name, first->name, first->line);
}

static enum at_status look_at_problems(struct at_spec_loader *loader)
{
	return look_for_twins(loader, loader->spec->problems,
		loader->spec->problem_count, tell_of_problem);
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

static enum at_status tell_of_proof(struct at_spec_loader *loader,
	const struct at_problem *problem, const struct at_problem *first)
{
	if (first)
		return at_spec_remark(loader, problem->line,
			"the problem \"%.80s\" of verify has the sizes of \"%.80s\" in line %d",
			problem->name, first->name, first->line);
	if (is_tuned_anyway(loader->spec, problem))
		return at_spec_remark(loader, problem->line,
			"the problem \"%.80s\" of verify has the sizes that are tuned: it proves nothing more; give ragged ones, such as a prime",
			problem->name);
	return AT_OK;
}

static enum at_status look_at_verify(struct at_spec_loader *loader)
{
	return look_for_twins(loader, loader->spec->verify.problems,
		loader->spec->verify.problem_count, tell_of_proof);
}

/* ---- arguments ----------------------------------------------------------------- */

static bool is_loose(const struct at_argument *argument, double rtol)
{
	return at_spec_is_compared(argument) && !argument->has_fields &&
	       (argument->element == AT_ELEMENT_F32 ||
		       argument->element == AT_ELEMENT_F64) &&
	       rtol >= LOOSE_RTOL;
}

static enum at_status look_at_tolerances(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	const struct at_config_node *verify = at_config_find(loader->root, "verify");
	const struct at_config_node *node = at_config_find(verify, "rtol");
	enum at_status status = AT_OK;
	bool is_told = false;

	for (size_t i = 0; i < spec->argument_count && !status; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		bool is_own = !isnan(argument->rtol);
		double rtol = is_own ? argument->rtol : spec->verify.rtol;

		/* A tolerance of verify, which holds for all arguments, is remarked on
		   once. */
		if (!is_loose(argument, rtol) || (!is_own && is_told))
			continue;
		is_told |= !is_own;
		status = at_spec_remark(loader,
			is_own || !node ? argument->line : node->line,
			"the \"rtol\" of %s\"%.80s\" is %g: a value that is wrong by %.0f %% of itself is right; expected less, as in 1e-4",
			is_own ? "" : "verify, for ", argument->name, rtol, 100 * rtol);
	}
	return status;
}

/* The lowest and the highest value of a fill; false where they are not known. */
static bool ends_of_fill(const struct at_spec *spec, const struct at_argument *argument,
	const struct at_value *slots, double *low, double *high)
{
	const struct at_fill *fill = &argument->fill;
	double a = 0, b = 0, count = 0;

	if ((fill->a && at_spec_real(spec, fill->a, slots, "", 0, &a, NULL)) ||
		(fill->b && at_spec_real(spec, fill->b, slots, "", 0, &b, NULL)))
		return false;
	*low = *high = a;
	switch (fill->kind) {
	case AT_FILL_NONE:
	case AT_FILL_FILE:
		return false;
	case AT_FILL_CONSTANT:
	case AT_FILL_NORMAL: /* around its mean; the extremes are random */
		return true;
	case AT_FILL_UNIFORM:
		*high = b;
		return true;
	case AT_FILL_INDEX:
		*low = 0;
		*high = a - 1;
		return true;
	case AT_FILL_SEQUENCE:
		if (!argument->count ||
			at_spec_real(spec, argument->count, slots, "", 0, &count, NULL))
			return false;
		*low = fmin(a, a + b * (count - 1));
		*high = fmax(a, a + b * (count - 1));
		return true;
	}
	return false;
}

/* Compares domain and fill on the first problem, with the defaults. Data outside the
   domain is never proved, and data outside the fill is never timed. */
static enum at_status look_at_domains(struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;
	struct at_value *slots = calloc(spec->slot_count + 1, sizeof(*slots));
	enum at_status status = AT_OK;

	if (!slots)
		return at_fail_memory(loader->err);
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	for (size_t i = 0; i < spec->argument_count && !status; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		double low, high, from, to;

		if (!argument->domain[0] || !argument->domain[1] ||
			!ends_of_fill(spec, argument, slots, &from, &to) ||
			at_spec_real(
				spec, argument->domain[0], slots, "", 0, &low, NULL) ||
			at_spec_real(
				spec, argument->domain[1], slots, "", 0, &high, NULL) ||
			(from >= low && to <= high) || low > high)
			continue;
		status = at_spec_remark(loader, argument->line,
			"the domain of argument \"%.80s\" is %g to %g, and its fill has %g to %g: what is timed lies %s where it is proved; let the one hold the other",
			argument->name, low, high, from, to,
			from > high || to < low ? "outside" : "partly outside");
	}
	free(slots);
	return status;
}

/* ---- what has no effect -------------------------------------------------------- */

static enum at_status look_at_sections(struct at_spec_loader *loader)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < loader->root->count && !status; i++) {
		const struct at_config_node *node = &loader->root->children[i];

		if (node->kind >= AT_CONFIG_GROUP && node->kind <= AT_CONFIG_ARRAY &&
			!node->count)
			status = at_spec_remark(loader, node->line,
				"\"%.80s\" is empty, and says no more than if it were not there",
				node->name);
	}
	return status;
}

static enum at_status look_at_ranges(struct at_spec_loader *loader)
{
	const struct at_config_node *list = at_config_find(loader->root, "parameters");
	const struct at_spec *spec = loader->spec;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->parameter_count && !status; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		const struct at_config_node *node =
			at_config_find(list, parameter->name);

		if (node && node->kind == AT_CONFIG_GROUP &&
			parameter->value_count == 1)
			status = at_spec_remark(loader, parameter->line,
				"the range of parameter \"%.80s\" has one value: its next step lies behind \"to\"",
				parameter->name);
	}
	return status;
}

/* Notes the structure that an argument or a field is of. */
static enum at_status note_type(
	const char *type, struct at_hash_index *used, struct at_error *err)
{
	uint32_t number;

	return at_hash_index_put(
		used, at_hash_bytes(type, strlen(type)), 0, &number, err);
}

static enum at_status note_types(
	const struct at_spec_loader *loader, struct at_hash_index *used)
{
	const struct at_config_node *types = at_config_find(loader->root, "types");
	char type[AT_SPEC_FIELD_BYTES_MAX];
	enum at_status status = AT_OK;

	for (size_t i = 0; i < loader->spec->given_count && !status; i++)
		if (loader->spec->arguments[i].type)
			status = note_type(
				loader->spec->arguments[i].type, used, loader->err);
	for (size_t i = 0; types && i < types->count; i++)
		for (size_t k = 0;
			!status && at_spec_type_of_field(&types->children[i], k, type);
			k++)
			status = note_type(type, used, loader->err);
	return status;
}

static enum at_status look_at_types(struct at_spec_loader *loader)
{
	const struct at_config_node *types = at_config_find(loader->root, "types");
	struct at_hash_index used = { 0 };
	enum at_status status = note_types(loader, &used);

	for (size_t i = 0; types && i < types->count && !status; i++) {
		const struct at_config_node *node = &types->children[i];
		uint32_t is_new = 0;

		status = at_hash_index_put(&used,
			at_hash_bytes(node->name, strlen(node->name)), 1, &is_new,
			loader->err);
		if (!status && is_new)
			status = at_spec_remark(loader, node->line,
				"no argument is of the structure \"%.80s\"",
				node->name);
	}
	at_hash_index_release(&used);
	return status;
}

enum at_status at_spec_load_remarks(struct at_spec_loader *loader)
{
	static enum at_status (*const looks[])(struct at_spec_loader * loader) = {
		look_at_sections,
		look_at_ranges,
		look_at_problems,
		at_spec_look_at_launch,
		at_spec_look_at_arguments,
		look_at_sizes,
		look_at_constraints,
		look_at_options,
		look_at_types,
		look_at_domains,
		look_at_tolerances,
		look_at_verify,
	};
	enum at_status status = AT_OK;

	for (size_t i = 0; i < AT_COUNT_OF(looks) && !status; i++)
		status = looks[i](loader);
	return status;
}
