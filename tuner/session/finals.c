/* What the finals of searches, nights and portfolios share (finals.h). */
#include "session/finals.h"

#include "session/standings.h"

#include <math.h>

struct at_measure_finals at_finals_first(double seconds, uint64_t seed)
{
	return (struct at_measure_finals){
		.blocks = at_standings_blocks(0),
		.rounds = AT_FINALS_ROUNDS,
		.seconds = seconds,
		.seed = seed,
	};
}

bool at_final_was_sampled(const struct at_measure_result *self)
{
	return self->outcome == AT_OUTCOME_OK && self->block_count > 0;
}

void at_final_check_floor(struct at_measure_result *self, const struct at_floor *floor)
{
	if (at_final_was_sampled(self) && !at_floor_allows(floor, self->time_ns,
						  self->detail, sizeof(self->detail)))
		self->outcome = AT_OUTCOME_TOO_FAST;
}

struct at_score at_final_score(const struct at_measure_result *self)
{
	return (struct at_score){ self->time_ns, self->low_ns, self->high_ns };
}

struct at_interval at_finals_ratio(
	const struct at_measure_result *above, const struct at_measure_result *below)
{
	uint32_t count = above->block_count < below->block_count ? above->block_count
								 : below->block_count;

	/* a finalist that was slow beside the others may have fewer blocks */
	if (!count)
		return (struct at_interval){ .median = NAN, .low = NAN, .high = NAN };
	return at_statistics_block_ratio(
		above->blocks_ns, below->blocks_ns, count, AT_FINALS_CONFIDENCE);
}

struct at_finals_gain at_finals_gain_of(const struct at_objective *objective,
	const struct at_measure_result *baseline,
	const struct at_measure_result *winner)
{
	struct at_finals_gain gain = { .baseline = at_final_score(baseline) };
	struct at_interval ratio = at_finals_ratio(baseline, winner);

	/* The gain is the quotient of the two scores, so that a reader who divides them
	   finds the same number. The interval's middle differs from it only by
	   rounding. */
	gain.speedup.value = at_objective_gain(
		objective, gain.baseline.value, at_final_score(winner).value);
	gain.speedup.low = fmin(ratio.low, gain.speedup.value);
	gain.speedup.high = fmax(ratio.high, gain.speedup.value);
	if (isnan(ratio.low))
		gain.speedup.low = gain.speedup.high = NAN;
	return gain;
}
