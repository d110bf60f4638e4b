/* The finals: all contestants on one board, the lead board of that moment. */
#include "evaluator/workers/workers_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Launches of each contestant in the fewest finals: three blocks, each with proof,
 * warm-up and two rounds, in which a launch that warms the cache may precede each
 * sample, and half as many again, as rounds are repeated where the board was throttled.
 */
#define LEAST_LAUNCHES 27

static void release_finals(struct workers *self)
{
	/* nobody compiles or measures for them any more */
	for (size_t i = 0; i < self->finals.count; i++)
		workers_release_compiled(&self->finals.contestants[i].compiled);
	memset(&self->finals, 0, sizeof(self->finals));
}

void workers_drop_finals(struct workers *self)
{
	for (size_t i = 0; i < self->finals.count; i++)
		at_farm_forget(self->options.farm, &self->finals.contestants[i]);
	release_finals(self);
}

static void finals_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct workers *self = context;
	struct at_final finals[AT_FINALISTS_MAX] = { 0 };
	at_finals_answered answered = self->finals.answered;
	void *answered_context = self->finals.context;
	struct seat *seat = self->finals.seat;
	struct at_error problem = { 0 };

	if (self->failed)
		return;
	if (err && workers_is_boards_fault(err) && workers_seats_left(self) > 1) {
		workers_leave_out(self, seat, err->text);
		self->pump(self);
		return;
	}
	if (err && err->status == AT_ENOENT && !self->finals.was_compiled_again) {
		self->finals.was_compiled_again = true;
		if (workers_want_lost_setup_units(
			    self, &self->workloads[0], &problem) ||
			workers_want_contestants(self, &problem))
			workers_fail(self, &problem);
		return;
	}
	if (err) {
		workers_fail(self, err);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		finals[i].facts = self->finals.contestants[i].compiled.facts;
		finals[i].result = results[i];
		memset(&results[i], 0, sizeof(results[i]));
	}
	release_finals(self);
	answered(answered_context, finals, count, NULL);
	for (size_t i = 0; i < count; i++)
		at_measure_result_release(&finals[i].result);
	self->pump(self);
}

static void contestant_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct contestant *contestant = context;
	struct workers *self = contestant->owner;
	struct at_error err = { 0 };

	if (problem) {
		workers_fail(self, problem);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		at_fail(&err, AT_EINVAL, self->options.spec->path, 0,
			"a configuration that compiled before does not compile now: %.200s",
			result->log ? result->log : "");
		workers_fail(self, &err);
		return;
	}
	workers_take_compiled(self, &self->workloads[0], contestant->planned, path,
		result, &contestant->compiled);
	self->finals.compiled++;
	self->pump(self);
}

/* Asks the farm for the units of all contestants, which the cache usually has. */
enum at_status workers_want_contestants(struct workers *self, struct at_error *err)
{
	struct finals *finals = &self->finals;
	enum at_status status = AT_OK;

	finals->seat = NULL;
	finals->compiled = 0;
	for (size_t i = 0; i < finals->count && !status; i++) {
		struct contestant *contestant = &finals->contestants[i];

		status = at_farm_want(self->options.farm, &contestant->planned->compile,
			contestant->planned->unit, true, contestant_compiled,
			contestant, err);
	}
	return status;
}

/* Whether all are compiled, the setup is complete, and no evaluation is out. */
bool workers_finals_are_due(const struct workers *self)
{
	const struct finals *finals = &self->finals;

	return finals->answered && !finals->seat && finals->compiled == finals->count &&
	       self->workloads[0].is_set_up && !self->trials && !self->failed;
}

/* Whether measuring may begin. On a device that shares cores with the compilers these
   must be held, and those that ran before must have ended. */
bool workers_has_cores(const struct workers *self)
{
	return !self->base.info.device.shares_cores ||
	       (self->holding &&
		       !at_compilers_running(at_farm_compilers(self->options.farm)));
}

void workers_send_finals(struct workers *self)
{
	struct finals *finals = &self->finals;
	struct at_measure_request requests[AT_FINALISTS_MAX];
	const char *units[AT_FINALISTS_MAX];
	struct seat *seat = workers_lead_seat(self);

	if (!workers_finals_are_due(self) || !workers_has_cores(self) ||
		at_board_queued(seat->board))
		return;
	finals->seat = seat;
	for (size_t i = 0; i < finals->count; i++) {
		requests[i] = finals->contestants[i].compiled.request;
		requests[i].baseline_error = self->baseline_error;
		units[i] = finals->contestants[i].compiled.unit;
	}
	/* `seconds` is for the rounds, if these are short. The deadlines are for
	   loading and proving all contestants. */
	at_board_finals(seat->board, &self->workloads[0].setup, units, requests,
		finals->count, &finals->how,
		finals->how.seconds + 4 * workers_most_seconds(self) +
			LEAST_LAUNCHES * finals->how.launch_seconds,
		finals_measured, self);
}
