/* The evaluator itself: the pump that keeps boards busy, the table of functions, and
   opening. */
#include "evaluator/workers/workers_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "evaluator/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct workers *of(struct at_evaluator *base)
{
	return (struct workers *)base;
}

static const struct workers *of_const(const struct at_evaluator *base)
{
	return (const struct workers *)base;
}

/* ---- the pump ---- */

/*
 * On a device that shares its cores with the compilers, the two take turns: a batch is
 * compiled, then measured while no compiler runs. Compilers are not held before the
 * setup is complete, since its units must be compiled too, nor before the trial that
 * must be measured first is ready.
 */
static void take_turns(struct workers *self)
{
	struct at_compilers *compilers = at_farm_compilers(self->options.farm);
	bool is_measuring = false, is_compiling = false, hold;
	bool hold_for_recovery = false;

	if (!self->base.info.device.shares_cores) {
		/* a board that tries something again needs the machine for itself */
		for (size_t i = 0; i < self->seat_count; i++)
			hold_for_recovery = hold_for_recovery ||
					    at_board_recovers(self->seats[i].board);
		if (hold_for_recovery != self->holding) {
			self->holding = hold_for_recovery;
			at_compilers_hold(compilers, hold_for_recovery);
		}
		return;
	}
	for (size_t i = 0; i < self->seat_count; i++)
		is_measuring =
			is_measuring || at_board_queued(self->seats[i].board) > 0;
	/* only this evaluator's trials: others that share the compilers may never be
	   done */
	for (const struct trial *trial = self->trials; trial; trial = trial->next)
		is_compiling = is_compiling || trial->stage == STAGE_COMPILING;
	hold = is_measuring || workers_finals_are_due(self) ||
	       (self->ready_first && self->ready_first->workload->is_set_up &&
		       (!self->first || self->ready_first == self->first) &&
		       (self->holding || !is_compiling));
	if (hold != self->holding) {
		self->holding = hold;
		at_compilers_hold(compilers, hold);
	}
}

/* For at_board_be_alone(): holds the compilers, and tells whether all have stopped. */
static bool is_alone(void *context)
{
	struct workers *self = context;

	take_turns(self);
	return !at_compilers_running(at_farm_compilers(self->options.farm));
}

static bool may_send(const struct workers *self)
{
	const struct trial *next = self->ready_first;

	if (!next || self->failed || !next->workload->is_set_up)
		return false;
	if (self->first && next != self->first)
		return false;
	return workers_has_cores(self);
}

/* Takes the first ready trial that has to be measured and may be measured on this
   board; NULL: none. */
static struct trial *next_for(struct workers *self, const struct seat *seat)
{
	while (may_send(self)) {
		struct trial *trial;

		/* proofs are made by the lead board, which has their buffers already */
		if (self->ready_first->proved && seat != workers_lead_seat(self))
			return NULL;
		trial = workers_pop_ready(self);
		if (workers_is_to_be_measured(self, trial))
			return trial;
	}
	return NULL;
}

/* Asks for the units of the trials that waited until the first was measured. */
static void end_holding_back(struct workers *self)
{
	struct at_error err = { 0 };

	for (struct trial *trial = self->trials; trial && !self->failed;
		trial = trial->next) {
		if (!trial->is_held_back || trial->stage != STAGE_NONE)
			continue;
		trial->is_held_back = false;
		if (workers_want_trial(trial, &err))
			workers_fail(self, &err);
	}
}

static void pump(struct workers *self)
{
	const char *note = at_farm_note(self->options.farm);
	struct at_error err = { 0 };
	char text[1200];

	if (note[0]) {
		snprintf(text, sizeof(text),
			"compiled kernels are not kept for the next run: %s", note);
		workers_tell(self, AT_NOTICE_NOTE, text);
	}
	for (size_t i = 0; i < self->seat_count; i++) {
		note = at_board_note(self->seats[i].board);
		if (note[0])
			workers_tell(self, AT_NOTICE_NOTE, note);
	}
	for (size_t i = 0; i < self->workload_count && !self->failed; i++)
		if (self->workloads[i].is_needed &&
			workers_set_up(self, &self->workloads[i], &err))
			workers_fail(self, &err);
	if (!self->first)
		end_holding_back(self);
	take_turns(self);
	/* one trial for each board in turn, so that the last few are spread over the
	   boards */
	for (size_t depth = 0; depth < AT_BOARD_DEPTH; depth++)
		for (size_t i = 0; i < self->seat_count && may_send(self); i++) {
			struct seat *seat = &self->seats[i];
			struct trial *trial;

			if (seat->is_left_out || at_board_queued(seat->board) > depth ||
				!workers_agrees(self, seat))
				continue;
			trial = next_for(self, seat);
			if (trial)
				workers_send_trial(self, seat, trial);
		}
	if (!self->failed)
		workers_send_finals(self);
	take_turns(self);
}

/* ---- the table ---- */

static enum at_status workers_plan(struct at_evaluator *base,
	const uint16_t *configuration, struct at_planned **out, struct at_error *err)
{
	struct workers *self = of(base);

	return at_planned_new(&self->workloads[0].plan, configuration, out, err);
}

static enum at_status workers_begin(struct at_evaluator *base,
	struct at_planned *planned, const struct at_trial_options *options,
	at_answered answered, void *context, struct at_error *err)
{
	struct workers *self = of(base);
	const struct trial facts = {
		.options = *options,
		.answered = answered,
		.context = context,
	};

	return workers_add_trial(self, &self->workloads[0], planned, &facts, err);
}

static void workers_race(struct at_evaluator *base, double incumbent_ns)
{
	of(base)->incumbent_ns = incumbent_ns;
}

static void workers_judge_by(struct at_evaluator *base, double baseline_error)
{
	of(base)->baseline_error = baseline_error;
}

/* Only for the tuned problem: setups for proofs keep their usual deadline. */
static void workers_hurry(struct at_evaluator *base, double seconds)
{
	of(base)->workloads[0].setup.budget_seconds = seconds;
}

static enum at_status workers_finals(struct at_evaluator *base,
	const struct at_planned *const *planned, size_t count,
	const struct at_measure_finals *how, at_finals_answered answered, void *context,
	struct at_error *err)
{
	struct workers *self = of(base);
	struct finals *finals = &self->finals;
	enum at_status status;

	if (self->failed)
		return workers_refuse(self, err);
	memset(finals, 0, sizeof(*finals));
	finals->how = *how;
	finals->count = count;
	finals->answered = answered;
	finals->context = context;
	for (size_t i = 0; i < count; i++) {
		finals->contestants[i].owner = self;
		finals->contestants[i].planned = planned[i];
	}
	status = workers_want_setup_units(self, &self->workloads[0], err);
	if (!status)
		status = workers_want_contestants(self, err);
	if (status)
		workers_drop_finals(self);
	return status;
}

static enum at_status workers_prove(struct at_evaluator *base,
	const uint16_t *configuration, size_t proof_case, at_proved proved,
	void *context, struct at_error *err)
{
	struct workers *self = of(base);
	struct workload *workload = &self->workloads[proof_case + 1];
	struct trial facts = { .proved = proved, .context = context };
	struct at_planned *planned;
	enum at_status status = AT_OK;

	workers_tell_default(self);
	status = at_planned_new(&workload->plan, configuration, &planned, err);
	if (status)
		return status;
	if (workers_is_default(workload))
		workers_add_second_opinion(self, configuration, &facts.second_opinion);
	else if (workers_is_of_domain(workload))
		workers_begin_shrinking(self, configuration, &facts.shrinking);
	if (workload->is_unfit) {
		planned->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(planned->detail, sizeof(planned->detail),
			"nothing promises it, and the baseline is not right on it");
	} else if (!at_plan_admits(&workload->plan, configuration)) {
		planned->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(planned->detail, sizeof(planned->detail), "%s",
			workload->plan.is_scaled
				? "the constraints exclude the configuration there, or it does not divide these sizes as it does the tuned ones"
				: "the constraints exclude the configuration there");
	}
	return workers_add_trial(self, workload, planned, &facts, err);
}

static const char *workers_case_name(const struct at_evaluator *base, size_t proof_case)
{
	return of_const(base)->workloads[proof_case + 1].plan.problem->name;
}

static uint32_t workers_case_id(const struct at_evaluator *base, size_t proof_case)
{
	return of_const(base)->workloads[proof_case + 1].id;
}

/* Forgets trials that are ready for a board, or wait for a result that they will
   copy. */
static void forget_waiting(struct workers *self)
{
	workers_forget_claims(self);
	self->ready_first = NULL;
	self->ready_last = &self->ready_first;
}

static void workers_cancel(struct at_evaluator *base)
{
	struct workers *self = of(base);

	for (struct trial *trial = self->trials; trial; trial = trial->next) {
		if (trial->stage == STAGE_AT_BOARD || trial->stage == STAGE_TOLD)
			continue;
		if (trial->stage == STAGE_COMPILING)
			at_farm_forget(self->options.farm, trial);
		workers_decide(self, trial, AT_OUTCOME_NONE, "");
	}
	forget_waiting(self);
}

static void workers_stop(struct at_evaluator *base)
{
	struct workers *self = of(base);

	for (size_t i = 0; i < self->seat_count; i++) {
		at_board_cancel(self->seats[i].board);
		self->seats[i].is_compared = false;
	}
	while (self->trials) {
		struct trial *trial = self->trials;

		at_farm_forget(self->options.farm, trial);
		workers_unlink_trial(self, trial);
		workers_free_trial(trial);
	}
	workers_drop_finals(self);
	workers_drop_checks(&self->base);
	forget_waiting(self);
	if (self->holding)
		at_compilers_hold(at_farm_compilers(self->options.farm), false);
	self->holding = false;
}

static size_t workers_capacity(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	size_t jobs = at_compilers_jobs(at_farm_compilers(self->options.farm));

	/* one in work and one to follow, for each compiler and for each board */
	return 2 * jobs + AT_BOARD_DEPTH * workers_seats_left(self);
}

static void workers_load(const struct at_evaluator *base, struct at_evaluator_load *out)
{
	const struct workers *self = of_const(base);

	*out = (struct at_evaluator_load){ 0 };
	for (const struct trial *trial = self->trials; trial; trial = trial->next) {
		out->compiling += trial->stage == STAGE_COMPILING;
		out->waiting +=
			trial->stage == STAGE_READY || trial->stage == STAGE_WAITING;
		out->measuring += trial->stage == STAGE_AT_BOARD;
	}
	for (size_t i = 0; i < self->seat_count; i++) {
		double seconds = at_board_setup_seconds(self->seats[i].board);

		if (seconds > out->setup_seconds)
			out->setup_seconds = seconds;
	}
}

/* The clock, less the time in which none of the boards could work since other programs
   had them. */
static uint64_t workers_now_ns(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	uint64_t least_ns = UINT64_MAX;

	for (size_t i = 0; i < self->seat_count; i++) {
		const struct seat *seat = &self->seats[i];
		uint64_t waited_ns =
			at_board_waited_ns(seat->board) - seat->waited_before_ns;

		if (!seat->is_left_out && waited_ns < least_ns)
			least_ns = waited_ns;
	}
	return at_clock_now_ns() - (least_ns == UINT64_MAX ? 0 : least_ns);
}

static void workers_later(
	struct at_evaluator *base, void (*call)(void *), void *context)
{
	at_loop_later(of(base)->options.loop, call, context);
}

static void workers_close(struct at_evaluator *base)
{
	struct workers *self = of(base);

	workers_stop(base);
	for (size_t i = 0; i < self->seat_count; i++)
		at_board_be_alone(self->seats[i].board, NULL, NULL);
	workers_close_checks(self);
	at_loop_forget(self->options.loop, self);
	at_farm_forget(self->options.farm, self);
	for (size_t i = 0; i < self->workload_count; i++) {
		struct workload *workload = &self->workloads[i];

		at_farm_forget(self->options.farm, workload);
		workers_release_setup_unit(&workload->reference);
		workers_release_setup_unit(&workload->wide);
		at_strbuf_release(&workload->setup.body);
		at_plan_release(&workload->plan);
	}
	at_cases_free(self->cases, self->case_count);
	for (size_t i = 0; i < self->value_count; i++) {
		at_case_release(&self->values[i].problem);
		free(self->values[i].promise);
	}
	free(self->coverage);
	for (size_t i = 0; i < self->shrunk_count; i++)
		at_case_release(&self->shrunk[i]);
	workers_release_setup_unit(&self->support);
	if (self->yardstick)
		workers_free_trial(self->yardstick);
	workers_release_images(self);
	free(self->workloads);
	free(self->symbols_found);
	free(self);
}

static const struct at_evaluator_ops workers_ops = {
	.close = workers_close,
	.plan = workers_plan,
	.begin = workers_begin,
	.race = workers_race,
	.judge_by = workers_judge_by,
	.hurry = workers_hurry,
	.finals = workers_finals,
	.prove = workers_prove,
	.check = workers_check,
	.drop_checks = workers_drop_checks,
	.cover = workers_cover,
	.case_name = workers_case_name,
	.case_id = workers_case_id,
	.cancel = workers_cancel,
	.stop = workers_stop,
	.capacity = workers_capacity,
	.load = workers_load,
	.now_ns = workers_now_ns,
	.later = workers_later,
	.tick = workers_tick,
};

/* ---- opening ---- */

enum at_status at_workers_open(const struct at_workers_options *options,
	struct at_evaluator **out, struct at_error *err)
{
	struct workers *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->base.ops = &workers_ops;
	self->pump = pump;
	self->tell_due = workers_tell_due;
	self->open = at_workers_open;
	self->options = *options;
	self->ready_last = &self->ready_first;
	self->base.info.device = options->infos[0];
	snprintf(self->base.info.toolchain, sizeof(self->base.info.toolchain), "%s",
		options->toolchain);
	self->seat_count = options->board_count < AT_BOARDS_MAX ? options->board_count
								: AT_BOARDS_MAX;
	for (size_t i = 0; i < self->seat_count; i++)
		self->seats[i] = (struct seat){
			.owner = self,
			.board = options->boards[i],
			.info = &options->infos[i],
			.waited_before_ns = at_board_waited_ns(options->boards[i]),
		};
	for (size_t i = 0; i < self->seat_count; i++)
		at_board_be_alone(self->seats[i].board, is_alone, self);
	at_compilers_be_patient(at_farm_compilers(options->farm));
	self->symbols_found = at_calloc(
		options->spec->argument_count + 1, sizeof(*self->symbols_found));
	status = workers_add_workloads(self, err);
	if (!status)
		status = workers_identify_source(self, err);
	if (status) {
		workers_close(&self->base);
		return status;
	}
	self->options.counterexamples = NULL;
	*out = &self->base;
	return AT_OK;
}
