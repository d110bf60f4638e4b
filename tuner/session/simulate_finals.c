/*
 * Which configuration a run would have crowned. A simulated search knows recorded
 * times, so it keeps the best of what it measured without error; a tuning measures
 * once, with noise, and then holds finals. Here both are drawn from the recorded
 * samples (the bootstrap: Efron 1979), and the finals are decided as those of a tuning
 * at their first look (session/standings.h).
 */
#include "session/finals.h"
#include "base/memory.h"
#include "session/phase_finals.h"
#include "session/simulate_parts.h"
#include "session/standings.h"

#include "search/score.h"

#include <math.h>
#include <stdlib.h>

/* A configuration that may come to the finals. */
struct entrant {
	uint64_t row;
	double measured_ns;
};

/*
 * A measurement with noise: the recorded time times the median of `count` of the row's
 * samples, drawn with replacement, over the median of all its samples. The ratio is
 * used since the recorded time need not be the median: it may be a mean, or the least.
 * scratch: room for count values and for the row's samples.
 */
static double draw(const struct at_recording *recording, uint64_t row, size_t count,
	struct at_random *random, double *scratch)
{
	const struct at_recorded *result = &recording->results[row];
	const double *samples = recording->samples_ns + result->sample_begin;
	double whole;

	if (result->sample_count < 2)
		return result->time_ns;
	for (size_t i = 0; i < result->sample_count; i++)
		scratch[i] = samples[i];
	whole = at_score_quantile(scratch, result->sample_count, 0.5);
	for (size_t i = 0; i < count; i++)
		scratch[i] = samples[at_random_below(random, result->sample_count)];
	return result->time_ns * at_score_quantile(scratch, count, 0.5) / whole;
}

/* Chooses the best AT_PODIUM_SIZE by one measurement each; returns how many there
   are. */
static size_t choose(const struct at_recording *recording,
	const struct at_simulate_run *run, struct at_random *random, double *scratch,
	struct entrant *entrants)
{
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++) {
		struct entrant entrant = { .row = run->steps[i].row };
		const struct at_recorded *result = &recording->results[entrant.row];
		size_t place;

		if (result->outcome != AT_OUTCOME_OK)
			continue;
		entrant.measured_ns = draw(
			recording, entrant.row, result->sample_count, random, scratch);
		if (count < AT_PODIUM_SIZE)
			count++;
		else if (entrant.measured_ns >= entrants[count - 1].measured_ns)
			continue;
		for (place = count - 1; place > 0 && entrants[place - 1].measured_ns >
							     entrant.measured_ns;)
			place--;
		for (size_t k = count - 1; k > place; k--)
			entrants[k] = entrants[k - 1];
		entrants[place] = entrant;
	}
	return count;
}

void at_simulate_crown(const struct at_recording *recording,
	const struct at_simulate_run *run, uint64_t seed, double *crowned_ns)
{
	struct entrant entrants[AT_PODIUM_SIZE];
	struct at_standing standings[AT_PODIUM_SIZE];
	double blocks[AT_PODIUM_SIZE][AT_BLOCKS_MAX];
	uint32_t block_count = at_standings_blocks(0);
	size_t most = AT_FINALS_ROUNDS, count, winner;
	struct at_random random;
	double *scratch;

	*crowned_ns = NAN;
	for (size_t i = 0; i < recording->count; i++)
		if (recording->results[i].sample_count > most)
			most = recording->results[i].sample_count;
	scratch = at_calloc(most, sizeof(*scratch));
	at_random_init(&random, seed);
	count = choose(recording, run, &random, scratch, entrants);
	for (size_t i = 0; i < count; i++) {
		for (uint32_t b = 0; b < block_count; b++)
			blocks[i][b] = draw(recording, entrants[i].row,
				AT_FINALS_ROUNDS, &random, scratch);
		standings[i] = (struct at_standing){
			.blocks = blocks[i],
			.count = block_count,
			.may_win = true,
		};
	}
	free(scratch);
	if (count == 0)
		return;
	winner = at_standings_winner(
		standings, count, SIZE_MAX, at_standings_alpha(0, true));
	*crowned_ns = recording->results[entrants[winner].row].time_ns;
}
