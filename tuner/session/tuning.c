#include "session/tuning.h"

#include "base/clock.h"
#include "base/owner.h"
#include "record/result.h"
#include "search/strategy.h"
#include "session/budget.h"
#include "session/candidates.h"
#include "session/counting.h"
#include "session/crown.h"
#include "session/journal.h"
#include "session/phase_explanation.h"
#include "session/phase_finals.h"
#include "session/phase_proof.h"
#include "session/phase_search.h"
#include "space/search_space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum phase {
	PHASE_NONE = 0,
	PHASE_SEARCH,
	PHASE_FINALS,
	PHASE_PROOF,
	PHASE_EXPLANATION,
	PHASE_DONE,
};

/* Who is crowned: since the finals of today, or before and still. */
struct winner {
	uint64_t index; /* of the configuration */
	struct at_evaluation evaluation;
	struct at_crown crown; /* space NULL: nobody is crowned yet */
};

struct at_tuning {
	struct at_tuning_options options;
	struct at_search_space *space;
	/* rooms for two configurations; see row_of() and emit() */
	uint16_t *row;
	uint16_t *incumbent_row;
	struct at_strategy *strategy;
	struct at_experience experience;
	struct at_journal *journal;
	struct at_budget budget;
	struct at_progress progress;
	struct at_candidates candidates;
	/* copies for whoever watches; id 0: there is none */
	struct at_evaluation incumbent;
	struct at_evaluation baseline;
	struct at_record_ceilings ceilings;
	bool has_ceilings;
	struct at_crown recorded; /* the crown that there was; space NULL: none */
	uint64_t recorded_index; /* its configuration; AT_NO_CONFIGURATION: not here */
	struct winner winner;
	enum phase phase;
	struct at_search_phase search;
	struct at_finals_phase finals;
	struct at_proof_phase proof;
	struct at_finalist *proved_winner;
	struct at_proof winners_proof;
	size_t next_sanitized; /* of the finalists */
	struct at_explanation_phase explanation;
	struct at_error error;
	char part[48]; /* "3/8"; "": the whole */
	bool is_waiting; /* for another run, and this was told */
	bool interrupted;
	bool is_over; /* options.done() is due or was called */
	bool is_done_late; /* no memory to have it called from the loop: by the tick */
};

/* until the next call: for who wants one configuration for a moment */
static const uint16_t *row_of(struct at_tuning *self, uint64_t index)
{
	at_search_space_get(self->space, index, self->row);
	return self->row;
}

static uint64_t now_ns(const struct at_tuning *self)
{
	return self->options.evaluator->ops->now_ns(self->options.evaluator);
}

/* ---- telling ------------------------------------------------------------------ */

static void emit(struct at_tuning *self, struct at_event *event)
{
	const struct at_session_options *session = self->options.session;
	const struct at_evaluator *evaluator = self->options.evaluator;
	struct at_evaluator_load load;

	if (!session->listen)
		return;
	evaluator->ops->load(evaluator, &load);
	self->progress.elapsed_seconds = at_budget_elapsed(&self->budget, now_ns(self));
	self->progress.compiling = load.compiling;
	self->progress.waiting = load.waiting;
	event->spec = self->options.spec;
	event->problem = self->options.problem;
	event->objective = self->options.objective;
	event->device = &evaluator->info.device;
	event->progress = &self->progress;
	event->ceilings = self->has_ceilings ? &self->ceilings.ceilings : NULL;
	if (self->incumbent.id && !event->incumbent) {
		event->incumbent = &self->incumbent;
		event->incumbent_configuration = self->incumbent_row;
		at_search_space_get(self->space,
			self->candidates.items[self->candidates.best].index,
			self->incumbent_row);
	}
	if (self->baseline.id)
		event->baseline = &self->baseline;
	if (event->evaluation) {
		event->flops = event->evaluation->flops;
		event->bytes = event->evaluation->bytes;
	}
	session->listen(session->context, event);
}

static void emit_text(struct at_tuning *self, enum at_event_kind kind, const char *text)
{
	struct at_event event = { .kind = kind, .text = text };

	emit(self, &event);
}

static void emit_entry(struct at_tuning *self, enum at_event_kind kind,
	const char *text, const struct at_entry *entry)
{
	struct at_event event = {
		.kind = kind,
		.text = text,
		.configuration = entry->configuration,
		.evaluation = entry->evaluation,
		.reused = entry->reused,
	};

	emit(self, &event);
}

/* ---- the end -------------------------------------------------------------------- */

static void call_done(void *context)
{
	struct at_tuning *self = context;

	self->options.done(
		self->options.context, self->error.status ? &self->error : NULL);
}

/* the end: err NULL, or copied */
static void end(struct at_tuning *self, const struct at_error *err)
{
	struct at_evaluator *evaluator = self->options.evaluator;

	if (self->is_over)
		return;
	self->is_over = true;
	self->phase = PHASE_DONE;
	if (err)
		self->error = *err;
	evaluator->ops->stop(evaluator);
	at_journal_drop(self->journal);
	/* whichever of them runs has nothing more to ask for */
	at_search_phase_end(&self->search);
	at_proof_phase_end(&self->proof);
	self->explanation.ended = true;
	/* from the loop: who is told may free what is running here */
	self->is_done_late =
		evaluator->ops->later(evaluator, call_done, self, NULL) != AT_OK;
}

static enum at_status write_files(
	struct at_tuning *self, char **header, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_result_options results = {
		.directory = options->session->results,
		.with_unproved = options->session->with_unproved,
	};

	/* of a share there is a record, for others to make files of all of them */
	if (options->session->share.count)
		return AT_OK;
	return at_result_write(options->store, &results, options->whole_spec,
		options->device_id, header, err);
}

/* the files, the summary, the end */
static void finish(struct at_tuning *self)
{
	struct at_error err = { 0 };
	char *header = NULL;
	enum at_status status = write_files(self, &header, &err);
	const uint16_t *row = row_of(self, self->winner.index);
	struct at_event event = {
		.kind = AT_EVENT_SUMMARY,
		.configuration = row,
		.evaluation = &self->winner.evaluation,
		.incumbent = &self->winner.evaluation,
		.incumbent_configuration = row,
		.crown = &self->winner.crown,
		.header_path = header,
	};

	if (!status)
		emit(self, &event);
	free(header);
	end(self, status ? &err : NULL);
}

/* nobody is crowned by this run; text: why, where somebody was crowned before */
static void finish_uncrowned(struct at_tuning *self, const char *text)
{
	emit_text(self, AT_EVENT_SUMMARY, text);
	end(self, NULL);
}

/* ---- the explanation --------------------------------------------------------- */

static void explained(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_crown *crown = &self->winner.crown;
	struct at_error problem = { 0 };
	char *gains;

	if (err) {
		end(self, err);
		return;
	}
	gains = at_explanation_phase_gains(&self->explanation);
	if (!gains) {
		at_fail_memory(&problem);
		end(self, &problem);
		return;
	}
	free(crown->gains);
	crown->gains = gains;
	if (at_store_set_gains(self->options.store, crown, gains, &problem))
		end(self, &problem);
	else
		finish(self);
}

static void explanation_told(void *context, const struct at_entry *entry)
{
	emit_entry(context, AT_EVENT_EVALUATION, NULL, entry);
}

static double cost_of(const struct at_tuning *self, const struct at_score *score)
{
	return at_objective_cost(self->options.objective, score->value);
}

/*
 * What both ends of the way cost. The finals measured them in rounds that both
 * shared; where the recorded winner stands without finals, each evaluation's own.
 */
static void find_ends(
	const struct at_tuning *self, double *baseline_cost, double *winner_cost)
{
	const struct at_objective *objective = self->options.objective;
	const struct at_crown *crown = &self->winner.crown;
	struct at_score score = at_evaluation_score(&self->baseline, objective);

	*baseline_cost = cost_of(self, &score);
	score = at_evaluation_score(&self->winner.evaluation, objective);
	*winner_cost = cost_of(self, &score);
	if (!isfinite(crown->speedup) || crown->baseline_id != self->baseline.id)
		return;
	*winner_cost = cost_of(self, &crown->score);
	*baseline_cost = *winner_cost * crown->speedup;
}

static void begin_explanation(struct at_tuning *self)
{
	const struct at_tuning_options *options = &self->options;
	struct at_explanation_phase_options phase = {
		.evaluator = options->evaluator,
		.journal = self->journal,
		.spec = options->spec,
		.space = self->space,
		.objective = options->objective,
		.budget = &self->budget,
		.winner = self->winner.index,
		.told = explanation_told,
		.ended = explained,
		.context = self,
	};
	struct at_error err = { 0 };

	/* the way to a part's winner is of no use unless it is the whole's too: who
	   finds that out explains it */
	if (self->part[0]) {
		finish(self);
		return;
	}
	/* from here on a kill costs nothing but the explanation */
	if (write_files(self, NULL, &err)) {
		end(self, &err);
		return;
	}
	if (self->candidates.baseline != AT_NO_CANDIDATE) {
		phase.baseline =
			self->candidates.items[self->candidates.baseline].index;
		find_ends(self, &phase.baseline_cost, &phase.winner_cost);
	}
	/* without both there is no way to walk */
	if (!(phase.baseline_cost > 0) || !(phase.winner_cost > 0)) {
		finish(self);
		return;
	}
	self->phase = PHASE_EXPLANATION;
	emit_text(self, AT_EVENT_PHASE, "explaining the gain");
	if (at_explanation_phase_begin(&self->explanation, &phase, &err))
		end(self, &err);
	else
		at_explanation_phase_step(&self->explanation);
}

/* ---- the crown --------------------------------------------------------------- */

/* The recorded crown was won on the same source, problem and device. */
static bool has_same_source(const struct at_tuning *self)
{
	char hex[AT_HASH_HEX_SIZE];

	return self->recorded.space && self->recorded.source_hash &&
	       !strcmp(self->recorded.source_hash,
		       at_hash_hex(self->options.evaluator->info.source, hex));
}

/* the recorded winner's place among what passed in this run */
static size_t find_recorded_winner(const struct at_tuning *self)
{
	return self->recorded.space ? at_candidates_find(&self->candidates,
					      self->recorded.evaluation_id)
				    : AT_NO_CANDIDATE;
}

/* final NULL: there were none; proof NULL: an interruption, and there was none */
static void crown(struct at_tuning *self, size_t place,
	const struct at_planned *planned, struct at_score score,
	const struct at_finals_gain *gain, const struct at_final *final,
	const struct at_proof *proof)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_candidate *candidate = &self->candidates.items[place];
	const struct at_crowning facts = {
		.info = &options->evaluator->info,
		.spec = options->spec,
		.problem = options->problem,
		.planned = planned,
		.objective = options->objective,
		.score = score,
		.speedup = gain->speedup,
		.baseline = gain->baseline,
		.final = final,
		.device_id = options->device_id,
		.evaluation_id = candidate->evaluation_id,
		.baseline_id = self->baseline.id,
		.evaluation_count = self->progress.evaluated,
		.ok_count = self->progress.by_outcome[AT_OUTCOME_OK],
		.proof = proof,
		.part = self->part,
	};
	struct at_error err = { 0 };
	enum at_status status = at_crown_make(&facts, &self->winner.crown, &err);

	self->winner.index = candidate->index;
	if (!status)
		status = at_store_get(options->store, candidate->evaluation_id, false,
			&self->winner.evaluation, &err);
	if (!status)
		status = at_store_put_crown(options->store, &self->winner.crown, &err);
	if (status)
		end(self, &err);
	else if (self->interrupted)
		finish(self);
	else
		begin_explanation(self);
}

/* what --set keeps out of this run cannot lose to it by not being there; but what was
   never proved does not stand against what is */
static bool outsider_is_faster(const struct at_tuning *self, struct at_score score)
{
	return self->options.session->set_count > 0 && has_same_source(self) &&
	       !self->recorded.is_unproved &&
	       find_recorded_winner(self) == AT_NO_CANDIDATE &&
	       at_objective_clearly_better(
		       self->options.objective, self->recorded.score, score);
}

static void crown_finalist(struct at_tuning *self, const struct at_finalist *winner,
	const struct at_proof *proof)
{
	const struct at_candidate *candidate = &self->candidates.items[winner->place];
	const struct at_finals_gain gain = at_finals_phase_gain(&self->finals, winner);
	struct at_evaluation evaluation;
	struct at_error err = { 0 };

	if (!outsider_is_faster(self, winner->score)) {
		crown(self, winner->place, winner->planned, winner->score, &gain,
			&winner->final, proof);
		return;
	}
	emit_text(self, AT_EVENT_NOTE,
		"the recorded winner, which --set leaves out, is faster and stays");
	if (at_store_get(self->options.store, candidate->evaluation_id, false,
		    &evaluation, &err)) {
		end(self, &err);
		return;
	}
	emit_entry(self, AT_EVENT_SUMMARY, NULL,
		&(struct at_entry){ candidate->index, row_of(self, candidate->index),
			&evaluation, candidate->reused, false });
	at_evaluation_release(&evaluation);
	end(self, NULL);
}

/* nothing new came near it: the recorded winner, and its files brought up to date */
static void keep_recorded_winner(struct at_tuning *self, size_t place)
{
	const struct at_crown *recorded = &self->recorded;
	struct at_error err = { 0 };

	self->winner.index = self->candidates.items[place].index;
	if (at_crown_copy(recorded, &self->winner.crown, &err) ||
		at_store_get(self->options.store, recorded->evaluation_id, false,
			&self->winner.evaluation, &err))
		end(self, &err);
	/* a run with --set, or one without it after one with it, has another baseline
	   than the one that this crown's gain was measured against */
	else if ((!recorded->gains || !recorded->gains[0]) &&
		 recorded->baseline_id == self->baseline.id)
		begin_explanation(self);
	else
		finish(self);
}

/*
 * The finals chose whom they chose before, under the same driver and compiler, and it
 * is proved: where headers are not to follow noise, it stays with the times it has.
 */
static bool won_again(const struct at_tuning *self, const struct at_finalist *winner)
{
	const struct at_tuning_options *options = &self->options;

	return options->session->keeps_winner && !options->session->fresh &&
	       winner->place == find_recorded_winner(self) && has_same_source(self) &&
	       at_proof_stands(&self->recorded);
}

static void confirm_recorded_winner(struct at_tuning *self, size_t place)
{
	struct at_error err = { 0 };

	if (at_store_set_stood(self->options.store, &self->recorded,
		    at_clock_wall_seconds(), &err))
		end(self, &err);
	else
		keep_recorded_winner(self, place);
}

/*
 * An interruption: the best so far, without finals and proof, until a run is not
 * interrupted. Whoever was proved stays, by whatever it was proved and however slow it
 * is: a header is better slow than wrong.
 */
static void crown_best(struct at_tuning *self)
{
	const struct at_objective *objective = self->options.objective;
	struct at_evaluator *evaluator = self->options.evaluator;
	size_t place = self->candidates.best;
	struct at_finals_gain gain = { AT_SCORE_UNKNOWN, AT_SCORE_UNKNOWN };
	struct at_planned *planned;
	struct at_score score;
	struct at_error err = { 0 };

	if (place == AT_NO_CANDIDATE) {
		finish_uncrowned(self, NULL);
		return;
	}
	score = self->candidates.items[place].score;
	if (self->recorded.space && !self->recorded.is_unproved) {
		finish_uncrowned(self,
			"interrupted: the recorded winner stands; what is new has to be proved before it replaces it");
		return;
	}
	/* of two that are unproved the better one, as long as times can be compared */
	if (has_same_source(self) &&
		!at_objective_clearly_better(objective, score, self->recorded.score)) {
		finish_uncrowned(self,
			"interrupted: the recorded winner, which is not proved either, stands");
		return;
	}
	if (self->baseline.id)
		gain.speedup.value = at_objective_gain(objective,
			at_evaluation_score(&self->baseline, objective).value,
			score.value);
	if (evaluator->ops->plan(evaluator,
		    row_of(self, self->candidates.items[place].index), &planned,
		    &err)) {
		end(self, &err);
		return;
	}
	crown(self, place, planned, score, &gain, NULL, NULL);
	at_planned_free(planned);
}

/* ---- finals and proof -------------------------------------------------------- */

static void begin_finals(struct at_tuning *self);
static void choose(struct at_tuning *self);
static void sanitized(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *err);
static void proved(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *err);

/* the record must not go on calling it ok, nor may what watches */
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
	emit_entry(self, AT_EVENT_NOTE, detail,
		&(struct at_entry){ candidate->index, row_of(self, candidate->index),
			&evaluation, false, false });
	at_evaluation_release(&evaluation);
	return AT_OK;
}

/*
 * What watches sees the best that is left; a baseline that was refused is nothing to
 * compare with.
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
	emit_text(context, AT_EVENT_NOTE, text);
}

/* The proof of one that had finals: of the winner, or of another by sanitizers. */
static void prove(struct at_tuning *self, const struct at_finalist *finalist,
	bool sanitizers_only)
{
	const struct at_proof_phase_options phase = {
		.evaluator = self->options.evaluator,
		.configuration =
			row_of(self, self->candidates.items[finalist->place].index),
		.sanitize = self->options.session->sanitize,
		.check_seconds = at_budget_check_seconds(&self->budget),
		.sanitizers_only = sanitizers_only,
		.passed_over = proof_passed_over,
		.ended = sanitizers_only ? sanitized : proved,
		.context = self,
	};
	struct at_error err = { 0 };

	self->phase = PHASE_PROOF;
	emit_text(self, AT_EVENT_PHASE,
		sanitizers_only ? "checking the finalists" : "verifying the winner");
	if (at_proof_phase_begin(&self->proof, &phase, &err))
		end(self, &err);
}

/*
 * The winner is proved. Where all of the podium is to be sanitized the others follow,
 * for the record; who it is that wins is known.
 */
static void sanitize_next(struct at_tuning *self)
{
	for (; self->options.session->sanitize == AT_SANITIZE_PODIUM &&
		self->next_sanitized < self->finals.count;
		self->next_sanitized++) {
		struct at_finalist *finalist =
			&self->finals.finalists[self->next_sanitized];

		if (finalist == self->proved_winner || finalist->refused ||
			finalist->final.result.outcome != AT_OUTCOME_OK)
			continue;
		prove(self, finalist, true);
		return;
	}
	crown_finalist(self, self->proved_winner, &self->winners_proof);
}

static void sanitized(void *context, enum at_outcome outcome, const char *detail,
	const struct at_proof *proof, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_error problem = { 0 };
	struct at_finalist *finalist;

	(void)proof;
	if (err) {
		end(self, err);
		return;
	}
	finalist = &self->finals.finalists[self->next_sanitized++];
	if (outcome != AT_OUTCOME_OK) {
		if (record_refusal(self, finalist->place, outcome, detail, &problem)) {
			end(self, &problem);
			return;
		}
		at_finals_phase_refuse(&self->finals, finalist);
		if (forget_refused(self, &problem)) {
			end(self, &problem);
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
		end(self, err);
	} else if (outcome == AT_OUTCOME_OK) {
		self->proved_winner = winner;
		self->winners_proof = *proof;
		self->next_sanitized = 0;
		sanitize_next(self);
	} else if (record_refusal(self, winner->place, outcome, detail, &problem)) {
		end(self, &problem);
	} else {
		at_finals_phase_refuse(&self->finals, winner);
		if (forget_refused(self, &problem))
			end(self, &problem);
		else
			choose(self);
	}
}

/* who is to be crowned, if it can be proved; the next finals where none may */
static void choose(struct at_tuning *self)
{
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);
	struct at_error err = { 0 };

	if (!winner) {
		at_finals_phase_refuse_failed(&self->finals);
		at_finals_phase_end(&self->finals);
		if (forget_refused(self, &err))
			end(self, &err);
		else
			begin_finals(self);
		return;
	}
	if (won_again(self, winner))
		confirm_recorded_winner(self, winner->place);
	else
		prove(self, winner, false);
}

/*
 * Who was right in the search and is not in the finals, which compare every round: that
 * is told and recorded. Of a device that was lost nobody knows whose fault it was.
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
		end(self, err);
	else if (record_failed_finals(self, &problem))
		end(self, &problem);
	else
		choose(self);
}

/*
 * Nothing was found that could take the place of the recorded winner: measuring again
 * would only churn the files with noise. What it was crowned over is not new to it. But
 * one that was not proved, or as an older version proves, has its finals now, and so
 * has one that won in a part of the space: it never met the others.
 */
static bool recorded_winner_stands(const struct at_tuning *self, size_t recorded)
{
	const struct at_candidates *candidates = &self->candidates;
	const struct at_crown *crown = &self->recorded;
	int64_t since = crown->stood_seconds > crown->created_seconds
				? crown->stood_seconds
				: crown->created_seconds;
	size_t places[AT_PODIUM_SIZE];
	size_t count = at_candidates_podium(candidates, places, AT_PODIUM_SIZE);

	if (recorded == AT_NO_CANDIDATE || candidates->items[recorded].refused ||
		!has_same_source(self) || self->options.session->fresh ||
		strcmp(self->recorded.part, self->part) != 0 ||
		!at_proof_stands(&self->recorded))
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct at_candidate *candidate = &candidates->items[places[i]];

		if (!candidate->reused || candidate->created_seconds > since)
			return false;
	}
	return true;
}

/* how many that racing would have dropped are among those that it was to find */
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
		/* one that is unproved is in no file that a tie would change */
		.recorded_winner = self->recorded.is_unproved ? AT_NO_CONFIGURATION
							      : self->recorded_index,
		.keeps_winner = self->options.session->keeps_winner,
		.margin = self->options.session->margin,
		.seed = self->options.session->seed,
		.ended = finals_ended,
		.context = self,
	};
	size_t recorded = find_recorded_winner(self);
	struct at_error err = { 0 };

	if (self->candidates.best == AT_NO_CANDIDATE) {
		finish_uncrowned(self, NULL);
		return;
	}
	self->progress.audited_finalists = count_mistakes(self);
	if (recorded_winner_stands(self, recorded)) {
		keep_recorded_winner(self, recorded);
		return;
	}
	self->phase = PHASE_FINALS;
	emit_text(self, AT_EVENT_PHASE, "finals");
	if (at_finals_phase_begin(&self->finals, &phase, &err))
		end(self, &err);
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
			end(self, &err);
			return;
		}
	}
	emit_entry(self, AT_EVENT_EVALUATION, NULL, entry);
	if (is_best)
		emit_entry(self, AT_EVENT_INCUMBENT, NULL, entry);
}

static void search_ended(void *context, const struct at_error *err)
{
	struct at_tuning *self = context;

	if (err)
		end(self, err);
	else
		begin_finals(self);
}

/* the configuration that is crowned; AT_NO_CONFIGURATION: none, or not in this space */
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
	emit_text(context, AT_EVENT_NOTE, text);
}

static void begin_search(void *context)
{
	struct at_tuning *self = context;
	const struct at_tuning_options *options = &self->options;
	struct at_search_phase_options phase = {
		.evaluator = options->evaluator,
		.journal = self->journal,
		.strategy = self->strategy,
		.experience = &self->experience,
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
		return; /* a signal was quicker */
	emit_text(self, AT_EVENT_BEGIN, NULL);
	if (options->spec->has_defaults) {
		phase.baseline =
			at_search_space_find(self->space, options->spec->defaults);
		if (phase.baseline == AT_NO_CONFIGURATION)
			emit_text(self, AT_EVENT_NOTE,
				"the defaults do not satisfy the constraints here: there is no baseline");
	}
	if (find_recorded_index(self, &self->recorded_index, &err)) {
		end(self, &err);
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

/* Nothing is left to do here but what another run is doing. */
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
	emit_text(self, AT_EVENT_STATE, text);
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
	call_done(self); /* which frees it */
}

static void evaluator_tells(void *context, enum at_told_kind kind, const char *text)
{
	struct at_tuning *self = context;

	switch (kind) {
	case AT_TOLD_NONE:
		break;
	case AT_TOLD_NOTE:
	case AT_TOLD_JUDGED:
		emit_text(self, AT_EVENT_NOTE, text);
		break;
	case AT_TOLD_STATE:
		emit_text(self, AT_EVENT_STATE, text);
		break;
	case AT_TOLD_STEP:
		/* what is known already may be in finals by then */
		if (self->phase == PHASE_SEARCH)
			emit_text(self, AT_EVENT_PHASE, text);
		break;
	}
}

static void tell_counting(void *context, const char *text)
{
	struct at_tuning *self = context;
	const struct at_session_options *session = self->options.session;

	emit_text(self, AT_EVENT_STATE, text);
	if (session->tick)
		session->tick(session->context);
}

/* of a time: a fourth of it may go into counting what is searched */
static double counting_seconds(const struct at_tuning *self)
{
	const char *text = self->options.session->budget;
	uint64_t evaluations;
	double seconds = 0;

	if (!text)
		text = self->options.spec->search.budget;
	/* what is wrong with it is told when it is read for good */
	if (!text || at_budget_parse(text, &evaluations, &seconds, NULL))
		return 0;
	return seconds / 4;
}

static enum at_status open_space(struct at_tuning *self, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_spec *spec = options->spec;
	struct at_counting counting = { .tell = tell_counting,
		.context = self,
		.seconds = counting_seconds(self) };
	struct at_counted counted;
	enum at_status status;

	self->row = calloc(spec->parameter_count + 1, sizeof(*self->row));
	self->incumbent_row =
		calloc(spec->parameter_count + 1, sizeof(*self->incumbent_row));
	if (!self->row || !self->incumbent_row)
		return at_fail_memory(err);
	status = at_count_space(&counting, spec, options->problem,
		&options->evaluator->info.device.properties, true, &counted, err);
	self->space = counted.space;
	if (!status)
		self->progress.valid_count = at_search_space_count(self->space);
	if (!status && counted.note[0])
		emit_text(self, AT_EVENT_NOTE, counted.note);
	return status;
}

static enum at_status read_budget(struct at_tuning *self, struct at_error *err)
{
	const char *text = self->options.session->budget;
	const char *place = NULL;
	uint64_t valid = at_search_space_count(self->space);
	enum at_status status = AT_OK;

	if (!text) {
		text = self->options.spec->search.budget;
		place = self->options.spec->path;
	}
	if (text)
		status = at_budget_parse(
			text, &self->budget.evaluations, &self->budget.seconds, err);
	if (status && err && place)
		snprintf(err->file, sizeof(err->file), "%s", place);
	self->progress.target_evaluations = valid;
	if (self->budget.evaluations && self->budget.evaluations < valid)
		self->progress.target_evaluations = self->budget.evaluations;
	self->progress.target_seconds = self->budget.seconds;
	return status;
}

static enum at_status open_strategy(struct at_tuning *self, struct at_error *err)
{
	const struct at_part *part = &self->options.part;
	const char *text = self->options.session->strategy;
	const struct at_strategy_kind *kind = NULL;
	uint64_t seed = self->options.session->seed, own = 0;
	const char *options = NULL;
	enum at_status status;

	if (!text)
		text = self->options.spec->search.strategy;
	status = at_strategy_find(text ? text : "auto", &kind, &options, err);
	if (status)
		return status;
	if (part->count <= 1)
		return kind->open(self->space, options, seed, &self->strategy, err);
	snprintf(self->part, sizeof(self->part), "%llu/%llu",
		(unsigned long long)part->index + 1, (unsigned long long)part->count);
	/* in parts that are alike, searches that are not */
	status = at_part_strategy_open(kind, self->space, part, options,
		seed + part->index, &self->strategy, &own, err);
	/* and the baseline beside them */
	if (!status && own + 1 < self->progress.target_evaluations)
		self->progress.target_evaluations = own + 1;
	return status;
}

static enum at_status open_journal(struct at_tuning *self, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_journal_options journal = {
		.evaluator = options->evaluator,
		.store = options->store,
		.spec = options->spec,
		.problem = options->problem,
		.space = self->space,
		.run_id = options->run_id,
		.device_id = options->device_id,
		.fresh = options->session->fresh,
		.wait_seconds = options->session->wait_seconds,
	};

	return at_journal_new(&journal, &self->journal, err);
}

/* --fresh measures again what is recorded, and is not to be led by it either */
static enum at_status gather_experience(struct at_tuning *self, struct at_error *err)
{
	const struct at_tuning_options *options = &self->options;
	const struct at_experience_options gathering = {
		.store = options->store,
		.spec = options->spec,
		.problem = options->problem,
		.space = self->space,
		.objective = options->objective,
		.device_id = options->device_id,
		.evaluations = self->budget.evaluations,
	};

	return options->session->fresh
		       ? AT_OK
		       : at_experience_gather(&gathering, &self->experience, err);
}

static enum at_status find_recorded(struct at_tuning *self, struct at_error *err)
{
	struct at_crown *crowns;
	size_t count;
	enum at_status status =
		at_store_crowns(self->options.store, self->options.spec->name,
			self->options.device_id, &crowns, &count, err);

	if (status)
		return status;
	for (size_t i = 0; i < count && !status; i++)
		/* won by another measure it is no rival */
		if (!strcmp(crowns[i].problem, self->options.problem->name) &&
			crowns[i].objective == self->options.objective)
			status = at_crown_copy(&crowns[i], &self->recorded, err);
	at_store_free_crowns(crowns, count);
	return status;
}

enum at_status at_tuning_start(const struct at_tuning_options *options,
	struct at_tuning **out, struct at_error *err)
{
	struct at_tuning *self = calloc(1, sizeof(*self));
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	self->options = *options;
	self->budget.begun_ns = now_ns(self);
	self->recorded_index = AT_NO_CONFIGURATION;
	at_candidates_init(&self->candidates, options->objective);
	status = open_space(self, err);
	if (!status)
		status = read_budget(self, err);
	if (!status)
		status = open_strategy(self, err);
	if (!status)
		status = open_journal(self, err);
	if (!status)
		status = find_recorded(self, err);
	if (!status)
		status = gather_experience(self, err);
	if (!status)
		status = at_store_get_ceilings(options->store, options->device_id,
			&self->ceilings, &self->has_ceilings, err);
	if (!status)
		status = options->evaluator->ops->later(
			options->evaluator, begin_search, self, err);
	if (status) {
		self->options.evaluator = NULL; /* still the caller's */
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
	/* who is crowned stays so; what explains it is for the next run */
	if (phase == PHASE_EXPLANATION)
		finish(self);
	/* it had its finals and its proof: what was left are checks beside that */
	else if (phase == PHASE_PROOF && self->proved_winner)
		crown_finalist(self, self->proved_winner, &self->winners_proof);
	else if (phase == PHASE_PROOF &&
		 at_proof_phase_passed(&self->proof, &self->winners_proof))
		crown_finalist(self, at_finals_phase_choose(&self->finals),
			&self->winners_proof);
	else
		crown_best(self);
}

void at_tuning_fail(struct at_tuning *self, const struct at_error *err)
{
	end(self, err);
}

void at_tuning_summarize(const struct at_tuning *self, struct at_tuning_summary *out)
{
	out->evaluated = self->progress.evaluated;
	out->reused = self->progress.reused;
	out->crowned = self->candidates.best != AT_NO_CANDIDATE;
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
	at_experience_release(&self->experience);
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
