/*
 * Who wins the finals by the blocks so far, and whether more blocks could tell more.
 *
 * Blocks are looked at up to AT_LOOKS times, and who looks more than once finds a
 * difference by chance more often than who looks once: each look has its own part of
 * the doubt (alpha spending; Lan and DeMets 1983, "Discrete sequential boundaries for
 * clinical trials"), so that of finals in which nobody is faster than the baseline no
 * more than 5 % crown somebody, however many looks there are. tests/test_standings.c
 * shows it with noise as recordings have it.
 *
 * What it must not know: where blocks come from, clocks, budgets. Threads: pure
 * functions over the caller's arrays.
 */
#ifndef AT_SESSION_STANDINGS_H
#define AT_SESSION_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_LOOKS 3

/* One that had finals. Blocks of two are paired by index, as far as both have them. */
struct at_standing {
	const double *blocks; /* the cost that each gave, above 0: less is better */
	uint32_t count;
	double resources; /* what others could use: who ties had better need less */
	bool may_win; /* it passed, with a block at least, and was not refused */
	bool is_recorded_winner;
	/* nobody takes its place who is not better by more than the margin (0.01: 1 %)
	   for sure; of one at most */
	bool is_defended;
	double margin;
};

/* So many blocks there are to be at a look, 0 .. AT_LOOKS - 1. */
uint32_t at_standings_blocks(unsigned look);
/*
 * What may be wrong of what is decided at a look, above or below. is_last: none will
 * follow, for want of time and not for what was seen; what those that do not follow
 * might have spent is then this one's.
 */
double at_standings_doubt(unsigned look, bool is_last);

/*
 * The baseline (SIZE_MAX: there is none), unless one is faster for sure, at a
 * confidence that all rivals share. Then the best; among those that cannot be told
 * apart from it and are faster than the baseline for sure as well, the recorded
 * winner, else, of those that look as good as the best, the one that needs least.
 * SIZE_MAX: none may win.
 *
 * Where one is defended it is that one, unless another is better by more than the
 * margin for sure; then all of the above holds of those that are.
 */
size_t at_standings_winner(const struct at_standing *standings, size_t count,
	size_t baseline, double doubt);
/*
 * More blocks are likely to change that, or to make the winner's own time sure to 0.2
 * %. is_wanted[i]: i has to take part in them, as the winner, as the baseline, or since
 * it may be better than the winner.
 */
bool at_standings_open(const struct at_standing *standings, size_t count,
	size_t baseline, double doubt, bool *is_wanted);

#endif
