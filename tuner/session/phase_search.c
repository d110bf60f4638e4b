/* The search phase (phase_search.h): decides what to evaluate next, and when to end. */
#include "session/phase_search.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "session/phase_finals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Recorded evaluations reach the strategy at once, thousands in a row. After this many,
   some hundredths of a second, the search yields to signals and the display. */
#define ASKED_AT_ONCE 500
/* A unit that compiles far longer than others is waited for until this share of the
   budget: then the time is better spent on others. */
#define DEAR_UNTIL 0.4
/* An audit of one in fifty: it takes as long as three to ten that are dropped early. */
#define AUDITED_IN 50

/* Passes the longest evaluation, which sets deadlines, and the time to race against to
   the evaluator. A recorded time counts only once the pace is known. Candidates for the
   finals (at_objective.reach) are not dropped. */
static void race(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	const struct at_candidates *candidates = options->candidates;

	if (candidates->best != AT_NO_CANDIDATE &&
		(self->knows_pace || self->ended ||
			!candidates->items[candidates->best].is_old))
		self->incumbent_ns = options->visit->objective->reach *
				     at_candidates_value(candidates, candidates->best);
	options->visit->evaluator->ops->race(
		options->visit->evaluator, self->incumbent_ns, self->longest_seconds);
}

static void end(struct at_search_phase *self, const struct at_error *err)
{
	if (self->ended)
		return;
	self->ended = true;
	/* finals and verifications take the duration of launches from it */
	race(self);
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

/* ---- the board's speed today ----------------------------------------------- */

/* A factor nearer to 1 than this counts as 1. Memory placement and temperature change
   times by a few per cent, which one measurement cannot exclude. A candidate this near
   reaches the finals anyway. */
#define FAR 0.05

/* The factor between two measurements of one configuration; 1 if it is not
   significant. */
static double factor_of(
	const struct at_score *recorded, const struct at_measure_result *now)
{
	double factor = now->time_ns / recorded->value;

	if (!(factor > 0) || !isfinite(factor) || fabs(factor - 1) <= FAR)
		return 1;
	/* comparisons with NAN are false */
	if ((factor > 1 && now->low_ns <= recorded->high) ||
		(factor < 1 && now->high_ns >= recorded->low))
		return 1;
	return factor;
}

/* The smallest factor of all measurements; NAN: none. */
static double common_factor(const struct at_pace *self)
{
	double factor = (double)NAN;

	for (size_t i = 0; i < self->count; i++) {
		double one = self->measured[i].factor;

		if (!(one > 0))
			continue;
		if (isnan(factor) || fabs(log(one)) < fabs(log(factor)))
			factor = (isnan(factor) || (one > 1) == (factor > 1)) ? one : 1;
		else if ((one > 1) != (factor > 1))
			factor = 1;
	}
	/* all failed: that says nothing about the board */
	return isnan(factor) && !self->was_called_off ? 1 : factor;
}

static void tell_pace(
	const struct at_pace *self, double factor, char *text, size_t size)
{
	char now[32], then[32], clocks[80] = "";
	const struct at_pace_measured *one = &self->measured[0];

	text[0] = '\0';
	if (factor == 1 || !self->count)
		return;
	for (size_t i = 1; i < self->count; i++)
		if (!(one->time_ns > 0))
			one = &self->measured[i];
	at_text_duration(one->time_ns, now, sizeof(now));
	at_text_duration(one->recorded.score.value, then, sizeof(then));
	if (one->clock_hz && one->recorded.clock_hz > 0)
		snprintf(clocks, sizeof(clocks), ", at %.2f GHz in place of %.2f",
			(double)one->clock_hz * 1e-9,
			(double)one->recorded.clock_hz * 1e-9);
	snprintf(text, size,
		"what is recorded with %s takes %s now%s: recorded times count %.2f times (another clock, heat, or other work on the device?)",
		then, now, clocks, factor);
}

/* factor NAN: the measurements were cancelled, nothing is known. */
static void pace_answered(
	struct at_search_phase *self, double factor, const struct at_error *err)
{
	const struct at_search_phase_options *options = &self->options;
	char text[512];

	if (self->ended)
		return;
	if (err) {
		end(self, err);
		return;
	}
	if (!isnan(factor)) {
		self->knows_pace = true;
		at_candidates_set_pace(options->candidates, factor);
		race(self);
		tell_pace(&self->pace, factor, text, sizeof(text));
		if (factor != 1)
			options->leader_changed(options->context);
		if (text[0])
			at_visit_emit_text(options->visit, AT_EVENT_NOTE, text);
	}
	at_search_phase_step(self);
}

static void measured_again(struct at_task *task, const struct at_error *err)
{
	struct at_pace_measured *one = task->context;
	struct at_search_phase *phase = one->owner;
	struct at_pace *self = &phase->pace;
	const struct at_measure_result *now = &task->result;

	self->out--;
	if (!err && task->outcome == AT_OUTCOME_NONE)
		self->was_called_off = true;
	if (!err && task->outcome == AT_OUTCOME_OK && task->is_measured &&
		!now->raced) {
		one->time_ns = now->time_ns;
		one->clock_hz = now->clock_hz;
		one->factor = factor_of(&one->recorded.score, now);
	}
	if (err || !self->out)
		pace_answered(phase, common_factor(self), err);
}

/* Measures the best recorded configuration and the baseline again, if they are from an
   earlier run and new configurations are being measured. */
static void ask_pace(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	const struct at_candidates *candidates = options->candidates;
	const size_t places[] = { candidates->best_old, candidates->baseline };
	struct at_pace *pace = &self->pace;
	struct at_error err = { 0 };

	if (self->ended || pace->was_asked || candidates->best_old == AT_NO_CANDIDATE ||
		!at_journal_out(options->journal))
		return;
	pace->was_asked = true;
	for (size_t i = 0; i < AT_COUNT_OF(places) && !self->ended; i++) {
		struct at_pace_measured *one = &pace->measured[pace->count];

		if (places[i] == AT_NO_CANDIDATE || (i && places[i] == places[0]) ||
			!candidates->items[places[i]].is_old)
			continue;
		one->owner = self;
		one->recorded = candidates->items[places[i]];
		if (at_visit_measure(options->visit, one->recorded.index, false,
			    measured_again, one, &err))
			end(self, &err);
		else
			pace->out = ++pace->count;
	}
}

/* ---- the search ------------------------------------------------------------------ */

/* Whether the later phases need the remaining budget. */
static bool time_is_over(const struct at_search_phase *self)
{
	const struct at_visit *visit = self->options.visit;
	const uint64_t now_ns = at_visit_now_ns(visit);

	return at_budget_search_is_over(&visit->budget, now_ns,
		at_budget_verify_seconds(&visit->budget, now_ns, false) +
			at_finals_phase_estimate(self->options.candidates, visit));
}

/* At most half of the budget is reserved for the later phases. */
static void tell_short_budget(const struct at_search_phase *self)
{
	const struct at_visit *visit = self->options.visit;
	const double seconds =
		at_budget_elapsed(&visit->budget, at_visit_now_ns(visit));
	char text[256], budget[32], took[32];

	if (visit->progress.valid_count < 2 || !time_is_over(self))
		return;
	at_text_duration(visit->budget.seconds * 1e9, budget, sizeof(budget));
	at_text_duration(seconds * 1e9, took, sizeof(took));
	snprintf(text, sizeof(text),
		"a budget of %s leaves no time for the search, since the baseline is measured after %s; --budget %.0fs does",
		budget, took, ceil(2 * seconds) + 1);
	at_visit_emit_text(self->options.visit, AT_EVENT_NOTE, text);
}

static void told(void *context, const struct at_entry *entry)
{
	struct at_search_phase *self = context;
	const struct at_search_phase_options *options = &self->options;
	const struct at_evaluation *evaluation = entry->evaluation;
	bool is_baseline = entry->index == options->baseline, is_best = false, is_old;
	const double longest_seconds = self->longest_seconds;
	struct at_told what;
	struct at_candidate candidate;

	if (is_baseline)
		self->baseline_is_out = false;
	/* Cancelled: the search is over, and the strategy needs no answer. */
	if (!evaluation || self->ended)
		return;
	self->evaluated++;
	if (evaluation->outcome == AT_OUTCOME_OK)
		self->longest_seconds = fmax(
			self->longest_seconds, (double)evaluation->measure_ns * 1e-9);
	/* a time in the future is from a wrong clock */
	is_old = entry->reused &&
		 (evaluation->created_seconds < self->begun_seconds ||
			 evaluation->created_seconds > at_clock_wall_seconds());
	what = at_experience_told(entry->index, evaluation);
	/* scaled to recorded times, which the strategy knows */
	if (!is_old)
		what.cost /= options->candidates->pace;
	options->strategy->kind->tell(options->strategy, &what);
	if (evaluation->outcome != AT_OUTCOME_OK) {
		options->told(options->context, entry, false);
		return;
	}
	candidate = (struct at_candidate){
		.index = entry->index,
		.evaluation_id = evaluation->id,
		.key = evaluation->key,
		.score = at_evaluation_score(evaluation, &at_objective_time),
		.image = evaluation->image,
		.reused = entry->reused,
		.is_old = is_old,
		.clock_hz = evaluation->clock_hz,
		.was_pruned = entry->was_pruned,
		.has_shared = evaluation->facts.shared_bytes > 0,
	};
	at_candidates_add(options->candidates, &candidate, is_baseline, &is_best);
	if (is_best || self->longest_seconds > longest_seconds)
		race(self);
	options->told(options->context, entry, is_best);
	if (is_baseline && !entry->reused)
		tell_short_budget(self);
}

void at_search_phase_begin(
	struct at_search_phase *self, const struct at_search_phase_options *options)
{
	memset(self, 0, sizeof(*self));
	self->options = *options;
	self->begun_seconds = at_clock_wall_seconds();
	at_journal_listen(options->journal,
		&(struct at_journal_listener){ told, changed, failed, self });
}

/* Racing judges by two launches and drops most configurations. Its error rate shows
   only if some are measured in full anyway: one in fifty, chosen at random
   beforehand. */
static bool is_audited(const struct at_search_phase *self, uint64_t index)
{
	struct at_random random;

	at_random_init(&random,
		self->options.visit->session->seed ^ (index * 0x9e3779b97f4a7c15u + 1));
	return at_random_below(&random, AUDITED_IN) == 0;
}

static void evaluate(struct at_search_phase *self, uint64_t index, bool first)
{
	const struct at_task_options options = { .first = first,
		.audit = is_audited(self, index) };

	at_journal_evaluate(self->options.journal, index, &options);
}

/*
 * The baseline is evaluated first, so that speed-ups are known from the first incumbent
 * on. The recorded winner is next: a run too short to find it must not select a slower
 * one, and after a change of the source it is still a good guess. Both are excluded
 * from the strategy, not told to it, since their costs are not known yet.
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
 * Reports valid recorded evaluations of this problem, at no cost: a search continues
 * where the last one ended, with any strategy. At most as many as the budget has
 * evaluations, since reused ones count. False: there is more to report after the loop
 * has served others.
 */
static bool recall(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	struct at_experience_prior *own = &self->experience.own;
	uint64_t most = options->visit->budget.evaluations;
	int left = ASKED_AT_ONCE;
	struct at_error err = { 0 };

	for (; self->recalled < own->count && !self->ended; self->recalled++) {
		const struct at_told known = own->told[self->recalled];
		const struct at_task_options how = { 0 };
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
	/* stale evaluations stay in `own`, as a prior */
	own->count = self->outdated;
	self->has_recalled = true;
	if (at_experience_teach(&self->experience, options->strategy, &err))
		end(self, &err);
	return true;
}

/* Begins the user's next seed that was not tried yet; false: none is left. */
static bool ask_seed(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	const struct at_candidates *candidates = options->candidates;

	while (self->seeded < options->seed_count) {
		const uint64_t index = options->seeds[self->seeded++];
		bool is_known =
			index == options->baseline || index == options->recorded_winner;

		/* recorded ones were reported */
		for (size_t i = 0; i < candidates->count && !is_known; i++)
			is_known = candidates->items[i].index == index;
		if (is_known)
			continue;
		options->strategy->kind->exclude(options->strategy, index);
		evaluate(self, index, false);
		return true;
	}
	return false;
}

/* Gets a proposal from the strategy and begins it; false: none exists now. */
static bool ask(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	const struct at_strategy_kind *kind = options->strategy->kind;
	size_t out = at_journal_pending(options->journal);
	const char *why;
	uint64_t index;
	uint64_t most = options->visit->budget.evaluations;

	if (most && self->evaluated + out >= most) {
		/* one that is out may be cancelled and leave room for another */
		self->asked_out = out == 0;
		return false;
	}
	if (ask_seed(self))
		return true;
	switch (kind->ask(options->strategy, &index)) {
	case AT_ASK_CONFIGURATION:
		evaluate(self, index, false);
		return true;
	case AT_ASK_WAIT:
		/* with nothing under way no answer would come, and the search would
		   wait forever */
		self->asked_out = out == 0;
		return false;
	case AT_ASK_DONE:
		self->asked_out = true;
		why = kind->why_done ? kind->why_done(options->strategy) : NULL;
		if (why)
			at_visit_emit_text(options->visit, AT_EVENT_NOTE, why);
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

/* Queues the next step in the loop, so that the loop can serve others. */
static void yield(struct at_search_phase *self)
{
	struct at_evaluator *evaluator = self->options.visit->evaluator;

	if (self->steps_later)
		return;
	self->steps_later = true;
	evaluator->ops->later(evaluator, step_later, self);
}

/* Ends a search that has no result long after its deadline. A search may overrun until
   its first evaluation, since some templates compile longer than the budget; but not
   for a series of hanging evaluations. */
static void end_in_vain(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->visit->evaluator;
	double most = at_budget_first_seconds(&options->visit->budget);
	struct at_evaluator_load load;
	struct at_error err = { 0 };
	char budget[32], waited[32];

	if (most <= 0 || at_budget_elapsed(&options->visit->budget,
				 evaluator->ops->now_ns(evaluator)) < most)
		return;
	evaluator->ops->load(evaluator, &load);
	at_text_duration(options->visit->budget.seconds * 1e9, budget, sizeof(budget));
	at_text_duration(most * 1e9, waited, sizeof(waited));
	at_fail(&err, AT_EUNAVAILABLE, NULL, 0,
		"nothing was measured in %s, and the budget is %s: %s has not ended; a larger --budget waits longer",
		waited, budget,
		load.measuring   ? "the first evaluation"
		: load.compiling ? "compiling"
				 : "what is done before");
	end(self, &err);
}

/* Ends the search at its deadline: cancels what is not being measured yet, and what
   does not finish soon. It waits for the baseline and the first evaluation. */
static void end_at_time(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	const struct at_budget *budget = &options->visit->budget;
	struct at_evaluator *evaluator = options->visit->evaluator;

	if (self->baseline_is_out || !self->evaluated)
		end_in_vain(self);
	if (self->ended || self->was_cut || self->baseline_is_out || !self->evaluated)
		return;
	/* everything begun is measured */
	if (self->asked_out && at_journal_pending(options->journal) == 0)
		return;
	if (!time_is_over(self)) {
		const double deadline = options->visit->spec->search.deadline_seconds;
		const bool hurries =
			budget->seconds > 0 &&
			at_budget_elapsed(budget, evaluator->ops->now_ns(evaluator)) >
				DEAR_UNTIL * budget->seconds;

		if (evaluator->ops->drop_slow_compiles && (hurries || deadline > 0))
			evaluator->ops->drop_slow_compiles(
				evaluator, hurries ? 0 : deadline);
		return;
	}
	self->asked_out = self->was_cut = true;
	at_journal_stop_waiting(options->journal);
	evaluator->ops->cancel(
		evaluator, fmax(self->longest_seconds, at_budget_late_seconds(budget)));
}

void at_search_phase_step(struct at_search_phase *self)
{
	const struct at_search_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->visit->evaluator;
	struct at_error err = { 0 };
	int left = ASKED_AT_ONCE;

	if (self->ended)
		return;
	if (!self->began)
		begin_with_baseline(self);
	if (!self->has_begun_winner && !self->ended)
		begin_with_winner(self);
	/* Reads the record's experience: some tenths of a second for a large record,
	   while the baseline is being compiled. */
	if (!self->has_gathered && !self->ended) {
		self->has_gathered = true;
		if (!options->visit->session->fresh &&
			at_experience_gather(options->visit, &self->experience, &err))
			end(self, &err);
	}
	if (self->ended)
		return;
	if (!self->has_recalled && !recall(self)) {
		yield(self);
		return;
	}
	if (self->ended)
		return;
	/* if the baseline is new */
	ask_pace(self);
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
		ask_pace(self);
	}
	if (self->asked_out && !self->pace.out &&
		at_journal_pending(options->journal) == 0)
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
