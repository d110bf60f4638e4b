#include "session/phase_search.h"

#include "base/random.h"
#include "session/phase_finals.h"

#include <math.h>
#include <string.h>

/* of a proof on one problem: patterns of data, garbage, ends of pages (measure/proof.c)
 */
#define PROOF_LAUNCHES 30

/*
 * What is recorded is found at once, thousands in a row. After so many, which take a
 * few hundredths of a second, signals and the display have their turn.
 */
#define ASKED_AT_ONCE 500
/* 2 %: measuring one in full takes as long as dropping five to ten */
#define AUDITED_IN 50

static void end(struct at_search_phase *self, const struct at_error *err)
{
	if (self->ended)
		return;
	self->ended = true;
	self->options.ended(self->options.context, err);
}

static void failed(void *context, const struct at_error *err)
{
	end(context, err);
}

static void changed(void *context)
{
	at_search_phase_step(context);
}

static void told(void *context, const struct at_entry *entry)
{
	struct at_search_phase *self = context;
	const struct at_search_phase_options *options = &self->options;
	const struct at_evaluation *evaluation = entry->evaluation;
	bool is_baseline = entry->index == options->baseline, is_best = false;
	struct at_told what;
	struct at_error err = { 0 };
	struct at_candidate candidate;

	if (is_baseline)
		self->baseline_is_out = false;
	/* called off: the strategy has it among those that it asked for, and the
	   search that called it off is over */
	if (!evaluation || self->ended)
		return;
	self->evaluated++;
	what = at_experience_told(entry->index, evaluation, options->objective);
	options->strategy->kind->tell(options->strategy, &what);
	if (evaluation->outcome != AT_OUTCOME_OK) {
		options->told(options->context, entry, false);
		return;
	}
	candidate = (struct at_candidate){
		.index = entry->index,
		.evaluation_id = evaluation->id,
		.key = evaluation->key,
		.score = at_evaluation_score(evaluation, options->objective),
		.image = evaluation->image,
		.reused = entry->reused,
		.was_hopeless = entry->was_hopeless,
	};
	if (at_candidates_add(
		    options->candidates, &candidate, is_baseline, &is_best, &err)) {
		end(self, &err);
		return;
	}
	/* ahead of all that are measured: what the baseline's rounding excuses in them
	 */
	if (is_baseline && options->evaluator->ops->judge_by &&
		isfinite(evaluation->max_relative_error))
		options->evaluator->ops->judge_by(
			options->evaluator, evaluation->max_relative_error);
	/* racing drops what is slow, which is right only if time is what counts */
	if (is_best && options->objective == &at_objective_time)
		options->evaluator->ops->race(
			options->evaluator, candidate.score.value);
	options->told(options->context, entry, is_best);
}

void at_search_phase_begin(
	struct at_search_phase *self, const struct at_search_phase_options *options)
{
	memset(self, 0, sizeof(*self));
	self->options = *options;
	at_journal_listen(options->journal,
		&(struct at_journal_listener){ told, changed, failed, self });
}

/*
 * Racing judges by two samples and drops most of what is tried. How often that is a
 * mistake is seen only where it is not done: of one in fifty, drawn before anything is
 * known of it.
 */
static bool is_audited(const struct at_search_phase *self, uint64_t index)
{
	struct at_random random;

	at_random_init(&random, self->options.seed ^ (index * 0x9e3779b97f4a7c15u + 1));
	return at_random_below(&random, AUDITED_IN) == 0;
}

static void evaluate(struct at_search_phase *self, uint64_t index, bool first)
{
	/* seeded by the index: a rerun shuffles a configuration's threads the same way
	 */
	const struct at_trial_options options = {
		.first = first, .audit = is_audited(self, index), .seed = index
	};

	at_journal_evaluate(self->options.journal, index, &options);
}

/*
 * The baseline before all others: speed-ups are told from the first incumbent on. Then
 * who won before: a run too short to come across it must not crown a slower one, and
 * where the source has changed it is still a good guess. Neither is the strategy's to
 * ask for; nothing is known of them yet, so that they are excluded, not told.
 */
static void begin_with_baseline(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;

	self->began = true;
	if (options->baseline == AT_NO_CONFIGURATION)
		return;
	options->strategy->kind->exclude(options->strategy, options->baseline);
	self->baseline_is_out = true;
	evaluate(self, options->baseline, true);
}

static void begin_with_winner(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	const struct at_strategy_kind *kind = options->strategy->kind;

	self->has_begun_winner = true;
	if (options->recorded_winner != AT_NO_CONFIGURATION &&
		options->recorded_winner != options->baseline && !self->ended) {
		kind->exclude(options->strategy, options->recorded_winner);
		evaluate(self, options->recorded_winner, false);
	}
}

/*
 * Of a large record this takes some tenths of a second, in which the baseline, which
 * was asked for, is compiled.
 */
static void gather(struct at_search_phase *self)
{
	struct at_error err = { 0 };

	self->has_gathered = true;
	if (self->options.gathering.store &&
		at_experience_gather(&self->options.gathering, &self->experience, &err))
		end(self, &err);
}

/*
 * What was evaluated before and still holds is found in the record, and costs nothing:
 * whatever the strategy, a search goes on where the last one ended. As many as
 * the budget allows: they are evaluations of it, as those that are asked for are when
 * the record has them. False: there is more to do, after others had their turn.
 */
static bool recall(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	struct at_experience_prior *own = &self->experience.own;
	uint64_t most = options->budget->evaluations;
	int left = ASKED_AT_ONCE;
	struct at_error err = { 0 };

	for (; self->recalled < own->count && !self->ended; self->recalled++) {
		const struct at_told known = own->told[self->recalled];
		const struct at_trial_options how = { .seed = known.index };
		size_t out = at_journal_pending(options->journal);

		if (known.index == options->baseline ||
			known.index == options->recorded_winner)
			continue;
		if (most && self->evaluated + out >= most)
			break;
		if (left-- == 0)
			return false;
		if (!at_journal_recall(options->journal, known.index, &how))
			own->told[self->outdated++] = known;
	}
	if (self->ended)
		return true;
	own->count = self->outdated;
	self->has_recalled = true;
	if (at_experience_teach(&self->experience, options->strategy, &err))
		end(self, &err);
	return true;
}

/* asks for one more configuration; false: none is to be had now */
static bool ask(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	const struct at_strategy_kind *kind = options->strategy->kind;
	size_t out = at_journal_pending(options->journal);
	const char *why;
	uint64_t index;
	uint64_t most = options->budget->evaluations;

	if (most && self->evaluated + out >= most) {
		/* one that is called off does not count, and is asked for anew */
		self->asked_out = out == 0;
		return false;
	}
	switch (kind->ask(options->strategy, &index)) {
	case AT_ASK_CONFIGURATION:
		evaluate(self, index, false);
		return true;
	case AT_ASK_WAIT:
		/* nothing is under way, so nothing would call again */
		self->asked_out = out == 0;
		return false;
	case AT_ASK_DONE:
		self->asked_out = true;
		why = kind->why_done(options->strategy);
		if (why)
			options->done(options->context, why);
		return false;
	}
	return false;
}

static void step_later(void *context)
{
	struct at_search_phase *self = context;

	self->steps_later = false;
	at_search_phase_step(self);
}

/* the slice of asking that is left is for later */
static void yield(struct at_search_phase *self)
{
	struct at_evaluator *evaluator = self->options.evaluator;
	struct at_error err = { 0 };

	if (self->steps_later)
		return;
	self->steps_later = true;
	/* without this nothing might call again */
	if (evaluator->ops->later(evaluator, step_later, self, &err))
		end(self, &err);
}

/* of a case that it is proved on, without its setup; other sizes are about as large */
static double proof_seconds(const struct at_search_phase_options *options)
{
	const struct at_candidates *candidates = options->candidates;

	if (candidates->best == AT_NO_CANDIDATE ||
		options->objective != &at_objective_time)
		return 0;
	return PROOF_LAUNCHES * candidates->items[candidates->best].score.value * 1e-9;
}

/* what was not begun to be measured is given up; the baseline never is, nor a search
   that has tried nothing */
static void end_at_time(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->evaluator;
	struct at_evaluator_load load;
	double rest_seconds;

	if (self->asked_out || self->baseline_is_out || !self->evaluated)
		return;
	evaluator->ops->load(evaluator, &load);
	rest_seconds = (load.setup_seconds + proof_seconds(options)) *
		       (double)evaluator->info.case_count;
	/* which are made from the same moment on */
	if (evaluator->info.has_checks)
		rest_seconds =
			fmax(rest_seconds, at_budget_check_seconds(options->budget));
	rest_seconds += at_finals_phase_estimate(
		options->candidates, options->objective, options->budget);
	if (!at_budget_search_is_over(
		    options->budget, evaluator->ops->now_ns(evaluator), rest_seconds))
		return;
	self->asked_out = self->was_cut = true;
	at_journal_stop_waiting(options->journal);
	evaluator->ops->cancel(evaluator);
}

/* Another run is measuring it: what it says of rounding is held against all others. */
static bool waits_for_baseline(const struct at_search_phase *self)
{
	return self->baseline_is_out && at_journal_out(self->options.journal) == 0;
}

void at_search_phase_step(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->evaluator;
	int left = ASKED_AT_ONCE;

	if (self->ended)
		return;
	if (!self->began)
		begin_with_baseline(self);
	if (self->ended || waits_for_baseline(self))
		return;
	if (!self->has_begun_winner)
		begin_with_winner(self);
	if (!self->has_gathered && !self->ended)
		gather(self);
	if (self->ended)
		return;
	if (!self->has_recalled && !recall(self)) {
		yield(self);
		return;
	}
	if (self->ended)
		return;
	end_at_time(self);
	while (!self->ended && !self->asked_out &&
		at_journal_out(options->journal) <
			evaluator->ops->capacity(evaluator)) {
		if (left-- == 0) {
			yield(self);
			return;
		}
		if (!ask(self))
			break;
	}
	if (self->asked_out && at_journal_pending(options->journal) == 0)
		end(self, NULL);
}

void at_search_phase_end(struct at_search_phase *self)
{
	self->ended = true;
}

void at_search_phase_release(struct at_search_phase *self)
{
	at_experience_release(&self->experience);
}
