#include "cli/inspect.h"

#include "base/file.h"
#include "kernel/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which names are needed ------------------------------------------------ */

static void add_property(struct at_needs *needs, size_t property)
{
	needs->properties = true;
	needs->property[property] = true;
}

static void add_needs(const struct at_spec *spec,
	const struct at_expression *expression, struct at_needs *needs)
{
	size_t first_property = spec->parameter_count + spec->size_count;
	const int *slots;
	size_t count;

	if (!expression)
		return;
	slots = at_expression_slots(expression, &count);
	for (size_t i = 0; i < count; i++) {
		size_t slot = (size_t)slots[i];

		if (slot >= first_property)
			add_property(needs, slot - first_property);
		else if (slot >= spec->parameter_count)
			needs->sizes = true;
	}
}

static void add_launch_needs(const struct at_spec *spec, const struct at_launch *launch,
	struct at_needs *needs)
{
	for (size_t i = 0; i < launch->block_rank; i++)
		add_needs(spec, launch->block[i], needs);
	for (size_t i = 0; i < launch->grid_rank; i++)
		add_needs(spec, launch->grid[i], needs);
	add_needs(spec, launch->shared_bytes, needs);
}

struct at_needs at_inspect_constraints(const struct at_spec *spec)
{
	struct at_needs needs = { 0 };

	for (size_t i = 0; i < spec->constraint_count; i++)
		add_needs(spec, spec->constraints[i].expression, &needs);
	return needs;
}

/* ${device.NAME} */
static void add_option_needs(const char *text, struct at_needs *needs)
{
	char reference[64];

	for (size_t i = 0; i < AT_PROPERTY_COUNT; i++) {
		snprintf(reference, sizeof(reference), "${device.%s}",
			at_property_name((enum at_property)i));
		if (strstr(text, reference))
			add_property(needs, i);
	}
}

struct at_needs at_inspect_all(const struct at_spec *spec)
{
	struct at_needs needs = at_inspect_constraints(spec);

	add_launch_needs(spec, &spec->launch, &needs);
	add_launch_needs(spec, &spec->prepare.launch, &needs);
	add_launch_needs(spec, &spec->finish.launch, &needs);
	add_launch_needs(spec, &spec->reference.call.launch, &needs);
	for (size_t i = 0; i < spec->argument_count; i++) {
		add_needs(spec, spec->arguments[i].count, &needs);
		add_needs(spec, spec->arguments[i].value, &needs);
		add_needs(spec, spec->arguments[i].fill.a, &needs);
		add_needs(spec, spec->arguments[i].fill.b, &needs);
	}
	add_needs(spec, spec->flops, &needs);
	add_needs(spec, spec->bytes, &needs);
	for (size_t i = 0; i < spec->option_count; i++) {
		add_option_needs(spec->options[i].text, &needs);
		add_needs(spec, spec->options[i].when, &needs);
	}
	return needs;
}

/* ---- files ----------------------------------------------------------------- */

static enum at_status need_file(const struct at_spec *spec, const char *path, int line,
	const char *what, struct at_error *err)
{
	if (!path || at_file_exists(path))
		return AT_OK;
	return at_fail(
		err, AT_ENOENT, spec->path, line, "%s \"%s\" is not there", what, path);
}

enum at_status at_inspect_files(const struct at_spec *spec, struct at_error *err)
{
	const struct at_reference *reference = &spec->reference;
	struct at_template template;
	enum at_status status;

	status = need_file(
		spec, spec->template_path, spec->kernel_line, "the template", err);
	if (!status && spec->template_path) {
		status = at_template_load(spec->template_path, &template, err);
		if (!status) {
			status = at_template_check_symbols(&template, spec, err);
			at_template_release(&template);
		}
	}
	if (!status)
		status = need_file(spec, reference->library, reference->line,
			"the library of the reference", err);
	for (size_t i = 0; i < reference->file_count && !status; i++)
		status = need_file(spec, reference->files[i].path, reference->line,
			"the reference's file", err);
	for (size_t i = 0; i < spec->argument_count && !status; i++)
		status = need_file(spec, spec->arguments[i].fill.file,
			spec->arguments[i].line, "the argument's file", err);
	return status;
}

/* ---- the defaults ---------------------------------------------------------- */

/* launch.block[0] and so on; ranges that every device is inside of */
static enum at_status inspect_launch(const struct at_spec *spec,
	const struct at_launch *launch, const char *name, const struct at_value *slots,
	struct at_error *err)
{
	enum at_status status = AT_OK;
	char what[64];
	int64_t value;

	for (size_t i = 0; i < launch->block_rank && !status; i++) {
		snprintf(what, sizeof(what), "%s.block[%zu]", name, i);
		status = at_spec_integer(spec, launch->block[i], slots, what,
			launch->line, 1, 1024, &value, err);
	}
	for (size_t i = 0; i < launch->grid_rank && !status; i++) {
		snprintf(what, sizeof(what), "%s.grid[%zu]", name, i);
		status = at_spec_integer(spec, launch->grid[i], slots, what,
			launch->line, 1, INT32_MAX, &value, err);
	}
	if (launch->shared_bytes && !status) {
		snprintf(what, sizeof(what), "%s.shared_bytes", name);
		status = at_spec_integer(spec, launch->shared_bytes, slots, what,
			launch->line, 0, INT32_MAX, &value, err);
	}
	return status;
}

static enum at_status inspect_scalar(const struct at_spec *spec,
	const struct at_argument *argument, const char *what,
	const struct at_value *slots, struct at_error *err)
{
	int bits = (int)(8 * at_element_bytes(argument->element));
	int64_t minimum = 0, maximum = INT64_MAX, value;
	double real;

	switch (at_element_kind(argument->element)) {
	case AT_ELEMENT_KIND_REAL:
		return at_spec_real(
			spec, argument->value, slots, what, argument->line, &real, err);
	case AT_ELEMENT_KIND_INTEGER:
		if (bits < 64)
			maximum = ((int64_t)1 << (bits - 1)) - 1;
		minimum = -maximum - 1;
		break;
	case AT_ELEMENT_KIND_UNSIGNED:
		if (bits < 64)
			maximum = ((int64_t)1 << bits) - 1;
		break;
	case AT_ELEMENT_KIND_NONE:
		break;
	}
	return at_spec_integer(spec, argument->value, slots, what, argument->line,
		minimum, maximum, &value, err);
}

static enum at_status inspect_argument(const struct at_spec *spec,
	const struct at_argument *argument, const struct at_value *slots,
	struct at_error *err)
{
	enum at_status status = AT_OK;
	char what[160];
	int64_t count;
	double real;

	snprintf(what, sizeof(what), "the %s of argument \"%.100s\"",
		argument->value ? "value" : "count", argument->name);
	if (argument->value)
		return inspect_scalar(spec, argument, what, slots, err);
	if (argument->count)
		status = at_spec_integer(spec, argument->count, slots, what,
			argument->line, 1, INT64_MAX, &count, err);
	snprintf(what, sizeof(what), "the fill of argument \"%.100s\"", argument->name);
	if (argument->fill.a && !status)
		status = at_spec_real(spec, argument->fill.a, slots, what,
			argument->line, &real, err);
	if (argument->fill.b && !status)
		status = at_spec_real(spec, argument->fill.b, slots, what,
			argument->line, &real, err);
	return status;
}

static enum at_status inspect_metric(const struct at_spec *spec,
	const struct at_expression *metric, const char *what,
	const struct at_value *slots, struct at_error *err)
{
	double value;

	return metric ? at_spec_real(spec, metric, slots, what, 0, &value, err) : AT_OK;
}

/* Everything that is evaluated for a configuration on the way to a launch. */
static enum at_status inspect_values(
	const struct at_spec *spec, const struct at_value *slots, struct at_error *err)
{
	enum at_status status;
	size_t option_count;
	char **options;

	status = inspect_launch(spec, &spec->launch, "launch", slots, err);
	if (!status)
		status = inspect_launch(
			spec, &spec->prepare.launch, "prepare.launch", slots, err);
	if (!status)
		status = inspect_launch(
			spec, &spec->finish.launch, "finish.launch", slots, err);
	if (!status)
		status = inspect_launch(spec, &spec->reference.call.launch,
			"reference.launch", slots, err);
	for (size_t i = 0; i < spec->argument_count && !status; i++)
		status = inspect_argument(spec, &spec->arguments[i], slots, err);
	if (!status)
		status = inspect_metric(spec, spec->flops, "metrics.flops", slots, err);
	if (!status)
		status = inspect_metric(spec, spec->bytes, "metrics.bytes", slots, err);
	if (!status) {
		status = at_source_options(spec, slots, &options, &option_count, err);
		if (!status)
			at_source_free_options(options, option_count);
	}
	return status;
}

/* The first constraint that refuses what the slots hold; NULL: none does. */
static const struct at_constraint *find_refusal(
	const struct at_spec *spec, const struct at_value *slots)
{
	for (size_t i = 0; i < spec->constraint_count; i++) {
		bool holds = false;

		if (at_expression_test(spec->constraints[i].expression, slots, &holds,
			    NULL) != AT_EVALUATION_OK ||
			!holds)
			return &spec->constraints[i];
	}
	return NULL;
}

static enum at_status inspect_problem(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_problem *base,
	const struct at_properties *properties, struct at_value *slots,
	struct at_error *err)
{
	const struct at_constraint *refusal;
	struct at_error inner = { 0 };
	enum at_status status;

	at_spec_bind(spec, problem, base, properties, slots);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	refusal = find_refusal(spec, slots);
	/* nothing says that the first values, or the ragged edges, must be admitted */
	if (refusal && (base || !spec->has_defaults))
		return AT_OK;
	if (refusal)
		return at_fail(err, AT_EINVAL, spec->path, refusal->line,
			"the defaults do not satisfy the constraint \"%s\" (problem %s): give defaults that do, the baseline is measured with them",
			at_expression_text(refusal->expression), problem->name);
	if (!spec->kernel)
		return AT_OK;
	status = inspect_values(spec, slots, &inner);
	if (status)
		at_fail(err, status, inner.file, inner.line,
			"%s (the defaults, problem %s)", inner.text,
			(base ? base : problem)->name);
	return status;
}

enum at_status at_inspect_defaults(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_properties *properties,
	struct at_error *err)
{
	struct at_value *slots = calloc(spec->slot_count + 1, sizeof(*slots));
	enum at_status status;

	if (!slots)
		return at_fail_memory(err);
	status = inspect_problem(spec, problem, NULL, properties, slots, err);
	for (size_t i = 0; i < spec->verify.problem_count && !status; i++)
		status = inspect_problem(spec, &spec->verify.problems[i], problem,
			properties, slots, err);
	free(slots);
	return status;
}
