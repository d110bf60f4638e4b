#include "session/phase_finals.h"

#include "base/memory.h"
#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Student's interval of six blocks is 1.05 deviations wide to either side; with two
 * blocks less it is 1.6, with two more 0.84. Within a block five samples have a median
 * that one bad one does not move.
 */
#define BLOCKS 6
#define ROUNDS 5
#define CONFIDENCE 0.95
/* two medians so near are called a tie whatever the interval says: a difference that
   no user sees is not worth a changed header */
#define SAME 0.002

/* loading, proving and warming up one of them, and emptying the cache before a sample
 */
#define ENTRY_SECONDS 0.02
#define SAMPLE_SECONDS 0.0005

double at_finals_phase_estimate(const struct at_candidates *candidates,
	const struct at_objective *objective, const struct at_budget *budget)
{
	double most = at_budget_finals_seconds(budget), seconds;

	if (candidates->best == AT_NO_CANDIDATE)
		return 0;
	/* only of times is it known how long measuring them takes */
	if (objective != &at_objective_time)
		return most;
	seconds = AT_PODIUM_SIZE * candidates->items[candidates->best].score.value;
	if (candidates->baseline != AT_NO_CANDIDATE)
		seconds += candidates->items[candidates->baseline].score.value;
	seconds = BLOCKS * ROUNDS *
			  (seconds * 1e-9 + (AT_PODIUM_SIZE + 1) * SAMPLE_SECONDS) +
		  BLOCKS * (AT_PODIUM_SIZE + 1) * ENTRY_SECONDS;
	return seconds < most ? seconds : most;
}

static bool may_win(const struct at_finalist *finalist)
{
	return !finalist->refused && finalist->final.result.outcome == AT_OUTCOME_OK &&
	       finalist->final.result.sample_count > 0;
}

static void finals_answered(void *context, struct at_final *finals, size_t count,
	const struct at_error *err)
{
	struct at_finals_phase *self = context;

	if (self->ended)
		return;
	for (size_t i = 0; !err && i < count && i < self->count; i++) {
		struct at_finalist *finalist = &self->finalists[i];
		const struct at_measure_result *result = &finals[i].result;

		finalist->final = finals[i];
		finalist->score = (struct at_score){ result->time_ns, result->low_ns,
			result->high_ns };
		memset(&finals[i], 0, sizeof(finals[i]));
	}
	self->options.ended(self->options.context, err);
}

static enum at_status add(struct at_finals_phase *self, size_t place, bool is_beside,
	struct at_error *err)
{
	const struct at_finals_phase_options *options = &self->options;
	struct at_finalist *finalist = &self->finalists[self->count++];
	uint16_t *row = calloc(
		at_search_space_parameter_count(options->space) + 1, sizeof(*row));
	enum at_status status;

	finalist->place = place;
	finalist->is_beside = is_beside;
	if (!row)
		return at_fail_memory(err);
	at_search_space_get(
		options->space, options->candidates->items[place].index, row);
	status = options->evaluator->ops->plan(
		options->evaluator, row, &finalist->planned, err);
	free(row);
	return status;
}

static bool takes_part(const struct at_finals_phase *self, size_t place)
{
	for (size_t i = 0; i < self->count; i++)
		if (self->finalists[i].place == place)
			return true;
	return false;
}

enum at_status at_finals_phase_begin(struct at_finals_phase *self,
	const struct at_finals_phase_options *options, struct at_error *err)
{
	const struct at_planned *planned[AT_FINALS_SIZE];
	const struct at_measure_finals how = {
		.blocks = BLOCKS,
		.rounds = ROUNDS,
		.seconds = at_budget_finals_seconds(options->budget),
		.seed = options->seed,
	};
	size_t places[AT_PODIUM_SIZE];
	const size_t beside[] = { options->candidates->baseline,
		at_candidates_find_configuration(
			options->candidates, options->recorded_winner) };
	enum at_status status = AT_OK;
	size_t count;

	memset(self, 0, sizeof(*self));
	self->options = *options;
	count = at_candidates_podium(options->candidates, places, AT_PODIUM_SIZE);
	for (size_t i = 0; i < count && !status; i++)
		status = add(self, places[i], false, err);
	for (size_t i = 0; i < AT_COUNT_OF(beside) && !status; i++)
		if (beside[i] != AT_NO_CANDIDATE && !takes_part(self, beside[i]))
			status = add(self, beside[i], true, err);
	for (size_t i = 0; i < self->count; i++)
		planned[i] = self->finalists[i].planned;
	if (!status)
		status = options->evaluator->ops->finals(options->evaluator, planned,
			self->count, &how, finals_answered, self, err);
	return status;
}

/* registers of all threads of a block, then shared memory: what others could use */
static double resources(const struct at_finalist *finalist)
{
	const struct at_facts *facts = &finalist->final.facts;
	double registers = facts->registers > 0 ? (double)facts->registers : 1;
	double shared = facts->shared_bytes > 0 ? (double)facts->shared_bytes : 0;

	return registers * (double)facts->threads_per_block * 4 + shared;
}

/* of two that may win: the costs of one over those of the other, block by block */
static struct at_interval cost_ratio(const struct at_finalist *above,
	const struct at_finalist *below, double confidence)
{
	const struct at_measure_result *a = &above->final.result;
	const struct at_measure_result *b = &below->final.result;
	uint32_t count =
		a->block_count < b->block_count ? a->block_count : b->block_count;
	struct at_interval unknown = { .median = NAN, .low = NAN, .high = NAN };

	return count ? at_statistics_block_ratio(
			       a->blocks_ns, b->blocks_ns, count, confidence)
		     : unknown;
}

/* below is better by more than the margin for sure, and by more than anybody sees; not
   where nobody knows */
static bool is_beaten_by(const struct at_finalist *above,
	const struct at_finalist *below, double margin, double confidence)
{
	struct at_interval ratio = cost_ratio(above, below, confidence);

	return ratio.low > 1 + margin && ratio.median > 1 + SAME;
}

static bool is_beaten(const struct at_finalist *above, const struct at_finalist *below,
	double confidence)
{
	return is_beaten_by(above, below, 0, confidence);
}

/* by its place among the candidates; NULL where it is not in the finals, or may not win
 */
static struct at_finalist *find(const struct at_finals_phase *self, size_t place)
{
	for (size_t i = 0; i < self->count; i++) {
		const struct at_finalist *finalist = &self->finalists[i];

		if (finalist->place == place && may_win(finalist))
			return (struct at_finalist *)finalist;
	}
	return NULL;
}

static struct at_finalist *find_baseline(const struct at_finals_phase *self)
{
	return find(self, self->options.candidates->baseline);
}

static bool is_recorded_winner(
	const struct at_finals_phase *self, const struct at_finalist *finalist)
{
	const struct at_finals_phase_options *options = &self->options;

	return options->candidates->items[finalist->place].index ==
	       options->recorded_winner;
}

struct at_finalist *at_finals_phase_choose(struct at_finals_phase *self)
{
	const struct at_objective *objective = self->options.objective;
	struct at_finalist *baseline = find_baseline(self);
	struct at_finalist *leader = NULL, *winner, *defender = NULL;
	double margin = self->options.margin, rivals = 0, sure;

	/* who has to be beaten by a margin; NULL: nobody */
	if (self->options.keeps_winner)
		defender = find(
			self, at_candidates_find_configuration(self->options.candidates,
				      self->options.recorded_winner));

	for (size_t i = 0; i < self->count; i++) {
		struct at_finalist *finalist = &self->finalists[i];

		if (!may_win(finalist))
			continue;
		rivals += finalist != baseline;
		if (!leader || at_objective_better(objective, finalist->score.value,
				       leader->score.value))
			leader = finalist;
	}
	if (!leader)
		return NULL;
	/* The luckiest of five that are no better than the baseline looks better than
	   it more often than each of them: they share the doubt (Bonferroni). */
	sure = 1 - (1 - CONFIDENCE) / (rivals > 1 ? rivals : 1);
	if (defender && !is_beaten_by(defender, leader, margin, sure))
		return defender;
	if (baseline && !is_beaten(baseline, leader, sure) &&
		(!defender || is_beaten_by(defender, baseline, margin, sure)))
		return baseline;
	winner = leader;
	for (size_t i = 0; i < self->count; i++) {
		struct at_finalist *finalist = &self->finalists[i];

		if (finalist == leader || finalist == baseline || !may_win(finalist) ||
			is_beaten(finalist, leader, CONFIDENCE) ||
			(defender && !is_beaten_by(defender, finalist, margin, sure)) ||
			(baseline && !is_beaten(baseline, finalist, sure)))
			continue;
		/* a tie must not change what is in use */
		if (is_recorded_winner(self, finalist))
			return finalist;
		if (!is_recorded_winner(self, winner) &&
			resources(finalist) < resources(winner))
			winner = finalist;
	}
	return winner;
}

void at_finals_phase_refuse(struct at_finals_phase *self, struct at_finalist *finalist)
{
	finalist->refused = true;
	at_candidates_refuse(self->options.candidates, finalist->place);
}

void at_finals_phase_refuse_failed(struct at_finals_phase *self)
{
	bool some = false;

	for (size_t i = 0; i < self->count; i++) {
		struct at_finalist *finalist = &self->finalists[i];
		enum at_outcome outcome = finalist->final.result.outcome;

		/* NONE: the finals ended before its turn */
		if (!finalist->refused &&
			(outcome == AT_OUTCOME_OK || outcome == AT_OUTCOME_NONE))
			continue;
		at_finals_phase_refuse(self, finalist);
		some = some || !finalist->is_beside;
	}
	for (size_t i = 0; i < self->count && !some; i++)
		at_finals_phase_refuse(self, &self->finalists[i]);
}

struct at_finals_gain at_finals_phase_gain(
	const struct at_finals_phase *self, const struct at_finalist *winner)
{
	const struct at_finalist *baseline = find_baseline(self);
	struct at_finals_gain gain;
	struct at_interval ratio;

	if (!baseline || !may_win(winner))
		return (struct at_finals_gain){ AT_SCORE_UNKNOWN, AT_SCORE_UNKNOWN };
	if (baseline == winner)
		return (struct at_finals_gain){ { 1, 1, 1 }, winner->score };
	ratio = cost_ratio(baseline, winner, CONFIDENCE);
	/* of the scores themselves: whoever divides them gets this very number, which
	   the interval's middle is but for rounding */
	gain = (struct at_finals_gain){ .baseline = baseline->score };
	gain.speedup.value = at_objective_gain(
		self->options.objective, baseline->score.value, winner->score.value);
	gain.speedup.low = fmin(ratio.low, gain.speedup.value);
	gain.speedup.high = fmax(ratio.high, gain.speedup.value);
	if (isnan(ratio.low))
		gain.speedup.low = gain.speedup.high = NAN;
	return gain;
}

void at_finals_phase_end(struct at_finals_phase *self)
{
	for (size_t i = 0; i < self->count; i++) {
		at_planned_free(self->finalists[i].planned);
		at_measure_result_release(&self->finalists[i].final.result);
	}
	self->count = 0;
	self->ended = true;
}
