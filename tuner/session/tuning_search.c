/* The search: what is asked for next, who hears of the outcome, when it ends. */
#include "session/tuning_parts.h"
#include "base/clock.h"
#include "record/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a tenth of a second and less */
#define ASKED_AT_ONCE 500

bool tuning_is_baseline(const struct at_tuning *self, size_t index)
{
	const struct at_spec *spec = self->options.spec;

	return spec->has_defaults &&
	       !memcmp(tuning_row(self, index), spec->defaults,
		       spec->parameter_count * sizeof(*spec->defaults));
}

bool tuning_copy_evaluation(const struct at_evaluation *from, struct at_evaluation *to)
{
	return !at_evaluation_copy(from, to, NULL);
}

void tuning_enter_podium(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused)
{
	struct contender entry = { index, { 0 }, reused };
	size_t place = self->podium_count;

	while (place > 0 &&
		evaluation->time_ns < self->podium[place - 1].evaluation.time_ns)
		place--;
	if (place == PODIUM_SIZE)
		return;
	if (!tuning_copy_evaluation(evaluation, &entry.evaluation)) {
		at_evaluation_release(&entry.evaluation);
		return;
	}
	if (self->podium_count == PODIUM_SIZE)
		at_evaluation_release(&self->podium[--self->podium_count].evaluation);
	memmove(&self->podium[place + 1], &self->podium[place],
		(self->podium_count - place) * sizeof(entry));
	self->podium[place] = entry;
	self->podium_count++;
}

/* without memory for it the fallback is poorer, and nothing else */
static void remember_passed(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused)
{
	if (AT_RESERVE(
		    self->passed, self->passed_capacity, self->passed_count + 1, NULL))
		return;
	self->passed[self->passed_count++] = (struct passed){ index, evaluation->id,
		evaluation->time_ns, reused, false };
}

void tuning_told(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused)
{
	const uint16_t *row = tuning_row(self, index);
	bool ok = evaluation->outcome == AT_OUTCOME_OK;
	double best_ns =
		self->podium_count ? self->podium[0].evaluation.time_ns : INFINITY;

	if (self->phase == PHASE_EXPLAIN) {
		tuning_explained(self, index, evaluation, reused);
		return;
	}
	self->progress.evaluated++;
	self->progress.reused += reused;
	self->progress.by_outcome[evaluation->outcome]++;
	self->strategy->kind->tell(
		self->strategy, index, ok ? evaluation->time_ns : INFINITY);
	if (ok) {
		remember_passed(self, index, evaluation, reused);
		tuning_enter_podium(self, index, evaluation, reused);
	}
	if (ok && tuning_is_baseline(self, index)) {
		at_evaluation_release(&self->baseline.evaluation);
		self->baseline.index = index;
		self->baseline.reused = reused;
		if (!tuning_copy_evaluation(evaluation, &self->baseline.evaluation))
			at_evaluation_release(&self->baseline.evaluation);
	}
	tuning_emit(self, AT_EVENT_EVALUATION, NULL, row, evaluation, reused);
	if (ok && evaluation->time_ns < best_ns)
		tuning_emit(self, AT_EVENT_INCUMBENT, NULL, row, evaluation, reused);
}

static bool time_is_up(const struct at_tuning *self)
{
	return self->target_seconds > 0 &&
	       (double)(at_clock_now_ns() - self->start_ns) * 1e-9 >=
		       self->target_seconds;
}

/* the baseline first, whatever the strategy would begin with */
static bool ask_baseline(struct at_tuning *self)
{
	size_t index;

	if (self->baseline_asked || !self->options.spec->has_defaults)
		return false;
	self->baseline_asked = true;
	index = at_configurations_find(
		&self->configurations, self->options.spec->defaults);
	if (index == SIZE_MAX) {
		tuning_emit(self, AT_EVENT_NOTE,
			"the defaults do not satisfy the constraints here: there is no baseline",
			NULL, NULL, false);
		return false;
	}
	/* told before it is known, so that the strategy does not ask for it too */
	self->strategy->kind->tell(self->strategy, index, INFINITY);
	tuning_begin_task(self, index);
	return true;
}

/* row of the configuration that is crowned; SIZE_MAX: none, or not in this space */
static size_t find_holder(struct at_tuning *self)
{
	const struct at_spec *spec = self->options.spec;
	struct at_evaluation evaluation;
	size_t index = SIZE_MAX;
	bool fits = false;
	uint16_t *row;

	if (!self->recorded.space ||
		at_store_get(self->options.store, self->recorded.evaluation_id, false,
			&evaluation, NULL))
		return SIZE_MAX;
	row = calloc(spec->parameter_count + 1, sizeof(*row));
	if (row &&
		!at_configuration_from_json(
			spec, evaluation.configuration, row, &fits, NULL) &&
		fits)
		index = at_configurations_find(&self->configurations, row);
	free(row);
	at_evaluation_release(&evaluation);
	return index;
}

/*
 * Then who won before, so that a run that would not come across it cannot crown a
 * slower one. Where nothing has changed it is found in the record; where the source
 * has, it is a good guess.
 */
static bool ask_holder(struct at_tuning *self)
{
	size_t index;

	if (self->holder_asked)
		return false;
	self->holder_asked = true;
	index = find_holder(self);
	if (index == SIZE_MAX || tuning_is_baseline(self, index))
		return false;
	self->strategy->kind->tell(self->strategy, index, INFINITY);
	tuning_begin_task(self, index);
	return true;
}

/* one configuration more on its way; false when there is none to be had now */
static bool ask(struct at_tuning *self)
{
	size_t index;

	if (self->asked_out || self->phase != PHASE_SEARCH)
		return false;
	if (ask_baseline(self) || ask_holder(self))
		return true;
	if (self->target_evaluations && self->progress.evaluated + self->task_count >=
						self->target_evaluations) {
		self->asked_out = self->task_count == 0;
		return false;
	}
	switch (self->strategy->kind->ask(self->strategy, &index)) {
	case AT_ASK_CONFIGURATION:
		tuning_begin_task(self, index);
		return true;
	case AT_ASK_WAIT:
		/* where nothing is out there is nothing to wait for */
		self->asked_out = self->task_count == 0;
		return false;
	case AT_ASK_DONE:
		self->asked_out = true;
		return false;
	}
	return false;
}

/* compiling runs so far ahead of measuring */
static size_t depth(const struct at_tuning *self)
{
	return 2 * (size_t)at_compilers_jobs(self->options.compilers) + 2;
}

/* what was not begun to be measured is given up; the baseline never is */
static void end_at_time(struct at_tuning *self)
{
	if (self->asked_out || !time_is_up(self) || self->baseline_task ||
		!self->progress.evaluated)
		return;
	self->asked_out = true;
	tuning_give_up_waiting(self);
}

static void ask_later(void *context)
{
	struct at_tuning *self = context;

	self->asks_later = false;
	tuning_pump(self);
}

/* what is recorded is found at once, thousands in a row: signals and the time
   budget are looked after in between */
static void ask_slice(struct at_tuning *self)
{
	int left = ASKED_AT_ONCE;

	while (self->phase == PHASE_SEARCH && !self->holding &&
		self->task_count < depth(self)) {
		if (left-- == 0) {
			if (!self->asks_later)
				self->asks_later = !at_loop_later(
					self->options.loop, ask_later, self, NULL);
			return;
		}
		if (!ask(self))
			return;
	}
}

void tuning_search(struct at_tuning *self)
{
	end_at_time(self);
	tuning_take_turns(self);
	ask_slice(self);
	tuning_take_turns(self);
	tuning_measure_next(self);
	/* where nothing passed, a reference that does not compile is the reason to
	   tell: its setup is waited for */
	if (self->phase == PHASE_SEARCH && self->asked_out && self->task_count == 0 &&
		(self->podium_count || self->setup_state == SETUP_NONE ||
			self->setup_state == SETUP_READY))
		tuning_begin_finals(self);
}
