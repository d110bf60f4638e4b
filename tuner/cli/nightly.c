/* autotune nightly: measures recorded winners again, searches in the time that is left,
   and writes a report. */
#include "cli/nightly_parts.h"

#include "cli/device_list.h"
#include "cli/output.h"
#include "cli/recorded.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "evaluator/plan.h"
#include "evaluator/workers/process.h"
#include "record/history.h"

#include <stdlib.h>

#define BUDGET "30m"
#define MARGIN "1%"
#define KEEP "2y"
#define SECONDS_A_DAY 86400

static const struct at_cli_option option_report = {
	.name = "report",
	.kind = AT_CLI_TEXT,
	.value = "PATH",
	.help = "write the report to PATH.md, PATH.xml and PATH.json (default: DIR/nights/<device>)",
};

/* ---- spaces, cases -----------------------------------------------------------------
 */

static void load_spaces(struct night *self)
{
	const struct at_cli_arguments *arguments = self->arguments;

	self->spaces = at_calloc(arguments->operand_count + 1, sizeof(*self->spaces));
	self->space_count = arguments->operand_count;
	for (size_t i = 0; i < self->space_count; i++) {
		struct at_error problem = { 0 };

		if (at_cli_load_space(arguments, arguments->operands[i],
			    &self->spaces[i], &problem))
			night_fail_with(self, &problem);
	}
}

/* Adds a case for every problem that is for a device, so that the report lists it even
   if nothing can be measured. Which devices a recording stands for is not known yet. */
static void add_cases(struct night *self)
{
	for (size_t i = 0; i < self->report.device_count; i++)
		for (size_t j = 0; j < self->space_count; j++) {
			const struct at_spec *spec = self->spaces[j];
			const struct at_night_device *device = &self->report.devices[i];

			for (size_t k = 0; spec && k < spec->problem_count; k++) {
				const struct at_problem *problem = &spec->problems[k];

				if (!at_cli_wants_problem(
					    self->arguments, problem->name) ||
					(!device->is_recording &&
						!at_plan_applies(
							problem, device->info.kind)))
					continue;
				at_night_report_add(
					&self->report, spec->name, problem->name, i)
					->space_index = j;
			}
		}
}

/* ---- the report --------------------------------------------------------------------
 */

/* DIR/nights/cuda-0, or DIR/nights/night where no device was named; heap. */
static char *report_path(const struct night *self, const struct at_device_list *list)
{
	const char *given = at_cli_text(self->arguments, &option_report, NULL);
	char *folder, *name = NULL, *path = NULL;
	struct at_strbuf names = { 0 };

	if (given)
		return at_strdup(given);
	for (size_t i = 0; i < list->count; i++) {
		char *id = night_recording_id(list->names[i]);

		at_strbuf_addf(&names, "%s ", id);
		free(id);
	}
	name = at_text_slug(names.length ? names.data : "night");
	folder = at_path_join(self->options.results, "nights");
	path = at_path_join(folder, name);
	at_strbuf_release(&names);
	free(folder);
	free(name);
	return path;
}

/* Writes one file of the report and releases text. */
static void write_file(struct night *self, const char *path, const char *ending,
	struct at_strbuf *text)
{
	struct at_strbuf name = { 0 };
	struct at_error err = { 0 };

	at_strbuf_addf(&name, "%s%s", path, ending);
	at_file_replace_inside(NULL, name.data, text, &err);
	if (err.status)
		night_fail_with(self, &err);
	at_strbuf_release(&name);
	at_strbuf_release(text);
}

/* Called before the searches, too, so that the revisits are reported even if the night
   is killed. */
static void write_report(struct night *self, const char *path)
{
	struct at_strbuf text = { 0 };
	struct at_error err = { 0 };
	char *folder = at_path_directory(path);
	struct at_json *json;

	if (at_directory_make(folder, &err)) {
		night_fail_with(self, &err);
		free(folder);
		return;
	}
	self->report.seconds = night_spent(self);
	self->report.was_interrupted = self->is_interrupted;
	at_night_write_markdown(&self->report, &text);
	write_file(self, path, ".md", &text);
	at_night_write_junit(&self->report, &text);
	write_file(self, path, ".xml", &text);
	json = at_night_to_json(&self->report);
	at_json_write(json, 2, &text);
	at_json_free(json);
	write_file(self, path, ".json", &text);
	free(folder);
}

static void tell_sum(struct night *self)
{
	struct at_strbuf text = { 0 };

	if (self->is_json) {
		at_print_json(at_night_to_json(&self->report));
		return;
	}
	if (self->is_quiet)
		return;
	at_night_write_sum(&self->report, &text);
	at_strbuf_add_char(&text, '\n');
	at_print_folded(&text);
}

static enum at_exit exit_code(const struct night *self)
{
	const struct at_night_report *report = &self->report;

	if (self->is_interrupted)
		return AT_EXIT_INTERRUPTED;
	if (at_night_has_regression(report))
		return AT_EXIT_REGRESSION;
	if (at_night_has_failure(report))
		return AT_EXIT_FAILED;
	for (size_t i = 0; i < report->case_count; i++)
		if (report->cases[i].search == AT_NIGHT_SEARCH_NOBODY)
			return AT_EXIT_NO_WINNER;
	return AT_EXIT_DONE;
}

/* ---- the night ---------------------------------------------------------------------
 */

/* Removes nights that are too old from the record, and evaluations that no run would
   use. */
static void keep(struct night *self, const struct at_keep *keep)
{
	struct at_dropped dropped;
	struct at_store *store;
	struct at_error err = { 0 };

	if (!at_store_open(self->options.results, &store, &err)) {
		at_store_keep(store, keep, at_clock_wall_seconds(), &dropped, &err);
		at_store_close(store);
	}
	if (err.status)
		night_fail_with(self, &err);
}

static void interrupted(void *context)
{
	((struct night *)context)->is_interrupted = true;
}

static enum at_status begin(
	struct night *self, const struct at_device_list *list, struct at_error *err)
{
	double wait_seconds = at_cli_wait_seconds(self->arguments);
	enum at_status status = at_loop_new(NULL, &self->loop, err);

	if (!status)
		status = at_loop_watch_signals(self->loop, interrupted, self, err);
	/* A first night is as good as any; a folder whose name was mistyped looks the
	   same. */
	if (!status && at_recorded_is_empty(self->options.results))
		at_say("autotune: nothing is recorded in \"%s\" yet: this night begins a record there; --results names another folder",
			self->options.results);
	if (!status)
		status = at_directory_make(self->options.results, err);
	if (!status)
		load_spaces(self);
	if (!status)
		status = night_open_devices(self, list, err);
	for (size_t i = 0; i < self->report.device_count && !status; i++)
		night_take_lock(self, i, wait_seconds);
	/* Waiting for the locks does not count against the budget. */
	self->start_ns = at_clock_now_ns();
	if (!status)
		add_cases(self);
	return status;
}

static void release(struct night *self)
{
	for (size_t i = 0; i < self->report.device_count; i++)
		at_device_lock_remove(&self->report.devices[i].lock);
	for (size_t i = 0; i < self->space_count; i++)
		at_spec_free(self->spaces[i]);
	free(self->spaces);
	free((void *)self->options.problems);
	at_night_report_release(&self->report);
	at_loop_free(self->loop);
}

static enum at_exit run_night(
	struct night *self, const struct at_keep *kept, struct at_error *err)
{
	struct at_device_list list;
	enum at_exit code = AT_EXIT_FAILED;
	enum at_status status = at_device_list_read(self->arguments, &list, err);
	char *path = NULL;

	if (status)
		code = AT_EXIT_USAGE;
	if (!status)
		status = begin(self, &list, err);
	if (!status) {
		path = report_path(self, &list);
		night_revisit(self);
		write_report(self, path);
		if (!night_is_interrupted(self))
			night_search(self);
		if (!self->is_interrupted)
			keep(self, kept);
		write_report(self, path);
		tell_sum(self);
		code = exit_code(self);
	}
	if (status == AT_EINTERRUPTED)
		code = AT_EXIT_INTERRUPTED;
	free(path);
	at_device_list_release(&list);
	return code;
}

static enum at_exit run_nightly(const struct at_cli_arguments *arguments)
{
	struct night self = {
		.arguments = arguments,
		.is_json = at_cli_given(arguments, &at_option_json),
		.is_quiet = at_cli_given(arguments, &at_option_quiet),
		.options = {
			.results = at_cli_text(
				arguments, &at_option_results, "results"),
			.strategy = at_cli_text(arguments, &at_option_strategy, NULL),
			.seed = (uint64_t)at_cli_whole(arguments, &at_option_seed, 0),
			.night = (uint64_t)at_clock_wall_seconds() / SECONDS_A_DAY,
			.jobs = (unsigned)at_cli_whole(arguments, &at_option_jobs, 0),
			.wait_seconds = at_cli_wait_seconds(arguments),
			.keeps_winner = true,
		},
		.start_ns = at_clock_now_ns(),
	};
	struct at_error err = { 0 };
	struct at_keep kept;
	enum at_exit code = AT_EXIT_FAILED;
	uint64_t evaluations;
	enum at_status status = AT_OK;

	self.report.began_seconds = at_clock_wall_seconds();
	/* The options' own checks have accepted these; only the budget needs another
	   one here. */
	status = at_budget_parse(at_cli_text(arguments, &at_option_budget, BUDGET),
		&evaluations, &self.report.budget_seconds, &err);
	if (!status && (evaluations || !(self.report.budget_seconds > 0))) {
		status = at_fail(&err, AT_EINVAL, NULL, 0,
			"a night has a time, as in --budget 30m, and not \"%s\"",
			at_cli_text(arguments, &at_option_budget, BUDGET));
		code = AT_EXIT_USAGE;
	}
	if (!status)
		status = at_margin_parse(
			at_cli_text(arguments, &at_option_margin, MARGIN),
			&self.options.margin, &err);
	if (!status)
		status = at_keep_parse(
			at_cli_text(arguments, &at_option_keep, KEEP), &kept, &err);
	self.report.margin = self.options.margin;
	if (!status)
		at_cli_each(arguments, &at_option_problem, &self.options.problems,
			&self.options.problem_count);
	if (!status && !self.is_quiet)
		at_cli_note_sandbox();
	if (!status)
		code = run_night(&self, &kept, &err);
	if (code == AT_EXIT_INTERRUPTED)
		at_say("autotune: interrupted: what was measured is recorded and in the report");
	else if (err.status)
		at_say_error(&err);
	release(&self);
	return code;
}

static const struct at_cli_option *const options[] = {
	&at_option_device,
	&at_option_budget,
	&at_option_margin,
	&at_option_strategy,
	&at_option_problem,
	&at_option_results,
	&option_report,
	&at_option_keep,
	&at_option_trust,
	&at_option_wait,
	&at_option_jobs,
	&at_option_seed,
	&at_option_json,
	&at_option_quiet,
	NULL,
};

const struct at_cli_command at_command_nightly = {
	.name = "nightly",
	.operands = "SPACE...",
	.summary =
		"measure recorded winners again, search in the time left, write a report",
	.details =
		"For cron, a systemd timer or a batch queue. The budget is one time for the whole night (default: " BUDGET
		"). Each recorded winner and its baseline are verified and measured again as in the finals, and compared with the nights before: same, faster, slower or unclear. The rest of the budget is spent on searches, most where the most may still be gained. A winner and its header are replaced only by a configuration that is better by more than noise and the margin. A winner that is no longer correct is withdrawn at once.\n"
		"\n"
		"The report is DIR/nights/<device>.md, .xml (JUnit) and .json, or DIR/nights/night.* if no --device is given.\n"
		"\n"
		"  autotune nightly spaces/*.cfg --budget 30m\n"
		"  autotune nightly spaces/*.cfg --device cuda:0 --margin 2% --quiet",
	.operands_minimum = 1,
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_nightly,
};
