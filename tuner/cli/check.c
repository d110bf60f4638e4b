/* autotune check: reads a space, counts it, says what the constraints remove. */
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/inspect.h"
#include "cli/output.h"
#include "cli/sources.h"
#include "cli/vet.h"

#include "base/clock.h"
#include "device/device.h"
#include "space/enumerate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_COLUMN 16
#define NEWEST "newest"

static enum at_status check_architecture(const char *value, struct at_error *err)
{
	struct at_device_info device = { 0 };

	if (!strcmp(value, NEWEST) || at_device_describe(value, &device))
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"unknown architecture \"%s\"; expected one as in sm_90, or " NEWEST,
		value);
}

static const struct at_cli_option option_arch = {
	.name = "arch",
	.kind = AT_CLI_TEXT,
	.value = "sm_NN|" NEWEST,
	.help = "take device properties from this architecture, or from the newest that NVRTC and autotune know; no device is needed",
	.check = check_architecture,
};

struct check {
	const struct at_cli_arguments *arguments;
	bool json;
	bool quiet;
	/* found when a space first needs device properties */
	struct at_property_sources sources;
	char architecture[16]; /* of --arch; "": not given */
	struct at_cli_vet vet;
};

/* ---- output ------------------------------------------------------------------ */

/* One count of a space; problem and source are NULL where they do not matter. */
struct count {
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_property_source *source;
	struct at_enumeration result;
	double seconds;
};

static struct at_json *big_to_json(uint64_t value)
{
	return value <= INT64_MAX ? at_json_integer((int64_t)value)
				  : at_json_real((double)value);
}

static void print_count_json(const struct count *count)
{
	const struct at_spec *spec = count->spec;
	struct at_json *out = at_json_object();
	struct at_json *constraints = at_json_array();

	for (size_t i = 0; i < spec->constraint_count; i++) {
		const struct at_constraint *constraint = &spec->constraints[i];
		struct at_json *item = at_json_object();

		at_json_set(item, "text",
			at_json_string(at_expression_text(constraint->expression)));
		at_json_set(item, "removed", big_to_json(count->result.removed[i]));
		at_json_set(item, "divisions_by_zero",
			big_to_json(count->result.divisions_by_zero[i]));
		at_json_set(item, "line", at_json_integer(constraint->line));
		at_json_append(constraints, item);
	}
	at_json_set(out, "space", at_json_string(spec->name));
	at_json_set(out, "path", at_json_string(spec->path));
	at_json_set(out, "problem",
		count->problem ? at_json_string(count->problem->name) : at_json_null());
	at_json_set(out, "device",
		count->source ? at_json_string(count->source->label) : at_json_null());
	at_json_set(out, "cartesian", big_to_json(count->result.cartesian));
	at_json_set(out, "valid", big_to_json(count->result.valid));
	at_json_set(out, "seconds", at_json_real(count->seconds));
	at_json_set(out, "constraints", constraints);
	at_print_json(out);
}

static void add_big(struct at_strbuf *out, uint64_t value)
{
	if (value == UINT64_MAX)
		at_strbuf_add(out, "2^64 or more");
	else
		at_format_count(out, value);
}

static void add_constraint(
	struct at_strbuf *out, const struct count *count, size_t index)
{
	uint64_t divisions = count->result.divisions_by_zero[index];
	struct at_strbuf number = { 0 };

	add_big(&number, count->result.removed[index]);
	at_strbuf_addf(out, "%*s  ", COUNT_COLUMN, at_strbuf_text(&number));
	at_strbuf_release(&number);
	at_format_plain(
		out, at_expression_text(count->spec->constraints[index].expression));
	if (divisions) {
		at_strbuf_add(out, "  (");
		add_big(out, divisions);
		at_strbuf_add(
			out, divisions == 1 ? " divides by zero)" : " divide by zero)");
	}
	at_strbuf_add_char(out, '\n');
}

static void print_count(const struct count *count)
{
	const struct at_enumeration *result = &count->result;
	struct at_strbuf out = { 0 };

	at_format_plain(&out, count->spec->path);
	if (count->problem) {
		at_strbuf_add(&out, ", problem ");
		at_format_plain(&out, count->problem->name);
	}
	if (count->source)
		at_strbuf_addf(&out, ", %s", count->source->label);
	at_strbuf_add(&out, "\n  Cartesian size ");
	add_big(&out, result->cartesian);
	at_strbuf_add(&out, ", valid size ");
	add_big(&out, result->valid);
	if (result->cartesian != UINT64_MAX)
		at_strbuf_addf(&out, " (%.3g %%)",
			100.0 * (double)result->valid / (double)result->cartesian);
	at_strbuf_add(&out, ", counted in ");
	at_format_time(&out, count->seconds * 1e9);
	at_strbuf_add_char(&out, '\n');
	if (count->spec->constraint_count)
		at_strbuf_addf(&out, "%*s  constraint\n", COUNT_COLUMN, "removed");
	for (size_t i = 0; i < count->spec->constraint_count; i++)
		add_constraint(&out, count, i);
	at_print(&out);
	at_strbuf_release(&out);
}

/* ---- counting ----------------------------------------------------------------- */

static enum at_status count_space(struct check *self, const struct at_spec *spec,
	const struct at_problem *problem, bool problem_matters,
	const struct at_property_source *source, struct at_error *err)
{
	const struct at_enumerate_options only_count = { .count_only = true };
	struct count count = { spec, problem_matters ? problem : NULL, source, { 0 },
		0 };
	struct at_value *slots = calloc(spec->slot_count + 1, sizeof(*slots));
	struct at_configurations none = { 0 };
	enum at_status status;
	uint64_t start;

	if (!slots)
		return at_fail_memory(err);
	at_spec_bind(spec, problem, NULL, source ? &source->properties : NULL, slots);
	start = at_clock_now_ns();
	status = at_enumerate(spec, slots, &only_count, &none, &count.result, err);
	count.seconds = (double)(at_clock_now_ns() - start) / 1e9;
	if (!status) {
		if (self->json)
			print_count_json(&count);
		else if (!self->quiet)
			print_count(&count);
		if (!count.result.valid)
			status = at_enumeration_explain_empty(
				spec, &count.result, slots, err);
	}
	at_enumeration_release(&count.result);
	at_configurations_release(&none);
	free(slots);
	return status;
}

/* What of a space was counted already: once, or once a device, is enough unless
   the constraints use the sizes of the problems. */
struct progress {
	struct at_needs constraints;
	bool counted_without_device;
	bool *counted; /* a source each */
	bool anything;
};

static enum at_status check_pair(struct check *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_property_source *source,
	struct progress *progress, struct at_error *err)
{
	const struct at_property_source *counting =
		progress->constraints.properties ? source : NULL;
	bool *counted = counting ? &progress->counted[counting - self->sources.items]
				 : &progress->counted_without_device;
	enum at_status status = AT_OK;

	if (progress->constraints.sizes || !*counted)
		status = count_space(self, spec, problem, progress->constraints.sizes,
			counting, err);
	*counted = true;
	progress->anything = true;
	/* --set moves the defaults: what becomes of them then says nothing of the file
	 */
	if (!status && !at_cli_given(self->arguments, &at_option_set))
		status = at_inspect_defaults(
			spec, problem, source ? &source->properties : NULL, err);
	return status;
}

static enum at_status check_problem(struct check *self, const struct at_spec *spec,
	const struct at_problem *problem, bool needs_properties,
	struct progress *progress, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!needs_properties)
		return check_pair(self, spec, problem, NULL, progress, err);
	for (size_t i = 0; i < self->sources.count && !status; i++) {
		const struct at_property_source *source = &self->sources.items[i];

		if (problem->on && strcmp(problem->on, source->kind) != 0)
			continue;
		status = check_pair(self, spec, problem, source, progress, err);
		if (!self->sources.chosen)
			break;
	}
	return status;
}

static enum at_status find_sources(struct check *self, struct at_error *err)
{
	const char *const *ids;
	enum at_status status;
	size_t count;

	status = at_cli_each(self->arguments, &at_option_device, &ids, &count, err);
	if (status)
		return status;
	status = at_property_sources_find(&self->sources, ids, count,
		self->architecture[0] ? self->architecture : NULL, err);
	free((void *)ids);
	return status;
}

static enum at_status fail_nothing(
	const struct check *self, const struct at_spec *spec, struct at_error *err)
{
	if (self->sources.chosen)
		return at_fail(err, AT_EUNAVAILABLE, spec->path, 0,
			"no problem asked for is for %s: see \"on\" under problems",
			self->architecture[0] ? self->architecture
					      : "the devices of --device");
	return at_fail(err, AT_EUNAVAILABLE, spec->path, 0,
		"it uses device.NAME, and no problem is for a device that is here; give --arch sm_90 or the like");
}

static enum at_status check_spec(
	struct check *self, const struct at_spec *spec, struct at_error *err)
{
	struct at_needs needs = at_inspect_all(spec);
	struct progress progress = { .constraints = at_inspect_constraints(spec) };
	enum at_status status = AT_OK;

	if (needs.properties || self->vet.wanted)
		status = find_sources(self, err);
	if (!status && !self->quiet)
		at_property_sources_note(&self->sources, needs.property);
	progress.counted = calloc(self->sources.count + 1, sizeof(*progress.counted));
	if (!status && !progress.counted)
		status = at_fail_memory(err);
	for (size_t i = 0; i < spec->problem_count && !status; i++)
		if (at_cli_wants_problem(self->arguments, spec->problems[i].name))
			status = check_problem(self, spec, &spec->problems[i],
				needs.properties, &progress, err);
	if (!status && !progress.anything)
		status = fail_nothing(self, spec, err);
	if (!status && (spec->kernel || self->vet.wanted))
		status = at_spec_require_kernel(spec, err);
	if (!status && spec->kernel)
		status = at_inspect_files(spec, err);
	if (!status && self->vet.wanted)
		status = at_cli_vet_space(&self->vet, spec, &self->sources, err);
	free(progress.counted);
	return status;
}

static enum at_status check_file(
	struct check *self, const char *path, struct at_error *err)
{
	struct at_spec *spec;
	enum at_status status = at_cli_load_space(self->arguments, path, &spec, err);

	if (status)
		return status;
	status = check_spec(self, spec, err);
	at_spec_free(spec);
	return status;
}

static enum at_status check_devices(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct at_device_choice choice;
	const char *const *ids;
	enum at_status status;
	size_t count;

	status = at_cli_each(arguments, &at_option_device, &ids, &count, err);
	if (status)
		return status;
	for (size_t i = 0; i < count && !status; i++)
		status = at_device_resolve(ids[i], &choice, err);
	if (!status && count && at_cli_given(arguments, &option_arch))
		status = at_fail(err, AT_EINVAL, NULL, 0,
			"--device and --arch exclude each other: give one of them");
	free((void *)ids);
	return status;
}

/* what --arch names, once NVRTC has been asked where it must be */
static enum at_status find_architecture(struct check *self, struct at_error *err)
{
	const char *name = at_cli_text(self->arguments, &option_arch, "");

	if (!strcmp(name, NEWEST))
		return at_cli_vet_newest(&self->vet, self->architecture,
			sizeof(self->architecture), err);
	snprintf(self->architecture, sizeof(self->architecture), "%s", name);
	return AT_OK;
}

static enum at_exit exit_code(enum at_status status)
{
	return status == AT_EINTERRUPTED ? AT_EXIT_INTERRUPTED : AT_EXIT_FAILED;
}

/* a space that is wrong does not keep the others from being read */
static enum at_exit check_files(struct check *self)
{
	const struct at_cli_arguments *arguments = self->arguments;
	enum at_exit code = AT_EXIT_DONE;
	struct at_error err = { 0 };

	if (find_architecture(self, &err)) {
		at_say_error(&err);
		return exit_code(err.status);
	}
	for (size_t i = 0; i < arguments->operand_count && code != AT_EXIT_INTERRUPTED;
		i++) {
		at_error_clear(&err);
		if (check_file(self, arguments->operands[i], &err)) {
			at_say_error(&err);
			code = exit_code(err.status);
		}
	}
	return code == AT_EXIT_DONE && self->vet.failed ? AT_EXIT_FAILED : code;
}

static enum at_exit run_check(const struct at_cli_arguments *arguments)
{
	enum at_exit code;
	struct at_error err = { 0 };
	struct check check = {
		.arguments = arguments,
		.json = at_cli_given(arguments, &at_option_json),
		.quiet = at_cli_given(arguments, &at_option_quiet),
		.vet = at_cli_vet_of(arguments),
	};

	if (check_devices(arguments, &err)) {
		at_say_error(&err);
		return AT_EXIT_USAGE;
	}
	code = check_files(&check);
	at_cli_vet_release(&check.vet);
	at_property_sources_release(&check.sources);
	return code;
}

static const struct at_cli_option *const options[] = {
	&at_option_device,
	&option_arch,
	&at_option_problem,
	&at_option_set,
	&at_option_compile,
	&at_option_jobs,
	&at_option_seed,
	&at_option_json,
	&at_option_quiet,
	NULL,
};

const struct at_cli_command at_command_check = {
	.name = "check",
	.operands = "SPACE...",
	.summary = "read the space, count it, say which constraint removes how many",
	.details =
		"Nothing is run, and nothing compiled unless --compile asks for it. A constraint counts for the configurations that it was the first to remove. Where the file says how to tune, also the template must be there, and the defaults must satisfy the constraints and give a launch and arguments that make sense.\n"
		"\n"
		"A space that uses device.NAME is counted for the devices of --device, else for the architecture of --arch, else for the first device that is found. What an architecture does not tell, such as the number of multiprocessors, is that of a common large board; a note says so.\n"
		"\n"
		"With --compile the baseline and N random configurations are compiled for the same: a table says what each needs of a multiprocessor, and how many of its blocks are resident there. The exit code is 1 where one does not compile, or where the baseline cannot be launched.\n"
		"\n"
		"  autotune check spaces/matmul.cfg --arch sm_90 --compile 20",
	.operands_minimum = 1,
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_check,
};
