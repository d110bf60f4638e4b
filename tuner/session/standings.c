/* Decides finals by their blocks (standings.h): Student's intervals of ratios of blocks
   (measure/statistics.h), against the constants below. */
#include "session/standings.h"

#include "measure/statistics.h"

#include <math.h>

/*
 * Blocks at each look. Student's interval of six blocks is 1.05 deviations wide to
 * either side, of twelve 0.64, of twenty-four 0.42, of seventy-two 0.24. Six blocks,
 * about a second, settle most finals. Each look at least doubles the blocks, since
 * fewer would add little. The last look is for winners whose time depends on memory
 * placement: an H100 reads 268 MB in times that differ by 0.7 % from block to block.
 */
static const uint32_t look_blocks[AT_LOOKS] = { 6, 12, 24, 72 };

/* The alpha of each look, both sides together: 10 % in total; half of it is the side
   that selects a wrong configuration. The first look has most of it, since it settles
   most finals, and with few blocks a smaller alpha widens the interval a lot. */
static const double look_alpha[AT_LOOKS] = { 0.06, 0.02, 0.01, 0.01 };

/* Medians that differ by less tie, whatever the interval: users do not notice such a
   difference, and it is not worth a changed header. */
#define SAME 0.002
/* a finalist that may beat the winner by more is worth more blocks */
#define BETTER 0.003
/* So is a winner whose interval is wider, to either side. Of ten runs the fastest and
   the slowest are about 1.4 such widths apart: 0.2 %. */
#define NARROW 0.0015
/* From six to seventy-two blocks an interval becomes 4.5 times narrower. An interval
   wider than this multiple of the aim, as most on a busy CPU, would not reach it, so
   more blocks would be wasted. */
#define WIDEST 7
#define CONFIDENCE 0.95
/* Half-width of the winner's time, relative, that a short first look must reach; wider
   intervals get a note in the summary (cli/summary.c). */
#define KNOWN 0.05
/* A finalist that ties with the best looks as good if it is as likely as not to be as
   good. Of five equal finalists the best looks too fast by chance alone; choosing by
   resources among those that look as good avoids that. */
#define LIKELY 0.5

uint32_t at_standings_blocks(unsigned look)
{
	return look_blocks[look];
}

double at_standings_alpha(unsigned look, bool is_last)
{
	double alpha = look_alpha[look];

	for (unsigned later = look + 1; later < AT_LOOKS && is_last; later++)
		alpha += look_alpha[later];
	return alpha;
}

/* the ratio of costs above / below, block by block */
static struct at_interval cost_ratio(const struct at_standing *above,
	const struct at_standing *below, double confidence)
{
	struct at_interval unknown = { .median = NAN, .low = NAN, .high = NAN };
	uint32_t count = above->count < below->count ? above->count : below->count;

	return count ? at_statistics_block_ratio(
			       above->blocks, below->blocks, count, confidence)
		     : unknown;
}

/* Whether `below` is significantly better than `above`, by more than the margin and by
   a noticeable amount. False without common blocks. */
static bool is_beaten_by(const struct at_standing *above,
	const struct at_standing *below, double margin, double confidence)
{
	struct at_interval ratio = cost_ratio(above, below, confidence);

	return ratio.low > 1 + margin && ratio.median > 1 + SAME;
}

static bool is_beaten(const struct at_standing *above, const struct at_standing *below,
	double confidence)
{
	return is_beaten_by(above, below, 0, confidence);
}

/* Whether the standing does not beat the defender by more than its margin. False
   without a defender. */
static bool is_held_off(const struct at_standing *defender,
	const struct at_standing *standing, double confidence)
{
	return defender &&
	       !is_beaten_by(defender, standing, defender->margin, confidence);
}

/* Whether `below` may be better than `above` by more than `by`; also true without
   common blocks. */
static bool may_beat(const struct at_standing *below, const struct at_standing *above,
	double by, double confidence)
{
	return !(cost_ratio(above, below, confidence).high <= 1 + by);
}

/* Whether the interval is wider than wanted, but not too wide for more blocks to
   help. */
static bool can_get_narrow(struct at_interval interval, double wanted)
{
	double half = (interval.high - interval.low) / 2 / interval.median;

	return !(half <= wanted) && !(half > WIDEST * wanted);
}

/*
 * Whether a finalist that may beat the winner is worth more blocks. If the winner is
 * the baseline, the finalist must also look better now: otherwise more blocks would
 * hardly make it significantly better. Else both are good, and more blocks must be able
 * to tell which is better.
 */
static bool is_worth_more(const struct at_standing *below,
	const struct at_standing *winner, bool is_baseline, double confidence)
{
	struct at_interval ratio = cost_ratio(winner, below, confidence);

	if (is_baseline)
		return may_beat(below, winner, SAME, confidence) && ratio.median > 1;
	return may_beat(below, winner, BETTER, confidence) &&
	       can_get_narrow(ratio, BETTER);
}

/*
 * The confidence at which a rival is better than the baseline. Of five rivals that are
 * no better, the luckiest looks better more often than each alone, so they share the
 * alpha (Bonferroni). At least CONFIDENCE, the level of reported intervals: otherwise a
 * winner's reported gain could include 1.
 */
static double confidence_of_all(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha)
{
	double rivals = 0;

	for (size_t i = 0; i < count; i++)
		rivals += i != baseline && standings[i].may_win;
	return 1 - fmin(alpha / (rivals > 1 ? rivals : 1), 1 - CONFIDENCE);
}

size_t at_standings_winner(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha)
{
	double sure = confidence_of_all(standings, count, baseline, alpha);
	const struct at_standing *base = baseline < count && standings[baseline].may_win
						 ? &standings[baseline]
						 : NULL;
	const struct at_standing *defender = NULL;
	size_t leader = SIZE_MAX, winner;
	bool is_base_held_off;

	for (size_t i = 0; i < count; i++)
		if (standings[i].is_defended && standings[i].may_win)
			defender = &standings[i];
	is_base_held_off = base && is_held_off(defender, base, sure);
	/* Only among those that significantly beat baseline and defender: a finalist
	   with very noisy blocks may look best and must not hide them. The confidence
	   covers multiple comparisons. */
	for (size_t i = 0; i < count; i++) {
		const struct at_standing *standing = &standings[i];

		if (!standing->may_win || standing == base ||
			is_held_off(defender, standing, sure) ||
			(base && !is_base_held_off && !is_beaten(base, standing, sure)))
			continue;
		if (leader == SIZE_MAX ||
			cost_ratio(&standings[leader], standing, CONFIDENCE).median > 1)
			leader = i;
	}
	if (leader == SIZE_MAX && defender && (!base || is_base_held_off))
		return (size_t)(defender - standings);
	if (leader == SIZE_MAX)
		return base ? baseline : SIZE_MAX;
	winner = leader;
	for (size_t i = 0; i < count; i++) {
		const struct at_standing *standing = &standings[i];
		bool is_beaten_by_any = false;

		if (i == leader || standing == base || !standing->may_win ||
			is_held_off(defender, standing, sure) ||
			(base && !is_beaten(base, standing, sure)))
			continue;
		/* by another finalist that may win */
		for (size_t k = 0; k < count && !is_beaten_by_any; k++)
			is_beaten_by_any =
				k != i && standings[k].may_win &&
				is_beaten(standing, &standings[k], 1 - alpha);
		if (is_beaten_by_any)
			continue;
		/* in a tie the recorded winner stays */
		if (standing->is_recorded_winner)
			return i;
		/* the leader is the best guess, unless another looks as good and needs
		   less */
		if (!standings[winner].is_recorded_winner &&
			standing->resources < standings[winner].resources &&
			cost_ratio(standing, &standings[leader], LIKELY).low <=
				1 + SAME)
			winner = i;
	}
	return winner;
}

bool at_standings_undecided(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha)
{
	size_t best = at_standings_winner(standings, count, baseline, alpha);
	double sure = confidence_of_all(standings, count, baseline, alpha);
	bool is_baseline = best == baseline;
	const struct at_standing *winner;

	if (best == SIZE_MAX)
		return false;
	winner = &standings[best];
	if (winner->is_short) {
		struct at_interval time =
			at_statistics_blocks(winner->blocks, winner->count, CONFIDENCE);

		if (!(time.high - time.low <= 2 * KNOWN * time.median))
			return true;
	}
	for (size_t i = 0; i < count; i++) {
		if (i == best || i == baseline || !standings[i].may_win ||
			standings[i].count < winner->count)
			continue;
		if (winner->is_short && may_beat(&standings[i], winner, BETTER,
						is_baseline ? sure : 1 - alpha))
			return true;
		if (is_baseline && winner->count < look_blocks[AT_LOOKS - 2] &&
			is_worth_more(&standings[i], winner, true, sure))
			return true;
	}
	return false;
}

bool at_standings_open(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha, bool narrows, bool *is_wanted)
{
	size_t best = at_standings_winner(standings, count, baseline, alpha);
	double sure = confidence_of_all(standings, count, baseline, alpha);
	const struct at_standing *winner;
	struct at_interval time;
	bool is_open, is_decided;

	for (size_t i = 0; i < count; i++)
		is_wanted[i] = false;
	if (best == SIZE_MAX)
		return false;
	winner = &standings[best];
	/* The winner may have been beaten at an earlier look, and lead because that
	   finalist failed since. Blocks that others had without it say nothing about
	   it. */
	for (size_t i = 0; i < count; i++)
		if (standings[i].may_win && standings[i].count > winner->count)
			return false;
	time = at_statistics_blocks(winner->blocks, winner->count, CONFIDENCE);
	is_open = (narrows && can_get_narrow(time, NARROW)) ||
		  at_standings_undecided(standings, count, baseline, alpha);
	/* with this many blocks, the better of two is clear, or it makes no
	   difference */
	is_decided = winner->count >= look_blocks[AT_LOOKS - 2];
	for (size_t i = 0; i < count; i++) {
		/* only a significantly better one replaces the baseline */
		double confidence = best == baseline ? sure : 1 - alpha;

		is_wanted[i] = i == best || i == baseline;
		/* a finalist that was beaten at an earlier look stays beaten */
		if (i == best || i == baseline || !standings[i].may_win ||
			standings[i].count < winner->count)
			continue;
		is_wanted[i] = may_beat(&standings[i], winner, SAME, confidence);
		if (!is_decided && is_worth_more(&standings[i], winner,
					   best == baseline, confidence))
			is_open = true;
	}
	if (baseline < count && (!standings[baseline].may_win ||
					standings[baseline].count < winner->count))
		is_wanted[baseline] = false;
	return is_open;
}

/* ---- running finals -------------------------------------------------------- */

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

void at_final_blocks(const struct at_objective *objective,
	const struct at_measure_result *self, double values[AT_BLOCKS_MAX])
{
	for (uint32_t i = 0; i < self->block_count; i++)
		values[i] =
			objective == &at_objective_time ? self->blocks_ns[i]
			: objective == &at_objective_energy
				? self->blocks_joules[i]
				: self->blocks_joules[i] * self->blocks_ns[i] * 1e-9;
}

struct at_score at_final_score(
	const struct at_objective *objective, const struct at_measure_result *self)
{
	double values[AT_BLOCKS_MAX];
	struct at_interval interval;

	if (objective == &at_objective_time)
		return (struct at_score){ self->time_ns, self->low_ns, self->high_ns };
	at_final_blocks(objective, self, values);
	interval =
		at_statistics_blocks(values, self->block_count, AT_FINALS_CONFIDENCE);
	return (struct at_score){ interval.median, interval.low, interval.high };
}

struct at_interval at_finals_ratio(const struct at_objective *objective,
	const struct at_measure_result *above, const struct at_measure_result *below)
{
	double over[AT_BLOCKS_MAX], under[AT_BLOCKS_MAX];
	uint32_t count = above->block_count < below->block_count ? above->block_count
								 : below->block_count;

	/* a slow finalist may have fewer blocks */
	if (!count)
		return (struct at_interval){ .median = NAN, .low = NAN, .high = NAN };
	at_final_blocks(objective, above, over);
	at_final_blocks(objective, below, under);
	return at_statistics_block_ratio(over, under, count, AT_FINALS_CONFIDENCE);
}

struct at_finals_gain at_finals_gain_of(const struct at_objective *objective,
	const struct at_measure_result *baseline,
	const struct at_measure_result *winner)
{
	struct at_finals_gain gain = { .baseline =
					       at_final_score(objective, baseline) };
	struct at_interval ratio = at_finals_ratio(objective, baseline, winner);

	/* The gain is the quotient of both scores, so that a reader who divides them
	   gets the same number. The interval's middle differs only by rounding. */
	gain.speedup.value = at_objective_gain(objective, gain.baseline.value,
		at_final_score(objective, winner).value);
	gain.speedup.low = fmin(ratio.low, gain.speedup.value);
	gain.speedup.high = fmax(ratio.high, gain.speedup.value);
	if (isnan(ratio.low))
		gain.speedup.low = gain.speedup.high = NAN;
	return gain;
}
