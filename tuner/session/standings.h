/*
 * Decides which finalist wins by the blocks measured so far, and whether more blocks
 * could change that.
 *
 * The finals look at the blocks up to AT_LOOKS times, and more looks find a difference
 * by chance more often than one look. So each look has its own part of the allowed
 * probability of a wrong decision, alpha (alpha spending; Lan and DeMets 1983,
 * "Discrete sequential boundaries for clinical trials"): of finals in which no
 * configuration is faster than the baseline at most 5 % winner one, however many looks
 * there are. tests/test_standings.c shows this with noise as recordings have it.
 *
 * The finals of a search (phase_finals.h), of a night (revisit.h) and of a portfolio
 * (portfolio.h) are held in the same way, so that their results can be compared.
 *
 * Must not know: where blocks come from, clocks, budgets. Threads: pure functions over
 * the caller's arrays.
 */
#ifndef AT_SESSION_STANDINGS_H
#define AT_SESSION_STANDINGS_H

#include "base/objective.h"
#include "evaluator/evaluator.h"
#include "measure/statistics.h"

#define AT_LOOKS 4

/* One finalist. Blocks of two finalists are paired by index, as far as both have
   them. */
struct at_standing {
	const double *blocks; /* cost of each block, above 0; less is better */
	uint32_t count;
	/* Bytes of registers and shared memory that a block of threads needs: of
	   finalists that tie, the one that needs less is better. */
	double resources;
	bool may_win; /* it passed, has at least one block and was not refused */
	/* the time ended before it had all samples of the first look */
	bool is_short;
	bool is_recorded_winner;
	/* Set for at most one finalist: another one replaces it only if it is better by
	   significantly more than `margin` (0.01: 1 %). */
	bool is_defended;
	double margin;
};

/* Number of blocks that there should be at a look, 0 .. AT_LOOKS - 1. */
uint32_t at_standings_blocks(unsigned look);
/*
 * The probability of a wrong decision that a look may have, both sides of the interval
 * together. is_last: no look follows for want of time (not because the standings were
 * clear); this look then also has the alpha of the looks that do not follow.
 */
double at_standings_alpha(unsigned look, bool is_last);

/*
 * The index of the winner; SIZE_MAX: no finalist may win. `baseline` is an index too;
 * SIZE_MAX: there is no baseline.
 *
 * The baseline wins unless a finalist is significantly faster, at a confidence that all
 * rivals share. Then the best of those that are wins, with one exception: among those
 * of them that no finalist beats, the recorded winner is preferred; if it is not among
 * them, of those that look as good as the best the one that needs the least resources.
 *
 * Where a finalist is defended it wins, unless another one is significantly better, by
 * more than the margin; then the rules above apply among those that are.
 */
size_t at_standings_winner(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha);
/*
 * Whether more blocks are likely to change the winner, or would narrow the interval of
 * the winner's time to 0.2 %. Sets is_wanted[i] for each finalist that has to take part
 * in them: the winner, the baseline, and each that may be better than the winner.
 */
bool at_standings_open(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha, bool *is_wanted);
/*
 * Whether finals that get no more blocks are undecided: a rival looks better than a
 * baseline that wins; or the winner's first look was cut short, and a rival may be
 * better or the winner's time is not known to 5 %. A tie between finalists that are
 * both better than the baseline is decided by a complete first look.
 */
bool at_standings_undecided(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha);

/* ---- how finals are held, and what two configurations came to in them */

/* rounds in a block: the median of five samples is not moved by one bad sample */
#define AT_FINALS_ROUNDS 5
/* Windows in which the finals measure energy: ahead of the first look of all, then of
   those that may win. */
#define AT_ENERGY_SECONDS_FIRST 2.0
#define AT_ENERGY_SECONDS 5.0
/* about what a block waits for a steady temperature */
#define AT_ENERGY_WARM_SECONDS 3.0
/* confidence of every interval that finals report */
#define AT_FINALS_CONFIDENCE 0.95

/* The request for the blocks of the first look, which may take so
   many seconds. seed: of the order within a round. */
struct at_measure_finals at_finals_first(double seconds, uint64_t seed);

/* Whether the configuration was correct in the finals and has at least one block. */
bool at_final_was_sampled(const struct at_measure_result *self);
/* A result whose time the plan's floor does not allow becomes AT_OUTCOME_TOO_FAST, with
   the reason as its detail. */
void at_final_check_floor(struct at_measure_result *self, const struct at_floor *floor);
/* What each of its blocks achieved by the objective, into block_count values. */
void at_final_blocks(const struct at_objective *objective,
	const struct at_measure_result *self, double values[AT_BLOCKS_MAX]);
/* What it achieved, with the interval; only where at_final_was_sampled(). */
struct at_score at_final_score(
	const struct at_objective *objective, const struct at_measure_result *self);
/* The ratio of what `above` and `below` achieved, paired by block, with its interval;
   all NAN where one of them has no block. */
struct at_interval at_finals_ratio(const struct at_objective *objective,
	const struct at_measure_result *above, const struct at_measure_result *below);

/*
 * The winner's gain over the baseline, with an interval, and the baseline's score in
 * the same blocks. The gain is exactly the quotient of the two scores' values.
 */
struct at_finals_gain {
	struct at_score speedup;
	struct at_score baseline;
};
/* Both must have been sampled (at_final_was_sampled()). */
struct at_finals_gain at_finals_gain_of(const struct at_objective *objective,
	const struct at_measure_result *baseline,
	const struct at_measure_result *winner);

#endif
