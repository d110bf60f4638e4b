/* A revisit (revisit.h): evaluates the baseline and the recorded winner, measures both
   in finals, judges the night (nights.h) and records it. revisit_record.c reads and
   writes the record. */
#include "session/revisit_parts.h"

#include "base/memory.h"
#include "record/result.h"
#include "session/counting.h"
#include "session/finals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds of one look: a longer one would not be more precise, since drift of the board
   limits it. */
#define LOOK_SECONDS_MAX 15.0
static struct at_evaluator *evaluator_of(const struct at_revisiting *self)
{
	return self->options.evaluator;
}

static uint64_t now_ns(const struct at_revisiting *self)
{
	return evaluator_of(self)->ops->now_ns(evaluator_of(self));
}

/* The value indices of a configuration; valid until the next call. */
static const uint16_t *row_of(struct at_revisiting *self, uint64_t index)
{
	at_search_space_get(self->space, index, self->row);
	return self->row;
}

/* ---- telling, the end --------------------------------------------------------- */

static void emit(struct at_revisiting *self, struct at_event *event)
{
	const struct at_session_options *session = self->options.session;

	if (!session->listen)
		return;
	self->progress.elapsed_seconds = at_budget_elapsed(&self->budget, now_ns(self));
	event->spec = self->options.spec;
	event->problem = self->options.problem;
	event->objective = self->options.objective;
	event->device = &evaluator_of(self)->info.device;
	event->progress = &self->progress;
	session->listen(session->context, event);
}

static void emit_text(
	struct at_revisiting *self, enum at_event_kind kind, const char *text)
{
	struct at_event event = { .kind = kind, .text = text };

	emit(self, &event);
}

static void call_done(void *context)
{
	struct at_revisiting *self = context;

	self->options.done(
		self->options.context, self->error.status ? &self->error : NULL);
}

/* Ends the revisit: stops the evaluator and queues done(). err is copied; NULL:
   none. */
static void end(struct at_revisiting *self, const struct at_error *err)
{
	struct at_evaluator *evaluator = evaluator_of(self);

	if (self->is_over)
		return;
	self->is_over = true;
	at_proof_phase_end(&self->proof);
	if (err)
		self->error = *err;
	evaluator->ops->stop(evaluator);
	/* From the loop, since done() may free the revisit whose code is running
	   now. */
	evaluator->ops->later(evaluator, call_done, self);
}

/* Ends a revisit that measured nothing; text says why. */
static void end_unmeasured(struct at_revisiting *self, const char *text)
{
	struct at_event event = {
		.kind = AT_EVENT_REVISIT,
		.text = text,
		.crown = self->crown.space ? &self->crown : NULL,
	};

	emit(self, &event);
	end(self, NULL);
}

/* ---- what is kept --------------------------------------------------------------- */

/* Records the night, then tells it, so that nothing is told that a kill could lose. */
static void finish(struct at_revisiting *self)
{
	const struct at_revisit *last = revisit_last_night(self);
	struct at_strbuf changes = { 0 };
	struct at_error err = { 0 };
	struct at_event event = {
		.kind = AT_EVENT_REVISIT,
		.revisit = &self->revisit,
		.judgement = self->revisit.outcome == AT_OUTCOME_OK ? &self->judgement
								    : NULL,
		.crown = &self->crown,
	};

	at_conditions_compare(
		last ? last->conditions : NULL, self->revisit.conditions, &changes);
	event.changes = at_strbuf_text(&changes);
	if (at_store_follow(self->options.store, self->revisit.device_id,
		    self->revisit.space, self->revisit.problem, false,
		    &self->revisit.created_seconds, &err) ||
		at_store_put_revisit(self->options.store, &self->revisit, &err)) {
		end(self, &err);
	} else {
		emit(self, &event);
		end(self, NULL);
	}
	at_strbuf_release(&changes);
}

/* ---- a winner that is not correct any more ------------------------------------- */

/* Records that the winner failed, in its evaluation or (final not NULL) in a look. */
static void refuse(struct at_revisiting *self, const struct at_final *final)
{
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	revisit_fill(self, final);

	self->revisit.verdict = AT_VERDICT_INCORRECT;
	status = revisit_record_refusal(self, &err);
	if (status)
		end(self, &err);
	else
		finish(self);
}

static void begin_look(struct at_revisiting *self);

/* Outcomes that the machine may cause though the kernel is right. */
static bool may_be_the_machine(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_CRASHED || outcome == AT_OUTCOME_TIMED_OUT ||
	       outcome == AT_OUTCOME_LAUNCH_FAILED;
}

/* ---- cases ---------------------------------------------------------------------- */

static void verify(struct at_revisiting *self);

static void passed_over(void *context, const char *text)
{
	emit_text(context, AT_EVENT_NOTE, text);
}

static void verified(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *problem)
{
	struct at_revisiting *self = context;
	struct contestant *winner = &self->contestants[WINNER];
	struct at_error err = { 0 };

	if (problem) {
		end(self, problem);
	} else if (may_be_the_machine(outcome) && self->proof_count < 2) {
		verify(self);
	} else if (outcome != AT_OUTCOME_OK) {
		winner->outcome = outcome;
		snprintf(winner->detail, sizeof(winner->detail), "%s", detail);
		refuse(self, NULL);
	} else if (revisit_has_same_source(self) &&
		   revisit_record_proof(self, proof, &err)) {
		end(self, &err);
	} else {
		finish(self);
	}
}

/*
 * Verifies the winner: on recorded counterexamples, on what its verification left, and
 * on the cases that this night draws. They have what the looks left of the time, and
 * the share of cases at least.
 */
static void verify(struct at_revisiting *self)
{
	const struct at_tuning_options *options = &self->options;
	const double least = at_budget_verify_seconds(&self->budget);
	const double left =
		self->budget.seconds - at_budget_elapsed(&self->budget, now_ns(self));
	const struct at_proof_phase_options phase = {
		.evaluator = evaluator_of(self),
		.configuration = row_of(self, self->contestants[WINNER].index),
		.seconds = left > least ? left : least,
		.before = revisit_has_same_source(self) &&
					  at_proof_from_json(
						  self->crown.proof, &self->known)
				  ? &self->known
				  : NULL,
		.cases_only = true,
		.store = options->store,
		.device_id = options->device_id,
		.spec = options->spec,
		.problem = options->problem->name,
		.passed_over = passed_over,
		.ended = verified,
		.context = self,
	};
	struct at_error err = { 0 };

	self->proof_count++;
	emit_text(self, AT_EVENT_PHASE, "verifying the winner");
	if (at_proof_phase_begin(&self->proof, &phase, &err))
		end(self, &err);
}

/* ---- looks ---------------------------------------------------------------------- */

static bool has_time(const struct at_revisiting *self)
{
	return self->budget.seconds <= 0 ||
	       at_budget_elapsed(&self->budget, now_ns(self)) < self->budget.seconds;
}

/* Judges the looks so far. Begins another look if one is wanted and there is time; else
   keeps the verdict. */
static void judge(struct at_revisiting *self)
{
	const struct at_nights_options options = {
		.margin = self->options.session->margin,
	};
	struct at_strbuf why = { 0 };

	at_nights_judge(self->nights, self->night_count, self->looks, self->look_count,
		&options, &self->judgement);
	if (self->judgement.wants_look && self->look_count < AT_NIGHTS_LOOKS_MAX &&
		has_time(self)) {
		begin_look(self);
		return;
	}
	at_judgement_explain(&self->judgement, &why);
	free(self->revisit.detail);
	self->revisit.detail = why.length ? at_strbuf_detach(&why) : at_strdup("");
	at_strbuf_release(&why);
	self->revisit.verdict = self->judgement.verdict;
	self->revisit.change = self->judgement.change;
	verify(self);
}

/* A device was lost in a look: tries again once, since that may be chance. */
static void look_was_lost(struct at_revisiting *self)
{
	struct at_error err = { 0 };

	if (self->lost_count++ == 0) {
		begin_look(self);
		return;
	}
	at_fail(&err, AT_EDEVICE, NULL, 0,
		"%s was lost twice while winner and baseline of %s, %s were measured",
		evaluator_of(self)->info.device.id, self->options.spec->name,
		self->options.problem->name);
	end(self, &err);
}

static void looked(void *context, struct at_final *finals, size_t count,
	const struct at_error *problem)
{
	struct at_revisiting *self = context;
	/* the winner is the first of the one or two finals */
	const struct at_final *winner = &finals[0];
	struct contestant *contestant = &self->contestants[WINNER];

	if (self->is_over)
		return;
	if (problem) {
		end(self, problem);
		return;
	}
	if (winner->result.device_lost || winner->result.outcome == AT_OUTCOME_NONE) {
		look_was_lost(self);
		return;
	}
	contestant->outcome = winner->result.outcome;
	if (winner->result.outcome != AT_OUTCOME_OK) {
		snprintf(contestant->detail, sizeof(contestant->detail), "%s",
			winner->result.detail);
		refuse(self, winner);
		return;
	}
	self->look_count++;
	revisit_fill(self, winner);
	revisit_fill_scores(self, winner, count > 1 ? &finals[1] : NULL);
	self->looks[self->look_count - 1] =
		at_night_of_revisit(&self->revisit, revisit_last_night(self));
	judge(self);
}

/*
 * Begins a look: finals of winner and baseline, in a different order in each look.
 * After one in which the device was lost the winner is alone: if it was at fault, that
 * shows then.
 */
static void begin_look(struct at_revisiting *self)
{
	struct at_evaluator *evaluator = evaluator_of(self);
	const struct at_planned *planned[] = { self->contestants[WINNER].planned,
		self->contestants[BASELINE].planned };
	struct at_measure_finals how = at_finals_first(LOOK_SECONDS_MAX,
		self->options.session->seed + self->look_count + self->lost_count);
	struct at_error err = { 0 };
	double share = self->budget.seconds / AT_NIGHTS_LOOKS_MAX;

	if (share > 0 && share < how.seconds)
		how.seconds = share;
	emit_text(self, AT_EVENT_PHASE, "measuring again");
	if (evaluator->ops->finals(evaluator, planned,
		    planned[1] && !self->lost_count ? 2 : 1, &how, looked, self, &err))
		end(self, &err);
}

/* ---- the evaluations ------------------------------------------------------------ */

static void evaluate_next(struct at_revisiting *self);

/* Without a baseline the night goes on with the winner alone. */
static void baseline_failed(struct at_revisiting *self)
{
	const struct contestant *baseline = &self->contestants[BASELINE];
	char text[640];

	snprintf(text, sizeof(text),
		"the baseline was not measured, because it is %s%s%s; all figures are of the winner alone",
		at_outcome_name(baseline->outcome), baseline->detail[0] ? ": " : "",
		baseline->detail);
	emit_text(self, AT_EVENT_NOTE, text);
}

static void evaluated(
	void *context, struct at_answer *answer, const struct at_error *problem)
{
	struct at_revisiting *self = context;
	struct at_evaluator *evaluator = evaluator_of(self);
	struct contestant *contestant = &self->contestants[self->next];

	if (self->is_over)
		return;
	if (problem) {
		end(self, problem);
		return;
	}
	contestant->outcome = answer->outcome;
	snprintf(contestant->detail, sizeof(contestant->detail), "%s",
		answer->outcome == AT_OUTCOME_OK ? "" : answer->detail);
	if (answer->outcome == AT_OUTCOME_NONE ||
		(contestant->attempts < 2 && may_be_the_machine(answer->outcome))) {
		evaluate_next(self);
		return;
	}
	self->progress.evaluated++;
	self->progress.by_outcome[answer->outcome]++;
	if (self->next == BASELINE && answer->result && evaluator->ops->judge_by &&
		isfinite(answer->result->max_relative_error))
		evaluator->ops->judge_by(evaluator, answer->result->max_relative_error);
	if (answer->outcome == AT_OUTCOME_OK) {
		/* the finals measure the plan that was evaluated */
		contestant->planned = answer->planned;
		answer->planned = NULL;
	} else if (self->next == BASELINE) {
		baseline_failed(self);
	}
	if (self->next == WINNER) {
		if (answer->outcome == AT_OUTCOME_OK)
			begin_look(self);
		else
			refuse(self, NULL);
		return;
	}
	self->next = WINNER;
	evaluate_next(self);
}

static void evaluate_next(struct at_revisiting *self)
{
	struct at_evaluator *evaluator = evaluator_of(self);
	struct contestant *contestant = &self->contestants[self->next];
	const struct at_trial_options options = {
		.first = self->next == BASELINE,
		.full = true,
		.seed = contestant->index,
	};
	struct at_planned *planned;
	struct at_error err = { 0 };

	contestant->attempts++;
	if (evaluator->ops->plan(
		    evaluator, row_of(self, contestant->index), &planned, &err) ||
		evaluator->ops->begin(
			evaluator, planned, &options, evaluated, self, &err))
		end(self, &err);
}

/* ---- the beginning -------------------------------------------------------------- */

/* Reads the recorded crown, its evaluation and its configuration. */
static enum at_status find_crown(struct at_revisiting *self, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	struct contestant *winner = &self->contestants[WINNER];
	bool found, fits;
	enum at_status status = at_store_find_crown(options->store, options->device_id,
		options->spec->name, options->problem->name, &self->crown, &found, err);

	if (status || !found)
		return status;
	status = at_store_get(
		options->store, self->crown.evaluation_id, false, &self->winner, err);
	if (!status)
		at_configuration_from_json(
			options->spec, self->winner.configuration, self->row, &fits);
	if (!status && fits)
		winner->index = at_search_space_find(self->space, self->row);
	return status;
}

static void begin(void *context)
{
	struct at_revisiting *self = context;
	const struct at_spec *spec = self->options.spec;
	struct contestant *winner = &self->contestants[WINNER];
	struct contestant *baseline = &self->contestants[BASELINE];
	struct at_error err = { 0 };

	if (self->is_over)
		return; /* a signal ended the revisit before it began */
	emit_text(self, AT_EVENT_BEGIN, NULL);
	if (find_crown(self, &err)) {
		end(self, &err);
		return;
	}
	if (!self->crown.space || self->crown.objective != self->options.objective) {
		end_unmeasured(self, "no winner is recorded yet");
		return;
	}
	if (self->crown.is_unproved) {
		end_unmeasured(self, "the recorded winner is not verified");
		return;
	}
	if (winner->index == AT_NO_CONFIGURATION) {
		end_unmeasured(
			self, "the recorded winner is not in the space any more");
		return;
	}
	if (revisit_read_history(self, &err)) {
		end(self, &err);
		return;
	}
	if (spec->has_defaults)
		baseline->index = at_search_space_find(self->space, spec->defaults);
	self->next = baseline->index == AT_NO_CONFIGURATION ||
				     baseline->index == winner->index
			     ? WINNER
			     : BASELINE;
	evaluate_next(self);
}

static void tell_counting(void *context, const char *text)
{
	emit_text(context, AT_EVENT_STATE, text);
}

static enum at_status open_space(struct at_revisiting *self, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_spec *spec = options->spec;
	struct at_counting counting = { .tell = tell_counting, .context = self };
	enum at_status status;

	self->row = at_calloc(spec->parameter_count + 1, sizeof(*self->row));
	status = at_count_space(&counting, spec, options->problem,
		&options->evaluator->info.device.properties, false, &self->space, err);
	if (!status)
		self->progress.valid_count = at_search_space_count(self->space);
	return status;
}

static void evaluator_tells(void *context, enum at_notice_kind kind, const char *text)
{
	struct at_revisiting *self = context;

	if (kind == AT_NOTICE_NOTE)
		emit_text(self, AT_EVENT_NOTE, text);
	else if (kind == AT_NOTICE_STATE)
		emit_text(self, AT_EVENT_STATE, text);
}

enum at_status at_revisit_start(const struct at_tuning_options *options,
	struct at_revisiting **out, struct at_error *err)
{
	struct at_revisiting *self = at_calloc(1, sizeof(*self));
	uint64_t evaluations;
	enum at_status status;

	self->options = *options;
	self->budget.begun_ns = now_ns(self);
	for (int i = 0; i < WHO_COUNT; i++)
		self->contestants[i].index = AT_NO_CONFIGURATION;
	status = open_space(self, err);
	if (!status && options->session->budget)
		status = at_budget_parse(options->session->budget, &evaluations,
			&self->budget.seconds, err);
	if (!status && options->evaluator->ops->hurry)
		options->evaluator->ops->hurry(
			options->evaluator, at_budget_setup_seconds(&self->budget));
	self->progress.target_seconds = self->budget.seconds;
	if (status) {
		self->options.evaluator = NULL; /* the caller still owns it */
		at_revisit_free(self);
		return status;
	}
	options->evaluator->ops->later(options->evaluator, begin, self);
	options->evaluator->tell = evaluator_tells;
	options->evaluator->tell_context = self;
	*out = self;
	return AT_OK;
}

void at_revisit_interrupt(struct at_revisiting *self)
{
	end(self, NULL);
}

void at_revisit_poke(struct at_revisiting *self)
{
	struct at_evaluator *evaluator = evaluator_of(self);

	evaluator->ops->tick(evaluator);
}

void at_revisit_free(struct at_revisiting *self)
{
	if (!self)
		return;
	for (int i = 0; i < WHO_COUNT; i++)
		at_planned_free(self->contestants[i].planned);
	at_revisit_release(&self->revisit);
	at_revisits_release(&self->history);
	free(self->nights);
	at_evaluation_release(&self->winner);
	at_crown_release(&self->crown);
	at_search_space_free(self->space);
	free(self->row);
	if (self->options.evaluator)
		self->options.evaluator->ops->close(self->options.evaluator);
	free(self);
}
