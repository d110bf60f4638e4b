/* A night's sessions: winners measured again, and who hears of all that. */
#include "cli/nightly_parts.h"

#include "cli/device_list.h"
#include "cli/events.h"
#include "cli/output.h"

#include "base/clock.h"
#include "evaluator/plan.h"
#include "record/history.h"
#include "session/nights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Revisits may take half of a night, but each long enough for one that is large, and no
   longer than is of use. */
#define REVISIT_SHARE 0.5
#define REVISIT_SECONDS_MIN 10
#define REVISIT_SECONDS_MAX 60

size_t night_find_case(
	const struct night *self, size_t space, const char *problem, size_t device)
{
	for (size_t i = 0; i < self->report.case_count; i++)
		if (self->cases[i].space == space &&
			self->report.cases[i].device == device &&
			!strcmp(self->report.cases[i].problem, problem))
			return i;
	return SIZE_MAX;
}

/* ---- listening ------------------------------------------------------------------ */

static void replace(char **text, const char *with)
{
	char *copy = at_strdup(with ? with : "");

	if (!copy)
		return; /* the record has it, the report does not */
	free(*text);
	*text = copy;
}

/* what changed stands ahead of all that it may have changed */
static void tell_changes(struct night *self, size_t device, const char *changes)
{
	struct at_night_device *told = &self->report.devices[device];

	if (!changes || !changes[0] || !strcmp(changes, told->changes))
		return;
	/* once: of problems that were measured last on different nights each says it */
	if (told->changes[0])
		return;
	replace(&told->changes, changes);
	if (!self->is_json && !self->is_quiet) {
		struct at_strbuf text = { 0 };

		at_strbuf_addf(
			&text, "%s: since the last night: %s\n", told->id, changes);
		at_print_folded(&text);
		at_strbuf_release(&text);
	}
}

static void tell_case(const struct night *self, const struct at_night_case *one)
{
	struct at_strbuf text = { 0 };

	if (self->is_json || self->is_quiet)
		return;
	at_night_write_case(&self->report, one, &text);
	at_strbuf_add_char(&text, '\n');
	at_print_folded(&text);
	at_strbuf_release(&text);
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

	replace(&one->detail, revisit ? revisit->detail : event->text);
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
	struct night_case *own;

	if (index == SIZE_MAX || !event->progress)
		return;
	own = &self->cases[index];
	own->is_told = true;
	own->valid = event->progress->valid_count;
	own->need = need_of(event->revisit, event->text);
	take_revisit(&self->report.cases[index], event);
	if (event->revisit) {
		own->configuration = at_strdup(event->revisit->configuration);
		if (event->revisit->change.value > 1)
			own->lost = log(event->revisit->change.value);
		/* of another source what was searched before is of little use */
		if (event->judgement && event->judgement->verdict == AT_VERDICT_FIRST)
			own->need = AT_ALLOT_NEW;
	}
	tell_changes(self, self->device, event->changes);
	tell_case(self, &self->report.cases[index]);
}

static void listen(void *context, const struct at_event *event)
{
	struct night *self = context;
	struct night_device *device = &self->devices[self->device];
	struct at_json *object = NULL;

	if (event->progress && event->progress->elapsed_seconds > self->session_seconds)
		self->session_seconds = event->progress->elapsed_seconds;
	if (event->kind == AT_EVENT_BEGIN && event->device && !device->info.kind[0])
		device->info = *event->device;
	if (event->kind == AT_EVENT_BEGIN &&
		!self->report.devices[self->device].model[0])
		replace(&self->report.devices[self->device].model, device->info.model);
	if (self->is_json &&
		(event->kind == AT_EVENT_REVISIT || event->kind == AT_EVENT_SUMMARY))
		object = at_event_to_json(event);
	if (object)
		at_print_json(object);
	if (event->kind == AT_EVENT_REVISIT && event->problem)
		revisited(self, event);
	else if (event->kind == AT_EVENT_SUMMARY && event->problem)
		night_searched(self, event);
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
	struct night_device *own = &self->devices[device];
	char line[sizeof(err->file) + sizeof(err->text) + 64];

	/* a machine that stays ill has been waited for */
	if (err->status != AT_EDEVICE && err->status != AT_EUNAVAILABLE &&
		err->status != AT_EMACHINE) {
		own->failures = 0;
		return;
	}
	if (++own->failures < 2)
		return;
	own->is_left_out = true;
	at_error_format(err, line, sizeof(line));
	replace(&self->report.devices[device].failure, line);
	at_say("autotune: %s is left out for the rest of the night",
		self->report.devices[device].id);
}

/* ---- revisits ------------------------------------------------------------------- */

static unsigned revisit_seconds(const struct night *self)
{
	size_t count = self->report.case_count ? self->report.case_count : 1;
	double seconds = REVISIT_SHARE * self->report.budget_seconds / (double)count;

	seconds = fmax(seconds, REVISIT_SECONDS_MIN);
	return (unsigned)fmin(seconds, REVISIT_SECONDS_MAX);
}

/* what nothing was said of; failed: through a fault, else for want of time */
static void explain_rest(
	struct night *self, size_t space, size_t device, bool failed, const char *why)
{
	for (size_t i = 0; i < self->report.case_count; i++) {
		struct at_night_case *one = &self->report.cases[i];

		if (self->cases[i].space != space || one->device != device ||
			self->cases[i].is_told)
			continue;
		self->cases[i].is_told = true;
		one->has_failed = failed;
		replace(&one->detail, why);
		tell_case(self, one);
	}
}

static void revisit_space(struct night *self, size_t space, size_t device)
{
	const char *names[] = { self->devices[device].name };
	struct at_session_options options = self->options;
	struct at_error err = { 0 };
	char budget[32], line[sizeof(err.file) + sizeof(err.text) + 64];

	snprintf(budget, sizeof(budget), "%us", revisit_seconds(self));
	options.budget = budget;
	options.devices = names;
	options.device_count = 1;
	options.revisits = true;
	if (!night_run_session(self, space, device, &options, &err)) {
		self->devices[device].failures = 0;
		return;
	}
	if (self->is_interrupted) {
		explain_rest(self, space, device, false, "the night was interrupted");
		return;
	}
	at_error_format(&err, line, sizeof(line));
	explain_rest(self, space, device, true, line);
	at_say_error(&err);
	night_judge_device(self, device, &err);
}

/* When something of it was measured last on this device; 0: never. */
static int64_t last_seconds(
	struct night *self, struct at_store *store, size_t space, size_t device)
{
	const struct night_device *own = &self->devices[device];
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

/* Who waited longest comes first: a night that is too short for all is fair all the
   same. */
static void revisit_device(struct night *self, size_t device)
{
	struct turn *turns = calloc(self->space_count + 1, sizeof(*turns));
	struct at_store *store = NULL;
	struct at_error err = { 0 };
	size_t count = 0;

	if (!turns) {
		at_fail_memory(&err);
		night_fail_with(self, &err);
		return;
	}
	if (at_store_open(self->options.results, &store, &err))
		night_fail_with(self, &err);
	for (size_t i = 0; i < self->space_count && store; i++)
		if (self->spaces[i])
			turns[count++] = (struct turn){ i,
				last_seconds(self, store, i, device) };
	at_store_close(store);
	qsort(turns, count, sizeof(*turns), compare_turns);
	for (size_t i = 0; i < count; i++) {
		const char *why = NULL;

		if (night_is_interrupted(self))
			why = "the night was interrupted";
		else if (self->devices[device].is_left_out)
			why = "its device is left out";
		else if (night_left(self) <= 0)
			why = "the night was too short";
		if (why)
			explain_rest(self, turns[i].space, device,
				self->devices[device].is_left_out, why);
		else
			revisit_space(self, turns[i].space, device);
	}
	free(turns);
}

void night_revisit(struct night *self)
{
	for (size_t i = 0; i < self->report.device_count; i++)
		revisit_device(self, i);
}
