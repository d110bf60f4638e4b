/* autotune nightly: measures recorded winners again, searches in the remaining time,
   and writes a report. */
#include "cli/cli.h"
#include "cli/tell.h"
#include "cli/format.h"
#include "cli/nightly_report.h"
#include "cli/output.h"
#include "cli/recorded.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/owner.h"
#include "base/text.h"
#include "evaluator/plan.h"
#include "evaluator/workers/probe.h"
#include "evaluator/workers/process.h"
#include "record/history.h"
#include "record/result.h"
#include "session/allot.h"
#include "session/nights.h"
#include "session/session.h"
#include "session/sizes_met.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUDGET "30m"
#define MARGIN 0.01
#define KEEP "2y"
#define SECONDS_A_DAY 86400
#define MET_BYTES_MAX ((size_t)1 << 20)

/* A night; it owns its members, except arguments. */
struct night {
	const struct at_cli_arguments *arguments;
	struct at_session_options options; /* shared by all sessions */
	bool is_json;
	bool is_quiet;
	struct at_spec **spaces; /* an item is NULL if the space cannot be read */
	size_t space_count;
	struct at_night_report report;
	struct at_loop *loop; /* receives signals between sessions */
	bool is_interrupted;
	uint64_t start_ns; /* start of the budget, after waiting for locks */
	/* virtual seconds of recordings in excess of real time */
	double virtual_seconds;
	/* The running session: its device and space, and its duration by its
	   evaluator's clock. */
	size_t device;
	size_t space;
	double session_seconds;
};

/* ---- time, signals, failures ----------------------------------------------------- */

/* Seconds of the budget already spent. */
static double spent_seconds(const struct night *self)
{
	return (double)(at_clock_now_ns() - self->start_ns) * 1e-9 +
	       self->virtual_seconds;
}

/* Seconds of the budget that are left; negative if exceeded. */
static double left_seconds(const struct night *self)
{
	return self->report.budget_seconds - spent_seconds(self);
}

static void stop(void *context)
{
	at_loop_stop(((struct night *)context)->loop);
}

/* Whether a signal ends the night; checks for a signal first. */
static bool is_interrupted(struct night *self)
{
	if (!self->is_interrupted) {
		at_loop_later(self->loop, stop, self);
		at_loop_run(self->loop);
	}
	return self->is_interrupted;
}

/* Prints a line and adds it to the report's failures, once. */
static void fail(struct night *self, const char *line)
{
	/* an unwritable record fails at each turn */
	for (size_t i = 0; i < self->report.failure_count; i++)
		if (!strcmp(self->report.failures[i], line))
			return;
	at_night_report_fail(&self->report, line);
	at_say("autotune: %s", line);
}

/* The same with an error as the line. */
static void fail_with(struct night *self, const struct at_error *err)
{

	fail(self, at_format_error(err).text);
}

/* NULL: there is no such case. */
static struct at_night_case *find_case(
	const struct night *self, size_t space, const char *problem, size_t device)
{
	for (size_t i = 0; i < self->report.case_count; i++)
		if (self->report.cases[i].space_index == space &&
			self->report.cases[i].device == device &&
			!strcmp(self->report.cases[i].problem, problem))
			return &self->report.cases[i];
	return NULL;
}

/* ---- listening ------------------------------------------------------------------ */

/* Replaces a text of the report by a copy of `with`. */
static void replace(char **text, const char *with)
{
	free(*text);
	*text = at_strdup(with ? with : "");
}

/* Prints the device's changes, once, before the verdicts that they may explain. */
static void tell_changes(struct night *self, size_t device)
{
	struct at_night_device *changed = &self->report.devices[device];
	struct at_strbuf text = { 0 };

	if (changed->is_told || !changed->changes[0])
		return;
	changed->is_told = true;
	at_strbuf_addf(
		&text, "%s: since the last night: %s\n", changed->id, changed->changes);
	at_print_folded(&text);
}

/* A quiet night still reports slower and wrong winners: cron mails the output, and
   ignores exit codes. */
static void tell_case(struct night *self, const struct at_night_case *one)
{
	struct at_strbuf text = { 0 };

	if (self->is_json || (self->is_quiet && !at_night_is_regression(one)))
		return;
	tell_changes(self, one->device);
	at_night_write_case(&self->report, one, &text);
	at_strbuf_add_char(&text, '\n');
	at_print_folded(&text);
}

static enum at_allot_need need_of(const struct at_event *event)
{
	const struct at_revisit *revisit = event->revisit;

	if (!revisit)
		return event->text ? AT_ALLOT_NEW : AT_ALLOT_PLAIN;
	/* with another source, earlier searches are of little use */
	if (event->judgement && event->judgement->verdict == AT_VERDICT_FIRST)
		return AT_ALLOT_NEW;
	if (revisit->verdict == AT_VERDICT_INCORRECT)
		return AT_ALLOT_REFUSED;
	return revisit->verdict == AT_VERDICT_SLOWER ? AT_ALLOT_REGRESSED
						     : AT_ALLOT_PLAIN;
}

static void take_search(struct at_night_case *one, const struct at_event *event)
{
	struct at_strbuf text = { 0 };
	char *configuration;

	one->evaluated = event->progress->evaluated - event->progress->reused;
	one->search_seconds = event->progress->elapsed_seconds;
	one->search = AT_NIGHT_SEARCH_NO_WINNER;
	if (!event->best) {
		/* an interruption without a new winner; the recorded winner stands */
		if (event->text && one->configuration)
			one->search = AT_NIGHT_SEARCH_KEPT;
		return;
	}
	one->found = event->best->score;
	configuration = at_configuration_to_json(event->spec, event->configuration);
	if (!one->configuration)
		one->search = AT_NIGHT_SEARCH_SELECTED;
	else
		one->search = strcmp(configuration, one->configuration)
				      ? AT_NIGHT_SEARCH_REPLACED
				      : AT_NIGHT_SEARCH_KEPT;
	at_format_configuration(&text, configuration);
	replace(&one->winner, at_strbuf_text(&text));
	at_strbuf_release(&text);
	free(configuration);
}

static void listen(void *context, const struct at_event *event)
{
	struct night *self = context;
	struct at_night_device *device = &self->report.devices[self->device];
	struct at_night_case *one = NULL;
	struct at_json *object;

	if (event->progress && event->problem)
		one = find_case(self, self->space, event->problem->name, self->device);
	if (event->progress && event->progress->elapsed_seconds > self->session_seconds)
		self->session_seconds = event->progress->elapsed_seconds;
	if (event->kind == AT_EVENT_BEGIN && event->device && !device->info.kind[0])
		device->info = *event->device;
	if (event->kind == AT_EVENT_BEGIN && !device->model[0])
		replace(&device->model, device->info.model);
	if (self->is_json &&
		(event->kind == AT_EVENT_REVISIT || event->kind == AT_EVENT_SUMMARY) &&
		at_event_to_json(event, &object))
		at_print_json(object);
	if (event->kind == AT_EVENT_REVISIT && one) {
		const struct at_revisit *revisit = event->revisit;

		one->is_told = true;
		one->valid = event->progress->valid_count;
		one->need = need_of(event);
		replace(&one->detail, revisit ? revisit->detail : event->text);
		one->seconds = event->progress->elapsed_seconds;
		one->objective = revisit ? revisit->objective : &at_objective_time;
		if (revisit) {
			one->verdict = revisit->verdict;
			one->outcome = revisit->outcome;
			one->score = revisit->score;
			one->speedup = revisit->speedup.value;
			one->change = revisit->change;
			one->look_count = revisit->look_count;
			replace(&one->configuration, revisit->configuration);
			if (revisit->change.value > 1)
				one->lost = log(revisit->change.value);
		}
		if (revisit && event->judgement) {
			one->cycles = event->judgement->cycles;
			one->night_count = event->judgement->night_count;
		}
		/* problems last measured on different nights each report the device's
		   changes; the first report counts */
		if (event->changes && !device->changes[0])
			replace(&device->changes, event->changes);
		tell_case(self, one);
	} else if (event->kind == AT_EVENT_SUMMARY && one) {
		take_search(one, event);
	} else if (event->kind == AT_EVENT_NOTE && event->text && !self->is_quiet) {
		at_say("autotune: %s%s%s%s%s", event->spec ? event->spec->name : "",
			event->problem ? ", " : "",
			event->problem ? event->problem->name : "",
			event->spec ? ": " : "", event->text);
	}
}

static void ticked(void *context)
{
	is_interrupted(context);
}

/* Runs one session with one space. options: with the session's own settings. device:
   the index for its events. AT_EINTERRUPTED: a signal came. */
static enum at_status run_session(struct night *self, size_t space, size_t device,
	struct at_session_options *options, struct at_error *err)
{
	const struct at_spec *spec = self->spaces[space];
	struct at_session_summary summary = { 0 };
	uint64_t begun_ns = at_clock_now_ns();
	enum at_status status;
	double seconds;

	self->space = space;
	self->device = device;
	self->session_seconds = 0;
	options->listen = listen;
	options->tick = ticked;
	options->context = self;
	status = at_session_run(&spec, 1, options, &summary, err);
	seconds = (double)(at_clock_now_ns() - begun_ns) * 1e-9;
	if (self->session_seconds > seconds)
		self->virtual_seconds += self->session_seconds - seconds;
	if (summary.interrupted || status == AT_EINTERRUPTED)
		self->is_interrupted = true;
	return self->is_interrupted ? AT_EINTERRUPTED : status;
}

/* Counts a device's failures after a session; two in a row that are the device's fault
   exclude it. */
static void judge_device(struct night *self, size_t device, const struct at_error *err)
{
	struct at_night_device *own = &self->report.devices[device];

	/* the session has already waited for a machine that lacks something */
	if (err->status != AT_EDEVICE && err->status != AT_EUNAVAILABLE &&
		err->status != AT_EMACHINE) {
		own->failures = 0;
		return;
	}
	if (++own->failures < 2)
		return;
	own->is_left_out = true;
	replace(&own->failure, at_format_error(err).text);
	at_say("autotune: %s is left out for the rest of the night", own->id);
}

/* ---- devices: one nightly at a time on each ------------------------------------ */

/* between two attempts to take a lock */
#define WAIT_NS 250000000

/* Opens the lock of this folder and board, which is not the board's own lock. */
static void open_lock(struct night *self, struct at_night_device *device)
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
	told->is_left_out = true;
	fail(self, line);
}

/* Takes the lock that keeps another nightly from the same folder and board, waiting at
   most `seconds`; 0: not at all. Without the lock the device is left out. */
static void take_lock(struct night *self, size_t index, double seconds)
{
	const struct timespec pause = { .tv_nsec = WAIT_NS };
	struct at_night_device *device = &self->report.devices[index];
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
		if (is_interrupted(self))
			return;
		nanosleep(&pause, NULL);
		waited_seconds = (double)(at_clock_now_ns() - begun_ns) * 1e-9;
	}
}

/* Adds a device to the night and to its report; copies both names. */
static void add_device(
	struct night *self, const char *name, const char *id, bool is_recording)
{
	struct at_night_report *report = &self->report;

	report->devices = at_realloc(
		report->devices, (report->device_count + 1) * sizeof(*report->devices));
	report->devices[report->device_count++] = (struct at_night_device){
		.id = at_strdup(id),
		.model = at_strdup(""),
		.changes = at_strdup(""),
		.failure = at_strdup(""),
		.name = at_strdup(name),
		.is_recording = is_recording,
	};
}

/* Adds the devices of an item of --device, or all devices (NULL). An unknown item is
   reported, and the others are used. */
static enum at_status add_boards(
	struct night *self, const char *name, struct at_error *err)
{
	struct at_device_ids ids = { 0 };
	struct at_error problem = { 0 };
	char reason[1024], text[1200];
	enum at_status status = at_probe_resolve(self->loop, &name, name ? 1 : 0, &ids,
		reason, sizeof(reason), &problem);

	if (status == AT_EINTERRUPTED || status == AT_ENOMEM) {
		if (err && !err->status)
			*err = problem;
		return status;
	}
	if (status) {
		fail_with(self, &problem);
		return AT_OK;
	}
	if (!name && reason[0] && !self->is_quiet) {
		at_probe_tell_fallback(ids.ids[0], reason, text, sizeof(text));
		at_say("autotune: %s", text);
	}
	for (size_t i = 0; i < ids.count; i++) {
		bool is_there = false;

		for (size_t j = 0; j < self->report.device_count; j++)
			is_there = is_there ||
				   !strcmp(self->report.devices[j].id, ids.ids[i]);
		if (!is_there)
			add_device(self, ids.ids[i], ids.ids[i], false);
	}
	free(ids.ids);
	return AT_OK;
}

/* Finds the boards for the ids, since locks are for boards. */
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
					self->report.devices[i].info = *info;
			}
	at_probe_free_devices(listings, count);
}

/* "replay:FILE" without the options that select from the file; heap. */
static char *recording_id(const char *name)
{
	return at_strndup(name, strcspn(name, ","));
}

/* Opens the devices of the list, or every device if the list is empty. */
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
		add_device(self, list->names[i], id, true);
		free(id);
	}
	if (!status)
		find_infos(self);
	return status;
}

/* ---- revisits: order and duration ---------------------------------------------- */

/* The share of a night for revisits. Each gets at least enough seconds for a large
   problem, and at most a useful number. */
#define REVISIT_SHARE 0.5
#define REVISIT_SECONDS_MIN 10
#define REVISIT_SECONDS_MAX 60

/* Explains the cases of a space without an event. failed: because of an error, not for
   lack of time. */
static void explain_rest(
	struct night *self, size_t space, size_t device, bool failed, const char *why)
{
	for (size_t i = 0; i < self->report.case_count; i++) {
		struct at_night_case *one = &self->report.cases[i];

		if (one->space_index != space || one->device != device || one->is_told)
			continue;
		one->is_told = true;
		one->has_failed = failed;
		replace(&one->detail, why);
		tell_case(self, one);
	}
}

static void revisit_space(struct night *self, size_t space, size_t device)
{
	const char *names[] = { self->report.devices[device].name };
	struct at_session_options options = self->options;
	struct at_error err = { 0 };
	size_t count = self->report.case_count ? self->report.case_count : 1;
	double seconds = REVISIT_SHARE * self->report.budget_seconds / (double)count;
	char budget[32];

	snprintf(budget, sizeof(budget), "%us",
		(unsigned)fmin(
			fmax(seconds, REVISIT_SECONDS_MIN), REVISIT_SECONDS_MAX));
	options.budget = budget;
	options.devices = names;
	options.device_count = 1;
	options.revisits = true;
	if (!run_session(self, space, device, &options, &err)) {
		self->report.devices[device].failures = 0;
		return;
	}
	if (self->is_interrupted) {
		explain_rest(self, space, device, false, "the night was interrupted");
		return;
	}
	explain_rest(self, space, device, true, at_format_error(&err).text);
	at_say_error(&err);
	judge_device(self, device, &err);
}

/* The last measurement of the space on this device; 0: never. */
static int64_t last_seconds(
	struct night *self, struct at_store *store, size_t space, size_t device)
{
	const struct at_night_device *own = &self->report.devices[device];
	const struct at_revisit_query query = {
		.space = self->spaces[space]->name,
		.board = own->info.kind[0] ? own->info.uuid : NULL,
		.limit = 1,
	};
	struct at_revisits nights = { 0 };
	int64_t seconds = 0;

	if (store && !at_store_revisits(store, &query, &nights, NULL) && nights.count)
		seconds = nights.items[nights.count - 1].created_seconds;
	at_revisits_release(&nights);
	return seconds;
}

struct turn {
	size_t space;
	int64_t seconds;
};

static int compare_turns(const void *a, const void *b)
{
	const struct turn *left = a, *right = b;

	if (left->seconds != right->seconds)
		return left->seconds < right->seconds ? -1 : 1;
	return left->space < right->space ? -1 : left->space > right->space;
}

/* The space measured longest ago comes first, so that each gets its turn even if nights
   are too short for all. */
static void revisit_device(struct night *self, size_t device)
{
	struct turn *turns = at_calloc(self->space_count + 1, sizeof(*turns));
	struct at_store *store = NULL;
	struct at_error err = { 0 };
	size_t count = 0;

	if (at_store_open(self->options.results, &store, &err))
		fail_with(self, &err);
	for (size_t i = 0; i < self->space_count && store; i++)
		if (self->spaces[i])
			turns[count++] = (struct turn){ i,
				last_seconds(self, store, i, device) };
	at_store_close(store);
	qsort(turns, count, sizeof(*turns), compare_turns);
	for (size_t i = 0; i < count; i++) {
		const char *why = NULL;

		if (is_interrupted(self))
			why = "the night was interrupted";
		else if (self->report.devices[device].is_left_out)
			why = "its device is left out";
		else if (left_seconds(self) <= 0)
			why = "the night was too short";
		if (why)
			explain_rest(self, turns[i].space, device,
				self->report.devices[device].is_left_out, why);
		else
			revisit_space(self, turns[i].space, device);
	}
	free(turns);
}

/* ---- the record's data for a search -------------------------------------------- */

/* Whether two devices are boards of one model. Such boards search together, under the
   first one's name. */
static bool is_same_model(const struct night *self, size_t a, size_t b)
{
	const struct at_device_info *left = &self->report.devices[a].info;
	const struct at_device_info *right = &self->report.devices[b].info;

	return a == b || (!self->report.devices[a].is_recording &&
				 !self->report.devices[b].is_recording &&
				 !strcmp(left->kind, right->kind) &&
				 !strcmp(left->model, right->model) &&
				 !strcmp(left->architecture, right->architecture) &&
				 !strcmp(left->driver, right->driver));
}

/* ---- one search ----------------------------------------------------------------- */

static bool is_usable(const struct night *self, size_t device)
{
	return !self->report.devices[device].is_left_out &&
	       self->report.devices[device].info.kind[0];
}

static void search(struct night *self, size_t index, double seconds)
{
	struct at_night_case *one = &self->report.cases[index];
	const char *problems[] = { one->problem };
	struct at_session_options options = self->options;
	struct at_error err = { 0 };
	struct at_strbuf text = { 0 };
	char budget[32];
	const char **names = at_calloc(self->report.device_count, sizeof(*names));

	for (size_t i = 0; i < self->report.device_count; i++)
		if (is_usable(self, i) && is_same_model(self, one->device, i))
			names[options.device_count++] = self->report.devices[i].name;
	snprintf(budget, sizeof(budget), "%.0fs", floor(fmin(seconds, 1e6)));
	options.budget = budget;
	options.devices = names;
	options.problems = problems;
	options.problem_count = 1;
	if (run_session(self, one->space_index, one->device, &options, &err) &&
		!self->is_interrupted) {
		one->search = AT_NIGHT_SEARCH_FAILED;
		replace(&one->search_detail, at_format_error(&err).text);
		at_say_error(&err);
		judge_device(self, one->device, &err);
	} else {
		self->report.devices[one->device].failures = 0;
	}
	if (!self->is_json && !self->is_quiet && one->search != AT_NIGHT_SEARCH_NONE) {
		at_night_write_search(&self->report, one, &text);
		at_strbuf_add_char(&text, '\n');
		at_print_folded(&text);
	}
	free(names);
}

/* ---- all searches -------------------------------------------------------------- */

/* Whether this case leads its search: the first of the boards of one model leads. */
static bool leads(const struct night *self, size_t index)
{
	size_t device = self->report.cases[index].device;

	if (!is_usable(self, device) || self->report.cases[index].has_failed)
		return false;
	for (size_t i = 0; i < device; i++)
		if (is_usable(self, i) && is_same_model(self, i, device) &&
			find_case(self, self->report.cases[index].space_index,
				self->report.cases[index].problem, i))
			return false;
	return true;
}

static enum at_status gather(
	struct night *self, struct at_allot_item *items, struct at_error *err)
{
	struct at_store *store;
	enum at_status status = at_store_open(self->options.results, &store, err);

	if (status)
		return status;
	for (size_t i = 0; i < self->report.case_count && !status; i++) {
		const struct at_night_device *device =
			&self->report.devices[self->report.cases[i].device];
		struct at_record_device record;

		items[i].is_done = !leads(self, i);
		if (items[i].is_done)
			continue;
		at_session_record_device(&device->info, &record);
		if (!status) {
			const struct at_night_case *told = &self->report.cases[i];

			status = at_allot_read(store, told->space, record.slug,
				told->problem, &items[i], err);
			items[i].valid = told->valid;
			/* the most urgent need on any of the boards counts */
			for (size_t k = 0; k < self->report.case_count; k++) {
				const struct at_night_case *own =
					&self->report.cases[k];

				if (own->space_index != told->space_index ||
					strcmp(own->problem, told->problem) != 0 ||
					!is_same_model(self, own->device, told->device))
					continue;
				if (own->need > items[i].need)
					items[i].need = own->need;
				items[i].lost = fmax(items[i].lost, own->lost);
			}
		}
		at_record_device_release(&record);
	}
	at_store_close(store);
	return status;
}

/* Searches in the remaining time. */
static void search_all(struct night *self)
{
	size_t count = self->report.case_count, next;
	struct at_allot_item *items = at_calloc(count + 1, sizeof(*items));
	struct at_error err = { 0 };
	double share;

	if (gather(self, items, &err))
		fail_with(self, &err);
	while (!err.status && !is_interrupted(self) &&
		(next = at_allot_next(items, count, left_seconds(self), &share)) !=
			AT_ALLOT_NONE) {
		items[next].is_done = true;
		if (is_usable(self, self->report.cases[next].device))
			search(self, next, share);
	}
	free(items);
}

/* ---- spaces, cases ------------------------------------------------------------- */

/* Adds the problems of one space and device to DIR/SPACE_met.cfg, and to the space. */
static enum at_status add_met(struct night *self, const struct at_sizes_met *met,
	size_t space, const struct at_device_info *device, struct at_error *err)
{
	char *path = at_cli_met_path(self->arguments, self->spaces[space]), *old = NULL;
	struct at_strbuf text = { 0 }, names = { 0 };
	enum at_status status = AT_OK;
	size_t size;

	if (at_file_exists(path))
		status = at_file_read(path, MET_BYTES_MAX, &old, &size, err);
	if (!status && at_sizes_met_problems(
			       met, self->spaces[space], device, old, &text, &names)) {
		status =
			at_file_replace_inside(self->options.results, path, &text, err);
		if (!status && !self->is_quiet)
			at_say("autotune: %s: sizes that programs met on %s are problems in %s: %s",
				self->spaces[space]->name, device->model, path,
				names.data);
		at_spec_free(self->spaces[space]);
		self->spaces[space] = NULL;
		if (!status)
			status = at_cli_load_space(self->arguments,
				self->arguments->operands[space], &self->spaces[space],
				err);
		/* an impossible size must not prevent the space from loading */
		if (status && !self->spaces[space]) {
			at_say("autotune: %s: sizes that programs met are left out: %s",
				self->arguments->operands[space], err->text);
			at_strbuf_clear(&text);
			at_strbuf_add(&text, old ? old : "");
			status = old ? at_file_replace_inside(
					       self->options.results, path, &text, err)
				     : AT_OK;
			if (!old)
				remove(path);
			if (!status)
				status = at_cli_load_space(self->arguments,
					self->arguments->operands[space],
					&self->spaces[space], err);
		}
	}
	at_strbuf_release(&text);
	at_strbuf_release(&names);
	free(old);
	free(path);
	return status;
}

/* Makes problems from the sizes that programs met on this night's devices (--met). */
static void take_met(struct night *self)
{
	const char *path = at_cli_text(self->arguments, "met", NULL);
	struct at_sizes_met met = { 0 };
	struct at_error err = { 0 };

	if (path && at_sizes_met_read(path, &met, &err))
		fail_with(self, &err);
	if (met.wrong_count)
		at_say("autotune: %s:%d: %zu lines are not as AUTOTUNE_RECORD writes them, and are left out",
			path, met.wrong_line, met.wrong_count);
	for (size_t i = 0; i < self->report.device_count; i++)
		for (size_t k = 0; k < self->space_count && met.count; k++) {
			const struct at_night_device *device = &self->report.devices[i];
			struct at_error problem = { 0 };

			if (self->spaces[k] && !device->is_recording &&
				device->info.kind[0] &&
				add_met(self, &met, k, &device->info, &problem))
				fail_with(self, &problem);
		}
	at_sizes_met_release(&met);
}

/* Adds a case for every problem and device, so that the report lists it even if nothing
   can be measured. The device of a recording is still unknown. */
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

/* ---- the report ---------------------------------------------------------------- */

/* DIR/nights/cuda-0, or DIR/nights/night if no device was named; heap. */
static char *report_path(const struct night *self, const struct at_device_list *list)
{
	const char *given = at_cli_text(self->arguments, "report", NULL);
	char *folder, *name = NULL, *path = NULL;
	struct at_strbuf names = { 0 };

	if (given)
		return at_strdup(given);
	for (size_t i = 0; i < list->count; i++) {
		char *id = recording_id(list->names[i]);

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
		fail_with(self, &err);
	at_strbuf_release(&name);
	at_strbuf_release(text);
}

/* Called before the searches, too: if the night is killed, revisits are reported. */
static void write_report(struct night *self, const char *path)
{
	struct at_strbuf text = { 0 };
	struct at_error err = { 0 };
	char *folder = at_path_directory(path);
	struct at_json *json;

	if (at_directory_make(folder, &err)) {
		fail_with(self, &err);
		free(folder);
		return;
	}
	self->report.seconds = spent_seconds(self);
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
		if (report->cases[i].search == AT_NIGHT_SEARCH_NO_WINNER)
			return AT_EXIT_NO_WINNER;
	return AT_EXIT_DONE;
}

/* ---- the night ----------------------------------------------------------------- */

/* Removes too old nights from the record, and evaluations that no run would use. */
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
		fail_with(self, &err);
}

static void interrupted(void *context)
{
	((struct night *)context)->is_interrupted = true;
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
	if (!status) {
		double wait_seconds = at_cli_wait_seconds(self->arguments);

		status = at_loop_new(NULL, &self->loop, err);
		if (!status)
			status = at_loop_watch_signals(
				self->loop, interrupted, self, err);
		/* this may be the first night, or a mistyped folder */
		if (!status && at_recorded_is_empty(self->options.results))
			at_say("autotune: nothing is recorded in \"%s\" yet: this night begins a record there; --results names another folder",
				self->options.results);
		if (!status)
			status = at_directory_make(self->options.results, err);
		if (!status) {
			const struct at_cli_arguments *arguments = self->arguments;

			self->spaces = at_calloc(
				arguments->operand_count + 1, sizeof(*self->spaces));
			self->space_count = arguments->operand_count;
			for (size_t i = 0; i < self->space_count; i++) {
				struct at_error problem = { 0 };

				if (at_cli_load_space(arguments, arguments->operands[i],
					    &self->spaces[i], &problem))
					fail_with(self, &problem);
			}
		}
		if (!status)
			status = open_devices(self, &list, err);
		for (size_t i = 0; i < self->report.device_count && !status; i++)
			take_lock(self, i, wait_seconds);
		/* waiting for the locks does not count against the budget */
		self->start_ns = at_clock_now_ns();
		if (!status) {
			take_met(self);
			add_cases(self);
		}
	}
	if (!status) {
		path = report_path(self, &list);
		for (size_t i = 0; i < self->report.device_count; i++)
			revisit_device(self, i);
		write_report(self, path);
		if (!is_interrupted(self))
			search_all(self);
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

static enum at_exit run_nightly(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct night self = {
		.arguments = arguments,
		.is_json = at_cli_given(arguments, "json"),
		.is_quiet = at_cli_given(arguments, "quiet"),
		.options = {
			.results = at_cli_text(
				arguments, "results", "results"),
			.strategy = at_cli_text(arguments, "strategy", NULL),
			.seed = (uint64_t)at_cli_whole(arguments, "seed", 0),
			.night = (uint64_t)at_clock_wall_seconds() / SECONDS_A_DAY,
			.jobs = (unsigned)at_cli_whole(arguments, "jobs", 0),
			.wait_seconds = at_cli_wait_seconds(arguments),
			.margin = at_cli_number(arguments, "margin", MARGIN),
			.keeps_winner = true,
		},
		.start_ns = at_clock_now_ns(),
	};
	struct at_keep kept;
	enum at_exit code = AT_EXIT_USAGE;
	uint64_t evaluations;
	enum at_status status = AT_OK;

	self.report.began_seconds = at_clock_wall_seconds();
	self.report.margin = self.options.margin;
	at_cli_each(arguments, "problem", &self.options.problems,
		&self.options.problem_count);
	/* the options' checks have accepted these; only the budget needs another
	   check */
	status = at_budget_parse(at_cli_text(arguments, "budget", BUDGET), &evaluations,
		&self.report.budget_seconds, err);
	if (!status && (evaluations || !(self.report.budget_seconds > 0)))
		status = at_fail(err, AT_EINVAL, NULL, 0,
			"a night has a time, as in --budget 30m, and not \"%s\"",
			at_cli_text(arguments, "budget", BUDGET));
	if (!status)
		status =
			at_keep_parse(at_cli_text(arguments, "keep", KEEP), &kept, err);
	if (!status && !self.is_quiet)
		at_cli_note_sandbox();
	if (!status)
		code = run_night(&self, &kept, err);
	if (code == AT_EXIT_INTERRUPTED)
		at_say("autotune: interrupted: what was measured is recorded and in the report");
	for (size_t i = 0; i < self.report.device_count; i++)
		at_device_lock_remove(&self.report.devices[i].lock);
	for (size_t i = 0; i < self.space_count; i++)
		at_spec_free(self.spaces[i]);
	free(self.spaces);
	free((void *)self.options.problems);
	at_night_report_release(&self.report);
	at_loop_free(self.loop);
	return code;
}

static const struct at_cli_option options[] = {
	{ "report", AT_CLI_TEXT, "PATH",
		.help = "write the report to PATH.md, PATH.xml and PATH.json (default: DIR/nights/<device>)" },
	{ "met", AT_CLI_TEXT, "FILE",
		.help = "also tune the sizes that programs met most often far from a tuned problem, as they noted them in this file (AUTOTUNE_RECORD); they become problems in DIR/SPACE_met.cfg" },
	{ .name = NULL },
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
	.options =
		"device budget margin strategy problem results met report keep trust wait jobs seed json quiet",
	.own = options,
	.run = run_nightly,
};
