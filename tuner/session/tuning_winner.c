/* Selects the winner of a tuning: the finalist that was verified, the recorded winner
   that stands, or, after an interruption, the best so far. Then explains it
   (phase_explanation.h), which ends the tuning. Called by tuning.c. */
#include "session/tuning_parts.h"

#include "base/clock.h"
#include "session/winner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the hardware counters ---------------------------------------------------- */

/* Reading the counters of two configurations takes about so long. */
#define COUNTERS_SECONDS 2.0

static void take_counters(
	struct at_evaluation *evaluation, const struct at_evaluation *counted)
{
	if (!counted->counters || counted->id != evaluation->id)
		return;
	free(evaluation->counters);
	evaluation->counters = at_strdup(counted->counters);
}

static void counted(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;
	const struct at_evaluation *found = self->counters.evaluations;

	if (err) {
		tuning_end(self, err);
		return;
	}
	if (self->counters.reason[0])
		tuning_emit_text(self, AT_EVENT_NOTE, self->counters.reason);
	for (int i = 0; i < AT_COUNTED_COUNT; i++) {
		take_counters(&self->shown.baseline, &found[i]);
		take_counters(&self->winner.evaluation, &found[i]);
	}
	tuning_finish(self);
}

static bool has_counters(const struct at_evaluation *evaluation)
{
	return evaluation->counters && evaluation->counters[0];
}

/* Reads the hardware counters, if there is time and the record lacks them, and ends the
   tuning. */
static void begin_counters(struct at_tuning *self)
{
	const struct at_visit *visit = &self->visit;
	const size_t baseline = self->candidates.baseline;
	const struct at_counters_phase_options phase = {
		.visit = visit,
		.indices = { baseline == AT_NO_CANDIDATE
				     ? AT_NO_CONFIGURATION
				     : self->candidates.items[baseline].index,
			self->winner.index },
		.ended = counted,
		.context = self,
	};
	struct at_error err = { 0 };

	if (self->part[0] || !at_counters_phase_is_possible(visit) ||
		at_budget_explanation_seconds(&visit->budget, at_visit_now_ns(visit)) <
			COUNTERS_SECONDS ||
		(has_counters(&self->winner.evaluation) &&
			(baseline == AT_NO_CANDIDATE ||
				has_counters(&self->shown.baseline)))) {
		tuning_finish(self);
		return;
	}
	self->phase = PHASE_COUNTERS;
	tuning_emit_text(self, AT_EVENT_PHASE, "reading counters");
	if (at_counters_phase_begin(&self->counters, &phase, &err))
		tuning_end(self, &err);
}

/* ---- the explanation --------------------------------------------------------- */

static void explained(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_winner *best = &self->winner.best;
	struct at_error problem = { 0 };
	char *gains;

	if (err) {
		tuning_end(self, err);
		return;
	}
	gains = at_explanation_phase_gains(&self->explanation);
	free(best->gains);
	best->gains = gains;
	if (at_store_set_gains(self->visit.store, best, gains, &problem))
		tuning_end(self, &problem);
	else
		begin_counters(self);
}

static void explanation_told(void *context, const struct at_entry *entry)
{
	tuning_emit_entry(context, AT_EVENT_EVALUATION, NULL, entry);
}

static double cost_of(const struct at_tuning *self, const struct at_score *score)
{
	return at_objective_cost(self->visit.objective, score->value);
}

/*
 * The costs of the baseline and of the winner. They come from the finals, where both
 * were measured in the same rounds; where the recorded winner stands without finals,
 * from each one's own evaluation.
 */
static void find_ends(
	const struct at_tuning *self, double *baseline_cost, double *winner_cost)
{
	const struct at_objective *objective = self->visit.objective;
	const struct at_winner *best = &self->winner.best;
	struct at_score score = at_evaluation_score(&self->shown.baseline, objective);

	*baseline_cost = cost_of(self, &score);
	score = at_evaluation_score(&self->winner.evaluation, objective);
	*winner_cost = cost_of(self, &score);
	if (!isfinite(best->speedup) || best->baseline_id != self->shown.baseline.id)
		return;
	*winner_cost = cost_of(self, &best->score);
	*baseline_cost = *winner_cost * best->speedup;
}

static void begin_explanation(struct at_tuning *self)
{
	const struct at_visit *visit = &self->visit;
	struct at_explanation_phase_options phase = {
		.visit = visit,
		.journal = self->journal,
		.winner = self->winner.index,
		.told = explanation_told,
		.ended = explained,
		.context = self,
	};
	struct at_error err = { 0 };

	/* A part's winner need not be the winner of the whole space; whoever merges the
	   parts explains that one. */
	if (self->part[0]) {
		tuning_finish(self);
		return;
	}
	/* written before the explanation, so that a kill loses only that */
	if (tuning_write_files(self, NULL, &err)) {
		tuning_end(self, &err);
		return;
	}
	if (self->candidates.baseline != AT_NO_CANDIDATE) {
		phase.baseline =
			self->candidates.items[self->candidates.baseline].index;
		find_ends(self, &phase.baseline_cost, &phase.winner_cost);
	}
	/* without both costs there is nothing to explain */
	if (!(phase.baseline_cost > 0) || !(phase.winner_cost > 0)) {
		begin_counters(self);
		return;
	}
	self->phase = PHASE_EXPLANATION;
	tuning_emit_text(self, AT_EVENT_PHASE, "explaining the gain");
	at_explanation_phase_begin(&self->explanation, &phase);
	at_explanation_phase_step(&self->explanation);
}

/* ---- the winner --------------------------------------------------------------- */

bool tuning_has_same_source(const struct at_tuning *self)
{
	return self->recorded.best.space &&
	       at_visit_has_same_source(&self->visit, &self->recorded.best);
}

size_t tuning_find_recorded_winner(const struct at_tuning *self)
{
	return self->recorded.best.space ? at_candidates_find(&self->candidates,
						   self->recorded.best.evaluation_id)
					 : AT_NO_CANDIDATE;
}

/* The finalists that the winner met, those that have samples, as words (at_met_list()).
   Heap;
   "": there were no finals. */
static char *list_met(const struct at_tuning *self)
{
	size_t places[AT_FINALS_SIZE], count = 0;

	for (size_t i = 0; i < self->finals.count; i++)
		if (at_final_was_sampled(&self->finals.finalists[i].result))
			places[count++] = self->finals.finalists[i].place;
	return at_met_list(&self->candidates, places, count);
}

/* Records a winner and goes on to the explanation. final NULL: there were no finals;
   verification NULL: not verified, because of an interruption. */
static void best(struct at_tuning *self, size_t place,
	const struct at_compiled_plan *plan, struct at_score score,
	const struct at_finals_gain *gain, const struct at_measure_result *final,
	const struct at_verification *verification)
{
	const struct at_visit *visit = &self->visit;
	const struct at_candidate *candidate = &self->candidates.items[place];
	char *met = list_met(self);
	const struct at_selection facts = {
		.visit = visit,
		.plan = plan,
		.score = score,
		.speedup = gain->speedup,
		.baseline = gain->baseline,
		.final = final,
		.is_undecided = final && self->finals.is_undecided,
		.evaluation_id = candidate->evaluation_id,
		.baseline_id = self->shown.baseline.id,
		.evaluation_count = self->visit.progress.evaluated,
		.ok_count = self->visit.progress.by_outcome[AT_OUTCOME_OK],
		.verification = verification,
		.part = self->part,
		.met = met,
	};
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	at_winner_make(&facts, &self->winner.best);

	free(met);
	self->winner.index = candidate->index;
	status = at_store_get(visit->store, candidate->evaluation_id, false,
		&self->winner.evaluation, &err);
	if (!status)
		/* makes the winner newer than earlier winners of the problem, even if
		   the clock was set back since */
		status = at_store_follow(visit->store, visit->device_id,
			self->winner.best.space, self->winner.best.problem, true,
			&self->winner.best.created_seconds, &err);
	if (!status)
		status = at_store_put_winner(visit->store, &self->winner.best, &err);
	if (status)
		tuning_end(self, &err);
	else if (self->interrupted)
		tuning_finish(self);
	else
		begin_explanation(self);
}

/* A score as it would be if the board were as it was when the record was made. */
static struct at_score as_recorded(const struct at_tuning *self, struct at_score score)
{
	double pace = self->candidates.pace;

	return (struct at_score){ score.value / pace, score.low / pace,
		score.high / pace };
}

/*
 * Whether the recorded winner stands though this run did not try it, because --set
 * excludes it: it is faster by its recorded time, and it must not lose to a run in
 * which it did not take part. An unverified winner does not stand against a verified
 * one.
 */
static bool outsider_is_faster(const struct at_tuning *self, struct at_score score)
{
	return self->visit.session->set_count > 0 && tuning_has_same_source(self) &&
	       !self->recorded.best.is_unverified &&
	       tuning_find_recorded_winner(self) == AT_NO_CANDIDATE &&
	       at_objective_better(self->visit.objective,
		       self->recorded.best.score.value, as_recorded(self, score).value);
}

void tuning_winner_finalist(struct at_tuning *self, const struct at_finalist *winner,
	const struct at_verification *verification)
{
	const struct at_candidate *candidate = &self->candidates.items[winner->place];
	const struct at_finals_gain gain = at_finals_phase_gain(&self->finals, winner);
	struct at_evaluation evaluation;
	struct at_error err = { 0 };

	if (!outsider_is_faster(self, winner->score)) {
		best(self, winner->place, &winner->task->plan, winner->score, &gain,
			&winner->result, verification);
		return;
	}
	tuning_emit_text(self, AT_EVENT_NOTE,
		"the recorded winner, which --set leaves out, is faster and stays");
	if (at_store_get(self->visit.store, candidate->evaluation_id, false,
		    &evaluation, &err)) {
		tuning_end(self, &err);
		return;
	}
	tuning_emit_entry(self, AT_EVENT_SUMMARY, NULL,
		&(struct at_entry){ candidate->index,
			at_visit_row(&self->visit, candidate->index), &evaluation,
			candidate->reused, false });
	at_evaluation_release(&evaluation);
	tuning_end(self, NULL);
}

void tuning_keep_recorded_winner(struct at_tuning *self, size_t place)
{
	const struct at_winner *recorded = &self->recorded.best;
	struct at_error err = { 0 };

	self->winner.index = self->candidates.items[place].index;
	at_winner_copy(recorded, &self->winner.best);
	if (at_store_get(self->visit.store, recorded->evaluation_id, false,
		    &self->winner.evaluation, &err))
		tuning_end(self, &err);
	/* Its gain is explained only against the baseline that it was measured with:
	   --set may give this run another baseline. */
	else if ((!recorded->gains || !recorded->gains[0]) &&
		 recorded->baseline_id == self->shown.baseline.id)
		begin_explanation(self);
	/* without counters either: where they cannot be read, each run would try again
	 */
	else
		tuning_finish(self);
}

bool tuning_won_again(const struct at_tuning *self, const struct at_finalist *winner)
{
	const struct at_visit *visit = &self->visit;

	return visit->session->keeps_winner && !visit->session->fresh &&
	       winner->place == tuning_find_recorded_winner(self) &&
	       !at_winner_is_undecided(&self->recorded.best) &&
	       tuning_has_same_source(self) && tuning_is_verified(self);
}

void tuning_confirm_recorded_winner(struct at_tuning *self, size_t place)
{
	char *met = list_met(self);
	struct at_error err = { 0 };
	enum at_status status = at_store_set_stood(self->visit.store,
		&self->recorded.best, at_clock_wall_seconds(), met, &err);

	free(met);
	if (status)
		tuning_end(self, &err);
	else
		tuning_keep_recorded_winner(self, place);
}

void tuning_winner_best(struct at_tuning *self)
{
	const struct at_objective *objective = self->visit.objective;
	struct at_evaluator *evaluator = self->visit.evaluator;
	size_t place = self->candidates.best;
	struct at_finals_gain gain = { AT_SCORE_UNKNOWN, AT_SCORE_UNKNOWN };
	struct at_task *task;
	struct at_score score, compared;
	struct at_error err = { 0 };

	if (place == AT_NO_CANDIDATE) {
		tuning_finish_unselected(self, NULL);
		return;
	}
	score = self->candidates.items[place].score;
	compared =
		self->candidates.items[place].is_old ? score : as_recorded(self, score);
	if (self->recorded.best.space && !self->recorded.best.is_unverified) {
		tuning_finish_unselected(self,
			"interrupted: the recorded winner stands; what is new has to be verified before it replaces it");
		return;
	}
	/* Of two unverified winners the better one is kept, if their times can be
	   compared. */
	if (tuning_has_same_source(self) &&
		!at_objective_clearly_better(
			objective, compared, self->recorded.best.score)) {
		tuning_finish_unselected(self,
			"interrupted: the recorded winner, which is not verified either, stands");
		return;
	}
	if (self->candidates.baseline != AT_NO_CANDIDATE)
		gain.speedup.value = at_objective_gain(objective,
			at_candidates_value(
				&self->candidates, self->candidates.baseline),
			at_candidates_value(&self->candidates, place));
	if (evaluator->ops->plan(evaluator,
		    at_visit_row(&self->visit, self->candidates.items[place].index),
		    &task, &err)) {
		tuning_end(self, &err);
		return;
	}
	best(self, place, &task->plan, score, &gain, NULL, NULL);
	at_task_free(task);
}
