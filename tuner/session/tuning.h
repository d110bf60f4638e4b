/*
 * Tuning one problem of one space on one model of device: search, finals, proof of the
 * winner, crown, explanation. A chain of phases on the evaluator's loop, each with a
 * state of its own (phase_*.h); this is the thread that runs through them.
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

/* All pointers are borrowed until at_tuning_free(), but for the evaluator. */
struct at_tuning_options {
	struct at_evaluator *evaluator; /* taken over by a start that succeeds */
	struct at_store *store;
	const struct at_session_options *session;
	const struct at_spec *spec;
	/* the same without --set: what is recorded outside it stays in the files */
	const struct at_spec *whole_spec;
	const struct at_problem *problem;
	const struct at_objective *objective;
	/* of the space, where others search the rest; count at most 1: all of it */
	struct at_part part;
	/* more than that this problem does not take, whatever its budget is; 0: no such
	   limit */
	double seconds;
	int64_t device_id;
	int64_t run_id;
	/* err NULL: it ended well, with or without a crown. From the loop. */
	void (*done)(void *context, const struct at_error *err);
	void *context;
};

struct at_tuning_summary {
	uint64_t evaluated;
	uint64_t reused;
	bool crowned;
	bool was_cut; /* the search ended since its time was over */
	uint64_t valid_count; /* size of the search space */
	double elapsed_seconds; /* by the evaluator's clock */
};

enum at_status at_tuning_start(const struct at_tuning_options *options,
	struct at_tuning **out, struct at_error *err);
/* What is in flight is dropped; the best so far is crowned without finals and
   proof, unless somebody was crowned with them: see at_crown.is_unproved. */
void at_tuning_interrupt(struct at_tuning *self);
/* Ends it with this error, and crowns nobody. */
void at_tuning_fail(struct at_tuning *self, const struct at_error *err);
/* Time has passed: budgets are looked after. */
void at_tuning_poke(struct at_tuning *self);
void at_tuning_summarize(const struct at_tuning *self, struct at_tuning_summary *out);
void at_tuning_free(struct at_tuning *self);

#endif
