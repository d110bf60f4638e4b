/* Tunes one problem in one lane: leads from phase to phase (tuning.h). Crowns are made
   in tuning_crown.c; events and the end are in tuning_tell.c. */
#include "session/tuning_parts.h"

#include "base/owner.h"
#include "record/result.h"
#include "session/crown.h"
#include "session/met.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finals and proof -------------------------------------------------------- */

static void begin_finals(struct at_tuning *self);
static void choose(struct at_tuning *self);
static void sanitized(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *err);
static void proved(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *err);

/* Records that a candidate is wrong after all, and tells it: the record and the
   listener have it as ok so far. */
static enum at_status record_refusal(struct at_tuning *self, size_t place,
	enum at_outcome outcome, const char *detail, struct at_error *err)
{
	const struct at_candidate *candidate = &self->candidates.items[place];
	struct at_evaluation evaluation;
	enum at_status status = at_journal_refuse(self->journal,
		candidate->evaluation_id, outcome, detail, &evaluation, err);

	if (status)
		return status;
	self->progress.by_outcome[AT_OUTCOME_OK]--;
	self->progress.by_outcome[outcome]++;
	tuning_emit_entry(self, AT_EVENT_NOTE, detail,
		&(struct at_entry){ candidate->index,
			tuning_row_of(self, candidate->index), &evaluation, false,
			false });
	at_evaluation_release(&evaluation);
	return AT_OK;
}

/*
 * Updates the best and the baseline that events show, after a candidate was refused.
 * Nothing can be compared with a refused baseline, so it is dropped.
 */
static enum at_status forget_refused(struct at_tuning *self, struct at_error *err)
{
	const struct at_candidates *candidates = &self->candidates;
	int64_t best_id = candidates->best == AT_NO_CANDIDATE
				  ? 0
				  : candidates->items[candidates->best].evaluation_id;

	if (candidates->baseline == AT_NO_CANDIDATE)
		at_evaluation_release(&self->baseline);
	if (self->incumbent.id == best_id)
		return AT_OK;
	at_evaluation_release(&self->incumbent);
	return best_id ? at_store_get(self->options.store, best_id, false,
				 &self->incumbent, err)
		       : AT_OK;
}

static void proof_passed_over(void *context, const char *text)
{
	tuning_emit_text(context, AT_EVENT_NOTE, text);
}

/* Proves a finalist: the winner by all cases and checks, another only by sanitizers. */
static void prove(struct at_tuning *self, const struct at_finalist *finalist,
	bool sanitizers_only)
{
	const struct at_proof_phase_options phase = {
		.evaluator = self->options.evaluator,
		.configuration = tuning_row_of(
			self, self->candidates.items[finalist->place].index),
		.sanitize = self->options.session->sanitize,
		.budget = &self->budget,
		.check_seconds =
			at_budget_check_seconds(&self->budget, tuning_now_ns(self)),
		.sanitizers_only = sanitizers_only,
		.passed_over = proof_passed_over,
		.ended = sanitizers_only ? sanitized : proved,
		.context = self,
	};
	struct at_error err = { 0 };

	self->phase = PHASE_PROOF;
	tuning_emit_text(self, AT_EVENT_PHASE,
		sanitizers_only ? "checking the finalists" : "verifying the winner");
	if (at_proof_phase_begin(&self->proof, &phase, &err))
		tuning_end(self, &err);
}

/*
 * The winner is proved. With --sanitize the other finalists follow, one by one, so that
 * the record has their results as well; they do not change the winner.
 */
static void sanitize_next(struct at_tuning *self)
{
	for (; self->options.session->sanitize == AT_SANITIZE_PODIUM &&
		self->next_sanitized < self->finals.count;
		self->next_sanitized++) {
		struct at_finalist *finalist =
			&self->finals.finalists[self->next_sanitized];

		/* only finalists that are still right, and were not sanitized in the
		   proof */
		if (finalist == self->proved_winner || finalist->refused ||
			finalist->final.result.outcome != AT_OUTCOME_OK)
			continue;
		prove(self, finalist, true);
		return;
	}
	tuning_crown_finalist(self, self->proved_winner, &self->winners_proof);
}

static void sanitized(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_error problem = { 0 };
	struct at_finalist *finalist;

	(void)proof;
	if (err) {
		tuning_end(self, err);
		return;
	}
	finalist = &self->finals.finalists[self->next_sanitized++];
	if (outcome != AT_OUTCOME_OK) {
		if (record_refusal(self, finalist->place, outcome, detail, &problem)) {
			tuning_end(self, &problem);
			return;
		}
		at_finals_phase_refuse(&self->finals, finalist);
		if (forget_refused(self, &problem)) {
			tuning_end(self, &problem);
			return;
		}
	}
	sanitize_next(self);
}

static void proved(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);
	struct at_error problem = { 0 };

	if (err) {
		tuning_end(self, err);
	} else if (outcome == AT_OUTCOME_OK) {
		self->proved_winner = winner;
		self->winners_proof = *proof;
		self->next_sanitized = 0;
		sanitize_next(self);
	} else if (record_refusal(self, winner->place, outcome, detail, &problem)) {
		tuning_end(self, &problem);
	} else {
		at_finals_phase_refuse(&self->finals, winner);
		if (forget_refused(self, &problem))
			tuning_end(self, &problem);
		else
			choose(self);
	}
}

/* Proves the winner of the finals. If no finalist may win, holds new finals with the
   candidates that are left. */
static void choose(struct at_tuning *self)
{
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);
	struct at_error err = { 0 };

	if (!winner) {
		at_finals_phase_refuse_failed(&self->finals);
		at_finals_phase_end(&self->finals);
		if (forget_refused(self, &err))
			tuning_end(self, &err);
		else
			begin_finals(self);
		return;
	}
	if (tuning_won_again(self, winner))
		tuning_confirm_recorded_winner(self, winner->place);
	else
		prove(self, winner, false);
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
		const struct at_measure_result *result = &finalist->final.result;

		if (!result->device_lost && result->outcome != AT_OUTCOME_OK &&
			result->outcome != AT_OUTCOME_NONE)
			status = record_refusal(self, finalist->place, result->outcome,
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
 * finalists were refused. The winner needs new finals if it was not proved, was proved
 * by an older version, or was won in a part of the space, where it did not meet all
 * candidates.
 */
static bool recorded_winner_stands(const struct at_tuning *self, size_t recorded)
{
	const struct at_candidates *candidates = &self->candidates;
	const char *met = self->recorded.met;
	size_t places[AT_PODIUM_SIZE];
	size_t count = at_candidates_podium(candidates, places, AT_PODIUM_SIZE);

	if (recorded == AT_NO_CANDIDATE || candidates->items[recorded].refused ||
		!tuning_has_same_source(self) || self->options.session->fresh ||
		strcmp(self->recorded.part, self->part) != 0 ||
		!at_proof_stands(&self->recorded))
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

/* Number of finalists by the search that racing would have dropped: its mistakes. */
static uint64_t count_mistakes(const struct at_tuning *self)
{
	const struct at_candidates *candidates = &self->candidates;
	size_t places[AT_PODIUM_SIZE];
	size_t count = at_candidates_podium(candidates, places, AT_PODIUM_SIZE);
	uint64_t mistakes = 0;

	for (size_t i = 0; i < count; i++)
		mistakes += candidates->items[places[i]].was_hopeless;
	return mistakes;
}

static void begin_finals(struct at_tuning *self)
{
	const struct at_finals_phase_options phase = {
		.evaluator = self->options.evaluator,
		.candidates = &self->candidates,
		.space = self->space,
		.objective = self->options.objective,
		.budget = &self->budget,
		/* An unproved winner is in no header, so a tie need not prefer it. */
		.recorded_winner = self->recorded.is_unproved ? AT_NO_CONFIGURATION
							      : self->recorded_index,
		.keeps_winner = self->options.session->keeps_winner,
		.margin = self->options.session->margin,
		.seed = self->options.session->seed,
		.ended = finals_ended,
		.context = self,
	};
	size_t recorded = tuning_find_recorded_winner(self);
	struct at_error err = { 0 };

	if (self->candidates.best == AT_NO_CANDIDATE) {
		tuning_finish_uncrowned(self, NULL);
		return;
	}
	self->progress.audited_finalists = count_mistakes(self);
	if (recorded_winner_stands(self, recorded)) {
		tuning_keep_recorded_winner(self, recorded);
		return;
	}
	self->phase = PHASE_FINALS;
	tuning_emit_text(self, AT_EVENT_PHASE, "finals");
	if (at_finals_phase_begin(&self->finals, &phase, &err))
		tuning_end(self, &err);
}

/* ---- the search -------------------------------------------------------------- */

static void search_told(void *context, const struct at_entry *entry, bool is_best)
{
	struct at_tuning *self = context;
	const struct at_evaluation *evaluation = entry->evaluation;
	size_t place = self->candidates.baseline;
	bool is_baseline =
		place != AT_NO_CANDIDATE &&
		self->candidates.items[place].evaluation_id == evaluation->id;
	struct at_evaluation *copies[] = { is_best ? &self->incumbent : NULL,
		is_baseline ? &self->baseline : NULL };
	struct at_error err = { 0 };

	self->progress.evaluated++;
	self->progress.reused += entry->reused;
	self->progress.audited += entry->was_hopeless;
	self->progress.by_outcome[evaluation->outcome]++;
	for (size_t i = 0; i < 2; i++) {
		if (!copies[i])
			continue;
		at_evaluation_release(copies[i]);
		if (at_evaluation_copy(evaluation, copies[i], &err)) {
			tuning_end(self, &err);
			return;
		}
	}
	tuning_emit_entry(self, AT_EVENT_EVALUATION, NULL, entry);
	if (is_best)
		tuning_emit_entry(self, AT_EVENT_INCUMBENT, NULL, entry);
}

static void search_ended(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;

	if (err)
		tuning_end(self, err);
	else
		begin_finals(self);
}

/* The recorded winner's configuration; AT_NO_CONFIGURATION: none, or not in this
   space. */
static enum at_status find_recorded_index(
	const struct at_tuning *self, uint64_t *index, struct at_error *err)
{
	const struct at_spec *spec = self->options.spec;
	struct at_evaluation evaluation;
	enum at_status status;
	bool fits;

	*index = AT_NO_CONFIGURATION;
	if (!self->recorded.space)
		return AT_OK;
	status = at_store_get(self->options.store, self->recorded.evaluation_id, false,
		&evaluation, err);
	if (status)
		return status;
	status = at_configuration_from_json(
		spec, evaluation.configuration, self->row, &fits, err);
	if (!status && fits)
		*index = at_search_space_find(self->space, self->row);
	at_evaluation_release(&evaluation);
	return status;
}

static void strategy_is_done(void *context, const char *text)
{
	tuning_emit_text(context, AT_EVENT_NOTE, text);
}

static void begin_search(void *context)
{
	struct at_tuning *self = context;
	const struct at_tuning_options *options = &self->options;
	struct at_search_phase_options phase = {
		.evaluator = options->evaluator,
		.journal = self->journal,
		.strategy = self->strategy,
		.gathering = {
			/* --fresh ignores the record, also as a guide */
			.store = options->session->fresh ? NULL : options->store,
			.spec = options->spec,
			.problem = options->problem,
			.space = self->space,
			.objective = options->objective,
			.device_id = options->device_id,
			.evaluations = self->budget.evaluations,
		},
		.budget = &self->budget,
		.candidates = &self->candidates,
		.objective = options->objective,
		.baseline = AT_NO_CONFIGURATION,
		.seed = options->session->seed,
		.told = search_told,
		.done = strategy_is_done,
		.ended = search_ended,
		.context = self,
	};
	struct at_error err = { 0 };

	if (self->is_over)
		return; /* a signal ended the tuning before it began */
	tuning_emit_text(self, AT_EVENT_BEGIN, NULL);
	if (options->spec->has_defaults) {
		phase.baseline =
			at_search_space_find(self->space, options->spec->defaults);
		if (phase.baseline == AT_NO_CONFIGURATION)
			tuning_emit_text(self, AT_EVENT_NOTE,
				"the defaults do not satisfy the constraints here: there is no baseline");
	}
	if (find_recorded_index(self, &self->recorded_index, &err)) {
		tuning_end(self, &err);
		return;
	}
	phase.recorded_winner = self->recorded_index;
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
	case PHASE_NONE:
	case PHASE_FINALS:
	case PHASE_PROOF:
	case PHASE_DONE:
		break;
	}
}

/* Tells when the tuning begins to wait only for another run, and when this ends. */
static void tell_waiting(struct at_tuning *self)
{
	bool is_waiting = self->phase != PHASE_DONE && !at_journal_out(self->journal) &&
			  at_journal_pending(self->journal) > 0;
	char owner[64], text[160] = "";

	if (is_waiting == self->is_waiting)
		return;
	self->is_waiting = is_waiting;
	at_process_describe(at_journal_waits_for(self->journal), owner, sizeof(owner));
	if (is_waiting)
		snprintf(text, sizeof(text),
			"waiting for what another autotune is measuring%s%s",
			owner[0] ? ", " : "", owner);
	tuning_emit_text(self, AT_EVENT_STATE, text);
}

void at_tuning_poke(struct at_tuning *self)
{
	struct at_evaluator *evaluator = self->options.evaluator;

	evaluator->ops->tick(evaluator);
	at_journal_poll(self->journal);
	tell_waiting(self);
	step(self);
	if (!self->is_done_late)
		return;
	self->is_done_late = false;
	tuning_call_done(self); /* this frees self */
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
		   this is told */
		if (self->phase == PHASE_SEARCH)
			tuning_emit_text(self, AT_EVENT_PHASE, text);
		break;
	}
}

enum at_status at_tuning_start(const struct at_tuning_options *options,
	struct at_tuning **out, struct at_error *err)
{
	struct at_tuning *self = calloc(1, sizeof(*self));
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	self->options = *options;
	self->budget.begun_ns = tuning_now_ns(self);
	self->recorded_index = AT_NO_CONFIGURATION;
	at_candidates_init(&self->candidates, options->objective);
	status = tuning_open(self, err);
	if (!status)
		status = options->evaluator->ops->later(
			options->evaluator, begin_search, self, err);
	if (status) {
		self->options.evaluator = NULL; /* the caller still owns it */
		at_tuning_free(self);
		return status;
	}
	options->evaluator->tell = evaluator_tells;
	options->evaluator->tell_context = self;
	*out = self;
	return AT_OK;
}

void at_tuning_interrupt(struct at_tuning *self)
{
	struct at_evaluator *evaluator = self->options.evaluator;
	enum phase phase = self->phase;

	if (phase == PHASE_DONE || self->interrupted)
		return;
	self->interrupted = true;
	evaluator->ops->stop(evaluator);
	at_journal_drop(self->journal);
	at_search_phase_end(&self->search);
	at_proof_phase_end(&self->proof);
	/* the winner is crowned already; the next run can explain it */
	if (phase == PHASE_EXPLANATION)
		tuning_finish(self);
	/* the winner is proved, and only the other finalists' sanitizers were left */
	else if (phase == PHASE_PROOF && self->proved_winner)
		tuning_crown_finalist(self, self->proved_winner, &self->winners_proof);
	/* the winner passed all cases, and only its checks were left */
	else if (phase == PHASE_PROOF &&
		 at_proof_phase_passed(&self->proof, &self->winners_proof))
		tuning_crown_finalist(self, at_finals_phase_choose(&self->finals),
			&self->winners_proof);
	else
		tuning_crown_best(self);
}

void at_tuning_fail(struct at_tuning *self, const struct at_error *err)
{
	tuning_end(self, err);
}

void at_tuning_summarize(const struct at_tuning *self, struct at_tuning_summary *out)
{
	out->evaluated = self->progress.evaluated;
	out->reused = self->progress.reused;
	out->crowned = self->candidates.best != AT_NO_CANDIDATE;
	out->was_cut = self->search.was_cut;
	out->valid_count = self->progress.valid_count;
	out->elapsed_seconds = at_budget_elapsed(&self->budget, tuning_now_ns(self));
}

void at_tuning_free(struct at_tuning *self)
{
	if (!self)
		return;
	at_search_phase_end(&self->search);
	at_finals_phase_end(&self->finals);
	at_proof_phase_end(&self->proof);
	at_explanation_phase_end(&self->explanation);
	at_journal_free(self->journal);
	if (self->strategy)
		self->strategy->kind->close(self->strategy);
	at_search_phase_release(&self->search);
	at_candidates_release(&self->candidates);
	at_evaluation_release(&self->incumbent);
	at_evaluation_release(&self->baseline);
	at_evaluation_release(&self->winner.evaluation);
	at_crown_release(&self->winner.crown);
	at_crown_release(&self->recorded);
	at_record_ceilings_release(&self->ceilings);
	at_search_space_free(self->space);
	free(self->row);
	free(self->incumbent_row);
	if (self->options.evaluator)
		self->options.evaluator->ops->close(self->options.evaluator);
	free(self);
}
