/*
 * How finals are held, whoever holds them, and what they tell of two that took part in
 * the same: those of a search (phase_finals.h), of a night (revisit.h) and of a
 * portfolio (crossing.h) are alike, so that what they give can be compared.
 *
 * Threads: pure functions.
 */
#ifndef AT_SESSION_FINALS_H
#define AT_SESSION_FINALS_H

#include "base/objective.h"
#include "evaluator/evaluator.h"
#include "measure/statistics.h"

/* Within a block five samples have a median that one bad one does not move. */
#define AT_FINALS_ROUNDS 5
/* of every interval that is told of finals */
#define AT_FINALS_CONFIDENCE 0.95

/* The blocks of a first look (session/standings.h), and what they may take. */
struct at_measure_finals at_finals_first(double seconds, uint64_t seed);

/* It is correct, and has a block at least. */
bool at_final_was_sampled(const struct at_final *self);
/* The time, with its interval; of one that was sampled. */
struct at_score at_final_score(const struct at_final *self);
/* `above` over `below`, paired by block; all NAN where one of them has none. */
struct at_interval at_finals_ratio(
	const struct at_final *above, const struct at_final *below);

/*
 * How many times better than the baseline, with an interval, and what the baseline
 * achieved, of the same blocks: the quotient of the two scores' values is the gain.
 */
struct at_finals_gain {
	struct at_score speedup;
	struct at_score baseline;
};
/* Both were sampled. */
struct at_finals_gain at_finals_gain_of(const struct at_objective *objective,
	const struct at_final *baseline, const struct at_final *winner);

#endif
