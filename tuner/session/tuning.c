/*
 * Tunes one problem in one lane, phase by phase (tuning.h). The finals' winner is
 * verified, recorded and explained; then the tuning ends.
 */
#include "session/tuning.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/owner.h"
#include "record/result.h"
#include "search/strategy.h"
#include "session/candidates.h"
#include "session/journal.h"
#include "session/counters.h"
#include "session/phase_explanation.h"
#include "session/phase_finals.h"
#include "session/phase_search.h"
#include "session/phase_verification.h"
#include "session/seeds.h"
#include "session/winner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The current phase. */
enum phase {
	PHASE_NONE = 0,
	PHASE_SEARCH,
	PHASE_FINALS,
	PHASE_VERIFICATION,
	PHASE_EXPLANATION,
	PHASE_COUNTERS,
	PHASE_DONE,
};

/* The problem's winner, selected by this run, or by an earlier run and confirmed
   now. */
struct winner {
	uint64_t index; /* of the configuration */
	struct at_evaluation evaluation;
	struct at_winner best; /* space NULL: there is no winner yet */
};

/* The recorded winner at the start of the tuning. */
struct recorded_winner {
	struct at_winner best; /* space NULL: there was none */
	/* Its configuration, or AT_NO_CONFIGURATION if it is not in this space. */
	uint64_t index;
};

/* What events show in addition to their subject. */
struct shown {
	/* Copies of the best and the baseline so far; id 0: none. */
	struct at_evaluation incumbent;
	struct at_evaluation baseline;
	uint16_t *incumbent_row; /* buffer for the incumbent's configuration */
	struct at_record_ceilings ceilings;
	bool has_ceilings;
	/* the listener knows that the tuning waits for another run */
	bool is_waiting;
};

/* Configurations that miss the reference alike. Two kernels with close outputs, one of
   them the baseline, are evidence against the reference or the tolerance. */
struct doubt {
	unsigned alike; /* number of them in a row */
	double error; /* the max_relative_error of the first */
	bool has_baseline; /* the baseline is among them */
	bool is_settled; /* a different result came: nothing more to learn */
	size_t verification_case; /* of verifications: the case that they fail */
};

/* The verification of the winner, then of the other finalists. */
struct verifying {
	struct at_verification_phase phase;
	/* The finalist that passed, in finals.finalists, and its verification; NULL:
	   none so far. */
	struct at_finalist *winner;
	struct at_verification verification;
	/* buffer for a check's second configuration, without defaults */
	uint16_t *witness;
	uint16_t *shared_witness; /* the same, for racecheck and synccheck */
	/* index of the next finalist for the sanitizers */
	size_t next_sanitized;
	/* It went on with the recorded winner's, without finals, and that failed. */
	bool has_failed_recorded;
	struct doubt doubt;
	char detail[640]; /* why the last winner was refused */
};

/* The tuning; it owns everything that is not marked as borrowed. */
struct tuning {
	struct at_visit visit;
	/* searched part of the space: "3/8"; "": all of it */
	char part[48];
	struct at_strategy *strategy;
	struct at_journal *journal;
	struct at_candidates candidates;
	struct recorded_winner recorded;
	/* of --seeds, in this space */
	uint64_t *seeds;
	size_t seed_count;
	struct winner winner;
	enum phase phase;
	struct at_search_phase search;
	struct at_finals_phase finals;
	struct verifying verifying;
	struct at_explanation_phase explanation;
	struct at_counters_phase counters;
	struct shown shown;
	bool interrupted;
	/* why nothing that the tuning finds means anything, which ends it, or "" */
	char fault[900];
	struct doubt
		/* of the search; verifications have their own in struct verifying */
		doubt;
};

/* Largest relative difference of the errors of close outputs: another order of the same
   sums changes an error that is not rounding by less. */
#define ALIKE 0.01

/* ---- events ---------------------------------------------------------------- */

static void complete(struct at_visit *visit, struct at_event *event)
{
	struct tuning *self = (struct tuning *)visit;
	struct at_evaluator_load load;

	visit->evaluator->ops->load(visit->evaluator, &load);
	visit->progress.compiling = load.compiling;
	visit->progress.waiting = load.waiting;
	event->ceilings =
		self->shown.has_ceilings ? &self->shown.ceilings.ceilings : NULL;
	if (self->shown.incumbent.id && !event->incumbent) {
		event->incumbent = &self->shown.incumbent;
		event->incumbent_configuration = self->shown.incumbent_row;
		at_search_space_get(visit->space,
			self->candidates.items[self->candidates.best].index,
			self->shown.incumbent_row);
	}
	if (self->shown.baseline.id)
		event->baseline = &self->shown.baseline;
	if (event->evaluation) {
		event->flops = event->evaluation->flops;
		event->bytes = event->evaluation->bytes;
	}
}

static void emit_text(struct tuning *self, enum at_event_kind kind, const char *text)
{
	at_visit_emit_text(&self->visit, kind, text);
}

static void emit_entry(struct tuning *self, enum at_event_kind kind, const char *text,
	const struct at_entry *entry)
{
	struct at_event event = {
		.kind = kind,
		.text = text,
		.configuration = entry->configuration,
		.evaluation = entry->evaluation,
		.reused = entry->reused,
	};

	at_visit_emit(&self->visit, &event);
}

/* Reports an evaluation of the search: counts it, and copies it if it is the baseline
   or the best so far. */
static void show(struct tuning *self, const struct at_entry *entry, bool is_best)
{
	struct shown *shown = &self->shown;
	const struct at_evaluation *evaluation = entry->evaluation;
	size_t place = self->candidates.baseline;
	bool is_baseline =
		place != AT_NO_CANDIDATE &&
		self->candidates.items[place].evaluation_id == evaluation->id;
	struct at_evaluation *copies[] = { is_best ? &shown->incumbent : NULL,
		is_baseline ? &shown->baseline : NULL };

	self->visit.progress.evaluated++;
	self->visit.progress.last_seconds =
		at_budget_elapsed(&self->visit.budget, at_visit_now_ns(&self->visit));
	if (!(self->visit.progress.first_seconds > 0))
		self->visit.progress.first_seconds = self->visit.progress.last_seconds;
	self->visit.progress.reused += entry->reused;
	self->visit.progress.audited += entry->was_pruned;
	self->visit.progress.by_outcome[evaluation->outcome]++;
	for (size_t i = 0; i < AT_COUNT_OF(copies); i++) {

		if (!copies[i])
			continue;
		at_evaluation_release(copies[i]);
		at_evaluation_copy(evaluation, copies[i]);
	}
	emit_entry(self, AT_EVENT_EVALUATION, NULL, entry);
	if (is_best)
		emit_entry(self, AT_EVENT_INCUMBENT, NULL, entry);
}

/* Updates the best and the baseline in events after a refusal or another change of the
   leader. A refused baseline is dropped: it is no basis for comparison. */
static enum at_status show_leader(struct tuning *self, struct at_error *err)
{
	const struct at_candidates *candidates = &self->candidates;
	int64_t best_id = candidates->best == AT_NO_CANDIDATE
				  ? 0
				  : candidates->items[candidates->best].evaluation_id;

	if (candidates->baseline == AT_NO_CANDIDATE)
		at_evaluation_release(&self->shown.baseline);
	if (self->shown.incumbent.id == best_id)
		return AT_OK;
	at_evaluation_release(&self->shown.incumbent);
	return best_id ? at_store_get(self->visit.store, best_id, false,
				 &self->shown.incumbent, err)
		       : AT_OK;
}

/* Reports when the tuning starts and stops waiting only for another run. */
static void tell_waiting(struct tuning *self)
{
	bool is_waiting = self->phase != PHASE_DONE && !at_journal_out(self->journal) &&
			  at_journal_pending(self->journal) > 0;
	char owner[64], text[160] = "";

	if (is_waiting == self->shown.is_waiting)
		return;
	self->shown.is_waiting = is_waiting;
	at_process_describe(at_journal_waits_for(self->journal), owner, sizeof(owner));
	if (is_waiting)
		snprintf(text, sizeof(text),
			"waiting for what another autotune is measuring%s%s",
			owner[0] ? ", " : "", owner);
	emit_text(self, AT_EVENT_STATE, text);
}

/* ---- the end -------------------------------------------------------------------- */

/* Ends the tuning: stops the evaluator and all phases, and queues done(). err is
   copied; NULL: no error. Further calls do nothing. */
static void end(struct tuning *self, const struct at_error *err)
{
	if (!at_visit_end(&self->visit, err))
		return;
	self->visit.found_winner =
		self->candidates.best != AT_NO_CANDIDATE && !self->fault[0];
	self->visit.was_cut = self->search.was_cut;
	self->phase = PHASE_DONE;
	at_journal_drop(self->journal);
	/* The current phase may be in a call: it must not begin more. */
	at_search_phase_end(&self->search);
	at_verification_phase_end(&self->verifying.phase);
	self->explanation.ended = true;
	self->counters.ended = true;
}

/* A share only has a record: the files are written from the merged records. */
static enum at_status write_files(
	struct tuning *self, char **header, struct at_error *err)
{
	const struct at_visit *visit = &self->visit;
	const struct at_result_options results = {
		.directory = visit->session->results,
		.with_unverified = visit->session->with_unverified,
	};

	if (header)
		*header = NULL;
	if (visit->session->share.count)
		return AT_OK;
	return at_result_write(visit->store, &results, visit->whole_spec,
		visit->device_id, header, err);
}

/* With a winner: writes the files, reports the summary and ends the tuning. */
static void finish(struct tuning *self)
{
	struct at_error err = { 0 };
	char *header = NULL;
	enum at_status status = write_files(self, &header, &err);
	const uint16_t *row = at_visit_row(&self->visit, self->winner.index);
	struct at_event event = {
		.kind = AT_EVENT_SUMMARY,
		.configuration = row,
		.evaluation = &self->winner.evaluation,
		.incumbent = &self->winner.evaluation,
		.incumbent_configuration = row,
		.best = &self->winner.best,
		.header_path = header,
	};

	if (!status)
		at_visit_emit(&self->visit, &event);
	free(header);
	end(self, status ? &err : NULL);
}

/* Records a configuration that missed the reference by this error. True: the previous
   one missed it alike. */
static bool misses_alike(struct doubt *doubt, double error, bool is_baseline)
{
	bool is_alike = doubt->alike && error > 0 &&
			fabs(error - doubt->error) <= ALIKE * doubt->error;

	if (!is_alike)
		doubt->error = error;
	doubt->alike = is_alike ? doubt->alike + 1 : 1;
	doubt->has_baseline = is_baseline || (is_alike && doubt->has_baseline);
	return is_alike;
}

/* Fills self->fault: configurations miss the reference alike; detail says how. */
static void blame_reference(struct tuning *self, unsigned alike, const char *detail)
{
	snprintf(self->fault, sizeof(self->fault),
		"%u configurations, the baseline among them, miss the reference alike: %.400s; the tolerance or the reference is at fault, or a mistake that all share: correct it, or search all the same with --keep-going",
		alike, detail);
}

/* Without a new winner: reports the summary and ends the tuning. text: why, if a
   recorded winner stands; else NULL. */
static void finish_unselected(struct tuning *self, const char *text)
{
	emit_text(self, AT_EVENT_SUMMARY, text);
	end(self, NULL);
}

static void evaluator_tells(void *context, enum at_notice_kind kind, const char *text)
{
	struct tuning *self = context;

	switch (kind) {
	case AT_NOTICE_NONE:
		break;
	case AT_NOTICE_NOTE:
	case AT_NOTICE_JUDGED:
		emit_text(self, AT_EVENT_NOTE, text);
		break;
	case AT_NOTICE_STATE:
		emit_text(self, AT_EVENT_STATE, text);
		break;
	case AT_NOTICE_STEP:
		/* if everything was recorded, the finals may begin before this
		   report */
		if (self->phase == PHASE_SEARCH)
			emit_text(self, AT_EVENT_PHASE, text);
		break;
	}
}

/* ---- opening -------------------------------------------------------------------- */

static enum at_status read_budget(struct tuning *self, struct at_error *err)
{
	struct at_evaluator *evaluator = self->visit.evaluator;
	const char *text = self->visit.session->budget;
	const char *place = NULL;
	uint64_t valid = at_search_space_count(self->visit.space);
	enum at_status status = AT_OK;

	if (!text) {
		text = self->visit.spec->search.budget;
		place = self->visit.spec->path;
	}
	if (text)
		status = at_budget_parse(text, &self->visit.budget.evaluations,
			&self->visit.budget.seconds, err);
	if (status && err && place)
		snprintf(err->file, sizeof(err->file), "%s", place);
	/* the smaller of two limits; 0: no limit */
	if (self->visit.budget.seconds <= 0 ||
		(self->visit.seconds > 0 &&
			self->visit.seconds < self->visit.budget.seconds))
		self->visit.budget.seconds = self->visit.seconds;
	self->visit.progress.target_evaluations = valid;
	if (self->visit.budget.evaluations && self->visit.budget.evaluations < valid)
		self->visit.progress.target_evaluations =
			self->visit.budget.evaluations;
	self->visit.progress.target_seconds = self->visit.budget.seconds;
	if (!status && evaluator->ops->hurry)
		evaluator->ops->hurry(
			evaluator, at_budget_setup_seconds(&self->visit.budget));
	return status;
}

static enum at_status open_strategy(struct tuning *self, struct at_error *err)
{
	const struct at_part *part = &self->visit.part;
	const char *text = self->visit.session->strategy;
	const struct at_strategy_kind *kind = NULL;
	uint64_t seed = self->visit.session->seed, own = 0;
	const char *options = NULL;
	enum at_status status;

	if (!text)
		text = self->visit.spec->search.strategy;
	status = at_strategy_find(text ? text : "auto", &kind, &options, err);
	if (status)
		return status;
	if (part->count <= 1)
		return kind->open(
			kind, self->visit.space, options, seed, &self->strategy, err);
	snprintf(self->part, sizeof(self->part), "%llu/%llu",
		(unsigned long long)part->index + 1, (unsigned long long)part->count);
	/* Parts of a space are often alike, so each searches with its own seed. */
	status = at_part_strategy_open(kind, self->visit.space, part, options,
		seed + part->index, &self->strategy, &own, err);
	/* the baseline is evaluated in every part */
	if (!status && own + 1 < self->visit.progress.target_evaluations)
		self->visit.progress.target_evaluations = own + 1;
	return status;
}

static enum at_status open_tuning(struct at_visit *visit, struct at_error *err)
{
	struct tuning *self = (struct tuning *)visit;
	size_t width = visit->spec->parameter_count + 1;
	uint16_t **buffers[] = { &self->shown.incumbent_row, &self->verifying.witness,
		&self->verifying.shared_witness };
	enum at_status status;

	for (size_t i = 0; i < AT_COUNT_OF(buffers); i++)
		*buffers[i] = at_calloc(width, sizeof(**buffers[i]));
	at_candidates_init(&self->candidates);
	self->recorded.index = AT_NO_CONFIGURATION;
	status = at_visit_check_energy(visit, err);
	if (!status)
		status = read_budget(self, err);
	if (!status)
		status = open_strategy(self, err);
	if (!status)
		status = at_store_get_ceilings(visit->store, visit->device_id,
			&self->shown.ceilings, &self->shown.has_ceilings, err);
	at_journal_new(visit, visit->session->fresh, &self->journal);
	visit->evaluator->tell = evaluator_tells;
	visit->evaluator->tell_context = self;
	return status;
}

/* ---- the hardware counters ---------------------------------------------------- */

/* About how long reading the counters of two configurations takes. */
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
	struct tuning *self = context;
	const struct at_evaluation *found = self->counters.evaluations;

	if (err) {
		end(self, err);
		return;
	}
	if (self->counters.reason[0])
		emit_text(self, AT_EVENT_NOTE, self->counters.reason);
	for (int i = 0; i < AT_COUNTED_COUNT; i++) {
		take_counters(&self->shown.baseline, &found[i]);
		take_counters(&self->winner.evaluation, &found[i]);
	}
	finish(self);
}

static bool has_counters(const struct at_evaluation *evaluation)
{
	return evaluation->counters && evaluation->counters[0];
}

/* Reads the hardware counters if there is time and the record lacks them; then the
   tuning ends. */
static void begin_counters(struct tuning *self)
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
		finish(self);
		return;
	}
	self->phase = PHASE_COUNTERS;
	emit_text(self, AT_EVENT_PHASE, "reading counters");
	if (at_counters_phase_begin(&self->counters, &phase, &err))
		end(self, &err);
}

/* ---- the explanation --------------------------------------------------------- */

static void explained(void *context, const struct at_error *err)
{
	struct tuning *self = context;
	struct at_winner *best = &self->winner.best;
	struct at_error problem = { 0 };
	char *gains;

	if (err) {
		end(self, err);
		return;
	}
	gains = at_explanation_phase_gains(&self->explanation);
	free(best->gains);
	best->gains = gains;
	if (at_store_set_gains(self->visit.store, best, gains, &problem))
		end(self, &problem);
	else
		begin_counters(self);
}

static void explanation_told(void *context, const struct at_entry *entry)
{
	emit_entry(context, AT_EVENT_EVALUATION, NULL, entry);
}

static double cost_of(const struct tuning *self, const struct at_score *score)
{
	return at_objective_cost(self->visit.objective, score->value);
}

/* The costs of baseline and winner. They come from the finals, where both were measured
   in the same rounds; if the recorded winner stands without finals, from their
   evaluations. */
static void find_ends(
	const struct tuning *self, double *baseline_cost, double *winner_cost)
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

static void begin_explanation(struct tuning *self)
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

	/* A part's winner may not win the whole space; merging the parts explains that
	   winner. */
	if (self->part[0]) {
		finish(self);
		return;
	}
	/* before the explanation, so that a kill loses only that */
	if (write_files(self, NULL, &err)) {
		end(self, &err);
		return;
	}
	if (self->candidates.baseline != AT_NO_CANDIDATE) {
		phase.baseline =
			self->candidates.items[self->candidates.baseline].index;
		find_ends(self, &phase.baseline_cost, &phase.winner_cost);
	}
	/* Both costs are necessary. Steps are measured by time, which does not explain
	   a gain in energy. */
	if (!(phase.baseline_cost > 0) || !(phase.winner_cost > 0) ||
		visit->objective->needs_energy) {
		begin_counters(self);
		return;
	}
	self->phase = PHASE_EXPLANATION;
	emit_text(self, AT_EVENT_PHASE, "explaining the gain");
	at_explanation_phase_begin(&self->explanation, &phase);
	at_explanation_phase_step(&self->explanation);
}

/* ---- the winner --------------------------------------------------------------- */

/* Whether the recorded winner was selected with the source that the evaluator
   compiles. */
static bool has_same_source(const struct tuning *self)
{
	return self->recorded.best.space &&
	       at_visit_has_same_source(&self->visit, &self->recorded.best);
}

/* The recorded winner's place among the candidates; AT_NO_CANDIDATE: it did not pass in
   this run. */
static size_t find_recorded_winner(const struct tuning *self)
{
	return self->recorded.best.space ? at_candidates_find(&self->candidates,
						   self->recorded.best.evaluation_id)
					 : AT_NO_CANDIDATE;
}

/* Whether the recorded winner is verified, by a version that records how. *left: the
   number of present cases of the space that each run lists, of recorded
   counterexamples, and of cases by coverage, that it lacks. */
static bool recorded_is_verified(const struct tuning *self, size_t *left)
{
	const struct at_winner *recorded = &self->recorded.best;
	struct at_verification verification;

	if (recorded->is_unverified ||
		!at_verification_from_json(recorded->verification, &verification))
		return false;
	*left = at_verification_phase_left(self->visit.evaluator, &verification);
	if (*left < verification.left)
		*left = verification.left;
	return true;
}

/* The sampled finalists that the winner met, as words (at_met_list()). Heap; "": there
   were no finals. */
static char *list_met(const struct tuning *self)
{
	size_t places[AT_FINALS_SIZE], count = 0;

	for (size_t i = 0; i < self->finals.count; i++)
		if (at_final_was_sampled(&self->finals.finalists[i].result))
			places[count++] = self->finals.finalists[i].place;
	return at_met_list(&self->candidates, places, count);
}

/* Records a winner and goes on to the explanation. final NULL: there were no finals;
   verification NULL: an interruption prevented it. */
static void put_winner(struct tuning *self, size_t place,
	const struct at_compiled_plan *plan, struct at_score score,
	const struct at_finals_gain *gain, const struct at_measure_result *final,
	const struct at_verification *verification)
{
	const struct at_visit *visit = &self->visit;
	const struct at_candidate *candidate = &self->candidates.items[place];
	char *met = list_met(self), *energy = at_finals_phase_energy(&self->finals);
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
		.energy = energy,
	};
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	at_winner_make(&facts, &self->winner.best);

	free(met);
	free(energy);
	self->winner.index = candidate->index;
	status = at_store_get(visit->store, candidate->evaluation_id, false,
		&self->winner.evaluation, &err);
	if (!status)
		/* newer than earlier winners of the problem, even if the clock was set
		   back */
		status = at_store_follow(visit->store, visit->device_id,
			self->winner.best.space, self->winner.best.problem, true,
			&self->winner.best.created_seconds, &err);
	if (!status)
		status = at_store_put_winner(visit->store, &self->winner.best, &err);
	if (status)
		end(self, &err);
	else if (self->interrupted)
		finish(self);
	else
		begin_explanation(self);
}

/* Scales a score to the board's speed at the time of the record. Energy has no pace. */
static struct at_score as_recorded(const struct tuning *self, struct at_score score)
{
	double pace = self->visit.objective->needs_energy ? 1 : self->candidates.pace;

	return (struct at_score){ score.value / pace, score.low / pace,
		score.high / pace };
}

/* Whether the recorded winner stands although --set excludes it from this run: it is
   faster by its recorded time, and must not lose without taking part. An unverified
   winner does not stand against a verified one. */
static bool outsider_is_faster(const struct tuning *self, struct at_score score)
{
	return self->visit.session->set_count > 0 && has_same_source(self) &&
	       !self->recorded.best.is_unverified &&
	       find_recorded_winner(self) == AT_NO_CANDIDATE &&
	       at_objective_better(self->visit.objective,
		       self->recorded.best.score.value, as_recorded(self, score).value);
}

/* Records a verified finalist as the winner, then explains it. */
static void select_finalist(struct tuning *self, const struct at_finalist *winner,
	const struct at_verification *verification)
{
	const struct at_candidate *candidate = &self->candidates.items[winner->place];
	const struct at_finals_gain gain = at_finals_phase_gain(&self->finals, winner);
	struct at_evaluation evaluation;
	struct at_error err = { 0 };

	if (!outsider_is_faster(self, winner->score)) {
		put_winner(self, winner->place, &winner->task->plan, winner->score,
			&gain, &winner->result, verification);
		return;
	}
	emit_text(self, AT_EVENT_NOTE,
		"the recorded winner, which --set leaves out, is faster and stays");
	if (at_store_get(self->visit.store, candidate->evaluation_id, false,
		    &evaluation, &err)) {
		end(self, &err);
		return;
	}
	emit_entry(self, AT_EVENT_SUMMARY, NULL,
		&(struct at_entry){ candidate->index,
			at_visit_row(&self->visit, candidate->index), &evaluation,
			candidate->reused, false });
	at_evaluation_release(&evaluation);
	end(self, NULL);
}

/* Keeps the recorded winner, which no new configuration came near, and updates the
   files. place: of the recorded winner among the candidates. */
static void keep_recorded_winner(struct tuning *self, size_t place)
{
	const struct at_winner *recorded = &self->recorded.best;
	struct at_error err = { 0 };

	self->winner.index = self->candidates.items[place].index;
	at_winner_copy(recorded, &self->winner.best);
	if (at_store_get(self->visit.store, recorded->evaluation_id, false,
		    &self->winner.evaluation, &err))
		end(self, &err);
	/* Its gain is explained only against its original baseline: --set may give this
	   run another one. */
	else if ((!recorded->gains || !recorded->gains[0]) &&
		 recorded->baseline_id == self->shown.baseline.id)
		begin_explanation(self);
	/* no counters: if they cannot be read, each run would try again */
	else
		finish(self);
}

/* Whether the finals chose the recorded winner again, from the same source, and its
   verification stands. With keeps_winner it then keeps its row and its times, so that
   headers do not follow noise. */
static bool won_again(const struct tuning *self, const struct at_finalist *winner)
{
	const struct at_visit *visit = &self->visit;
	size_t left;

	return visit->session->keeps_winner && !visit->session->fresh &&
	       winner->place == find_recorded_winner(self) &&
	       !at_winner_is_undecided(&self->recorded.best) && has_same_source(self) &&
	       recorded_is_verified(self, &left) && !left;
}

/* Keeps that winner, and records when it stood, and against which finalists. */
static void confirm_recorded_winner(struct tuning *self, size_t place)
{
	char *met = list_met(self);
	struct at_error err = { 0 };
	enum at_status status = at_store_set_stood(self->visit.store,
		&self->recorded.best, at_clock_wall_seconds(), met, &err);

	free(met);
	if (status)
		end(self, &err);
	else
		keep_recorded_winner(self, place);
}

/* After an interruption: selects the best so far without finals and verification. A
   verified recorded winner stays, whatever its time: a slow header is better than a
   wrong one. */
static void select_best(struct tuning *self)
{
	const struct at_objective *objective = self->visit.objective;
	size_t place = self->candidates.best;
	struct at_finals_gain gain = { AT_SCORE_UNKNOWN, AT_SCORE_UNKNOWN };
	struct at_task *task;
	struct at_score score, compared;
	struct at_error err = { 0 };

	if (place == AT_NO_CANDIDATE) {
		finish_unselected(self, NULL);
		return;
	}
	if (objective->needs_energy) {
		finish_unselected(self,
			"interrupted ahead of the end of the confirmation: times alone choose no winner by energy; the next run goes on");
		return;
	}
	score = self->candidates.items[place].score;
	compared =
		self->candidates.items[place].is_old ? score : as_recorded(self, score);
	if (self->recorded.best.space && !self->recorded.best.is_unverified) {
		finish_unselected(self,
			"interrupted: the recorded winner stands; what is new has to be verified before it replaces it");
		return;
	}
	/* Of two unverified winners the better one is kept, if their times are
	   comparable. */
	if (has_same_source(self) && !at_objective_clearly_better(objective, compared,
					     self->recorded.best.score)) {
		finish_unselected(self,
			"interrupted: the recorded winner, which is not verified either, stands");
		return;
	}
	if (self->candidates.baseline != AT_NO_CANDIDATE)
		gain.speedup.value = at_objective_gain(objective,
			at_candidates_value(
				&self->candidates, self->candidates.baseline),
			at_candidates_value(&self->candidates, place));
	if (at_visit_plan(
		    &self->visit, self->candidates.items[place].index, &task, &err)) {
		end(self, &err);
		return;
	}
	put_winner(self, place, &task->plan, score, &gain, NULL, NULL);
	at_task_free(task);
}

/* ---- the verification of the winner ---------------------------------------- */

/* Verifies the finals' winner, or begins new finals. */
static void choose(struct tuning *self);
static at_verification_ended sanitized, verified;

/* Records that a candidate is wrong. tells: also emit a note. */
static enum at_status refuse(struct tuning *self, size_t place, enum at_outcome outcome,
	const char *detail, bool tells, struct at_error *err)
{
	const struct at_candidate *candidate = &self->candidates.items[place];
	struct at_evaluation evaluation;
	struct at_strbuf text = { 0 };
	enum at_status status = at_journal_refuse(self->journal,
		candidate->evaluation_id, outcome, detail, &evaluation, err);

	if (status)
		return status;
	self->visit.progress.by_outcome[AT_OUTCOME_OK]--;
	self->visit.progress.by_outcome[outcome]++;
	at_configuration_format(
		self->visit.spec, at_visit_row(&self->visit, candidate->index), &text);
	at_strbuf_addf(&text, ": %s", detail);
	if (tells)
		emit_entry(self, AT_EVENT_NOTE, at_strbuf_text(&text),
			&(struct at_entry){ candidate->index,
				at_visit_row(&self->visit, candidate->index),
				&evaluation, false, false });
	at_evaluation_release(&evaluation);
	at_strbuf_release(&text);
	return AT_OK;
}

/*
 * The configuration that must pass a check for the winner's failure to count: the
 * defaults, or without them the slowest other one that is correct so far. Skipping work
 * is fast, so the slowest is the least likely to share the winner's mistake. NULL:
 * none exists.
 *
 * shared: require shared memory. Without it, racecheck cannot report its false
 * positives about warps in lockstep or unknown barriers. The slowest configuration
 * often has none, so its pass would prove nothing. The defaults count anyway: their
 * author says that the template is right, and what CUDA leaves undefined is not.
 */
static const uint16_t *find_witness(
	struct tuning *self, size_t winner, bool shared, uint16_t *row)
{
	const struct at_spec *spec = self->visit.spec;
	const struct at_candidates *candidates = &self->candidates;
	size_t slowest = AT_NO_CANDIDATE;

	if (spec->has_defaults)
		return spec->defaults;
	for (size_t i = 0; i < candidates->count; i++) {
		const struct at_candidate *one = &candidates->items[i];

		if (one->refused || (shared && !one->has_shared) ||
			one->index == candidates->items[winner].index)
			continue;
		if (slowest == AT_NO_CANDIDATE ||
			at_objective_better(&at_objective_time,
				candidates->items[slowest].score.value,
				one->score.value))
			slowest = i;
	}
	if (slowest == AT_NO_CANDIDATE)
		return NULL;
	at_search_space_get(self->visit.space, candidates->items[slowest].index, row);
	return row;
}

/* The verification of the recorded winner; NULL: none is recorded. */
static const struct at_verification *find_before(
	const struct tuning *self, size_t place, struct at_verification *before)
{
	const struct at_winner *recorded = &self->recorded.best;

	return place == find_recorded_winner(self) && !recorded->is_unverified &&
			       has_same_source(self) &&
			       at_verification_from_json(recorded->verification, before)
		       ? before
		       : NULL;
}

/* Verifies a candidate: the winner by all cases and checks, another finalist only by
   sanitizers. */
static void verify(struct tuning *self, size_t place, at_verification_ended *ended)
{
	struct at_verification before;
	const bool sanitizers_only = ended == sanitized;
	const struct at_verification_phase_options phase = {
		.visit = &self->visit,
		.configuration =
			at_visit_row(&self->visit, self->candidates.items[place].index),
		.witness = find_witness(self, place, false, self->verifying.witness),
		.shared_witness =
			find_witness(self, place, true, self->verifying.shared_witness),
		.seconds = at_visit_case_seconds(&self->visit),
		.failed_case = self->verifying.phase.failed_case,
		.before = find_before(self, place, &before),
		.check_seconds = at_visit_check_seconds(&self->visit),
		.covers = true,
		.sanitizers_only = sanitizers_only,
		.ended = ended,
		.context = self,
	};

	self->phase = PHASE_VERIFICATION;
	emit_text(self, AT_EVENT_PHASE,
		sanitizers_only ? "checking the finalists" : "verifying the winner");
	at_verification_phase_begin(&self->verifying.phase, &phase);
}

/* The winner is verified. With --sanitize the other finalists follow, one by one, so
   that the record has their results, too; they do not change the winner. */
static void sanitize_next(struct tuning *self)
{
	for (; self->visit.session->sanitize == AT_SANITIZE_FINALISTS &&
		self->verifying.next_sanitized < self->finals.count;
		self->verifying.next_sanitized++) {
		struct at_finalist *finalist =
			&self->finals.finalists[self->verifying.next_sanitized];

		/* only finalists that are still correct, and that the verification did
		   not sanitize */
		if (finalist == self->verifying.winner || finalist->refused ||
			finalist->result.outcome != AT_OUTCOME_OK)
			continue;
		verify(self, finalist->place, sanitized);
		return;
	}
	select_finalist(self, self->verifying.winner, &self->verifying.verification);
}

static void sanitized(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *err)
{
	struct tuning *self = context;
	struct at_error problem = { 0 };
	struct at_finalist *finalist;

	(void)verification;
	if (err) {
		end(self, err);
		return;
	}
	finalist = &self->finals.finalists[self->verifying.next_sanitized++];
	if (outcome != AT_OUTCOME_OK) {
		if (refuse(self, finalist->place, outcome, detail, true, &problem)) {
			end(self, &problem);
			return;
		}
		at_finals_phase_refuse(&self->finals, finalist);
		if (show_leader(self, &problem)) {
			end(self, &problem);
			return;
		}
	}
	sanitize_next(self);
}

/* Ends the tuning: the baseline misses the reference as the winner does. Both are
   recorded and reported in one line. */
static void end_in_doubt(struct tuning *self)
{
	const size_t places[] = { at_finals_phase_choose(&self->finals)->place,
		self->candidates.baseline };
	struct at_error err = { 0 };

	for (size_t i = 0; i < AT_COUNT_OF(places); i++) {
		if (self->candidates.items[places[i]].refused ||
			(i > 0 && places[i] == places[0]))
			continue;
		if (refuse(self, places[i], AT_OUTCOME_WRONG_RESULT,
			    self->verifying.detail, false, &err)) {
			end(self, &err);
			return;
		}
	}
	blame_reference(self, self->verifying.doubt.alike, self->verifying.detail);
	/* there is no winner to show */
	at_evaluation_release(&self->shown.incumbent);
	finish_unselected(self, self->fault);
}

static void refuse_winner(struct tuning *self, enum at_outcome outcome)
{
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);
	struct at_error problem = { 0 };

	if (refuse(self, winner->place, outcome, self->verifying.detail, true,
		    &problem)) {
		end(self, &problem);
		return;
	}
	at_finals_phase_refuse(&self->finals, winner);
	if (show_leader(self, &problem))
		end(self, &problem);
	else
		choose(self);
}

static void baseline_answered(void *context,
	const struct at_verification_answer *answer, const struct at_error *err)
{
	struct tuning *self = context;
	struct doubt *doubt = &self->verifying.doubt;

	if (self->visit.is_over || self->interrupted)
		return;
	if (err) {
		end(self, err);
	} else if (answer->outcome == AT_OUTCOME_WRONG_RESULT &&
		   misses_alike(doubt, answer->error, true)) {
		end_in_doubt(self);
	} else {
		doubt->is_settled = true;
		refuse_winner(self, AT_OUTCOME_WRONG_RESULT);
	}
}

/* The winner is wrong on a case. If the baseline is wrong in the same way, the
   reference or the tolerance is at fault, and refusals would go through all candidates.
   True: the baseline is being verified, or the tuning has ended. */
static bool doubts(struct tuning *self, size_t winner)
{
	struct at_evaluator *evaluator = self->visit.evaluator;
	struct doubt *doubt = &self->verifying.doubt;
	const size_t verification_case =
		at_verification_phase_case(&self->verifying.phase);
	const size_t baseline = self->candidates.baseline;
	struct at_error err = { 0 };

	if (!(self->verifying.phase.error > 0) || self->visit.session->keeps_going)
		return false;
	if (doubt->verification_case != verification_case)
		*doubt = (struct doubt){ .verification_case = verification_case };
	if (misses_alike(doubt, self->verifying.phase.error, winner == baseline) &&
		doubt->has_baseline) {
		end_in_doubt(self);
		return true;
	}
	if (doubt->is_settled || doubt->has_baseline || baseline == AT_NO_CANDIDATE ||
		self->candidates.items[baseline].refused)
		return false;
	if (evaluator->ops->verify(evaluator,
		    at_visit_row(&self->visit, self->candidates.items[baseline].index),
		    verification_case, 0, baseline_answered, self, &err))
		end(self, &err);
	return true;
}

static void verified(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *err)
{
	struct tuning *self = context;
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);

	if (err) {
		end(self, err);
	} else if (outcome == AT_OUTCOME_OK) {
		self->verifying.winner = winner;
		self->verifying.verification = *verification;
		self->verifying.next_sanitized = 0;
		sanitize_next(self);
	} else {
		snprintf(self->verifying.detail, sizeof(self->verifying.detail), "%s",
			detail);
		if (outcome != AT_OUTCOME_WRONG_RESULT || !doubts(self, winner->place))
			refuse_winner(self, outcome);
	}
}

/* After an interruption of the verification: selects the winner if it is verified, with
   only checks or other finalists' sanitizers missing. False: it is not verified. */
static bool select_if_verified(struct tuning *self)
{
	struct verifying *verifying = &self->verifying;
	const struct at_finalist *winner = verifying->winner;

	/* A winner that passed all cases counts as verified without its checks. */
	if (!winner && at_verification_phase_passed(
			       &verifying->phase, &verifying->verification))
		winner = at_finals_phase_choose(&self->finals);
	if (winner)
		select_finalist(self, winner, &verifying->verification);
	return winner != NULL;
}

/* ---- finals ----------------------------------------------------------------- */

static void begin_finals(struct tuning *self);

/* Whether the recorded winner's finals still hold: it is decided, verified (maybe with
   cases left), from this source and this part of the space, and was not refused
   since. */
static bool recorded_winner_is_decided(const struct tuning *self, size_t recorded)
{
	const struct at_winner *best = &self->recorded.best;

	return recorded != AT_NO_CANDIDATE &&
	       !self->candidates.items[recorded].refused && has_same_source(self) &&
	       !self->visit.session->fresh && !strcmp(best->part, self->part) &&
	       !at_winner_is_undecided(best) && !best->is_unverified;
}

/* Verifies the winner of the finals. If no finalist may win, begins new finals with the
   remaining candidates. Undecided finals do not replace a decided winner. */
static void choose(struct tuning *self)
{
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);
	size_t recorded = find_recorded_winner(self);
	struct at_error err = { 0 };

	if (self->finals.is_undecided && recorded_winner_is_decided(self, recorded)) {
		emit_text(self, AT_EVENT_NOTE,
			"the budget ended the confirmation undecided: the recorded winner stands, and the next run repeats the confirmation");
		keep_recorded_winner(self, recorded);
		return;
	}
	if (!winner) {
		at_finals_phase_refuse_failed(&self->finals);
		at_finals_phase_end(&self->finals);
		if (show_leader(self, &err))
			end(self, &err);
		else
			begin_finals(self);
		return;
	}
	if (self->finals.is_undecided)
		emit_text(self, AT_EVENT_NOTE,
			"the budget ended the confirmation undecided: the next run repeats it; a longer --budget or an idle machine decides it");
	if (won_again(self, winner))
		confirm_recorded_winner(self, winner->place);
	else
		verify(self, winner->place, verified);
}

/* A finalist that was correct in the search may fail in the finals, which verify every
   round; that is recorded and reported. If the device was lost, the cause is unknown
   and nothing is recorded. */
static enum at_status record_failed_finals(struct tuning *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->finals.count && !status; i++) {
		const struct at_finalist *finalist = &self->finals.finalists[i];
		const struct at_measure_result *result = &finalist->result;

		if (!result->device_lost && result->outcome != AT_OUTCOME_OK &&
			result->outcome != AT_OUTCOME_NONE)
			status = refuse(self, finalist->place, result->outcome,
				result->detail, true, err);
	}
	return status;
}

static void finals_ended(void *context, const struct at_error *err)
{
	struct tuning *self = context;
	struct at_budget *budget = &self->visit.budget;
	const uint64_t took_ns = at_visit_now_ns(&self->visit) - self->finals.begun_ns;
	const uint64_t share_ns = (uint64_t)(at_budget_finals_seconds(budget) * 1e9);
	struct at_error problem = { 0 };

	/* energy windows take minutes in addition to the budget: the later phases keep
	   their time */
	if (self->visit.objective->needs_energy && budget->seconds > 0 &&
		took_ns > share_ns) {
		budget->seconds += (double)(took_ns - share_ns) * 1e-9;
		self->visit.progress.target_seconds = budget->seconds;
	}
	if (err)
		end(self, err);
	else if (record_failed_finals(self, &problem))
		end(self, &problem);
	else
		choose(self);
}

/*
 * Whether the recorded winner stands without new finals: no candidate could replace it,
 * and measuring again would only add noise to the files. A candidate that it met in its
 * finals counts as beaten. All others could replace it, however old: imported
 * evaluations, those of a concurrent run, those that moved up after refusals. The
 * winner needs new finals if it was not verified, or verified by an older version. It
 * also needs them if it won only a part of the space, where it did not meet all
 * candidates, or if the budget ended its finals undecided. *left: the cases that its
 * verification lacks.
 */
static bool recorded_winner_stands(
	const struct tuning *self, size_t recorded, size_t *left)
{
	const struct at_candidates *candidates = &self->candidates;
	const char *met = self->recorded.best.met;
	size_t places[AT_PODIUM_MOST];
	size_t count = at_finals_choose(candidates, self->visit.objective, places);

	if (!recorded_winner_is_decided(self, recorded) ||
		!recorded_is_verified(self, left))
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

/* The recorded winner, which stands, is verified on cases that earlier runs had no time
   for. If it fails, there are new finals, and the case counts then. */
static void verified_further(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *err)
{
	struct tuning *self = context;
	struct at_winner *recorded = &self->recorded.best;
	struct at_error problem = { 0 };

	(void)detail;
	if (err) {
		end(self, err);
		return;
	}
	if (outcome != AT_OUTCOME_OK) {
		self->verifying.has_failed_recorded = true;
		begin_finals(self);
		return;
	}
	free(recorded->verification);
	recorded->verification = at_verification_to_json(verification);
	if (at_store_set_verification(
		    self->visit.store, recorded, recorded->verification, &problem))
		end(self, &problem);
	else
		keep_recorded_winner(self, find_recorded_winner(self));
}

/* Reports the minimum duration of the energy windows, in addition to the budget. Each
   look has another window for what precedes the launches; the second look has two
   finalists or more. */
static void tell_energy(struct tuning *self, size_t count)
{
	const uint32_t first = at_standings_blocks(0);
	const uint32_t second = at_standings_blocks(1) - first;
	const double windows =
		(double)(count + 2) * first * (AT_ENERGY_SECONDS_FIRST + 1) +
		3.0 * second * (AT_ENERGY_SECONDS + 1);
	const double seconds = windows + AT_ENERGY_WARM_SECONDS * (first + second);
	char text[200];

	snprintf(text, sizeof(text),
		"the %s of %zu configurations within %.0f %% of the best time is measured now, for %.0f min or more beside the budget",
		self->visit.objective->name, count,
		100 * (self->visit.objective->reach - 1), ceil(seconds / 60));
	emit_text(self, AT_EVENT_NOTE, text);
}

static void begin_finals(struct tuning *self)
{
	size_t recorded = find_recorded_winner(self);
	const struct at_finals_phase_options phase = {
		.visit = &self->visit,
		.candidates = &self->candidates,
		/* No header has an unverified winner, so a tie need not prefer it. */
		.recorded_winner = self->recorded.best.is_unverified
					   ? AT_NO_CONFIGURATION
					   : self->recorded.index,
		.is_repeated = recorded != AT_NO_CANDIDATE &&
			       at_winner_is_undecided(&self->recorded.best),
		.ended = finals_ended,
		.context = self,
	};
	const struct at_candidates *candidates = &self->candidates;
	size_t places[AT_PODIUM_MOST], count, left;
	struct at_error err = { 0 };

	if (candidates->best == AT_NO_CANDIDATE) {
		finish_unselected(self, NULL);
		return;
	}
	/* finalists that racing would have dropped by mistake */
	self->visit.progress.audited_finalists = 0;
	count = at_finals_choose(candidates, self->visit.objective, places);
	for (size_t i = 0; i < count; i++)
		self->visit.progress.audited_finalists +=
			candidates->items[places[i]].was_pruned;
	if (!self->verifying.has_failed_recorded &&
		recorded_winner_stands(self, recorded, &left) &&
		(!left || self->visit.session->sanitize != AT_SANITIZE_FINALISTS)) {
		if (left)
			verify(self, recorded, verified_further);
		else
			keep_recorded_winner(self, recorded);
		return;
	}
	if (phase.is_repeated)
		emit_text(self, AT_EVENT_NOTE,
			"an earlier budget ended the confirmation undecided: it is repeated");
	if (self->visit.objective->needs_energy)
		tell_energy(self, count);
	self->phase = PHASE_FINALS;
	emit_text(self, AT_EVENT_PHASE, "finals");
	if (at_finals_phase_begin(&self->finals, &phase, &err))
		end(self, &err);
}

/* ---- the search -------------------------------------------------------------- */

/* Ends the tuning: with a wrong baseline or reference, no result means anything. */
static void end_with_baseline(void *context)
{
	struct tuning *self = context;
	struct at_evaluator *evaluator = self->visit.evaluator;

	if (self->phase != PHASE_SEARCH || self->interrupted)
		return;
	evaluator->ops->stop(evaluator);
	at_journal_drop(self->journal);
	at_search_phase_end(&self->search);
	finish_unselected(self, self->fault);
}

/* Whether the kernel computed something other than the reference, or cannot have
   computed what the space declares. A baseline that cannot be compiled or launched may
   be for another device. */
static bool is_fault(enum at_outcome outcome)
{
	return outcome == AT_OUTCOME_WRONG_RESULT || outcome == AT_OUTCOME_UNSTABLE ||
	       outcome == AT_OUTCOME_OUT_OF_BOUNDS || outcome == AT_OUTCOME_CRASHED ||
	       outcome == AT_OUTCOME_TOO_FAST;
}

/* Ends the tuning of a wrong baseline, after another configuration showed whether
   baseline or reference is at fault. A configuration that was not launched shows
   nothing. */
static void look_at_baseline(struct tuning *self, const struct at_entry *entry)
{
	const struct at_evaluation *evaluation = entry->evaluation;
	struct at_evaluator *evaluator = self->visit.evaluator;
	struct doubt *doubt = &self->doubt;
	const bool is_baseline = entry->index == self->search.options.baseline;
	const bool is_first = !doubt->alike;
	const char *name = at_spec_is_single(self->visit.spec)
				   ? "the only configuration"
				   : "the baseline";

	if (self->visit.session->keeps_going || (doubt->is_settled && !is_baseline))
		return;
	if (is_baseline && is_fault(evaluation->outcome)) {
		if (evaluation->outcome == AT_OUTCOME_TOO_FAST)
			snprintf(self->fault, sizeof(self->fault),
				"%.150s: %s cannot be so fast: %.400s; or search all the same with --keep-going",
				self->visit.spec->path, name, evaluation->detail);
		else
			snprintf(self->fault, sizeof(self->fault),
				"%s is wrong (%s): %.300s; check the reference, the launch, the arguments and the tolerances of the space, or search all the same with --keep-going",
				name, at_outcome_name(evaluation->outcome),
				evaluation->detail);
	}
	if (evaluation->outcome == AT_OUTCOME_WRONG_RESULT &&
		evaluation->max_relative_error > 0)
		doubt->is_settled |=
			!misses_alike(
				doubt, evaluation->max_relative_error, is_baseline) &&
			!is_first;
	else if (is_baseline || is_fault(evaluation->outcome) ||
		 evaluation->outcome == AT_OUTCOME_OK ||
		 evaluation->outcome == AT_OUTCOME_TIMED_OUT)
		doubt->is_settled = true;
	if (!doubt->is_settled && doubt->alike > 1 && doubt->has_baseline) {
		doubt->is_settled = true;
		blame_reference(self, doubt->alike, evaluation->detail);
	}
	if (!self->fault[0] || !doubt->is_settled)
		return;
	evaluator->ops->later(evaluator, end_with_baseline, self);
}

static void search_told(void *context, const struct at_entry *entry, bool is_best)
{
	struct tuning *self = context;

	show(self, entry, is_best);
	look_at_baseline(self, entry);
}

static void search_ended(void *context, const struct at_error *err)
{
	struct tuning *self = context;

	if (err)
		end(self, err);
	else if (self->fault[0])
		finish_unselected(self, self->fault);
	else
		begin_finals(self);
}

static void search_leader_changed(void *context)
{
	struct tuning *self = context;
	struct at_error err = { 0 };

	if (show_leader(self, &err))
		end(self, &err);
}

/* Finds the seeds that this problem's space has. */
static void find_seeds(struct tuning *self)
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
	emit_text(self, AT_EVENT_NOTE, text);
}

static void begin_search(struct at_visit *visit)
{
	struct tuning *self = (struct tuning *)visit;
	struct at_search_phase_options phase = {
		.visit = visit,
		.journal = self->journal,
		.strategy = self->strategy,
		.candidates = &self->candidates,
		.told = search_told,
		.leader_changed = search_leader_changed,
		.ended = search_ended,
		.context = self,
	};
	struct at_error err = { 0 };

	emit_text(self, AT_EVENT_BEGIN, NULL);
	phase.baseline = at_visit_baseline(visit);
	if (visit->spec->has_defaults && phase.baseline == AT_NO_CONFIGURATION)
		emit_text(self, AT_EVENT_NOTE,
			"the defaults do not satisfy the constraints here: there is no baseline");
	if (at_visit_find_winner(
		    visit, &self->recorded.best, NULL, &self->recorded.index, &err)) {
		end(self, &err);
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

static void poke(struct at_visit *visit)
{
	struct tuning *self = (struct tuning *)visit;

	at_journal_poll(self->journal);
	tell_waiting(self);
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

static void interrupt(struct at_visit *visit)
{
	struct tuning *self = (struct tuning *)visit;
	enum phase phase = self->phase;

	if (phase == PHASE_DONE || self->interrupted)
		return;
	self->interrupted = true;
	visit->evaluator->ops->stop(visit->evaluator);
	at_journal_drop(self->journal);
	at_search_phase_end(&self->search);
	at_verification_phase_end(&self->verifying.phase);
	if (self->fault[0])
		finish_unselected(self, self->fault);
	/* the winner is selected; the next run can explain it */
	else if (phase == PHASE_EXPLANATION || phase == PHASE_COUNTERS)
		finish(self);
	else if (phase != PHASE_VERIFICATION || !select_if_verified(self))
		select_best(self);
}

static void release(struct at_visit *visit)
{
	struct tuning *self = (struct tuning *)visit;

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
	at_evaluation_release(&self->shown.incumbent);
	at_evaluation_release(&self->shown.baseline);
	at_record_ceilings_release(&self->shown.ceilings);
	free(self->shown.incumbent_row);
}

const struct at_visit_kind at_tuning_kind = {
	.size = sizeof(struct tuning),
	.is_search = true,
	.tells_progress = true,
	.open = open_tuning,
	.begin = begin_search,
	.interrupt = interrupt,
	.poke = poke,
	.complete = complete,
	.release = release,
};
