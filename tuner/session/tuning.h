/*
 * Tunes one problem of one space on one model of device: search, finals, proof of the
 * winner, crown, explanation. A chain of phases on the evaluator's loop; each phase has
 * its own state (phase_*.h), and the tuning leads from one to the next.
 *
 *   at_tuning_start(&options, &tuning, &err);   -> options.done() later, once
 *   at_tuning_interrupt(tuning);                (any time: ends it soon)
 *   at_tuning_free(tuning);                     (after done())
 *
 * Must not know: processes, units, images; terminals; SQL. Threads: the loop's.
 */
#ifndef AT_SESSION_TUNING_H
#define AT_SESSION_TUNING_H

#include "evaluator/evaluator.h"
#include "search/part.h"
#include "session/session.h"

struct at_tuning;

/* Also the options of a revisit (session/revisit.h). All pointers but the evaluator are
   borrowed until at_tuning_free(). */
struct at_tuning_options {
	/* at_tuning_start() takes ownership, unless it fails */
	struct at_evaluator *evaluator;
	struct at_store *store;
	const struct at_session_options *session;
	const struct at_spec *spec;
	/* The space without --set: recorded winners outside of --set stay in the
	   files. */
	const struct at_spec *whole_spec;
	const struct at_problem *problem;
	const struct at_objective *objective;
	/* The part of the space to search where other processes search the rest; count
	   at most 1: the whole space. */
	struct at_part part;
	/* Upper limit of this problem's time, in seconds, beside its budget; 0: no such
	   limit. */
	double seconds;
	int64_t device_id; /* of the device, in the record */
	int64_t run_id; /* of the run, in the record */
	/* Called once, from the loop. err NULL: the tuning ended without an error, with
	   or without a crown. It may free the tuning. */
	void (*done)(void *context, const struct at_error *err);
	void *context;
};

/* What a tuning came to so far. */
struct at_tuning_summary {
	uint64_t evaluated;
	uint64_t reused;
	bool crowned; /* some configuration passed, so that the problem has a winner */
	bool was_cut; /* the search ended because its time was over */
	uint64_t valid_count; /* size of the search space */
	double elapsed_seconds; /* by the evaluator's clock */
};

/* Starts a tuning on the evaluator's loop. *out is the caller's: at_tuning_free().
   After an error done() is not called and the evaluator is still the caller's. Errors:
   an empty space, a budget or a strategy that cannot be read, the record, memory. */
enum at_status at_tuning_start(const struct at_tuning_options *options,
	struct at_tuning **out, struct at_error *err);
/* Ends the tuning soon, at a signal: drops the evaluations under way and crowns the
   best so far without finals and proof (at_crown.is_unproved), unless a proved crown
   stands. done() follows. */
void at_tuning_interrupt(struct at_tuning *self);
/* Called a few times a second: looks after budgets and waiting. May call done(). */
void at_tuning_poke(struct at_tuning *self);
/* Fills *out; any time before at_tuning_free(). */
void at_tuning_summarize(const struct at_tuning *self, struct at_tuning_summary *out);
/* Frees the tuning and closes its evaluator; NULL is allowed. */
void at_tuning_free(struct at_tuning *self);

#endif
