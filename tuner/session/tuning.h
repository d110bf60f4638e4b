/*
 * Tunes one problem of one space on one model of device: search, finals, verification
 * of the record, explanation. A chain of phases on the evaluator's loop; each phase has
 * its own state (phase_*.h), and the tuning leads from one to the next.
 *
 *   at_tuning_start(&visit, &tuning, &err);     -> visit.done() later, once
 *   at_tuning_interrupt(tuning);                (any time: ends it soon)
 *   at_tuning_free(tuning);                     (after done())
 *
 * Must not know: processes, units, images; terminals; SQL. Threads: the loop's.
 */
#ifndef AT_SESSION_TUNING_H
#define AT_SESSION_TUNING_H

#include "session/visit.h"

struct at_tuning;

/* What a tuning came to so far. */
struct at_tuning_summary {
	uint64_t evaluated;
	uint64_t reused;
	bool selected; /* some configuration passed, so that the problem has a winner */
	bool was_cut; /* the search ended because its time was over */
	uint64_t valid_count; /* size of the search space */
	double elapsed_seconds; /* by the evaluator's clock */
};

/* Starts a tuning on the evaluator's loop. *out is the caller's: at_tuning_free().
   After an error done() is not called and the evaluator is still the caller's. Errors:
   an empty space, a budget or a strategy that cannot be read, the record, memory. */
enum at_status at_tuning_start(
	const struct at_visit *given, struct at_tuning **out, struct at_error *err);
/* Ends the tuning soon, at a signal: drops the evaluations under way and selects the
   best so far without finals and verification (at_winner.is_unverified), unless a
   verified winner stands. done() follows. */
void at_tuning_interrupt(struct at_tuning *self);
/* Called a few times a second: looks after budgets and waiting. May call done(). */
void at_tuning_poke(struct at_tuning *self);
/* Fills *out; any time before at_tuning_free(). */
void at_tuning_summarize(const struct at_tuning *self, struct at_tuning_summary *out);
/* Frees the tuning and closes its evaluator; NULL is allowed. */
void at_tuning_free(struct at_tuning *self);

#endif
