/* Verifies the winner of the finals, or refuses it; with --sanitize the other finalists
   follow. tuning.c begins this; a verified winner goes on to tuning_winner.c. */
#include "session/tuning_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void sanitized(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *err);
static void verified(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *err);

/* Records that a candidate is wrong. tells: prints a note about it, too. */
static enum at_status refuse(struct at_tuning *self, size_t place,
	enum at_outcome outcome, const char *detail, bool tells, struct at_error *err)
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
		tuning_emit_entry(self, AT_EVENT_NOTE, at_strbuf_text(&text),
			&(struct at_entry){ candidate->index,
				at_visit_row(&self->visit, candidate->index),
				&evaluation, false, false });
	at_evaluation_release(&evaluation);
	at_strbuf_release(&text);
	return AT_OK;
}

enum at_status tuning_refuse(struct at_tuning *self, size_t place,
	enum at_outcome outcome, const char *detail, struct at_error *err)
{
	return refuse(self, place, outcome, detail, true, err);
}

static void verification_passed_over(void *context, const char *text)
{
	tuning_emit_text(context, AT_EVENT_NOTE, text);
}

/*
 * The configuration that must pass a check for the winner's failure to count: the
 * defaults, or without them the slowest other one that is right so far. What leaves out
 * work is fast, so the slowest is the last to share the winner's mistake. NULL: none
 * exists.
 *
 * shared: only one that uses shared memory. What racecheck says of warps that run in
 * step, or of barriers that it does not know, it cannot say of a kernel without any, so
 * that the slowest configuration, which often has none, would vouch for nothing. The
 * defaults count all the same: their author says that the template is right, and what
 * CUDA leaves undefined is not.
 */
static const uint16_t *find_witness(
	struct at_tuning *self, size_t winner, bool shared, uint16_t *row)
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
			at_objective_better(candidates->objective,
				candidates->items[slowest].score.value,
				one->score.value))
			slowest = i;
	}
	if (slowest == AT_NO_CANDIDATE)
		return NULL;
	at_search_space_get(self->visit.space, candidates->items[slowest].index, row);
	return row;
}

bool tuning_is_verified(const struct at_tuning *self)
{
	const struct at_winner *recorded = &self->recorded.best;
	struct at_verification verification;

	return at_verification_stands(recorded) &&
	       at_verification_from_json(recorded->verification, &verification) &&
	       !at_verification_phase_left(self->visit.evaluator, &verification);
}

/* The verification of the recorded winner; NULL where nothing is recorded. */
static const struct at_verification *find_before(
	const struct at_tuning *self, size_t place, struct at_verification *before)
{
	const struct at_winner *recorded = &self->recorded.best;

	return place == tuning_find_recorded_winner(self) && !recorded->is_unverified &&
			       tuning_has_same_source(self) &&
			       at_verification_from_json(recorded->verification, before)
		       ? before
		       : NULL;
}

/* Verifies a finalist: the winner by all cases and checks, another only by sanitizers.
 */
static void verify(struct at_tuning *self, const struct at_finalist *finalist,
	bool sanitizers_only)
{
	struct at_verification before;
	const struct at_verification_phase_options phase = {
		.visit = &self->visit,
		.configuration = at_visit_row(
			&self->visit, self->candidates.items[finalist->place].index),
		.witness = find_witness(
			self, finalist->place, false, self->verifying.witness),
		.shared_witness = find_witness(
			self, finalist->place, true, self->verifying.shared_witness),
		.seconds = at_visit_case_seconds(&self->visit),
		.before = find_before(self, finalist->place, &before),
		.check_seconds = at_visit_check_seconds(&self->visit),
		.covers = true,
		.sanitizers_only = sanitizers_only,
		.passed_over = verification_passed_over,
		.ended = sanitizers_only ? sanitized : verified,
		.context = self,
	};
	struct at_error err = { 0 };

	self->phase = PHASE_VERIFICATION;
	tuning_emit_text(self, AT_EVENT_PHASE,
		sanitizers_only ? "checking the finalists" : "verifying the winner");
	if (at_verification_phase_begin(&self->verifying.phase, &phase, &err))
		tuning_end(self, &err);
}

/*
 * The winner is verified. With --sanitize the other finalists follow, one by one, so
 * that the record has their results as well; they do not change the winner.
 */
static void sanitize_next(struct at_tuning *self)
{
	for (; self->visit.session->sanitize == AT_SANITIZE_PODIUM &&
		self->verifying.next_sanitized < self->finals.count;
		self->verifying.next_sanitized++) {
		struct at_finalist *finalist =
			&self->finals.finalists[self->verifying.next_sanitized];

		/* only finalists that are still right, and were not sanitized in the
		   verification */
		if (finalist == self->verifying.winner || finalist->refused ||
			finalist->result.outcome != AT_OUTCOME_OK)
			continue;
		verify(self, finalist, true);
		return;
	}
	tuning_winner_finalist(
		self, self->verifying.winner, &self->verifying.verification);
}

static void sanitized(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_error problem = { 0 };
	struct at_finalist *finalist;

	(void)verification;
	if (err) {
		tuning_end(self, err);
		return;
	}
	finalist = &self->finals.finalists[self->verifying.next_sanitized++];
	if (outcome != AT_OUTCOME_OK) {
		if (tuning_refuse(self, finalist->place, outcome, detail, &problem)) {
			tuning_end(self, &problem);
			return;
		}
		at_finals_phase_refuse(&self->finals, finalist);
		if (tuning_show_leader(self, &problem)) {
			tuning_end(self, &problem);
			return;
		}
	}
	sanitize_next(self);
}

/* Ends the tuning: the baseline misses the reference as the winner does. The record has
   both; one line says it once. */
static void end_in_doubt(struct at_tuning *self)
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
			tuning_end(self, &err);
			return;
		}
	}
	tuning_blame_reference(
		self, self->verifying.doubt.alike, self->verifying.detail);
	/* there is no winner to be shown */
	at_evaluation_release(&self->shown.incumbent);
	tuning_finish_unselected(self, self->fault);
}

static void refuse_winner(struct at_tuning *self, enum at_outcome outcome)
{
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);
	struct at_error problem = { 0 };

	if (tuning_refuse(
		    self, winner->place, outcome, self->verifying.detail, &problem)) {
		tuning_end(self, &problem);
		return;
	}
	at_finals_phase_refuse(&self->finals, winner);
	if (tuning_show_leader(self, &problem))
		tuning_end(self, &problem);
	else
		self->verifying.refused(self);
}

static void baseline_answered(void *context,
	const struct at_verification_answer *answer, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct doubt *doubt = &self->verifying.doubt;

	if (self->visit.is_over || self->interrupted)
		return;
	if (err) {
		tuning_end(self, err);
	} else if (answer->outcome == AT_OUTCOME_WRONG_RESULT &&
		   tuning_doubts(doubt, answer->error, true)) {
		end_in_doubt(self);
	} else {
		doubt->is_settled = true;
		refuse_winner(self, AT_OUTCOME_WRONG_RESULT);
	}
}

/*
 * The winner is wrong on a case. If the baseline is wrong there in the same way, the
 * reference or the tolerance is at fault, and all that is right elsewhere would be
 * refused one by one. True: the baseline is asked, or the tuning has ended.
 */
static bool doubts(struct at_tuning *self, size_t winner)
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
	if (tuning_doubts(doubt, self->verifying.phase.error, winner == baseline) &&
		doubt->has_baseline) {
		end_in_doubt(self);
		return true;
	}
	if (doubt->is_settled || doubt->has_baseline || baseline == AT_NO_CANDIDATE ||
		self->candidates.items[baseline].refused)
		return false;
	if (evaluator->ops->verify(evaluator,
		    at_visit_row(&self->visit, self->candidates.items[baseline].index),
		    verification_case, baseline_answered, self, &err))
		tuning_end(self, &err);
	return true;
}

static void verified(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *err)
{
	struct at_tuning *self = context;
	struct at_finalist *winner = at_finals_phase_choose(&self->finals);

	if (err) {
		tuning_end(self, err);
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

void tuning_verify(struct at_tuning *self, const struct at_finalist *winner,
	void (*refused)(struct at_tuning *self))
{
	self->verifying.refused = refused;
	verify(self, winner, false);
}

bool tuning_winner_if_verified(struct at_tuning *self)
{
	struct verifying *verifying = &self->verifying;
	const struct at_finalist *winner = verifying->winner;

	/* Without a verified winner there is still one if it passed all cases, and only
	   its checks were left. */
	if (!winner && at_verification_phase_passed(
			       &verifying->phase, &verifying->verification))
		winner = at_finals_phase_choose(&self->finals);
	if (winner)
		tuning_winner_finalist(self, winner, &verifying->verification);
	return winner != NULL;
}
