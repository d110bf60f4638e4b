#include "session/phase_finals.h"

#include "measure/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 31 paired samples give a 95 % interval of the median from the 10th to the 22nd */
#define ROUNDS 31
/* two medians so near are called a tie whatever the interval says: a difference that
   no user sees is not worth a changed header */
#define SAME 0.002

/* loading, proving and warming up one of them, and emptying the cache before a sample
 */
#define ENTRY_SECONDS 0.05
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
	seconds = ROUNDS * (seconds * 1e-9 + (AT_PODIUM_SIZE + 1) * SAMPLE_SECONDS) +
		  (AT_PODIUM_SIZE + 1) * ENTRY_SECONDS;
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

static enum at_status add(struct at_finals_phase *self, size_t place,
	bool is_baseline_only, struct at_error *err)
{
	const struct at_finals_phase_options *options = &self->options;
	struct at_finalist *finalist = &self->finalists[self->count++];
	uint16_t *row = calloc(
		at_search_space_parameter_count(options->space) + 1, sizeof(*row));
	enum at_status status;

	finalist->place = place;
	finalist->is_baseline_only = is_baseline_only;
	if (!row)
		return at_fail_memory(err);
	at_search_space_get(
		options->space, options->candidates->items[place].index, row);
	status = options->evaluator->ops->plan(
		options->evaluator, row, &finalist->planned, err);
	free(row);
	return status;
}

enum at_status at_finals_phase_begin(struct at_finals_phase *self,
	const struct at_finals_phase_options *options, struct at_error *err)
{
	const struct at_planned *planned[AT_PODIUM_SIZE + 1];
	const struct at_finals_options how = {
		.rounds = ROUNDS,
		.seconds = at_budget_finals_seconds(options->budget),
		.seed = options->seed,
	};
	size_t places[AT_PODIUM_SIZE];
	size_t baseline = options->candidates->baseline, count;
	bool baseline_is_in = baseline == AT_NO_CANDIDATE;
	enum at_status status = AT_OK;

	memset(self, 0, sizeof(*self));
	self->options = *options;
	count = at_candidates_podium(options->candidates, places, AT_PODIUM_SIZE);
	for (size_t i = 0; i < count && !status; i++) {
		status = add(self, places[i], false, err);
		baseline_is_in = baseline_is_in || places[i] == baseline;
	}
	if (!status && !baseline_is_in)
		status = add(self, baseline, true, err);
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

/* of two that may win: the costs of one over those of the other, round by round */
static struct at_interval cost_ratio(
	const struct at_finalist *above, const struct at_finalist *below)
{
	const struct at_measure_result *a = &above->final.result;
	const struct at_measure_result *b = &below->final.result;
	size_t count =
		a->sample_count < b->sample_count ? a->sample_count : b->sample_count;
	double *scratch = calloc(count + 1, sizeof(*scratch));
	struct at_interval ratio = { .median = NAN, .low = NAN, .high = NAN };

	if (scratch)
		ratio = at_statistics_ratio(
			a->samples_ns, b->samples_ns, count, scratch);
	free(scratch);
	return ratio;
}

static bool is_recorded_winner(
	const struct at_finals_phase *self, const struct at_finalist *finalist)
{
	const struct at_finals_phase_options *options = &self->options;

	return options->recorded_winner_id &&
	       options->candidates->items[finalist->place].evaluation_id ==
		       options->recorded_winner_id;
}

struct at_finalist *at_finals_phase_choose(struct at_finals_phase *self)
{
	const struct at_objective *objective = self->options.objective;
	struct at_finalist *leader = NULL, *winner;

	for (size_t i = 0; i < self->count; i++)
		if (may_win(&self->finalists[i]) &&
			(!leader || at_objective_better(objective,
					    self->finalists[i].score.value,
					    leader->score.value)))
			leader = &self->finalists[i];
	winner = leader;
	for (size_t i = 0; leader && i < self->count; i++) {
		struct at_finalist *finalist = &self->finalists[i];
		struct at_interval ratio;

		if (finalist == leader || !may_win(finalist))
			continue;
		ratio = cost_ratio(finalist, leader);
		if (!(ratio.low <= 1.0 || ratio.median <= 1.0 + SAME))
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
		some = some || !finalist->is_baseline_only;
	}
	for (size_t i = 0; i < self->count && !some; i++)
		at_finals_phase_refuse(self, &self->finalists[i]);
}

double at_finals_phase_gain(
	const struct at_finals_phase *self, const struct at_finalist *winner)
{
	for (size_t i = 0; i < self->count; i++) {
		const struct at_finalist *finalist = &self->finalists[i];

		if (finalist->place != self->options.candidates->baseline ||
			!finalist->final.result.sample_count ||
			!winner->final.result.sample_count)
			continue;
		return finalist == winner ? 1 : cost_ratio(finalist, winner).median;
	}
	return NAN;
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
