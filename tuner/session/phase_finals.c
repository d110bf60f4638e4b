/* The finals phase (phase_finals.h): requests blocks from the evaluator, adds those of
   later looks to the earlier ones, and lets standings.c decide. */
#include "session/phase_finals.h"

#include "base/memory.h"
#include "measure/statistics.h"
#include "record/evaluation_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fewest blocks worth another look; the bench measures as many even if it is
   late. */
#define BLOCKS_MIN 3

/* A look that only narrows the interval of the winner's time may take this part of what
   the run took before the finals: with a small space, seconds are worth more. */
#define NARROWING_PART 0.25

/* Seconds to load, verify and warm up a finalist, and to empty the cache before a
   sample. */
#define ENTRY_SECONDS 0.02
#define SAMPLE_SECONDS 0.0005

size_t at_finals_choose(const struct at_candidates *candidates,
	const struct at_objective *objective, size_t *places)
{
	return at_candidates_finalists(candidates, objective->reach, places,
		objective->needs_energy ? AT_PODIUM_MOST : AT_PODIUM_SIZE);
}

double at_finals_phase_estimate(
	const struct at_candidates *candidates, const struct at_visit *visit)
{
	double most = at_budget_finals_seconds(&visit->budget), seconds;

	if (candidates->best == AT_NO_CANDIDATE)
		return 0;
	seconds = AT_PODIUM_SIZE * at_candidates_value(candidates, candidates->best);
	if (candidates->baseline != AT_NO_CANDIDATE)
		seconds += at_candidates_value(candidates, candidates->baseline);
	/* up to the first look; later looks use spare time */
	seconds = at_standings_blocks(0) *
		  (AT_FINALS_ROUNDS * (seconds * 1e-9 +
					      (AT_PODIUM_SIZE + 1) * SAMPLE_SECONDS) +
			  (AT_PODIUM_SIZE + 1) * ENTRY_SECONDS);
	return seconds < most ? seconds : most;
}

static bool may_win(const struct at_finalist *finalist)
{
	return !finalist->refused && at_final_was_sampled(&finalist->result);
}

/* Bytes of registers and shared memory of one thread block, which other kernels could
   use. */
static double resources(const struct at_finalist *finalist)
{
	const struct at_facts *facts = &finalist->task->facts;
	double registers = facts->registers > 0 ? (double)facts->registers : 1;
	double shared = facts->shared_bytes > 0 ? (double)facts->shared_bytes : 0;

	return registers * (double)facts->threads_per_block * 4 + shared;
}

static bool is_recorded_winner(
	const struct at_finals_phase *self, const struct at_finalist *finalist)
{
	const struct at_finals_phase_options *options = &self->options;

	return options->candidates->items[finalist->place].index ==
	       options->recorded_winner;
}

/* Fills one standing for each finalist. Returns the baseline's index; SIZE_MAX: it is
   not in the finals, or may not win. */
static size_t list_standings(
	const struct at_finals_phase *self, struct at_standing *standings)
{
	size_t baseline = SIZE_MAX;

	for (size_t i = 0; i < self->count; i++) {
		const struct at_finalist *finalist = &self->finalists[i];

		standings[i] = (struct at_standing){
			.blocks = finalist->blocks,
			.count = finalist->result.block_count,
			.resources = resources(finalist),
			.may_win = may_win(finalist),
			.is_short = finalist->result.sample_count <
				    at_standings_blocks(0) * AT_FINALS_ROUNDS,
			.is_recorded_winner = is_recorded_winner(self, finalist),
			.margin = self->options.visit->session->margin,
		};
		standings[i].is_defended = self->options.visit->session->keeps_winner &&
					   standings[i].is_recorded_winner;
		if (finalist->place == self->options.candidates->baseline &&
			standings[i].may_win)
			baseline = i;
	}
	return baseline;
}

/* Appends the blocks of a later look to a result. Takes over *more and zeroes it. A
   failure in the later blocks replaces the result. */
static void merge(struct at_measure_result *result, struct at_measure_result *more)
{
	struct at_measure_conditions *conditions = &result->conditions;
	struct at_measure_result rest = *more;
	struct at_interval interval;
	double *samples_ns;

	memset(more, 0, sizeof(*more));
	result->device_lost |= rest.device_lost;
	/* merges the conditions of the later blocks */
	if (rest.conditions.last_clock_hz)
		conditions->last_clock_hz = rest.conditions.last_clock_hz;
	conditions->repeated_rounds += rest.conditions.repeated_rounds;
	conditions->throttled_rounds += rest.conditions.throttled_rounds;
	conditions->unmoved_blocks += rest.conditions.unmoved_blocks;
	conditions->clock_reasons |= rest.conditions.clock_reasons;
	conditions->least_celsius =
		fmin(conditions->least_celsius, rest.conditions.least_celsius);
	conditions->most_celsius =
		fmax(conditions->most_celsius, rest.conditions.most_celsius);
	if (rest.outcome != AT_OUTCOME_OK && rest.outcome != AT_OUTCOME_NONE) {
		rest.conditions = result->conditions;
		at_measure_result_release(result);
		*result = rest;
		return;
	}
	if (result->block_count + rest.block_count > AT_BLOCKS_MAX)
		rest.block_count = AT_BLOCKS_MAX - result->block_count;
	samples_ns = at_realloc(result->samples_ns,
		((size_t)result->sample_count + rest.sample_count + 1) *
			sizeof(*samples_ns));
	result->samples_ns = samples_ns;
	for (uint32_t i = 0; i < rest.sample_count; i++)
		samples_ns[result->sample_count++] = rest.samples_ns[i];
	for (uint32_t i = 0; i < rest.block_count; i++) {
		result->blocks_joules[result->block_count] = rest.blocks_joules[i];
		result->blocks_ns[result->block_count++] = rest.blocks_ns[i];
	}
	at_measure_result_release(&rest);
	interval = at_statistics_blocks(
		result->blocks_ns, result->block_count, AT_FINALS_CONFIDENCE);
	result->time_ns = interval.median;
	result->low_ns = interval.low;
	result->high_ns = interval.high;
}

/* Moves the results of a look into the finalists. */
static void take_over(struct at_finals_phase *self)
{
	for (size_t i = 0; i < self->asked_count; i++) {
		struct at_finalist *finalist = &self->finalists[self->asked[i]];
		struct at_measure_result *result = &finalist->task->result;

		if (self->look == 0) {
			finalist->result = *result;
			memset(result, 0, sizeof(*result));
		} else {
			merge(&finalist->result, result);
		}
		at_final_check_floor(&finalist->result, &finalist->task->plan.floor);
		at_final_blocks(self->options.visit->objective, &finalist->result,
			finalist->blocks);
		finalist->score = at_final_score(
			self->options.visit->objective, &finalist->result);
	}
}

static void finals_answered(void *context, const struct at_error *err);

/* Requests the blocks of the present look for the finalists in `asked`. */
static enum at_status ask(
	struct at_finals_phase *self, double seconds, struct at_error *err)
{
	const struct at_finals_phase_options *options = &self->options;
	struct at_task *tasks[AT_FINALS_SIZE];
	uint32_t begin = self->look ? at_standings_blocks(self->look - 1) : 0;
	struct at_measure_finals how =
		at_finals_first(seconds, options->visit->session->seed);

	how.begin = begin;
	how.blocks = at_standings_blocks(self->look) - begin;
	if (options->visit->objective->needs_energy)
		how.energy_seconds =
			self->look ? AT_ENERGY_SECONDS : AT_ENERGY_SECONDS_FIRST;
	for (size_t i = 0; i < self->asked_count; i++) {
		const struct at_finalist *finalist = &self->finalists[self->asked[i]];
		const struct at_candidate *candidate =
			&options->candidates->items[finalist->place];

		tasks[i] = finalist->task;
		if (candidate->score.value > 0)
			how.launch_seconds += at_candidates_value(options->candidates,
						      finalist->place) *
					      1e-9;
		/* equal in all blocks, so that blocks are comparable */
		how.launches[i] = finalist->result.launches_per_sample;
	}
	return options->visit->evaluator->ops->finals(options->visit->evaluator, tasks,
		self->asked_count, &how, finals_answered, self, err);
}

/* Whether the next look is short beside the run. most: blocks so far; spent: their
   seconds. */
static bool may_narrow(const struct at_finals_phase *self, uint32_t most, double spent)
{
	const double before =
		at_budget_elapsed(&self->options.visit->budget, self->begun_ns);

	return self->look + 1 < AT_LOOKS &&
	       spent / most * (at_standings_blocks(self->look + 1) - most) <=
		       NARROWING_PART * before;
}

/* Whether to take another look: the winner is undecided, no device was lost, and there
   is time for enough blocks. If so, sets *seconds, the time for them, and `asked`, the
   finalists that need them. */
static bool wants_more(struct at_finals_phase *self, double *seconds)
{
	const struct at_finals_phase_options *options = &self->options;
	struct at_standing standings[AT_FINALS_SIZE];
	bool is_wanted[AT_FINALS_SIZE];
	size_t baseline = list_standings(self, standings);
	uint64_t now_ns = at_visit_now_ns(options->visit);
	double spent = (double)(now_ns - self->begun_ns) * 1e-9;
	uint32_t most = 0;
	bool needs_energy = options->visit->objective->needs_energy, is_open;

	for (size_t i = 0; i < self->count; i++)
		if (standings[i].count > most)
			most = standings[i].count;
	self->alpha = at_standings_alpha(self->look, false);
	is_open = at_standings_open(standings, self->count, baseline, self->alpha,
		may_narrow(self, most, spent), is_wanted);
	/* the second look at energies has the long windows and is the last */
	if (!is_open && !(needs_energy && self->look == 0))
		return false;
	/* alpha if no other look follows */
	self->alpha = at_standings_alpha(self->look, true);
	if (self->look + 1 == (needs_energy ? 2 : AT_LOOKS))
		return false;
	for (size_t i = 0; i < self->count; i++)
		if (self->finalists[i].result.device_lost)
			return false;
	*seconds = at_budget_more_finals_seconds(
		&options->visit->budget, now_ns, spent, options->is_repeated);
	if (needs_energy)
		*seconds = at_budget_finals_seconds(&options->visit->budget);
	else if (*seconds < BLOCKS_MIN * spent / most) {
		self->is_undecided =
			at_budget_cuts_finals(&options->visit->budget, spent) &&
			at_standings_undecided(
				standings, self->count, baseline, self->alpha);
		return false;
	}
	self->asked_count = 0;
	for (size_t i = 0; i < self->count; i++)
		if (is_wanted[i])
			self->asked[self->asked_count++] = i;
	return self->asked_count > 0;
}

/* Whether energy cannot be measured for a reason that is independent of the
   finalist. */
static bool is_refused(const struct at_finals_phase *self, struct at_error *err)
{
	for (size_t i = 0; i < self->asked_count; i++) {
		const struct at_measure_result *result =
			&self->finalists[self->asked[i]].result;

		if (!result->energy_refused ||
			result->outcome != AT_OUTCOME_NOT_APPLICABLE)
			continue;
		at_fail(err, AT_EUNAVAILABLE, NULL, 0, "%s", result->detail);
		return true;
	}
	return false;
}

static void finals_answered(void *context, const struct at_error *err)
{
	struct at_finals_phase *self = context;
	struct at_error problem = { 0 };
	double seconds;

	if (self->ended)
		return;
	if (!err)
		take_over(self);
	if (!err && is_refused(self, &problem))
		err = &problem;
	if (!err && wants_more(self, &seconds)) {
		self->look++;
		if (!ask(self, seconds, &problem))
			return;
		err = &problem;
	}
	self->options.ended(self->options.context, err);
}

/* Adds a candidate and its plan to the finals. */
static enum at_status add(struct at_finals_phase *self, size_t place, bool is_beside,
	struct at_error *err)
{
	const struct at_finals_phase_options *options = &self->options;
	struct at_finalist *finalist = &self->finalists[self->count++];

	finalist->place = place;
	finalist->is_beside = is_beside;
	return at_visit_plan(options->visit, options->candidates->items[place].index,
		&finalist->task, err);
}

enum at_status at_finals_phase_begin(struct at_finals_phase *self,
	const struct at_finals_phase_options *options, struct at_error *err)
{
	size_t places[AT_PODIUM_MOST];
	/* includes the leader without the pace, which may be wrong */
	const size_t beside[] = { options->candidates->baseline,
		at_candidates_find_configuration(
			options->candidates, options->recorded_winner),
		options->candidates->pace != 1
			? at_candidates_best_as_measured(options->candidates)
			: AT_NO_CANDIDATE };
	double seconds = at_budget_finals_seconds(&options->visit->budget);
	enum at_status status = AT_OK;
	size_t count;

	memset(self, 0, sizeof(*self));
	self->options = *options;
	count = at_finals_choose(
		options->candidates, options->visit->objective, places);
	for (size_t i = 0; i < count && !status; i++)
		status = add(self, places[i], false, err);
	for (size_t i = 0; i < AT_COUNT_OF(beside) && !status; i++) {
		bool takes_part = false;

		for (size_t k = 0; k < self->count; k++)
			takes_part |= self->finalists[k].place == beside[i];
		if (beside[i] != AT_NO_CANDIDATE && !takes_part)
			status = add(self, beside[i], true, err);
	}
	for (size_t i = 0; i < self->count; i++)
		self->asked[self->asked_count++] = i;
	self->begun_ns = at_visit_now_ns(options->visit);
	if (options->is_repeated)
		seconds = fmax(
			seconds, at_budget_more_finals_seconds(&options->visit->budget,
					 self->begun_ns, 0, true));
	if (!status)
		status = ask(self, seconds, err);
	return status;
}

struct at_finalist *at_finals_phase_choose(struct at_finals_phase *self)
{
	struct at_standing standings[AT_FINALS_SIZE];
	size_t baseline = list_standings(self, standings);
	size_t winner =
		at_standings_winner(standings, self->count, baseline, self->alpha);

	return winner < self->count ? &self->finalists[winner] : NULL;
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
		enum at_outcome outcome = finalist->result.outcome;

		/* NONE: the finals ended before this finalist was measured */
		if (!finalist->refused &&
			(outcome == AT_OUTCOME_OK || outcome == AT_OUTCOME_NONE))
			continue;
		/* a lost device fails all finalists; baseline and recorded winner are
		   unlikely causes */
		if (!finalist->refused && finalist->result.device_lost &&
			(finalist->place == self->options.candidates->baseline ||
				is_recorded_winner(self, finalist)))
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
	struct at_standing standings[AT_FINALS_SIZE];
	size_t place = list_standings(self, standings);
	const struct at_finalist *baseline;

	if (place == SIZE_MAX || !may_win(winner))
		return (struct at_finals_gain){ AT_SCORE_UNKNOWN, AT_SCORE_UNKNOWN };
	baseline = &self->finalists[place];
	if (baseline == winner)
		return (struct at_finals_gain){ { 1, 1, 1 }, winner->score };
	return at_finals_gain_of(
		self->options.visit->objective, &baseline->result, &winner->result);
}

/* Whether the finalist is on the Pareto front: no other finalist that may win is better
   in time or energy and at least as good in both. */
static bool is_on_front(const struct at_finals_phase *self, size_t which,
	const struct at_score energies[AT_FINALS_SIZE])
{
	const double time_ns = self->finalists[which].result.time_ns;
	const double joules = energies[which].value;

	for (size_t i = 0; i < self->count; i++) {
		const struct at_finalist *other = &self->finalists[i];

		if (may_win(other) && other->result.time_ns <= time_ns &&
			energies[i].value <= joules &&
			(other->result.time_ns < time_ns || energies[i].value < joules))
			return false;
	}
	return true;
}

char *at_finals_phase_energy(const struct at_finals_phase *self)
{
	const struct at_visit *visit = self->options.visit;
	struct at_score energies[AT_FINALS_SIZE];
	const struct at_measure_conditions *conditions;
	struct at_json *out, *array;

	if (!self->count || !visit->objective->needs_energy)
		return NULL;
	conditions = &self->finalists[0].result.conditions;
	out = at_json_object();
	array = at_json_array();
	at_json_set(out, "idle_watts", conditions->idle_watts);
	at_json_set(out, "least_celsius", conditions->least_celsius);
	at_json_set(out, "most_celsius", conditions->most_celsius);
	for (size_t i = 0; i < self->count; i++)
		energies[i] = at_final_score(
			&at_objective_energy, &self->finalists[i].result);
	for (size_t i = 0; i < self->count; i++) {
		const struct at_finalist *finalist = &self->finalists[i];
		struct at_json *one;

		if (!may_win(finalist))
			continue;
		one = at_json_object();
		at_json_set(one, "configuration",
			at_json_configuration(
				visit->spec, finalist->task->configuration));
		at_json_set_score(one, &at_objective_time,
			at_final_score(&at_objective_time, &finalist->result));
		at_json_set_score(one, &at_objective_energy, energies[i]);
		at_json_set(one, "on_front", is_on_front(self, i, energies));
		at_json_append(array, one);
	}
	at_json_set(out, "finalists", array);
	return at_json_finish(out);
}

void at_finals_phase_end(struct at_finals_phase *self)
{
	for (size_t i = 0; i < self->count; i++) {
		at_task_free(self->finalists[i].task);
		at_measure_result_release(&self->finalists[i].result);
	}
	self->count = 0;
	self->ended = true;
}
