/*
 * The journal leads each configuration through its evaluation: it plans it, looks it up
 * in the record, else begins it at the evaluator, and records the answer before it
 * tells the listener. So an evaluation that anything acted on is never lost and never
 * measured twice, and the listener is called in the same way whether the evaluation is
 * new or from the record.
 *
 * Runs that share the record share the work (record/claims.h). The journal waits for a
 * configuration that another run is measuring now, begins others meanwhile, and tells
 * the result when it is recorded.
 * Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_JOURNAL_H
#define AT_SESSION_JOURNAL_H

#include "session/visit.h"

struct at_journal;

/* What the listener gets about one configuration. Borrowed for the call. */
struct at_entry {
	uint64_t index; /* of the configuration */
	const uint16_t *configuration;
	/* NULL: the evaluation was called off without a result */
	const struct at_evaluation *evaluation;
	bool reused; /* the evaluation was in the record */
	/* The configuration was chosen for an audit of racing, and racing would have
	   dropped it. */
	bool was_pruned;
};

/* Makes a journal; *out is the caller's. The visit is borrowed until at_journal_free().
   is_fresh: do not reuse what earlier runs recorded. */
void at_journal_new(
	const struct at_visit *visit, bool is_fresh, struct at_journal **out);
/* Drops what is out, as at_journal_drop(), and frees the journal; NULL is allowed. */
void at_journal_free(struct at_journal *self);

/* The phase or visit that gets evaluations. */
struct at_journal_listener {
	/* Once for each evaluation. Called from inside at_journal_evaluate() where the
	   record already has it. */
	void (*told)(void *context, const struct at_entry *entry);
	/* After an evaluation that was out, or waited for, was told: there is room for
	   another. */
	void (*changed)(void *context);
	/* At most once: the journal can do nothing more. */
	void (*failed)(void *context, const struct at_error *err);
	void *context;
};

/* Replaces the listener; the struct is copied. */
void at_journal_listen(
	struct at_journal *self, const struct at_journal_listener *listener);

/*
 * Evaluates a configuration: told() follows, now or later. With options->full a
 * recorded evaluation that racing dropped early does not count; it is measured again.
 * Errors go to failed().
 */
void at_journal_evaluate(
	struct at_journal *self, uint64_t index, const struct at_task_options *options);
/*
 * Tells the evaluation if the record has one that serves. False: it has none, and
 * told() was not called. True also after an error, which failed() was told.
 */
bool at_journal_recall(
	struct at_journal *self, uint64_t index, const struct at_task_options *options);
/* Number of evaluations begun at the evaluator and not told yet. */
size_t at_journal_out(const struct at_journal *self);
/* Number of evaluations asked for and not told yet: those at the evaluator, and those
   that other runs are measuring. */
size_t at_journal_pending(const struct at_journal *self);
/* Id of a process that is measuring a configuration the journal waits for; 0: none, or
   it is not known. */
int64_t at_journal_waits_for(const struct at_journal *self);
/* To be called a few times a second: tells what other runs have recorded, and begins
   what they gave up or take too long for. */
void at_journal_poll(struct at_journal *self);
/* Stops waiting for configurations that other runs measure; they are not told. */
void at_journal_stop_waiting(struct at_journal *self);
/* Forgets all evaluations that are out, after the evaluator's stop(): they will not be
   answered. */
void at_journal_drop(struct at_journal *self);

/*
 * Records that an evaluation which was ok is not, with the outcome and detail found
 * since. The new evaluation has the same key and replaces the older one, which stays as
 * history. *out is the new evaluation; the caller releases it.
 */
enum at_status at_journal_refuse(struct at_journal *self, int64_t evaluation_id,
	enum at_outcome outcome, const char *detail, struct at_evaluation *out,
	struct at_error *err);

#endif
