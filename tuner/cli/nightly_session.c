/* Runs the sessions of a night and takes their events into the report. */
#include "cli/nightly_parts.h"

#include "cli/events.h"
#include "cli/format.h"
#include "cli/output.h"

#include "base/clock.h"
#include "evaluator/workers/process.h"
#include "record/history.h"
#include "record/result.h"
#include "session/nights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

bool night_is_interrupted(struct night *self)
{
	if (!self->is_interrupted) {
		at_loop_later(self->loop, stop, self);
		at_loop_run(self->loop);
	}
	return self->is_interrupted;
}

void night_fail(struct night *self, const char *line)
{
	/* a record that cannot be written is met at each turn */
	for (size_t i = 0; i < self->report.failure_count; i++)
		if (!strcmp(self->report.failures[i], line))
			return;
	at_night_report_fail(&self->report, line);
	at_say("autotune: %s", line);
}

void night_fail_with(struct night *self, const struct at_error *err)
{
	char line[sizeof(err->file) + sizeof(err->text) + 64];

	night_fail(self, at_error_format(err, line, sizeof(line)));
}

size_t night_find_case(
	const struct night *self, size_t space, const char *problem, size_t device)
{
	for (size_t i = 0; i < self->report.case_count; i++)
		if (self->report.cases[i].space_index == space &&
			self->report.cases[i].device == device &&
			!strcmp(self->report.cases[i].problem, problem))
			return i;
	return SIZE_MAX;
}

/* ---- listening ------------------------------------------------------------------ */

void night_replace(char **text, const char *with)
{
	char *copy = at_strdup(with ? with : "");

	/* the record has it, although the report does not */
	free(*text);
	*text = copy;
}

/* Keeps what changed on the device since the last night; problems that were last
   measured on different nights each report it, and the first of them counts. */
static void keep_changes(struct night *self, size_t device, const char *changes)
{
	struct at_night_device *kept = &self->report.devices[device];

	if (changes && changes[0] && !kept->changes[0])
		night_replace(&kept->changes, changes);
}

/* Prints what changed on the device, once, before the verdicts that it may explain. */
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

/* A quiet night still tells what is slower or wrong: cron mails what is printed, and
   does not look at exit codes. */
void night_tell_case(struct night *self, const struct at_night_case *one)
{
	struct at_strbuf text = { 0 };

	if (self->is_json || (self->is_quiet && !at_night_is_regression(one)))
		return;
	tell_changes(self, one->device);
	at_night_write_case(&self->report, one, &text);
	at_strbuf_add_char(&text, '\n');
	at_print_folded(&text);
}

static enum at_allot_need need_of(const struct at_revisit *revisit, const char *text)
{
	if (!revisit)
		return text ? AT_ALLOT_NEW : AT_ALLOT_PLAIN;
	if (revisit->verdict == AT_VERDICT_INCORRECT)
		return AT_ALLOT_REFUSED;
	return revisit->verdict == AT_VERDICT_SLOWER ? AT_ALLOT_REGRESSED
						     : AT_ALLOT_PLAIN;
}

static void take_revisit(struct at_night_case *one, const struct at_event *event)
{
	const struct at_revisit *revisit = event->revisit;
	const struct at_judgement *judgement = event->judgement;

	night_replace(&one->detail, revisit ? revisit->detail : event->text);
	one->seconds = event->progress->elapsed_seconds;
	one->objective = event->objective;
	if (!revisit)
		return;
	one->verdict = revisit->verdict;
	one->outcome = revisit->outcome;
	one->score = revisit->score;
	one->speedup = revisit->speedup.value;
	one->change = revisit->change;
	one->look_count = revisit->look_count;
	if (!judgement)
		return;
	one->cycles = judgement->cycles;
	one->night_count = judgement->night_count;
}

static void revisited(struct night *self, const struct at_event *event)
{
	size_t index =
		night_find_case(self, self->space, event->problem->name, self->device);
	struct at_night_case *one;

	if (index == SIZE_MAX || !event->progress)
		return;
	one = &self->report.cases[index];
	one->is_told = true;
	one->valid = event->progress->valid_count;
	one->need = need_of(event->revisit, event->text);
	take_revisit(one, event);
	if (event->revisit) {
		night_replace(&one->configuration, event->revisit->configuration);
		if (event->revisit->change.value > 1)
			one->lost = log(event->revisit->change.value);
		/* With another source, what was searched before is of little use. */
		if (event->judgement && event->judgement->verdict == AT_VERDICT_FIRST)
			one->need = AT_ALLOT_NEW;
	}
	keep_changes(self, self->device, event->changes);
	night_tell_case(self, one);
}

static void searched(struct night *self, const struct at_event *event)
{
	size_t index =
		night_find_case(self, self->space, event->problem->name, self->device);
	const struct at_progress *progress = event->progress;
	struct at_night_case *one;
	char *configuration;

	if (index == SIZE_MAX || !progress)
		return;
	one = &self->report.cases[index];
	one->evaluated = progress->evaluated - progress->reused;
	one->search_seconds = progress->elapsed_seconds;
	one->search = AT_NIGHT_SEARCH_NOBODY;
	if (!event->best) {
		/* An interruption without a new winner; the recorded winner stands. */
		if (event->text && one->configuration)
			one->search = AT_NIGHT_SEARCH_KEPT;
		return;
	}
	one->found = event->best->score;
	configuration = at_configuration_to_json(event->spec, event->configuration);
	if (!one->configuration)
		one->search = AT_NIGHT_SEARCH_SELECTED;
	else
		one->search =
			configuration && !strcmp(configuration, one->configuration)
				? AT_NIGHT_SEARCH_KEPT
				: AT_NIGHT_SEARCH_REPLACED;
	if (configuration) {
		struct at_strbuf text = { 0 };

		at_format_configuration(&text, configuration);
		free(one->winner);
		one->winner = text.data ? at_strbuf_detach(&text) : at_strdup("");
		at_strbuf_release(&text);
	}
	free(configuration);
}

static void listen(void *context, const struct at_event *event)
{
	struct night *self = context;
	struct at_night_device *device = &self->report.devices[self->device];
	struct at_json *object;

	if (event->progress && event->progress->elapsed_seconds > self->session_seconds)
		self->session_seconds = event->progress->elapsed_seconds;
	if (event->kind == AT_EVENT_BEGIN && event->device && !device->info.kind[0])
		device->info = *event->device;
	if (event->kind == AT_EVENT_BEGIN && !device->model[0])
		night_replace(&device->model, device->info.model);
	if (self->is_json &&
		(event->kind == AT_EVENT_REVISIT || event->kind == AT_EVENT_SUMMARY) &&
		at_event_to_json(event, &object))
		at_print_json(object);
	if (event->kind == AT_EVENT_REVISIT && event->problem)
		revisited(self, event);
	else if (event->kind == AT_EVENT_SUMMARY && event->problem)
		searched(self, event);
	else if (event->kind == AT_EVENT_NOTE && event->text && !self->is_quiet)
		at_say("autotune: %s%s%s%s%s", event->spec ? event->spec->name : "",
			event->problem ? ", " : "",
			event->problem ? event->problem->name : "",
			event->spec ? ": " : "", event->text);
}

static void ticked(void *context)
{
	night_is_interrupted(context);
}

enum at_status night_run_session(struct night *self, size_t space, size_t device,
	struct at_session_options *options, struct at_error *err)
{
	const struct at_spec *spec = self->spaces[space];
	struct at_session_summary summary = { 0 };
	enum at_status status;
	double seconds;

	self->space = space;
	self->device = device;
	self->session_seconds = 0;
	self->session_begun_ns = at_clock_now_ns();
	options->listen = listen;
	options->tick = ticked;
	options->context = self;
	status = at_session_run(&spec, 1, options, &summary, err);
	seconds = (double)(at_clock_now_ns() - self->session_begun_ns) * 1e-9;
	if (self->session_seconds > seconds)
		self->virtual_seconds += self->session_seconds - seconds;
	self->session_begun_ns = 0;
	if (summary.interrupted || status == AT_EINTERRUPTED)
		self->is_interrupted = true;
	return self->is_interrupted ? AT_EINTERRUPTED : status;
}

void night_judge_device(struct night *self, size_t device, const struct at_error *err)
{
	struct at_night_device *own = &self->report.devices[device];
	char line[sizeof(err->file) + sizeof(err->text) + 64];

	/* The session has waited already for a machine that lacks something. */
	if (err->status != AT_EDEVICE && err->status != AT_EUNAVAILABLE &&
		err->status != AT_EMACHINE) {
		own->failures = 0;
		return;
	}
	if (++own->failures < 2)
		return;
	own->is_left_out = true;
	at_error_format(err, line, sizeof(line));
	night_replace(&own->failure, line);
	at_say("autotune: %s is left out for the rest of the night", own->id);
}
