/* Tunes one problem in one lane: leads from phase to phase (tuning.h). Winners are
   verified in tuning_verification.c and selected in tuning_winner.c; events and the end
   are in tuning_tell.c. */
#include "session/tuning_parts.h"

#include "base/memory.h"
#include "record/result.h"
#include "session/seeds.h"
#include "session/winner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finals ----------------------------------------------------------------- */

static void begin_finals(struct at_tuning *self);

/* Whether the recorded winner's finals hold today: it is decided, verified (maybe with
   cases left), from this source, in this part of the space, and was not found wrong
   since. */
static bool recorded_winner_is_decided(const struct at_tuning *self, size_t recorded)
{
	const struct at_winner *best = &self->recorded.best;

	return recorded != AT_NO_CANDIDATE &&
	       !self->candidates.items[recorded].refused &&
	       tuning_has_same_source(self) && !self->visit.session->fresh &&
	       !strcmp(best->part, self->part) && !at_winner_is_undecided(best) &&
	       !best->is_unverified;
}

/* Verifies the winner of the finals. If no finalist may win, holds new finals with the
   candidates that are left. Undecided finals replace no winner that is decided. */
static void choose(struct at_tuning *self)
{
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);
	size_t recorded = tuning_find_recorded_winner(self);
	struct at_error err = { 0 };

	if (self->finals.is_undecided && recorded_winner_is_decided(self, recorded)) {
		tuning_emit_text(self, AT_EVENT_NOTE,
			"the budget ended the confirmation undecided: the recorded winner stands, and the next run repeats the confirmation");
		tuning_keep_recorded_winner(self, recorded);
		return;
	}
	if (!winner) {
		at_finals_phase_refuse_failed(&self->finals);
		at_finals_phase_end(&self->finals);
		if (tuning_show_leader(self, &err))
			tuning_end(self, &err);
		else
			begin_finals(self);
		return;
	}
	if (self->finals.is_undecided)
		tuning_emit_text(self, AT_EVENT_NOTE,
			"the budget ended the confirmation undecided: the next run repeats it; a longer --budget or an idle machine decides it");
	if (tuning_won_again(self, winner))
		tuning_confirm_recorded_winner(self, winner->place);
	else
		tuning_verify(self, winner, choose);
}

/*
 * A finalist that was correct in the search may fail in the finals, where every round
 * is verified; that is recorded and told. If the device was lost, it is not known which
 * finalist was the cause, and nothing is recorded.
 */
static enum at_status record_failed_finals(struct at_tuning *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->finals.count && !status; i++) {
		const struct at_finalist *finalist = &self->finals.finalists[i];
		const struct at_measure_result *result = &finalist->result;

		if (!result->device_lost && result->outcome != AT_OUTCOME_OK &&
			result->outcome != AT_OUTCOME_NONE)
			status = tuning_refuse(self, finalist->place, result->outcome,
				result->detail, err);
	}
	return status;
}

static void finals_ended(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_error problem = { 0 };

	if (err)
		tuning_end(self, err);
	else if (record_failed_finals(self, &problem))
		tuning_end(self, &problem);
	else
		choose(self);
}

/*
 * Whether the recorded winner stands without new finals: no candidate could replace it,
 * and measuring again would only change the files by noise. A candidate that it met in
 * its finals counts as beaten. All others could replace it, however old they are:
 * imported evaluations, those of a run at the same time, those that moved up when
 * finalists were refused. The winner needs new finals if it was not verified, was
 * verified by an older version, was won in a part of the space, where it did not meet
 * all candidates, or if the budget ended its finals undecided.
 */
static bool recorded_winner_stands(const struct at_tuning *self, size_t recorded)
{
	const struct at_candidates *candidates = &self->candidates;
	const char *met = self->recorded.best.met;
	size_t places[AT_PODIUM_SIZE];
	size_t count = at_candidates_podium(candidates, places, AT_PODIUM_SIZE);

	if (!recorded_winner_is_decided(self, recorded) || !tuning_is_verified(self))
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct at_candidate *candidate = &candidates->items[places[i]];

		if (!candidate->reused ||
			(places[i] != recorded &&
				!at_met_has(met, candidates, places[i])))
			return false;
	}
	return true;
}

static void begin_finals(struct at_tuning *self)
{
	size_t recorded = tuning_find_recorded_winner(self);
	const struct at_finals_phase_options phase = {
		.visit = &self->visit,
		.candidates = &self->candidates,
		/* An unverified winner is in no header, so a tie need not prefer it. */
		.recorded_winner = self->recorded.best.is_unverified
					   ? AT_NO_CONFIGURATION
					   : self->recorded.index,
		.is_repeated = recorded != AT_NO_CANDIDATE &&
			       at_winner_is_undecided(&self->recorded.best),
		.ended = finals_ended,
		.context = self,
	};
	const struct at_candidates *candidates = &self->candidates;
	size_t places[AT_PODIUM_SIZE], count;
	struct at_error err = { 0 };

	if (candidates->best == AT_NO_CANDIDATE) {
		tuning_finish_unselected(self, NULL);
		return;
	}
	/* finalists that racing would have dropped: its mistakes */
	self->visit.progress.audited_finalists = 0;
	count = at_candidates_podium(candidates, places, AT_PODIUM_SIZE);
	for (size_t i = 0; i < count; i++)
		self->visit.progress.audited_finalists +=
			candidates->items[places[i]].was_pruned;
	if (recorded_winner_stands(self, recorded)) {
		tuning_keep_recorded_winner(self, recorded);
		return;
	}
	if (phase.is_repeated)
		tuning_emit_text(self, AT_EVENT_NOTE,
			"an earlier budget ended the confirmation undecided: it is repeated");
	self->phase = PHASE_FINALS;
	tuning_emit_text(self, AT_EVENT_PHASE, "finals");
	if (at_finals_phase_begin(&self->finals, &phase, &err))
		tuning_end(self, &err);
}

/* ---- the search -------------------------------------------------------------- */

/* Ends the tuning: with a wrong baseline, or a wrong reference, nothing that is found
   means anything. */
static void end_with_baseline(void *context)
{
	struct at_tuning *self = context;
	struct at_evaluator *evaluator = self->visit.evaluator;

	if (self->phase != PHASE_SEARCH || self->interrupted)
		return;
	evaluator->ops->stop(evaluator);
	at_journal_drop(self->journal);
	at_search_phase_end(&self->search);
	tuning_finish_unselected(self, self->fault);
}

/* Whether an outcome says that the kernel computes something else than the reference,
   or cannot have computed what the space declares. A baseline that cannot be compiled
   or launched may be one for another device. */
static bool is_fault(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_WRONG_RESULT || outcome == AT_OUTCOME_UNSTABLE ||
	       outcome == AT_OUTCOME_OUT_OF_BOUNDS || outcome == AT_OUTCOME_CRASHED ||
	       outcome == AT_OUTCOME_TOO_FAST;
}

static void describe_fault(struct at_tuning *self, const struct at_evaluation *baseline)
{
	if (baseline->outcome == AT_OUTCOME_TOO_FAST)
		snprintf(self->fault, sizeof(self->fault),
			"%.150s: the baseline cannot be so fast: %.400s; or search all the same with --keep-going",
			self->visit.spec->path, baseline->detail);
	else
		snprintf(self->fault, sizeof(self->fault),
			"the baseline is wrong (%s): %.300s; check the reference, the launch, the arguments and the tolerances of the space, or search all the same with --keep-going",
			at_outcome_name(baseline->outcome), baseline->detail);
}

/*
 * Ends the tuning where the baseline is wrong, once another configuration has told
 * whether the baseline or the reference is at fault. What was not launched says
 * nothing.
 */
static void look_at_baseline(struct at_tuning *self, const struct at_entry *entry)
{
	const struct at_evaluation *evaluation = entry->evaluation;
	struct at_evaluator *evaluator = self->visit.evaluator;
	struct doubt *doubt = &self->doubt;
	const bool is_baseline = entry->index == self->search.options.baseline;
	const bool is_first = !doubt->alike;

	if (self->visit.session->keeps_going || (doubt->is_settled && !is_baseline))
		return;
	if (is_baseline && is_fault(evaluation->outcome))
		describe_fault(self, evaluation);
	if (evaluation->outcome == AT_OUTCOME_WRONG_RESULT &&
		evaluation->max_relative_error > 0)
		doubt->is_settled |=
			!tuning_doubts(
				doubt, evaluation->max_relative_error, is_baseline) &&
			!is_first;
	else if (is_baseline || is_fault(evaluation->outcome) ||
		 evaluation->outcome == AT_OUTCOME_OK ||
		 evaluation->outcome == AT_OUTCOME_TIMED_OUT)
		doubt->is_settled = true;
	if (!doubt->is_settled && doubt->alike > 1 && doubt->has_baseline) {
		doubt->is_settled = true;
		tuning_blame_reference(self, doubt->alike, evaluation->detail);
	}
	if (!self->fault[0] || !doubt->is_settled)
		return;
	evaluator->ops->later(evaluator, end_with_baseline, self);
}

static void search_told(void *context, const struct at_entry *entry, bool is_best)
{
	struct at_tuning *self = context;

	tuning_show(self, entry, is_best);
	look_at_baseline(self, entry);
}

static void search_ended(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;

	if (err)
		tuning_end(self, err);
	else if (self->fault[0])
		tuning_finish_unselected(self, self->fault);
	else
		begin_finals(self);
}

/* The recorded winner's configuration; AT_NO_CONFIGURATION: none, or not in this
   space. */
static enum at_status find_recorded_index(
	const struct at_tuning *self, uint64_t *index, struct at_error *err)
{
	const struct at_spec *spec = self->visit.spec;
	struct at_evaluation evaluation;
	enum at_status status = AT_OK;
	bool fits;

	*index = AT_NO_CONFIGURATION;
	if (!self->recorded.best.space)
		return AT_OK;
	status = at_store_get(self->visit.store, self->recorded.best.evaluation_id,
		false, &evaluation, err);
	if (status)
		return status;
	at_configuration_from_json(
		spec, evaluation.configuration, self->visit.row, &fits);
	if (fits)
		*index = at_search_space_find(self->visit.space, self->visit.row);
	at_evaluation_release(&evaluation);
	return AT_OK;
}

static void search_leader_changed(void *context)
{
	struct at_tuning *self = context;
	struct at_error err = { 0 };

	if (tuning_show_leader(self, &err))
		tuning_end(self, &err);
}

static void search_notes(void *context, const char *text)
{
	tuning_emit_text(context, AT_EVENT_NOTE, text);
}

/* Finds the configurations of --seeds that this problem's space has. */
static void find_seeds(struct at_tuning *self)
{
	const struct at_visit *visit = &self->visit;
	size_t left_out = 0;
	char text[128];

	if (visit->session->seeds)
		at_seeds_find(visit->spec, visit->space, visit->session->seeds,
			&self->seeds, &self->seed_count, &left_out);
	if (!left_out)
		return;
	snprintf(text, sizeof(text),
		"%zu configurations of --seeds are not in this search space", left_out);
	tuning_emit_text(self, AT_EVENT_NOTE, text);
}

static void begin_search(void *context)
{
	struct at_tuning *self = context;
	const struct at_visit *visit = &self->visit;
	struct at_search_phase_options phase = {
		.visit = visit,
		.journal = self->journal,
		.strategy = self->strategy,
		.candidates = &self->candidates,
		.baseline = AT_NO_CONFIGURATION,
		.told = search_told,
		.leader_changed = search_leader_changed,
		.note = search_notes,
		.ended = search_ended,
		.context = self,
	};
	struct at_error err = { 0 };

	if (self->visit.is_over)
		return; /* a signal ended the tuning before it began */
	tuning_emit_text(self, AT_EVENT_BEGIN, NULL);
	if (visit->spec->has_defaults) {
		phase.baseline =
			at_search_space_find(self->visit.space, visit->spec->defaults);
		if (phase.baseline == AT_NO_CONFIGURATION)
			tuning_emit_text(self, AT_EVENT_NOTE,
				"the defaults do not satisfy the constraints here: there is no baseline");
	}
	if (find_recorded_index(self, &self->recorded.index, &err)) {
		tuning_end(self, &err);
		return;
	}
	phase.recorded_winner = self->recorded.index;
	find_seeds(self);
	phase.seeds = self->seeds;
	phase.seed_count = self->seed_count;
	self->phase = PHASE_SEARCH;
	at_search_phase_begin(&self->search, &phase);
	at_search_phase_step(&self->search);
}

/* ---- start, steps ------------------------------------------------------------ */

static void step(struct at_tuning *self)
{
	switch (self->phase) {
	case PHASE_SEARCH:
		at_search_phase_step(&self->search);
		break;
	case PHASE_EXPLANATION:
		at_explanation_phase_step(&self->explanation);
		break;
	case PHASE_VERIFICATION:
		at_verification_phase_step(&self->verifying.phase);
		break;
	case PHASE_NONE:
	case PHASE_FINALS:
	case PHASE_COUNTERS:
	case PHASE_DONE:
		break;
	}
}

void at_tuning_poke(struct at_tuning *self)
{
	struct at_evaluator *evaluator = self->visit.evaluator;

	evaluator->ops->tick(evaluator);
	at_journal_poll(self->journal);
	tuning_tell_waiting(self);
	step(self);
}

static void evaluator_tells(void *context, enum at_notice_kind kind, const char *text)
{
	struct at_tuning *self = context;

	switch (kind) {
	case AT_NOTICE_NONE:
		break;
	case AT_NOTICE_NOTE:
	case AT_NOTICE_JUDGED:
		tuning_emit_text(self, AT_EVENT_NOTE, text);
		break;
	case AT_NOTICE_STATE:
		tuning_emit_text(self, AT_EVENT_STATE, text);
		break;
	case AT_NOTICE_STEP:
		/* where the record had everything, the finals may have begun before
		   this is reported */
		if (self->phase == PHASE_SEARCH)
			tuning_emit_text(self, AT_EVENT_PHASE, text);
		break;
	}
}

enum at_status at_tuning_start(
	const struct at_visit *given, struct at_tuning **out, struct at_error *err)
{
	struct at_tuning *self = at_calloc(1, sizeof(*self));
	enum at_status status;

	self->recorded.index = AT_NO_CONFIGURATION;
	at_candidates_init(&self->candidates, given->objective);
	self->visit.tells_progress = true;
	status = tuning_open(self, given, err);
	if (status) {
		self->visit.evaluator = NULL; /* the caller still owns it */
		at_tuning_free(self);
		return status;
	}
	at_visit_begin(&self->visit, begin_search, self);
	self->visit.evaluator->tell = evaluator_tells;
	self->visit.evaluator->tell_context = self;
	*out = self;
	return AT_OK;
}

void at_tuning_interrupt(struct at_tuning *self)
{
	struct at_evaluator *evaluator = self->visit.evaluator;
	enum phase phase = self->phase;

	if (phase == PHASE_DONE || self->interrupted)
		return;
	self->interrupted = true;
	evaluator->ops->stop(evaluator);
	at_journal_drop(self->journal);
	at_search_phase_end(&self->search);
	at_verification_phase_end(&self->verifying.phase);
	if (self->fault[0])
		tuning_finish_unselected(self, self->fault);
	/* the winner is selected already; the next run can explain it */
	else if (phase == PHASE_EXPLANATION || phase == PHASE_COUNTERS)
		tuning_finish(self);
	else if (phase == PHASE_VERIFICATION && tuning_winner_if_verified(self))
		return;
	else
		tuning_winner_best(self);
}

void at_tuning_summarize(const struct at_tuning *self, struct at_tuning_summary *out)
{
	out->evaluated = self->visit.progress.evaluated;
	out->reused = self->visit.progress.reused;
	out->selected = self->candidates.best != AT_NO_CANDIDATE && !self->fault[0];
	out->was_cut = self->search.was_cut;
	out->valid_count = self->visit.progress.valid_count;
	out->elapsed_seconds =
		at_budget_elapsed(&self->visit.budget, at_visit_now_ns(&self->visit));
}

void at_tuning_free(struct at_tuning *self)
{
	if (!self)
		return;
	at_search_phase_end(&self->search);
	at_finals_phase_end(&self->finals);
	at_verification_phase_end(&self->verifying.phase);
	at_explanation_phase_end(&self->explanation);
	at_counters_phase_end(&self->counters);
	at_journal_free(self->journal);
	if (self->strategy)
		self->strategy->kind->close(self->strategy);
	at_search_phase_release(&self->search);
	at_candidates_release(&self->candidates);
	at_evaluation_release(&self->winner.evaluation);
	at_winner_release(&self->winner.best);
	at_winner_release(&self->recorded.best);
	free(self->seeds);
	free(self->verifying.witness);
	free(self->verifying.shared_witness);
	tuning_release_shown(self);
	at_visit_release(&self->visit);
	free(self);
}
