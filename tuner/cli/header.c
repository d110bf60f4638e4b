/* autotune header: writes result files and headers from the record. */
#include "cli/words.h"
#include "cli/output.h"
#include "cli/tell.h"
#include "cli/recorded.h"

#include "base/escape.h"
#include "base/text.h"
#include "kernel/safe_options.h"
#include "record/header_plan.h"
#include "record/result.h"
#include "record/sources.h"
#include "session/cubins.h"
#include "space/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct header {
	const struct at_cli_arguments *arguments;
	struct at_recorded recorded;
	struct at_result_options options;
	bool is_to_output; /* -o - */
	bool is_check;
	bool is_flags;
	bool is_cubins;
	bool with_defaults;
	double loss_limit; /* of a portfolio, a fraction; INFINITY: any */
	size_t size_limit; /* configurations of a portfolio; 0: any */
};

/* ---- --flags --------------------------------------------------------------------- */

/* The devices on which this configuration is a winner or a winner's baseline, each
   once. */
static struct at_json *list_devices(const struct at_header_plan *plan, size_t index)
{
	struct at_json *devices = at_json_array();

	for (size_t i = 0; i < plan->device_count; i++) {
		bool used = false;

		for (size_t k = 0; k < plan->entry_count; k++)
			used |= plan->entries[k].configuration == index &&
				plan->entries[k].device == i;
		if (used)
			at_json_append(
				devices, at_json_string(plan->devices[i].record->slug));
	}
	return devices;
}

static void print_text(
	const struct at_header_plan *plan, size_t index, const char *kernel)
{
	const struct at_header_configuration *it = &plan->configurations[index];
	struct at_strbuf line = { 0 };

	at_strbuf_addf(&line, "%zu\t%s\t", index, kernel);
	for (size_t i = 0; i < it->option_count; i++) {
		at_strbuf_add(&line, i ? " " : "");
		at_escape_shell(&line, it->options[i]);
	}
	at_strbuf_add_char(&line, '\n');
	at_print(&line);
}

/* A build will pass the recorded options to nvcc, and the record is not trusted. A plan
   takes only options that the space file has for the same values, but in any order: an
   option without its value would take the next word as its value. */
static enum at_status check_trust(
	const struct at_header_plan *plan, struct at_error *err)
{
	const char *why;
	size_t wrong;

	for (size_t i = 0; i < plan->configuration_count && !plan->spec->is_trusted;
		i++) {
		const struct at_header_configuration *it = &plan->configurations[i];

		if (!at_options_are_safe(it->options, it->option_count, &wrong, &why))
			return at_fail(err, AT_EUNTRUSTED, plan->spec->path, 0,
				"configuration %zu was recorded with the option \"%.200s\", which %s: --trust takes it, where you know who recorded it",
				i, it->options[wrong], why);
	}
	return AT_OK;
}

static enum at_status print_lines(
	const struct at_header_plan *plan, bool as_json, struct at_error *err)
{
	char *prefix = at_header_prefix(plan->spec);
	char *macro = at_text_macro(plan->spec->name);
	struct at_strbuf kernel = { 0 };
	enum at_status status = check_trust(plan, err);

	for (size_t i = 0; i < plan->configuration_count && !status; i++) {
		at_strbuf_clear(&kernel);
		at_strbuf_addf(&kernel, "%s_%zu", prefix, i);
		if (as_json) {
			const struct at_header_configuration *it =
				&plan->configurations[i];
			struct at_json *object = at_json_object(),
				       *flags = at_json_array();
			struct at_strbuf stale = { 0 };

			for (size_t k = 0; k < it->option_count; k++)
				at_json_append(flags, at_json_string(it->options[k]));
			at_json_set(object, "space", plan->spec->name);
			at_json_set(object, "macro", macro);
			at_json_set(object, "template", plan->spec->template_path);
			at_json_set(object, "configuration", i);
			at_json_set(object, "kernel", at_strbuf_text(&kernel));
			at_json_set_instance(object, plan->spec, it->values);
			at_json_set(object, "flags", flags);
			at_json_set(object, "devices", list_devices(plan, i));
			at_header_plan_write_stale(plan, i, &stale);
			if (stale.length)
				at_json_set(object, "stale", at_strbuf_text(&stale));
			at_print_json(object);
			at_strbuf_release(&stale);
		} else {
			print_text(plan, i, at_strbuf_text(&kernel));
		}
	}
	at_strbuf_release(&kernel);
	free(prefix);
	free(macro);
	return status;
}

/* ---- --cubins -------------------------------------------------------------------- */

static enum at_status compile_cubins(const struct at_header_plan *plan,
	const struct at_result_options *options, bool is_to_output, char **written,
	struct at_error *err)
{
	struct at_cubins cubins;
	struct at_strbuf text = { 0 };
	enum at_status status = at_cubins_make(plan, &cubins, err);

	for (size_t i = 0; i < cubins.note_count && !status; i++)
		at_say("note: %s: %s", plan->spec->path, cubins.notes[i]);
	if (!status && is_to_output) {
		status = at_result_cubins(options, plan, &cubins, &text, err);
		if (!status)
			at_print(&text);
	} else if (!status) {
		status = at_result_write_cubins(options, plan, &cubins, written, err);
	}
	at_strbuf_release(&text);
	at_cubins_release(&cubins);
	return status;
}

/* ---- writing ------------------------------------------------------------------- */

/* Removes results of devices and problems outside the command line's filters. */
static void keep_wanted(const struct header *self, struct at_results *results)
{
	size_t kept = 0;

	for (size_t i = 0; i < results->count; i++) {
		const struct at_result *item = &results->items[i];

		if (at_recorded_wants(&self->recorded, &item->device) &&
			at_cli_wants_problem(self->arguments, item->best.problem))
			results->items[kept++] = results->items[i];
		else
			at_result_release(&results->items[i]);
	}
	results->count = kept;
}

/* Prints the written paths. cubins: the header with cubins; may be NULL. */
static void tell(const struct header *self, const struct at_spec *spec,
	const char *path, const char *cubins, const struct at_results *results)
{
	struct at_json *object = at_json_object(), *devices = at_json_array();
	struct at_strbuf line = { 0 };

	/* the results are sorted by device */
	for (size_t i = 0; i < results->count; i++)
		if (!i || strcmp(results->items[i].device.slug,
				  results->items[i - 1].device.slug) != 0)
			at_json_append(
				devices, at_json_string(results->items[i].device.slug));
	at_json_set(object, "space", spec->name);
	at_json_set(object, "devices", devices);
	if (path) {
		at_json_set(object, "header", path);
		at_strbuf_addf(
			&line, "%s%s\n", path, self->is_check ? " is up to date" : "");
	}
	if (cubins) {
		at_json_set(object, "cubins", cubins);
		at_strbuf_addf(&line, "%s\n", cubins);
	}
	at_cli_tell(self->arguments, object, &line);
}

static enum at_status write_files(const struct header *self, const struct at_spec *spec,
	const struct at_results *results, char **path, struct at_error *err)
{
	const struct at_result_options *options = &self->options;
	enum at_status status = AT_OK;

	if (self->is_check)
		return at_result_check_header(
			options, spec, results->items, results->count, path, err);
	/* with -o only the header is written; without a record there are no result
	   files to make */
	if (!options->header_path && !options->is_portfolio &&
		!self->recorded.is_bundled)
		status = at_result_write_files(options, spec, results, err);
	return status ? status
		      : at_result_write_header(options, spec, results->items,
				results->count, path, err);
}

/* Executes the options with the plan of the header. */
static enum at_status write_plan(const struct header *self,
	const struct at_results *results, const struct at_header_plan *plan,
	struct at_error *err)
{
	struct at_strbuf text = { 0 };
	char *path = NULL, *cubins = NULL;
	enum at_status status = AT_OK;

	if (self->is_flags)
		return print_lines(plan, at_cli_given(self->arguments, "json"), err);
	if (!at_cli_given(self->arguments, "quiet")) {
		struct at_strbuf stale = { 0 };

		at_header_plan_write_stale(plan, SIZE_MAX, &stale);
		if (stale.length)
			at_say("note: %s: %s: tune it again", plan->spec->path,
				stale.data);
		at_strbuf_release(&stale);
	}
	if (self->is_to_output && !self->is_cubins) {
		status = at_header_write(plan, &text, err);
		if (!status)
			at_print(&text);
		return status;
	}
	/* before anything is written, since compiling may fail; with -o nothing else is
	   written */
	if (self->is_cubins)
		status = compile_cubins(
			plan, &self->options, self->is_to_output, &cubins, err);
	if (!status && !(self->is_cubins && self->options.header_path))
		status = write_files(self, plan->spec, results, &path, err);
	if (!status && (path || cubins))
		tell(self, plan->spec, path, cubins, results);
	free(cubins);
	free(path);
	return status;
}

static enum at_status write_header(const struct header *self,
	const struct at_spec *spec, const struct at_results *results,
	struct at_error *err)
{
	const struct at_header_plan_options options = {
		.with_unverified = self->options.with_unverified,
	};
	struct at_header_plan plan = { 0 };
	char *path = NULL;
	enum at_status status;

	if (self->is_check) {
		status = write_files(self, spec, results, &path, err);
		if (!status)
			tell(self, spec, path, NULL, results);
		free(path);
		return status;
	}
	status = at_header_plan_make(
		spec, results->items, results->count, &options, &plan, err);
	if (!status && !plan.entry_count)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"no winner of \"%s\" is verified and fits the space: tune it to the end",
			spec->name);
	if (!status)
		status = write_plan(self, results, &plan, err);
	at_header_plan_release(&plan);
	return status;
}

/* Replaces the winners by the members of the recorded portfolio. AT_ENOENT: none is
   recorded, or it exceeds the requested loss or size. */
static enum at_status take_portfolio(const struct header *self,
	const struct at_spec *spec, struct at_results *results, struct at_error *err)
{
	double worst = 0;
	size_t most = 0, winners = results->count;

	at_results_take_members(results);
	if (!results->count)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"no portfolio of \"%s\" is recorded for what it is made from now: measure one with \"autotune tune %s --portfolio 5%%\"",
			spec->name, spec->path);
	if (results->count < winners)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"the portfolio of \"%s\" serves %zu of %zu problems: measure it again with \"autotune tune %s --portfolio 5%%\"",
			spec->name, results->count, winners, spec->path);
	for (size_t i = 0; i < results->count; i++) {
		const struct at_winner *best = &results->items[i].best;
		size_t members = (size_t)best->member + 1;

		worst = fmax(worst, best->loss);
		most = members > most ? members : most;
	}
	if (worst > self->loss_limit)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"the recorded portfolio of \"%s\" loses up to %.1f %%: measure another with \"autotune tune %s --portfolio %.3g%%\"",
			spec->name, 100 * worst, spec->path, 100 * self->loss_limit);
	if (self->size_limit && most > self->size_limit)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"the recorded portfolio of \"%s\" has %zu configurations: measure another with \"autotune tune %s --portfolio-size %zu\"",
			spec->name, most, spec->path, self->size_limit);
	return AT_OK;
}

/* A header of all devices that lacks one, because its file is damaged, would replace a
   complete header. */
static enum at_status need_files(const struct header *self, const struct at_spec *spec,
	const struct at_results *results, struct at_error *err)
{
	struct at_results files;
	enum at_status status;

	if (!self->recorded.is_bundled)
		return at_results_need_files(results, err);
	/* the store has only what was readable */
	status =
		at_results_read(NULL, self->options.directory, spec->name, &files, err);
	if (!status)
		status = at_results_need_files(&files, err);
	at_results_release(&files);
	return status;
}

/* Reads the basis of the header: winners, a portfolio, or the space's defaults. */
static enum at_status read_results(struct header *self, const struct at_spec *spec,
	struct at_results *results, struct at_error *err)
{
	enum at_status status = AT_OK;

	memset(results, 0, sizeof(*results));
	if (self->recorded.store && !self->recorded.is_bundled)
		status = at_store_check_space(
			self->recorded.store, self->options.directory, spec, err);
	if (!status && self->recorded.store)
		status = at_recorded_results(&self->recorded, spec->name, results, err);
	if (!status && !self->recorded.wanted_count)
		status = need_files(self, spec, results, err);
	if (!status)
		keep_wanted(self, results);
	if (!status && !results->count && self->with_defaults)
		return at_results_add_defaults(results, spec, err);
	if (!status && !results->count)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"no winner of \"%s\" is recorded in \"%s\"%s: tune it first",
			spec->name, self->options.directory,
			self->recorded.wanted_count ? " for this device" : "");
	if (!status && self->options.is_portfolio)
		status = take_portfolio(self, spec, results, err);
	return status;
}

static enum at_status write_operand(
	void *context, const char *operand, struct at_error *err)
{
	struct header *self = context;
	struct at_results results = { 0 };
	struct at_spec *spec = NULL;
	enum at_status status = at_cli_load_space(self->arguments, operand, &spec, err);

	if (!status)
		status = read_results(self, spec, &results, err);
	if (!status)
		status = write_header(self, spec, &results, err);
	at_results_release(&results);
	at_spec_free(spec);
	return status;
}

static enum at_exit run_header(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	enum at_exit code = AT_EXIT_FAILED;
	const char *output = at_cli_text(arguments, "output", NULL);
	struct header self = {
		.arguments = arguments,
		.options = {
			.directory =
				at_cli_text(arguments, "results", "results"),
			.header_path = output,
			.with_unverified = at_cli_given(arguments, "unverified"),
		},
		.is_to_output = output && !strcmp(output, "-"),
		.is_check = at_cli_given(arguments, "check"),
		.is_flags = at_cli_given(arguments, "flags"),
		.is_cubins = at_cli_given(arguments, "cubins"),
		.with_defaults = at_cli_given(arguments, "defaults"),
		.loss_limit = at_cli_number(arguments, "portfolio", INFINITY),
		.size_limit = (size_t)at_cli_whole(
			arguments, "portfolio-size", 0),
	};

	self.options.is_portfolio =
		at_cli_given(arguments, "portfolio") || self.size_limit;

	if (output && arguments->operand_count > 1)
		at_fail(err, AT_EINVAL, NULL, 0,
			"-o names one file, and there are %zu spaces: give one of them",
			arguments->operand_count);
	else if (self.is_flags && (output || self.is_check))
		at_fail(err, AT_EINVAL, NULL, 0,
			"--flags writes no header and looks at none: -o and --check are for other runs");
	else if (self.is_cubins &&
		 (self.is_flags || self.is_check || self.with_defaults))
		at_fail(err, AT_EINVAL, NULL, 0,
			"--cubins compiles what was measured, and writes it: --flags, --check and --defaults are for other runs");
	else if (!output && !self.is_flags && self.with_defaults)
		at_fail(err, AT_EINVAL, NULL, 0,
			"--defaults makes a header without measurements: name its file with -o");
	else if (!output && !self.is_flags && at_cli_given(arguments, "problem"))
		at_fail(err, AT_EINVAL, NULL, 0,
			"--problem leaves the others out: name the file with -o");
	else if (self.is_to_output && self.is_check)
		at_fail(err, AT_EINVAL, NULL, 0,
			"--check looks at a file: -o - names none");
	if (err->status)
		return AT_EXIT_USAGE;
	if (self.is_cubins && !at_cli_given(arguments, "quiet"))
		at_cli_note_sandbox();
	if (at_recorded_open(arguments, &self.recorded, err) == AT_ENOENT &&
		self.with_defaults)
		at_error_clear(err);
	if (!err->status)
		code = at_cli_each_operand(arguments, write_operand, &self);
	at_recorded_close(&self.recorded);
	return code;
}

static const struct at_cli_option options[] = {
	{ "flags",
		.help = "print a line for each configuration of the header, and write nothing: its number, the name of its kernel and the options of the compiler, separated by tabs" },
	{ "cubins",
		.help = "also write DIR/SPACE_cubins.h: the configurations of the header, compiled for the recorded CUDA devices, with checksums, for programs that load them through the driver API; with -o write only that, to FILE" },
	{ "defaults",
		.help = "make a header of the defaults of the space, without a measurement, if nothing is recorded; needs -o or --flags" },
	{ .name = NULL },
};

const struct at_cli_command at_command_header = {
	.name = "header",
	.operands = "SPACE...",
	.summary = "write the C header of the recorded winners",
	.details =
		"Nothing is measured. Writes DIR/SPACE.h for all devices and problems that have a winner, in the record or in result files, and DIR/DEVICE/SPACE.json for each device of the record. It prints the paths of the headers. A file that would not change is not touched.\n"
		"\n"
		"With --device or --problem, other devices or problems are left out. With --portfolio or --portfolio-size it writes DIR/SPACE_portfolio.h, with only the few configurations that \"autotune tune\" chose with the same option; it fails if they lose more, or are more, than the option allows. A winner that is not verified, because its run was interrupted, is in no header unless --unverified is given.\n"
		"\n"
		"With -o only the header is written, to FILE, or to standard output with \"-o -\". With --flags nothing is written: the lines say what a build compiles, and autotune_add_kernels() of the CMake package reads them. With --cubins DIR/SPACE_cubins.h is written as well, for use with the header; NVRTC compiles its contents, and no GPU is needed. With --check nothing is written: it fails, and says why, if a header is not what would be written, because the space, its template or the record has changed, or a winner was measured with another template.\n"
		"\n"
		"  autotune header spaces/matmul.cfg\n"
		"  autotune header spaces/matmul.cfg --check",
	.options =
		"output check flags cubins defaults device problem results unverified portfolio portfolio-size trust json quiet",
	.own = options,
	.run = run_header,
};
