/*
 * The journal leads a configuration through its evaluation: it plans it, looks it up in
 * the record, otherwise begins it at the evaluator, and records the answer before it
 * calls the listener. So an evaluation that anything acted on is never lost and never
 * measured twice. The listener is called in the same way for new and recorded
 * evaluations.
 *
 * Runs that share the record share the work (record/claims.h). While another run
 * measures a configuration, the journal waits for its record and begins others.
 * Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_JOURNAL_H
#define AT_SESSION_JOURNAL_H

#include "session/visit.h"

struct at_journal;

/* One configuration, for the listener. Borrowed for the call. */
struct at_entry {
	uint64_t index; /* of the configuration */
	const uint16_t *configuration;
	/* NULL: the evaluation was cancelled without a result */
	const struct at_evaluation *evaluation;
	bool reused; /* the evaluation comes from the record */
	/* chosen for an audit of racing, which would have dropped it */
	bool was_pruned;
};

/* Makes a journal; *out is the caller's. The visit is borrowed until at_journal_free().
   is_fresh: do not reuse records of earlier runs. */
void at_journal_new(
	const struct at_visit *visit, bool is_fresh, struct at_journal **out);
/* Calls at_journal_drop() and frees the journal; NULL is allowed. */
void at_journal_free(struct at_journal *self);

/* The phase or visit that receives evaluations. */
struct at_journal_listener {
	/* Once for each evaluation; from inside at_journal_evaluate() if it is
	   recorded. */
	void (*told)(void *context, const struct at_entry *entry);
	/* After told() for an evaluation of the evaluator or another run: there is room
	   for another. */
	void (*changed)(void *context);
	/* At most once: the journal cannot continue. */
	void (*failed)(void *context, const struct at_error *err);
	void *context;
};

/* Replaces the listener; the struct is copied. */
void at_journal_listen(
	struct at_journal *self, const struct at_journal_listener *listener);

/* Evaluates a configuration: told() follows, now or later. options->full: measure again
   if racing dropped the recorded evaluation early. Errors go to failed(). */
void at_journal_evaluate(
	struct at_journal *self, uint64_t index, const struct at_task_options *options);
/* Calls told() if the record has a usable evaluation. False: it has none, and told()
   was not called. Also true after failed(). */
bool at_journal_recall(
	struct at_journal *self, uint64_t index, const struct at_task_options *options);
/* Number of evaluations at the evaluator. */
size_t at_journal_out(const struct at_journal *self);
/* Number of unanswered evaluations: those at the evaluator, and those that other runs
   are measuring. */
size_t at_journal_pending(const struct at_journal *self);
/* Id of a process that is measuring a configuration for which the journal waits; 0:
   none, or unknown. */
int64_t at_journal_waits_for(const struct at_journal *self);
/* Call a few times a second: reports evaluations that other runs have recorded, and
   begins those that they gave up or delay. */
void at_journal_poll(struct at_journal *self);
/* Stops waiting for other runs' evaluations; told() is not called for them. */
void at_journal_stop_waiting(struct at_journal *self);
/* Forgets all evaluations at the evaluator, after its stop(): no answers will come. */
void at_journal_drop(struct at_journal *self);

/* Replaces an evaluation that was ok, with the outcome and detail found since. The new
   row has the same key; the older row stays as history. *out is the new evaluation; the
   caller releases it. */
enum at_status at_journal_refuse(struct at_journal *self, int64_t evaluation_id,
	enum at_outcome outcome, const char *detail, struct at_evaluation *out,
	struct at_error *err);

#endif
