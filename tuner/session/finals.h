/*
 * How finals are held, and what their measurements say of two configurations that took
 * part. The finals of a search (phase_finals.h), of a night (revisit.h) and of a
 * portfolio (portfolio.h) share this, so that their results can be compared.
 *
 * Threads: pure functions.
 */
#ifndef AT_SESSION_FINALS_H
#define AT_SESSION_FINALS_H

#include "base/objective.h"
#include "evaluator/evaluator.h"
#include "measure/statistics.h"

/* rounds in a block: the median of five samples is not moved by one bad sample */
#define AT_FINALS_ROUNDS 5
/* confidence of every interval that finals report */
#define AT_FINALS_CONFIDENCE 0.95

/* The request for the blocks of the first look (session/standings.h), which may take so
   many seconds. seed: of the order within a round. */
struct at_measure_finals at_finals_first(double seconds, uint64_t seed);

/* Whether the configuration was correct in the finals and has at least one block. */
bool at_final_was_sampled(const struct at_measure_result *self);
/* A result whose time the plan's floor does not allow becomes AT_OUTCOME_TOO_FAST, with
   the reason as its detail. */
void at_final_check_floor(struct at_measure_result *self, const struct at_floor *floor);
/* The time in ns, with its interval; only where at_final_was_sampled(). */
struct at_score at_final_score(const struct at_measure_result *self);
/* The ratio of the times `above` / `below`, paired by block, with its interval; all NAN
   where one of them has no block. */
struct at_interval at_finals_ratio(
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
