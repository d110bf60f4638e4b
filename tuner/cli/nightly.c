/* autotune nightly: what is recorded measured again, a search in the time left, a
 * report. */
#include "cli/nightly_parts.h"

#include "cli/device_list.h"
#include "cli/output.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/owner.h"
#include "base/text.h"
#include "evaluator/plan.h"
#include "evaluator/workers/probe.h"
#include "evaluator/workers/process.h"
#include "record/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUDGET "30m"
#define MARGIN "1%"
#define KEEP "2y"
/* between two looks whether a lock is free */
#define WAIT_NS 250000000

static const struct at_cli_option option_report = {
	.name = "report",
	.kind = AT_CLI_TEXT,
	.value = "PATH",
	.help = "of the report, without an ending: .md, .xml and .json are added (DIR/nights/<device>)",
};

/* ---- time, signals, failures ----------------------------------------------------- */

double night_spent(const struct night *self)
{
	return (double)(at_clock_now_ns() - self->start_ns) * 1e-9 +
	       self->virtual_seconds;
}

double night_left(const struct night *self)
{
	return self->report.budget_seconds - night_spent(self);
}

static void stop(void *context)
{
	at_loop_stop(((struct night *)context)->loop);
}

static void interrupted(void *context)
{
	((struct night *)context)->is_interrupted = true;
}

bool night_is_interrupted(struct night *self)
{
	if (!self->is_interrupted && !at_loop_later(self->loop, stop, self, NULL))
		at_loop_run(self->loop);
	return self->is_interrupted;
}

void night_fail(struct night *self, const char *line)
{
	at_night_report_fail(&self->report, line, NULL);
	at_say("autotune: %s", line);
}

void night_fail_with(struct night *self, const struct at_error *err)
{
	char line[sizeof(err->file) + sizeof(err->text) + 64];

	night_fail(self, at_error_format(err, line, sizeof(line)));
}

/* ---- devices ----------------------------------------------------------------------
 */

/* "nightly", this folder and this board: a lock of its own beside the board's */
static void open_lock(struct night *self, struct night_device *device)
{
	char *folder = realpath(self->options.results, NULL), hex[AT_HASH_HEX_SIZE];
	const char *place = folder ? folder : self->options.results;
	const char *board = device->info.uuid[0] ? device->info.uuid : device->name;
	struct at_strbuf name = { 0 };
	struct at_hash hash;

	at_strbuf_addf(&name, "%s %s", place, board);
	hash = at_hash_bytes(at_strbuf_text(&name), name.length);
	at_strbuf_clear(&name);
	at_strbuf_addf(&name, "nightly %s", at_hash_hex(hash, hex));
	if (!name.failed)
		at_device_lock_open(&device->lock, name.data);
	at_strbuf_release(&name);
	free(folder);
}

static void leave_out(struct night *self, size_t index, int64_t owner, double seconds)
{
	struct at_night_device *told = &self->report.devices[index];
	char line[512], name[64], waited[128] = "";

	at_process_describe(owner, name, sizeof(name));
	if (seconds > 0)
		snprintf(waited, sizeof(waited), " and was for %.0f s%s%s", seconds,
			name[0] ? ", " : "", name);
	snprintf(line, sizeof(line),
		"%s is left out: another nightly is at work on it for %.200s%s; --wait waits until that has ended",
		told->id, self->options.results, waited);
	self->devices[index].is_left_out = true;
	night_fail(self, line);
}

/* One nightly at a time for a folder and a board. seconds: 0: it does not wait. */
static void take_lock(struct night *self, size_t index, double seconds)
{
	const struct timespec pause = { .tv_nsec = WAIT_NS };
	struct night_device *device = &self->devices[index];
	uint64_t begun_ns = at_clock_now_ns();
	double waited_seconds = 0;
	bool is_first = true;
	char name[64];
	int64_t owner;

	open_lock(self, device);
	while (!at_device_lock_try(&device->lock, &owner)) {
		if (waited_seconds >= seconds) {
			leave_out(self, index, owner, waited_seconds);
			return;
		}
		at_process_describe(owner, name, sizeof(name));
		if (is_first)
			at_say("autotune: waiting for another nightly on %s to end%s%s",
				self->report.devices[index].id, name[0] ? ": " : "",
				name);
		is_first = false;
		if (night_is_interrupted(self))
			return;
		nanosleep(&pause, NULL);
		waited_seconds = (double)(at_clock_now_ns() - begun_ns) * 1e-9;
	}
}

/* Takes the name over; NULL: memory ran out. */
static enum at_status add_device(struct night *self, const char *name, const char *id,
	bool is_recording, struct at_error *err)
{
	struct at_night_report *report = &self->report;
	size_t index = report->device_count, bytes = sizeof(*self->devices);
	struct night_device *devices =
		realloc(self->devices, (index + 1) * sizeof(*devices));
	struct at_night_device *told;

	if (!devices)
		return at_fail_memory(err);
	self->devices = devices;
	memset(&devices[index], 0, bytes);
	told = realloc(report->devices, (index + 1) * sizeof(*told));
	if (!told)
		return at_fail_memory(err);
	report->devices = told;
	told[index] = (struct at_night_device){
		.id = at_strdup(id),
		.model = at_strdup(""),
		.changes = at_strdup(""),
		.failure = at_strdup(""),
	};
	devices[index].is_recording = is_recording;
	devices[index].name = at_strdup(name);
	report->device_count++;
	return told[index].id && told[index].model && told[index].changes &&
			       told[index].failure && devices[index].name
		       ? AT_OK
		       : at_fail_memory(err);
}

/* one of --device, or all that there are (NULL); what is not here is told, and the
   others are used */
static enum at_status add_boards(
	struct night *self, const char *name, struct at_error *err)
{
	struct at_device_ids ids = { 0 };
	struct at_error problem = { 0 };
	char reason[1024];
	enum at_status status = at_probe_resolve(self->loop, &name, name ? 1 : 0, &ids,
		reason, sizeof(reason), &problem);

	if (status == AT_EINTERRUPTED || status == AT_ENOMEM) {
		if (err && !err->status)
			*err = problem;
		return status;
	}
	if (status) {
		night_fail_with(self, &problem);
		return AT_OK;
	}
	if (!name && reason[0] && !self->is_quiet)
		at_say("autotune: on device \"%s\": %s", ids.ids[0], reason);
	for (size_t i = 0; i < ids.count && !status; i++) {
		bool is_there = false;

		for (size_t j = 0; j < self->report.device_count; j++)
			is_there = is_there ||
				   !strcmp(self->report.devices[j].id, ids.ids[i]);
		if (!is_there)
			status = add_device(self, ids.ids[i], ids.ids[i], false, err);
	}
	free(ids.ids);
	return status;
}

/* Which board is behind an id: locks are for boards, whatever they are called. */
static void find_infos(struct night *self)
{
	struct at_device_listing *listings;
	size_t count;

	if (at_probe_list_devices(NULL, &listings, &count, NULL))
		return;
	for (size_t i = 0; i < self->report.device_count; i++)
		for (size_t j = 0; j < count; j++)
			for (unsigned k = 0; k < listings[j].count; k++) {
				const struct at_device_info *info =
					&listings[j].devices[k];

				if (!strcmp(info->id, self->report.devices[i].id))
					self->devices[i].info = *info;
			}
	at_probe_free_devices(listings, count);
}

/* "replay:FILE" without what it says of the night */
static char *recording_id(const char *name)
{
	return at_strndup(name, strcspn(name, ","));
}

static enum at_status open_devices(
	struct night *self, const struct at_device_list *list, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!list->count)
		status = add_boards(self, NULL, err);
	for (size_t i = 0; i < list->count && !status; i++) {
		char *id;

		if (!at_device_is_recording(list->names[i])) {
			status = add_boards(self, list->names[i], err);
			continue;
		}
		id = recording_id(list->names[i]);
		status = id ? add_device(self, list->names[i], id, true, err)
			    : at_fail_memory(err);
		free(id);
	}
	if (!status)
		find_infos(self);
	return status;
}

/* ---- spaces, cases -----------------------------------------------------------------
 */

static enum at_status load_spaces(struct night *self, struct at_error *err)
{
	const struct at_cli_arguments *arguments = self->arguments;

	self->spaces = calloc(arguments->operand_count + 1, sizeof(*self->spaces));
	if (!self->spaces)
		return at_fail_memory(err);
	self->space_count = arguments->operand_count;
	for (size_t i = 0; i < self->space_count; i++) {
		struct at_error problem = { 0 };

		if (at_cli_load_space(arguments, arguments->operands[i],
			    &self->spaces[i], &problem))
			night_fail_with(self, &problem);
	}
	return AT_OK;
}

static enum at_status add_case(struct night *self, size_t space,
	const struct at_problem *problem, size_t device, struct at_error *err)
{
	struct night_case *own;
	enum at_status status = AT_RESERVE(
		self->cases, self->case_capacity, self->report.case_count + 1, err);

	if (status)
		return status;
	own = &self->cases[self->report.case_count];
	*own = (struct night_case){ .space = space };
	return at_night_report_add(
		       &self->report, self->spaces[space]->name, problem->name, device)
		       ? AT_OK
		       : at_fail_memory(err);
}

/* Whether anything of a space is for a device is known beforehand; the rest is not its
   business tonight. */
static enum at_status add_cases(struct night *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->report.device_count; i++)
		for (size_t j = 0; j < self->space_count; j++) {
			const struct at_spec *spec = self->spaces[j];
			const struct night_device *device = &self->devices[i];

			for (size_t k = 0; spec && k < spec->problem_count && !status;
				k++) {
				const struct at_problem *problem = &spec->problems[k];

				if (!at_cli_wants_problem(
					    self->arguments, problem->name) ||
					(!device->is_recording &&
						!at_plan_applies(
							problem, device->info.kind)))
					continue;
				status = add_case(self, j, problem, i, err);
			}
		}
	return status;
}

/* ---- the report --------------------------------------------------------------------
 */

/* DIR/nights/cuda-0, or DIR/nights/night where no device was named; heap */
static char *report_path(const struct night *self, const struct at_device_list *list)
{
	const char *given = at_cli_text(self->arguments, &option_report, NULL);
	char *folder, *name, *path = NULL;
	struct at_strbuf names = { 0 };

	if (given)
		return at_strdup(given);
	for (size_t i = 0; i < list->count; i++) {
		char *id = recording_id(list->names[i]);

		at_strbuf_addf(&names, "%s ", id ? id : "");
		free(id);
	}
	name = at_text_slug(names.length ? names.data : "night");
	folder = at_path_join(self->options.results, "nights");
	if (name && folder)
		path = at_path_join(folder, name);
	at_strbuf_release(&names);
	free(folder);
	free(name);
	return path;
}

static void write_file(struct night *self, const char *path, const char *ending,
	struct at_strbuf *text)
{
	struct at_strbuf name = { 0 };
	struct at_error err = { 0 };

	at_strbuf_addf(&name, "%s%s", path, ending);
	if (name.failed || text->failed)
		at_fail_memory(&err);
	else
		at_file_replace(name.data, at_strbuf_text(text), text->length, &err);
	if (err.status)
		night_fail_with(self, &err);
	at_strbuf_release(&name);
	at_strbuf_release(text);
}

/* Also ahead of the searches: whatever becomes of the night, what was found is there.
 */
static void write_report(struct night *self, const char *path)
{
	struct at_strbuf text = { 0 };
	struct at_error err = { 0 };
	char *folder = path ? at_path_directory(path) : NULL;
	struct at_json *json;

	if (!folder)
		at_fail_memory(&err);
	if (err.status || at_directory_make(folder, &err)) {
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
	text.failed |= at_json_write(json, 2, &text, NULL) != AT_OK;
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
	at_strbuf_release(&text);
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

/* old nights, and what nobody would use again */
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

static enum at_status begin(
	struct night *self, const struct at_device_list *list, struct at_error *err)
{
	double wait_seconds = at_cli_wait_seconds(self->arguments);
	enum at_status status = at_loop_new(NULL, &self->loop, err);

	if (!status)
		status = at_loop_watch_signals(self->loop, interrupted, self, err);
	if (!status)
		status = at_directory_make(self->options.results, err);
	if (!status)
		status = load_spaces(self, err);
	if (!status)
		status = open_devices(self, list, err);
	for (size_t i = 0; i < self->report.device_count && !status; i++)
		take_lock(self, i, wait_seconds);
	/* what was waited for is no part of the budget */
	self->start_ns = at_clock_now_ns();
	return status ? status : add_cases(self, err);
}

static void release(struct night *self)
{
	for (size_t i = 0; i < self->report.case_count && self->cases; i++)
		free(self->cases[i].configuration);
	for (size_t i = 0; i < self->report.device_count; i++) {
		at_device_lock_close(&self->devices[i].lock);
		free((void *)self->devices[i].name);
	}
	for (size_t i = 0; i < self->space_count; i++)
		at_spec_free(self->spaces[i]);
	free(self->spaces);
	free(self->cases);
	free(self->devices);
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

	if (status && status != AT_ENOMEM)
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
	enum at_status status;

	self.report.began_seconds = at_clock_wall_seconds();
	/* these were checked when the line was read, but for what is the night's own */
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
		status = at_cli_each(arguments, &at_option_problem,
			&self.options.problems, &self.options.problem_count, &err);
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
	.summary = "measure recorded winners again, search in the time left, report",
	.details =
		"For cron, a systemd timer or a batch queue. The budget is a time, of the whole night (" BUDGET
		"). Each recorded winner and its baseline are verified and measured again as in the finals, and compared with the nights before: same, faster, slower or unclear. The rest of the budget is searched, by what each problem may still gain. A winner, and with it its header, is replaced only by one that is better by more than noise and the margin; one that is not correct any more loses its crown at once.\n"
		"\n"
		"The report is DIR/nights/<device>.md, .xml (JUnit) and .json, or night.* where no --device is given.\n"
		"\n"
		"  autotune nightly spaces/*.cfg --budget 30m\n"
		"  autotune nightly spaces/*.cfg --device cuda:0 --margin 2% --quiet",
	.operands_minimum = 1,
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_nightly,
};
