/* Measures recorded winners again: in which order, and how long each. */
#include "cli/nightly_parts.h"

#include "base/memory.h"
#include "cli/output.h"

#include "record/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Revisits may take this share of a night. Each gets at least enough seconds for a
   large problem, and at most what is useful. */
#define REVISIT_SHARE 0.5
#define REVISIT_SECONDS_MIN 10
#define REVISIT_SECONDS_MAX 60

static unsigned revisit_seconds(const struct night *self)
{
	size_t count = self->report.case_count ? self->report.case_count : 1;
	double seconds = REVISIT_SHARE * self->report.budget_seconds / (double)count;

	seconds = fmax(seconds, REVISIT_SECONDS_MIN);
	return (unsigned)fmin(seconds, REVISIT_SECONDS_MAX);
}

/* Explains the cases of a space that no event was about. failed: because of an error,
   not for lack of time. */
static void explain_rest(
	struct night *self, size_t space, size_t device, bool failed, const char *why)
{
	for (size_t i = 0; i < self->report.case_count; i++) {
		struct at_night_case *one = &self->report.cases[i];

		if (one->space_index != space || one->device != device || one->is_told)
			continue;
		one->is_told = true;
		one->has_failed = failed;
		night_replace(&one->detail, why);
		night_tell_case(self, one);
	}
}

static void revisit_space(struct night *self, size_t space, size_t device)
{
	const char *names[] = { self->report.devices[device].name };
	struct at_session_options options = self->options;
	struct at_error err = { 0 };
	char budget[32], line[sizeof(err.file) + sizeof(err.text) + 64];

	snprintf(budget, sizeof(budget), "%us", revisit_seconds(self));
	options.budget = budget;
	options.devices = names;
	options.device_count = 1;
	options.revisits = true;
	if (!night_run_session(self, space, device, &options, &err)) {
		self->report.devices[device].failures = 0;
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

/* When anything of the space was last measured on this device; 0: never. */
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

/* The space that was measured longest ago comes first, so that each gets its turn even
   if nights are too short for all. */
static void revisit_device(struct night *self, size_t device)
{
	struct turn *turns = at_calloc(self->space_count + 1, sizeof(*turns));
	struct at_store *store = NULL;
	struct at_error err = { 0 };
	size_t count = 0;

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
		else if (self->report.devices[device].is_left_out)
			why = "its device is left out";
		else if (night_left(self) <= 0)
			why = "the night was too short";
		if (why)
			explain_rest(self, turns[i].space, device,
				self->report.devices[device].is_left_out, why);
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
