/* autotune check: reads a space, counts it, says how many configurations constraints
   remove. */
#include "cli/cli.h"
#include "cli/cover.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/sources.h"
#include "cli/precheck.h"
#include "cli/replay.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/device.h"
#include "evaluator/plan.h"
#include "kernel/lint.h"
#include "space/domain.h"
#include "space/search_space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEWEST "newest"

static enum at_status check_architecture(const char *value, struct at_error *err)
{
	struct at_device_info device = { 0 };
	const char *digits = value;
	char meant[16];

	if (!strcmp(value, NEWEST) || at_device_describe(value, &device))
		return AT_OK;
	/* sm90, 90 and compute_90 all mean sm_90. */
	while (*digits && !(*digits >= '0' && *digits <= '9'))
		digits++;
	snprintf(meant, sizeof(meant), "sm_%s", digits);
	if (at_device_describe(meant, &device))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"unknown architecture \"%s\"; did you mean %s?", value, meant);
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
	const char *const *ids; /* those of --device */
	size_t id_count;
	bool json;
	bool quiet;
	bool covers; /* --cover was given */
	bool replays; /* --replay was given */
	bool replay_failed; /* an outcome was not ok; it was reported */
	/* Found when a space first needs device properties. */
	struct at_property_sources sources;
	char architecture[16]; /* of --arch; "": not given */
	struct at_cli_precheck precheck;
};

/* ---- which names are used ------------------------------------------------------ */

/* Which values of slots expressions use. */
struct needs {
	bool sizes; /* sizes of problems */
	bool properties; /* device.NAME */
	bool property[AT_PROPERTY_COUNT]; /* which of them */
};

/* constraints_alone decides how often the space must be counted. */
static struct needs needs_of(const struct at_spec *spec, bool constraints_alone)
{
	size_t first_property = spec->parameter_count + spec->size_count;
	bool *used = at_calloc(spec->slot_count + 1, sizeof(*used));
	struct needs needs = { 0 };

	at_spec_mark_slots(spec, constraints_alone, used);
	for (size_t i = spec->parameter_count; i < first_property; i++)
		needs.sizes |= used[i];
	for (size_t i = 0; i < AT_PROPERTY_COUNT; i++) {
		needs.property[i] = used[first_property + i];
		needs.properties |= needs.property[i];
	}
	free(used);
	return needs;
}

/* ---- what counting found --------------------------------------------------------- */

/* One count of a space. problem and source are NULL where the constraints do not depend
   on them. */
struct count {
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_property_source *source;
	struct at_enumeration result;
	double seconds; /* that the counting took */
	/* of the domain, where the space declares one: at_domain_count() */
	uint64_t domain_count;
	bool is_domain_exact;
};

/* The width of the largest number that occurs in practice, with commas. */
#define COUNT_COLUMN 16

static struct at_json *big_to_json(uint64_t value)
{
	return value <= INT64_MAX ? at_json_integer((int64_t)value)
				  : at_json_real((double)value);
}

static struct at_json *domain_to_json(const struct count *count)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "instances", big_to_json(count->domain_count));
	at_json_set(out, "exact", count->is_domain_exact);
	at_json_set(out, "cases", count->spec->verify.case_count);
	return out;
}

static void print_json(const struct count *count)
{
	const struct at_spec *spec = count->spec;
	struct at_json *out = at_json_object();
	struct at_json *constraints = at_json_array();

	for (size_t i = 0; i < spec->constraint_count; i++) {
		const struct at_constraint *constraint = &spec->constraints[i];
		struct at_json *item = at_json_object();

		at_json_set(item, "text", at_expression_text(constraint->expression));
		at_json_set(item, "removed", big_to_json(count->result.removed[i]));
		at_json_set(item, "divisions_by_zero",
			big_to_json(count->result.divisions_by_zero[i]));
		at_json_set(item, "line", at_json_integer(constraint->line));
		at_json_append(constraints, item);
	}
	at_json_set(out, "space", spec->name);
	at_json_set(out, "path", spec->path);
	at_json_set(out, "problem", count->problem ? count->problem->name : NULL);
	at_json_set(out, "device", count->source ? count->source->device.id : NULL);
	at_json_set(out, "cartesian", big_to_json(count->result.cartesian));
	at_json_set(out, "valid", big_to_json(count->result.valid));
	at_json_set(out, "seconds", count->seconds);
	at_json_set(out, "constraints", constraints);
	if (spec->domain.line)
		at_json_set(out, "domain", domain_to_json(count));
	at_print_json(out);
}

static void add_big(struct at_strbuf *out, uint64_t value)
{
	if (value == UINT64_MAX)
		at_strbuf_add(out, "2^64 or more");
	else
		at_strbuf_add(out, at_format_count(value).text);
}

/* "domain: 1,800 instances (N 1 .. 900, flag 0 1); a verification draws up to 16" */
static void add_domain(const struct count *count, struct at_strbuf *out)
{
	const struct at_spec *spec = count->spec;

	at_strbuf_add(out, "  domain: ");
	if (count->domain_count == UINT64_MAX) {
		at_strbuf_add(out, "too many instances to count (");
	} else {
		at_strbuf_add(out, count->is_domain_exact ? "" : "at most ");
		add_big(out, count->domain_count);
		at_strbuf_add(out, " instances (");
	}
	for (size_t i = 0; i < spec->domain.number_count; i++) {
		const struct at_domain_number *number = &spec->domain.numbers[i];

		at_strbuf_addf(out, "%s%s", i ? ", " : "", number->name);
		for (size_t k = 0; k < number->value_count; k++) {
			at_strbuf_add_char(out, ' ');
			at_value_format(number->values[k], out);
		}
		if (number->value_count)
			continue;
		at_strbuf_add_char(out, ' ');
		at_value_format(number->low, out);
		at_strbuf_add(out, " .. ");
		at_value_format(number->high, out);
	}
	at_strbuf_addf(
		out, "); a verification draws up to %zu\n", spec->verify.case_count);
}

static void print_text(const struct count *count)
{
	const struct at_enumeration *result = &count->result;
	struct at_strbuf out = { 0 }, number = { 0 };

	at_format_plain(&out, count->spec->path);
	if (count->problem) {
		at_strbuf_add(&out, ", problem ");
		at_format_plain(&out, count->problem->name);
	}
	if (count->source)
		at_strbuf_addf(&out, ", %s", count->source->device.id);
	at_strbuf_add(&out, "\n  Cartesian size ");
	add_big(&out, result->cartesian);
	at_strbuf_add(&out, ", valid size ");
	add_big(&out, result->valid);
	if (result->cartesian != UINT64_MAX)
		at_strbuf_addf(&out, " (%.3g %%)",
			100.0 * (double)result->valid / (double)result->cartesian);
	at_strbuf_addf(
		&out, ", counted in %s\n", at_format_time(count->seconds * 1e9).text);
	if (count->spec->constraint_count)
		at_strbuf_addf(&out, "%*s  constraint\n", COUNT_COLUMN, "removed");
	for (size_t i = 0; i < count->spec->constraint_count; i++) {
		uint64_t divisions = result->divisions_by_zero[i];

		at_strbuf_clear(&number);
		add_big(&number, result->removed[i]);
		at_strbuf_addf(&out, "%*s  ", COUNT_COLUMN, at_strbuf_text(&number));
		at_format_plain(&out,
			at_expression_text(count->spec->constraints[i].expression));
		if (divisions) {
			at_strbuf_add(&out, "  (");
			add_big(&out, divisions);
			at_strbuf_add(&out, divisions == 1 ? " divides by zero)"
							   : " divide by zero)");
		}
		at_strbuf_add_char(&out, '\n');
	}
	if (count->spec->domain.line)
		add_domain(count, &out);
	at_print_folded(&out);
	at_strbuf_release(&number);
	at_strbuf_release(&out);
}

/* ---- that counting goes on, on a terminal ------------------------------------------
 */

/* begun_ns is set by the caller. */
struct counter {
	const char *path; /* of the space; borrowed */
	uint64_t begun_ns; /* when counting began */
	uint64_t drawn_ns; /* when the display was last drawn */
};

/* A shorter wait needs no explanation. */
#define SILENT_NS UINT64_C(1000000000)
#define REDRAW_NS UINT64_C(100000000)

static enum at_status poll_counter(void *context, struct at_error *err)
{
	struct counter *self = context;
	uint64_t now_ns = at_clock_now_ns();

	(void)err;
	if (now_ns - self->begun_ns < SILENT_NS || now_ns - self->drawn_ns < REDRAW_NS)
		return AT_OK;
	self->drawn_ns = now_ns;
	at_output_status("counting %s, %s", self->path,
		at_format_seconds((double)(now_ns - self->begun_ns) * 1e-9).text);
	return AT_OK;
}

/* ---- counting ----------------------------------------------------------------- */

static enum at_status count_space(struct check *self, const struct at_spec *spec,
	const struct at_problem *problem, bool problem_matters,
	const struct at_property_source *source, struct at_error *err)
{
	struct count count = { .spec = spec,
		.problem = problem_matters ? problem : NULL,
		.source = source };
	struct counter counter = { .path = spec->path };
	const struct at_search_space_options options = { .poll = poll_counter,
		.context = &counter };
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));
	struct at_search_space *space = NULL;
	enum at_status status;
	uint64_t start;

	at_spec_bind(
		spec, problem, NULL, source ? &source->device.properties : NULL, slots);
	start = at_clock_now_ns();
	counter.begun_ns = start;
	status = at_search_space_new_with(
		spec, slots, &options, &space, &count.result, err);
	if (counter.drawn_ns)
		at_output_status(NULL);
	count.seconds = (double)(at_clock_now_ns() - start) / 1e9;
	if (!status && spec->domain.line)
		status = at_domain_count(spec, problem, &count.domain_count,
			&count.is_domain_exact, err);
	if (!status) {
		if (self->json || !self->quiet)
			(self->json ? print_json : print_text)(&count);
		if (!count.result.valid)
			status = at_enumeration_explain_empty(
				spec, &count.result, slots, err);
	}
	at_enumeration_release(&count.result);
	at_search_space_free(space);
	free(slots);
	return status;
}

/* What of a space was counted already. Counting once, or once a device, is enough
   unless the constraints use sizes of problems. */
struct progress {
	struct needs constraints;
	bool counted_without_device;
	bool *counted; /* by source */
	bool anything; /* some problem was checked */
};

static enum at_status check_defaults_on(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_problem *base,
	const struct at_device_info *device, struct at_error *err)
{
	struct at_plan plan;
	enum at_status status =
		at_plan_init(&plan, spec, NULL, problem, base, device, "", 0, err);

	if (!status)
		status = at_plan_check(&plan, err);
	at_plan_release(&plan);
	return status;
}

/* Checks the defaults on a problem, and on those that its winner is verified on. */
static enum at_status check_defaults(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_property_source *source,
	struct at_error *err)
{
	static const struct at_device_info unknown;
	const struct at_device_info *device = source ? &source->device : &unknown;
	/* Without a source, the problem may still say which kind of device it is
	   for. */
	const char *kind = source ? device->kind : problem->on;
	const struct at_verify *verify = &spec->verify;
	enum at_status status = check_defaults_on(spec, problem, NULL, device, err);

	for (size_t i = 0; i < verify->problem_count && !status; i++)
		if (!kind || at_plan_applies(&verify->problems[i], kind))
			status = check_defaults_on(
				spec, &verify->problems[i], problem, device, err);
	return status;
}

/* Checks a problem on a source; source NULL: nothing in the space uses device.NAME. */
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
	/* With --set the defaults may be others than the file's, and say nothing about
	   the file. */
	if (!status && !at_cli_given(self->arguments, &at_option_set))
		status =
			check_defaults(at_spec_of(spec, problem), problem, source, err);
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

		if (!at_plan_applies(problem, source->device.kind))
			continue;
		status = check_pair(self, spec, problem, source, progress, err);
		if (!self->sources.chosen)
			break;
	}
	return status;
}

static enum at_status need_file(const struct at_spec *spec, const char *path, int line,
	const char *what, struct at_error *err)
{
	struct at_error reason = { 0 };
	uint64_t size;
	enum at_status status = path ? at_file_check(path, &size, &reason) : AT_OK;
	size_t length = strlen(spec->directory);
	const char *given = path;

	/* as the space has it, without the space's folder */
	if (path && length && !strncmp(path, spec->directory, length))
		given += length + strspn(path + length, "/");
	if (status == AT_ENOENT)
		return at_fail(err, status, spec->path, line,
			"%s \"%s\" is not there: %s", what, path,
			strpbrk(given, "{;")
				? "this is the path of a file, and not what is in it"
			: *given == '~'
				? "only a shell knows ~, write the folder's path"
				: "paths count from the folder of the space file");
	return status ? at_fail(err, status, spec->path, line, "%s \"%s\" %s", what,
				path, reason.text)
		      : AT_OK;
}

/* Loads the template, and checks that the files of the reference and of fills exist. */
static enum at_status check_named_files(
	const struct at_spec *spec, struct at_template *template, struct at_error *err)
{
	const struct at_reference *reference = &spec->reference;
	enum at_status status;

	status = need_file(
		spec, spec->template_path, spec->kernel_line, "the template", err);
	if (!status)
		status = at_template_load(spec->template_path, template, err);
	if (!status)
		status = at_plan_check_names(spec, template, err);
	if (!status)
		status = need_file(spec, reference->library, reference->line,
			"the library of the reference", err);
	for (size_t i = 0; i < reference->file_count && !status; i++)
		status = need_file(spec, reference->files[i].path, reference->line,
			"the reference's file", err);
	for (size_t i = 0; i < spec->argument_count && !status; i++)
		status = need_file(spec, spec->arguments[i].fill.file,
			spec->arguments[i].line, "the argument's file", err);
	for (size_t i = 0; i < spec->verify.data_set_count && !status; i++)
		for (size_t k = 0; k < spec->argument_count && !status; k++)
			status =
				need_file(spec, spec->verify.data_sets[i].fills[k].file,
					spec->verify.data_sets[i].line,
					"the file of a data set in verify", err);
	return status;
}

static void warn(void *context, const struct at_error *warning)
{
	char text[sizeof(warning->file) + sizeof(warning->text) + 32];

	(void)context;
	at_say("warning: %s", at_error_format(warning, text, sizeof(text)));
}

static void warn_of_remarks(const struct at_spec *spec)
{
	for (size_t i = 0; i < spec->remark_count; i++) {
		struct at_error warning = { 0 };

		at_fail(&warning, AT_EINVAL, spec->path, spec->remarks[i].line, "%s",
			spec->remarks[i].text);
		warn(NULL, &warning);
	}
}

static enum at_status check_spec(
	struct check *self, const struct at_spec *spec, struct at_error *err)
{
	struct needs needs = needs_of(spec, false);
	struct progress progress = { .constraints = needs_of(spec, true) };
	struct at_template template = { 0 };
	enum at_status status = AT_OK;

	if (!self->quiet)
		warn_of_remarks(spec);
	if (needs.properties || self->precheck.wanted)
		status = at_property_sources_find(&self->sources, self->ids,
			self->id_count,
			self->architecture[0] ? self->architecture : NULL, err);
	if (!status && !self->quiet)
		at_property_sources_note(&self->sources, needs.property);
	progress.counted =
		at_calloc(self->sources.count + 1, sizeof(*progress.counted));
	for (size_t i = 0; i < spec->problem_count && !status; i++)
		if (at_cli_wants_problem(self->arguments, spec->problems[i].name))
			status = check_problem(self, spec, &spec->problems[i],
				needs.properties, &progress, err);
	if (!status && !progress.anything && self->sources.chosen)
		status = at_fail(err, AT_EUNAVAILABLE, spec->path, 0,
			"no problem asked for is for %s: see \"on\" under problems",
			self->architecture[0] ? self->architecture
					      : "the devices of --device");
	else if (!status && !progress.anything)
		status = at_fail(err, AT_EUNAVAILABLE, spec->path, 0,
			"it uses device.NAME, and no problem is for a device that is here; give --arch sm_90 or the like");
	if (!status && (spec->kernel || self->precheck.wanted || self->covers ||
			       self->replays))
		status = at_spec_require_kernel(spec, err);
	if (!status && spec->kernel)
		status = check_named_files(spec, &template, err);
	if (!status && spec->kernel && !self->quiet)
		status = at_lint_check(spec, &template, warn, NULL, err);
	if (!status && self->precheck.wanted)
		status = at_cli_precheck_space(
			&self->precheck, spec, &template, &self->sources, err);
	if (!status && self->covers)
		status = at_cli_cover_space(self->arguments, spec, &template, err);
	if (!status && self->replays)
		status = at_cli_replay_space(self->arguments, spec, self->ids,
			self->id_count, &self->replay_failed, err);
	at_template_release(&template);
	free(progress.counted);
	return status;
}

static enum at_exit exit_code(enum at_status status)
{
	return status == AT_EINTERRUPTED ? AT_EXIT_INTERRUPTED : AT_EXIT_FAILED;
}

static enum at_exit check_files(struct check *self)
{
	const struct at_cli_arguments *arguments = self->arguments;
	const char *name = at_cli_text(arguments, &option_arch, "");
	enum at_exit code = AT_EXIT_DONE;
	struct at_error err = { 0 };

	/* Before the first space, since NVRTC has to be asked which one is the
	   newest. */
	snprintf(self->architecture, sizeof(self->architecture), "%s", name);
	if (!strcmp(name, NEWEST) &&
		at_cli_precheck_newest(&self->precheck, self->architecture,
			sizeof(self->architecture), &err)) {
		at_say_error(&err);
		return exit_code(err.status);
	}
	/* A wrong space does not keep the others from being checked. */
	for (size_t i = 0; i < arguments->operand_count && code != AT_EXIT_INTERRUPTED;
		i++) {
		struct at_spec *spec = NULL;
		enum at_status status;

		at_error_clear(&err);
		status = at_cli_load_space(
			arguments, arguments->operands[i], &spec, &err);
		for (size_t k = 0; k < arguments->value_count && !status; k++)
			if (arguments->values[k].option == &at_option_set)
				status = at_spec_restrict(
					spec, arguments->values[k].text, &err);
		if (!status)
			status = check_spec(self, spec, &err);
		at_spec_free(spec);
		if (status) {
			at_say_error(&err);
			code = exit_code(status);
		}
	}
	if (code != AT_EXIT_DONE)
		return code;
	return self->precheck.failed ? AT_EXIT_FAILED
	       : self->replay_failed ? AT_EXIT_NO_WINNER
				     : AT_EXIT_DONE;
}

static enum at_exit run_check(const struct at_cli_arguments *arguments)
{
	enum at_exit code = AT_EXIT_USAGE;
	struct at_device_choice choice;
	struct at_error err = { 0 };
	struct check check = {
		.arguments = arguments,
		.json = at_cli_given(arguments, &at_option_json),
		.quiet = at_cli_given(arguments, &at_option_quiet),
		.covers = at_cli_given(arguments, &at_option_cover),
		.replays = at_cli_given(arguments, &at_option_replay),
		.precheck = at_cli_precheck_of(arguments),
	};
	enum at_status status = AT_OK;

	at_cli_each(arguments, &at_option_device, &check.ids, &check.id_count);

	for (size_t i = 0; i < check.id_count && !status; i++)
		status = at_device_resolve(check.ids[i], &choice, &err);
	if (!status && check.id_count && at_cli_given(arguments, &option_arch))
		status = at_fail(&err, AT_EINVAL, NULL, 0,
			"--device and --arch exclude each other: give one of them");
	if (status)
		at_say_error(&err);
	else
		code = check_files(&check);
	at_cli_precheck_release(&check.precheck);
	at_property_sources_release(&check.sources);
	free((void *)check.ids);
	return code;
}

static const struct at_cli_option *const options[] = {
	&at_option_device,
	&option_arch,
	&at_option_problem,
	&at_option_set,
	&at_option_compile,
	&at_option_cover,
	&at_option_replay,
	&at_option_jobs,
	&at_option_seed,
	&at_option_trust,
	&at_option_json,
	&at_option_quiet,
	&at_option_float64,
	NULL,
};

const struct at_cli_command at_command_check = {
	.name = "check",
	.operands = "SPACE...",
	.summary =
		"check a space, count its configurations, show what each constraint removes",
	.details =
		"Nothing is run unless --cover or --replay is given, and nothing is compiled unless one of them or --compile is given. For each constraint it shows how many configurations it removes; a configuration that breaks several constraints counts for the first. If the space file also says how to tune, the template must exist too, and the defaults must satisfy the constraints and give a launch and arguments that make sense.\n"
		"\n"
		"A space that uses device.NAME is counted for each device of --device; else for the architecture of --arch; else for the first device that is found. Properties that an architecture does not determine, such as the number of multiprocessors, are those of a common large board; a note says so.\n"
		"\n"
		"With --compile, the baseline and N random configurations are compiled for that device or architecture. A table shows which resources of a multiprocessor each needs, and how many of its blocks are resident there. The exit code is 1 if one does not compile, or if the baseline cannot be launched.\n"
		"\n"
		"With --cover, the reference and the baseline are compiled for this CPU with counters, and run on the cases on which a winner would be verified. For each problem it shows which branches never ran and which constants no case gave to a number, then a domain to start from. If coverage cannot be measured, because gcc is missing or the reference is a file, a line says so, and the exit code stays 0.\n"
		"\n"
		"With --replay, the baseline runs on a device, and its outputs are compared with the expected ones. For a space of \"autotune capture\" these are the program's own outputs. The exit code is 3 if they differ.\n"
		"\n"
		"Files of strangers can be checked safely without --cover and --replay: nothing of them is run, and nothing is written for them. Compiler options are accepted only if they are known to choose nothing but code and messages. Compilers run in a sandbox: they write into a folder that is removed, and open no connection. --trust lifts both limits.\n"
		"\n"
		"  autotune check spaces/matmul.cfg --arch sm_90 --compile 20",
	.operands_minimum = 1,
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_check,
};
