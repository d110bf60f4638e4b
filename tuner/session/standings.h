/*
 * Decides which finalist wins by the blocks measured so far, and whether more blocks
 * could change that.
 *
 * The finals look at the blocks up to AT_LOOKS times (interim analyses), and more looks
 * find more differences by chance. So each look has its own part of the allowed error
 * probability, alpha (alpha spending; Lan and DeMets 1983, "Discrete sequential
 * boundaries for clinical trials"): if no configuration is faster than the baseline, at
 * most 5 % of finals select one, for any number of looks. tests/test_standings.c shows
 * this with noise like that of recordings.
 *
 * The finals of a search (phase_finals.h), a night (revisit.h) and a portfolio
 * (portfolio.h) follow the same rules, so that their results are comparable.
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
	/* Bytes of registers and shared memory of a thread block: in a tie, the
	   finalist that needs less is better. */
	double resources;
	bool may_win; /* it passed, has at least one block and was not refused */
	/* the time ended before the first look was complete */
	bool is_short;
	bool is_recorded_winner;
	/* Set for at most one finalist: only a finalist that is better by significantly
	   more than `margin` (0.01: 1 %) replaces it. */
	bool is_defended;
	double margin;
};

/* Number of blocks at a look, 0 .. AT_LOOKS - 1. */
uint32_t at_standings_blocks(unsigned look);
/* The error probability of a look, both sides of the interval together. is_last: there
   is no time for another look (not: the standings are clear); this look then also gets
   the alpha of the missing looks. */
double at_standings_alpha(unsigned look, bool is_last);

/*
 * The index of the winner; SIZE_MAX: no finalist may win. baseline: an index; SIZE_MAX:
 * none.
 *
 * The baseline wins unless a finalist is significantly faster, at a confidence that all
 * rivals share. Then the best of the significantly faster ones wins, with an exception.
 * Among those that no finalist beats, the recorded winner is preferred; if it is not
 * there, the one that needs the least resources among those that look as good as the
 * best.
 *
 * A defended finalist wins unless another is significantly better, by more than the
 * margin; then the rules above apply to those.
 */
size_t at_standings_winner(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha);
/* Whether more blocks are likely to change the winner or, with `narrows`, would narrow
   the interval of its time to 0.2 %. Sets is_wanted[i] for the finalists that need
   them: the winner, the baseline, and each that may be better than the winner. */
bool at_standings_open(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha, bool narrows, bool *is_wanted);
/*
 * Whether finals without further blocks are undecided: a rival looks better than a
 * winning baseline; or the winner's first look was cut short, and a rival may be better
 * or the winner's time is not known to 5 %. A complete first look decides a tie between
 * finalists that both beat the baseline.
 */
bool at_standings_undecided(const struct at_standing *standings, size_t count,
	size_t baseline, double alpha);

/* ---- running finals, and the results of two configurations ----------------- */

/* rounds in a block: one bad sample does not move the median of five */
#define AT_FINALS_ROUNDS 5
/* Seconds of energy windows: for all finalists before the first look, then for those
   that may win. */
#define AT_ENERGY_SECONDS_FIRST 2.0
#define AT_ENERGY_SECONDS 5.0
/* about how long a block waits for a steady temperature */
#define AT_ENERGY_WARM_SECONDS 3.0
/* confidence of all reported intervals of finals */
#define AT_FINALS_CONFIDENCE 0.95

/* The request for the first look's blocks, within this many seconds. seed: of the order
   within a round. */
struct at_measure_finals at_finals_first(double seconds, uint64_t seed);

/* Whether the result is correct and has at least one block. */
bool at_final_was_sampled(const struct at_measure_result *self);
/* Turns a result whose time is below the plan's floor into AT_OUTCOME_TOO_FAST, with
   the reason as its detail. */
void at_final_check_floor(struct at_measure_result *self, const struct at_floor *floor);
/* The value of each block by the objective; fills block_count values. */
void at_final_blocks(const struct at_objective *objective,
	const struct at_measure_result *self, double values[AT_BLOCKS_MAX]);
/* The value with its interval; only if at_final_was_sampled(). */
struct at_score at_final_score(
	const struct at_objective *objective, const struct at_measure_result *self);
/* The ratio of the values of `above` and `below`, paired by block, with its interval;
   all NAN if either has no block. */
struct at_interval at_finals_ratio(const struct at_objective *objective,
	const struct at_measure_result *above, const struct at_measure_result *below);

/* The winner's gain over the baseline, with an interval, and the baseline's score in
   the same blocks. The gain is exactly the quotient of both scores. */
struct at_finals_gain {
	struct at_score speedup;
	struct at_score baseline;
};
/* Both must have been sampled (at_final_was_sampled()). */
struct at_finals_gain at_finals_gain_of(const struct at_objective *objective,
	const struct at_measure_result *baseline,
	const struct at_measure_result *winner);

#endif
