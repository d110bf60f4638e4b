/* Rounds: a sample of each finalist in turns, and what a block of them comes to. */
#include "measure/finals_parts.h"
#include "measure/result.h"
#include "measure/sample.h"
#include "measure/statistics.h"
#include "measure/verify.h"
#include "base/clock.h"

#include <math.h>
#include <string.h>

/*
 * Of one of which no sample came near the slowest of the best in a whole block, more
 * samples would only make sure of what is sure: from then on it has the fewest. A slow
 * baseline would take most of the finals' time.
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

/* of the finalist whose slowest sample in this block is the fastest: that sample */
static double leader_ns(const struct finals *self)
{
	double least_ns = INFINITY;

	for (size_t i = 0; i < self->count; i++)
		if (finals_has_sampled(self, i) &&
			block_extreme(self, i, true) < least_ns)
			least_ns = block_extreme(self, i, true);
	return least_ns;
}

/*
 * A sample, and a look at what it left. Where the timed launches themselves have shown
 * that the module keeps something, those before it of this block were of a kernel that
 * may have lived on it: they are forgotten.
 */
static enum at_outcome take_sample(struct finals *self, size_t which,
	struct at_measure_result *result, struct at_error *err)
{
	struct finalist *finalist = &self->finalists[which];
	struct candidate *candidate = &finalist->candidate;
	enum at_outcome outcome;

	do {
		finalist->keeps_state = candidate->keeps_state;
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
	result_explain(result, &error);
	self->is_lost =
		self->bench->device->is_lost || outcome_loses_device(result->outcome);
}

/* Takes a sample of each finalist that needs one; stops if one loses the device. */
static void hold_round(struct finals *self, uint32_t round)
{
	double limit_ns = INFINITY;

	if (round >= ROUNDS_MIN)
		limit_ns = FAR_AT_ONCE * leader_ns(self);
	/* or a finalist would always follow the same one, and be measured in its
	   heat */
	at_statistics_shuffle(self->order, self->count, &self->random);
	for (size_t i = 0; i < self->count && !self->is_lost; i++) {
		unsigned which = self->order[i];

		if (self->results[which].outcome != AT_OUTCOME_OK)
			continue;
		if (round >= ROUNDS_MIN &&
			(self->finalists[which].is_far ||
				block_extreme(self, which, false) > limit_ns))
			continue;
		finals_take_turn(self, which);
	}
}

/*
 * Asks the board how it was, which takes it a millisecond: once a round. true: it was
 * held back, and the round is no more than a hint of what that costs.
 */
static bool was_held_back(struct finals *self)
{
	struct at_device_state state = { 0 };

	self->bench->device->ops->state(self->bench->device, &state);
	if (!self->has_sampled)
		self->watch.first_clock_hz = state.clock_hz;
	self->has_sampled = true;
	self->watch.last_clock_hz = state.clock_hz;
	/* the board idles while it is asked, which explains nothing */
	self->watch.clock_reasons |=
		state.clock_reasons & ~AT_CLOCK_REASON_BIT(AT_CLOCK_REASON_IDLE);
	self->watch.set_clock_hz = state.set_clock_hz;
	self->watch.set_memory_clock_hz = state.set_memory_clock_hz;
	self->watch.power_limit_watts = state.power_limit_watts;
	self->watch.ecc = state.ecc;
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
		/* again, unless that is how the board is: heat does not go away, nor
		   does a cap below what these kernels draw */
		if (self->watch.repeated_rounds == self->how->blocks) {
			self->watch.throttled_rounds++;
			continue;
		}
		self->watch.repeated_rounds++;
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
