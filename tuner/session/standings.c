#include "session/standings.h"

#include "measure/statistics.h"

#include <math.h>

/*
 * Student's interval of six blocks is 1.05 deviations wide to either side, of twelve
 * 0.64, of twenty-four 0.42. Most is settled after six, in a second; each look doubles
 * what the last one had, or it would see nearly the same again.
 */
static const uint32_t look_blocks[AT_LOOKS] = { 6, 12, 24 };

/*
 * What may be wrong at each look: 10 % together to either side, of which only the one
 * that crowns somebody does harm. The first has most of it, since that is where most is
 * settled, and with few blocks a confidence is paid for dearly.
 */
static const double look_doubt[AT_LOOKS] = { 0.06, 0.02, 0.02 };

/* two medians so near are called a tie whatever the interval says: a difference that
   no user sees is not worth a changed header */
#define SAME 0.002
/* who may be better than the winner by more than this is worth more blocks */
#define BETTER 0.003
/* and so is an interval of the winner's time that is wider to either side: of ten runs
   whose times are known so well the fastest and the slowest are 0.3 % apart */
#define NARROW 0.002
/* from six blocks to twenty-four an interval gets 2.5 times as narrow; of one that is
   wider than so many times what it should be, as most are on a busy CPU, the most that
   can be had would still not do */
#define WIDEST 5
#define CONFIDENCE 0.95
/*
 * Who ties with the best by so little that it is as likely as not to be as good looks
 * as good. By the luck of the noise alone the best of five that are alike is told too
 * fast; who is chosen by what it needs is not.
 */
#define LIKELY 0.5

uint32_t at_standings_blocks(unsigned look)
{
	return look_blocks[look];
}

double at_standings_doubt(unsigned look, bool is_last)
{
	double doubt = look_doubt[look];

	for (unsigned later = look + 1; later < AT_LOOKS && is_last; later++)
		doubt += look_doubt[later];
	return doubt;
}

/* the costs of one over those of the other, block by block */
static struct at_interval cost_ratio(const struct at_standing *above,
	const struct at_standing *below, double confidence)
{
	struct at_interval unknown = { .median = NAN, .low = NAN, .high = NAN };
	uint32_t count = above->count < below->count ? above->count : below->count;

	return count ? at_statistics_block_ratio(
			       above->blocks, below->blocks, count, confidence)
		     : unknown;
}

/* below is better by more than the margin for sure, and by more than anybody sees; not
   where nobody knows */
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

/* who has to be beaten by a margin is not; false where nobody has to be */
static bool is_held_off(const struct at_standing *defender,
	const struct at_standing *standing, double confidence)
{
	return defender &&
	       !is_beaten_by(defender, standing, defender->margin, confidence);
}

/* below may be better by more than this: also where nobody knows */
static bool may_beat(const struct at_standing *below, const struct at_standing *above,
	double by, double confidence)
{
	return !(cost_ratio(above, below, confidence).high <= 1 + by);
}

/* half of the interval's width is more than wanted, and not far too much */
static bool can_get_narrow(struct at_interval interval, double wanted)
{
	double half = (interval.high - interval.low) / 2 / interval.median;

	return !(half <= wanted) && !(half > WIDEST * wanted);
}

/*
 * Whether more blocks are worth it for one that may be better than the winner. Than the
 * baseline it must look better as well: what does not after these blocks will hardly be
 * better for sure after more. Any other is one of several good ones, and it is worth
 * it where blocks can tell which.
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
 * The luckiest of five that are no better than the baseline looks better than it more
 * often than each of them: they share the doubt (Bonferroni). Never less than what is
 * told: nobody is crowned over a baseline with an interval of the gain that holds 1.
 */
static double confidence_of_all(const struct at_standing *standings, size_t count,
	size_t baseline, double doubt)
{
	double rivals = 0;

	for (size_t i = 0; i < count; i++)
		rivals += i != baseline && standings[i].may_win;
	return 1 - fmin(doubt / (rivals > 1 ? rivals : 1), 1 - CONFIDENCE);
}

size_t at_standings_winner(const struct at_standing *standings, size_t count,
	size_t baseline, double doubt)
{
	double sure = confidence_of_all(standings, count, baseline, doubt);
	const struct at_standing *base = baseline < count && standings[baseline].may_win
						 ? &standings[baseline]
						 : NULL;
	const struct at_standing *defender = NULL;
	size_t leader = SIZE_MAX, winner;

	for (size_t i = 0; i < count; i++)
		if (standings[i].is_defended && standings[i].may_win)
			defender = &standings[i];
	for (size_t i = 0; i < count; i++)
		if (standings[i].may_win &&
			(leader == SIZE_MAX || cost_ratio(&standings[leader],
						       &standings[i], CONFIDENCE)
							       .median > 1))
			leader = i;
	if (leader == SIZE_MAX)
		return SIZE_MAX;
	if (is_held_off(defender, &standings[leader], sure))
		return (size_t)(defender - standings);
	if (base && !is_beaten(base, &standings[leader], sure) &&
		!is_held_off(defender, base, sure))
		return baseline;
	winner = leader;
	for (size_t i = 0; i < count; i++) {
		const struct at_standing *standing = &standings[i];

		if (i == leader || standing == base || !standing->may_win ||
			is_beaten(standing, &standings[leader], 1 - doubt) ||
			is_held_off(defender, standing, sure) ||
			(base && !is_beaten(base, standing, sure)))
			continue;
		/* a tie must not change what is in use */
		if (standing->is_recorded_winner)
			return i;
		/* of strangers the best guess is the leader */
		if (!standings[winner].is_recorded_winner &&
			standing->resources < standings[winner].resources &&
			cost_ratio(standing, &standings[leader], LIKELY).low <=
				1 + SAME)
			winner = i;
	}
	return winner;
}

bool at_standings_open(const struct at_standing *standings, size_t count,
	size_t baseline, double doubt, bool *is_wanted)
{
	size_t best = at_standings_winner(standings, count, baseline, doubt);
	double sure = confidence_of_all(standings, count, baseline, doubt);
	const struct at_standing *winner;
	struct at_interval time;
	bool is_open;

	for (size_t i = 0; i < count; i++)
		is_wanted[i] = false;
	if (best == SIZE_MAX)
		return false;
	winner = &standings[best];
	/* who was beaten at an earlier look, and leads after all, since who beat it
	   failed since: blocks that others had without it tell nothing of it */
	for (size_t i = 0; i < count; i++)
		if (standings[i].may_win && standings[i].count > winner->count)
			return false;
	time = at_statistics_blocks(winner->blocks, winner->count, CONFIDENCE);
	is_open = can_get_narrow(time, NARROW);
	for (size_t i = 0; i < count; i++) {
		/* over the baseline it has to be for sure */
		double confidence = best == baseline ? sure : 1 - doubt;

		is_wanted[i] = i == best || i == baseline;
		/* beaten at an earlier look: it stays so */
		if (i == best || i == baseline || !standings[i].may_win ||
			standings[i].count < winner->count)
			continue;
		is_wanted[i] = may_beat(&standings[i], winner, SAME, confidence);
		if (is_worth_more(&standings[i], winner, best == baseline, confidence))
			is_open = true;
	}
	if (baseline < count && (!standings[baseline].may_win ||
					standings[baseline].count < winner->count))
		is_wanted[baseline] = false;
	return is_open;
}
