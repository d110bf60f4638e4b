/* The rounds of a block of finals: each takes one sample of every finalist. */
#include "measure/finals_parts.h"
#include "measure/result.h"
#include "measure/sample.h"
#include "measure/statistics.h"
#include "measure/verify.h"
#include "base/clock.h"

#include <math.h>
#include <string.h>

/*
 * A finalist is far if in a whole block even its fastest sample was so many times
 * slower than the slowest sample of the leader. More samples of it would decide
 * nothing, so it takes part only in the fewest rounds from then on; a slow baseline
 * would else take most of the time of the finals.
 */
#define FAR 1.02

static double block_extreme(const struct finals *self, size_t i, bool largest)
{
	const struct at_measure_result *result = &self->results[i];
	uint32_t begin = self->finalists[i].begin;
	double found = result->samples_ns[begin];

	for (uint32_t j = begin + 1; j < result->sample_count; j++)
		if ((result->samples_ns[j] > found) == largest)
			found = result->samples_ns[j];
	return found;
}

bool finals_has_sampled(const struct finals *self, size_t i)
{
	return self->results[i].outcome == AT_OUTCOME_OK &&
	       self->results[i].sample_count > self->finalists[i].begin;
}

/* The leader of a block is the finalist whose slowest sample is the fastest; returns
   that sample. */
static double leader_ns(const struct finals *self)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < self->count; i++)
		if (finals_has_sampled(self, i) &&
			block_extreme(self, i, true) < least_ns)
			least_ns = block_extreme(self, i, true);
	return least_ns;
}

/* In one of so many turns a finalist's sample is cut short first. */
#define CUT_ONE_OF 3

/*
 * Only the output of a sample's last launch can be compared. A kernel that counts its
 * launches, in memory where nothing is put back (shared memory, the heap), could work
 * in the last launch alone and be as many times faster. So now and then launches end
 * before that, at random, and are compared like a sample. Their time does not count: it
 * is less exact.
 */
static enum at_outcome cut_sample_short(struct finals *self,
	struct candidate *candidate, struct at_measure_result *result,
	struct at_error *err)
{
	unsigned launches = result->launches_per_sample;
	enum at_outcome outcome;
	double time_ns;

	if (launches < 2 || at_random_below(&self->random, CUT_ONE_OF) != 0)
		return AT_OUTCOME_OK;
	launches = 1 + (unsigned)at_random_below(&self->random, launches - 1);
	outcome = sample_once(self->bench, candidate, launches, &time_ns, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_sampled(self->bench, candidate, false, result, err);
	return outcome;
}

/*
 * Takes a sample and checks the output that it left. If these launches are the first to
 * change the module's variables, earlier samples of this block may have used what was
 * kept there: they are dropped, and the sample is taken again with the variables
 * restored.
 */
static enum at_outcome take_sample(struct finals *self, size_t which,
	struct at_measure_result *result, struct at_error *err)
{
	struct finalist *finalist = &self->finalists[which];
	struct candidate *candidate = &finalist->candidate;
	enum at_outcome outcome;

	do {
		finalist->keeps_state = candidate->keeps_state;
		outcome = cut_sample_short(self, candidate, result, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		if (finalist->is_warmed)
			outcome = sample_warm_cache(self->bench, candidate, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		outcome =
			sample_once(self->bench, candidate, result->launches_per_sample,
				&result->samples_ns[result->sample_count], err);
		if (outcome == AT_OUTCOME_OK)
			outcome = verify_sampled(
				self->bench, candidate, false, result, err);
		if (outcome != AT_OUTCOME_OK)
			break;
		result->sample_count++;
		if (candidate->keeps_state != finalist->keeps_state) {
			result->sample_count = finalist->begin;
			candidate_list(self->bench, candidate);
		}
	} while (candidate->keeps_state != finalist->keeps_state);
	/* it was right before it was timed */
	return outcome == AT_OUTCOME_WRONG_RESULT ? AT_OUTCOME_UNSTABLE : outcome;
}

void finals_take_turn(struct finals *self, size_t which)
{
	struct at_measure_result *result = &self->results[which];
	struct at_error error = { 0 };

	result->outcome = take_sample(self, which, result, &error);
	if (result->outcome == AT_OUTCOME_OK)
		return;
	if (is_machines_fault(result->outcome, &error))
		self->fault = error;
	result_explain(result, &error);
	self->is_lost = self->fault.status || self->bench->device->is_lost ||
			outcome_loses_device(result->outcome);
}

/* Takes a sample of each finalist that needs one; stops if one loses the device. */
static void hold_round(struct finals *self, uint32_t round)
{
	double limit_ns = INFINITY;

	if (round >= ROUNDS_FAR)
		limit_ns = FAR_AT_ONCE * leader_ns(self);
	/* a fixed order would measure a finalist always in the heat of the same other
	   one */
	at_statistics_shuffle(self->order, self->count, &self->random);
	for (size_t i = 0; i < self->count && !self->is_lost; i++) {
		unsigned which = self->order[i];

		if (self->results[which].outcome != AT_OUTCOME_OK)
			continue;
		if (round >= ROUNDS_FAR &&
			(self->finalists[which].is_far ||
				block_extreme(self, which, false) > limit_ns))
			continue;
		finals_take_turn(self, which);
	}
}

/*
 * Asks the board for its state, once a round as that takes a millisecond. True: the
 * board was throttled, so that the times of this round do not count.
 */
static bool was_held_back(struct finals *self)
{
	struct at_device_state state = { 0 };

	self->bench->device->ops->state(self->bench->device, &state);
	if (!self->has_sampled)
		self->conditions.first_clock_hz = state.clock_hz;
	self->has_sampled = true;
	self->conditions.last_clock_hz = state.clock_hz;
	/* the board is idle while it is asked, so that reason means nothing */
	self->conditions.clock_reasons |=
		state.clock_reasons & ~AT_CLOCK_REASON_BIT(AT_CLOCK_REASON_IDLE);
	self->conditions.set_clock_hz = state.set_clock_hz;
	self->conditions.default_clock_hz = state.default_clock_hz;
	self->conditions.set_memory_clock_hz = state.set_memory_clock_hz;
	self->conditions.default_memory_clock_hz = state.default_memory_clock_hz;
	self->conditions.power_limit_watts = state.power_limit_watts;
	self->conditions.ecc = state.ecc;
	self->conditions.is_ungated = self->bench->device->is_ungated;
	return state.throttled;
}

bool finals_is_late(const struct finals *self, uint32_t block)
{
	double share = (double)(block + 1) / self->how->blocks;

	return (double)(at_clock_now_ns() - self->start_ns) * 1e-9 >=
	       self->how->seconds * share;
}

void finals_hold_rounds(struct finals *self, uint32_t block)
{
	for (uint32_t round = 0; round < self->how->rounds && !self->is_lost; round++) {
		uint32_t counts[AT_FINALISTS_MAX] = { 0 };

		if (round >= ROUNDS_MIN && finals_is_late(self, block))
			break;
		for (size_t i = 0; i < self->count; i++)
			counts[i] = self->results[i].sample_count;
		hold_round(self, round);
		if (self->is_lost || !was_held_back(self))
			continue;
		/* Take the round again, unless the board is always like that: heat does
		   not go away soon, nor does a power limit below what these kernels
		   draw. */
		if (self->conditions.repeated_rounds == self->how->blocks) {
			self->conditions.throttled_rounds++;
			continue;
		}
		self->conditions.repeated_rounds++;
		for (size_t i = 0; i < self->count; i++)
			if (self->results[i].sample_count > counts[i])
				self->results[i].sample_count = counts[i];
		round--;
	}
}

void finals_close_block(struct finals *self)
{
	double limit_ns = FAR * leader_ns(self);

	for (size_t i = 0; i < self->count; i++) {
		struct at_measure_result *result = &self->results[i];
		uint32_t begin = self->finalists[i].begin;
		uint32_t count = result->sample_count - begin;
		double median_ns;

		if (!finals_has_sampled(self, i))
			continue;
		memcpy(self->sorted, result->samples_ns + begin,
			count * sizeof(*self->sorted));
		median_ns = at_statistics_median(self->sorted, count).median;
		result->blocks_ns[result->block_count++] = median_ns;
		self->finalists[i].usual_ns =
			fmin(self->finalists[i].usual_ns, median_ns);
		self->finalists[i].is_far = self->finalists[i].is_far ||
					    block_extreme(self, i, false) > limit_ns;
	}
}
