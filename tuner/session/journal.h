/*
 * One evaluation on its way: planned, looked up in the record, else begun at the
 * evaluator, and recorded before anybody hears of it. What was committed is never
 * lost and never measured twice; who listens is told in one way, whether an
 * evaluation is from today or from the record.
 *
 * Runs that share the record share the work (record/claims.h): what another one is
 * measuring now is waited for, while others are begun, and told when it is recorded.
 * Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_JOURNAL_H
#define AT_SESSION_JOURNAL_H

#include "evaluator/evaluator.h"
#include "record/store.h"
#include "space/search_space.h"
#include "space/spec.h"

struct at_journal;

/* What is told of one configuration. Borrowed for the call. */
struct at_entry {
	uint64_t index; /* of the configuration */
	const uint16_t *configuration;
	/* NULL: it was called off, and nothing is known of it */
	const struct at_evaluation *evaluation;
	bool reused; /* it was in the record */
	/* of those that an audit chose: racing would have dropped it */
	bool was_hopeless;
};

struct at_journal_options {
	struct at_evaluator *evaluator;
	struct at_store *store;
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_search_space *space;
	int64_t run_id;
	int64_t device_id;
	bool fresh; /* what earlier runs recorded is not reused */
	/* what others measure is waited for no longer than this; 0: as long as they
	   seem to get on with it, at most a minute without a result */
	double wait_seconds;
};

/* All borrowed until at_journal_free(). */
enum at_status at_journal_new(const struct at_journal_options *options,
	struct at_journal **out, struct at_error *err);
void at_journal_free(struct at_journal *self);

/* Who hears of evaluations. */
struct at_journal_listener {
	/* once an evaluation; from inside at_journal_evaluate() where the record has it
	 */
	void (*told)(void *context, const struct at_entry *entry);
	/* after one that was out, or waited for, was told: there is room for another */
	void (*changed)(void *context);
	/* once: nothing more can be done */
	void (*failed)(void *context, const struct at_error *err);
	void *context;
};

/* From now on; copied. */
void at_journal_listen(
	struct at_journal *self, const struct at_journal_listener *listener);

/*
 * Evaluates a configuration. With options->full what was dropped early is no answer:
 * it is measured anew.
 */
void at_journal_evaluate(struct at_journal *self, uint64_t index,
	const struct at_trial_options *options);
/*
 * Only from the record; false: it has nothing that would do, and told() was not
 * called.
 */
bool at_journal_recall(struct at_journal *self, uint64_t index,
	const struct at_trial_options *options);
/* Begun and not told yet. */
size_t at_journal_out(const struct at_journal *self);
/* Asked for and not told yet: what is out, and what other runs are measuring. */
size_t at_journal_pending(const struct at_journal *self);
/* A process that measures what is waited for; 0: none, or it is not known. */
int64_t at_journal_waits_for(const struct at_journal *self);
/* A few times a second: what others have recorded is told, what they gave up is begun.
 */
void at_journal_poll(struct at_journal *self);
/* Nothing that others measure is waited for any more; it is not told. */
void at_journal_stop_waiting(struct at_journal *self);
/* Forgets what is out, after the evaluator's stop(): it will not be answered. Ends all
   claims. */
void at_journal_drop(struct at_journal *self);

/*
 * Records that an evaluation which was ok is not: outcome and detail as found since.
 * *out (released by the caller) is what the record has from now on.
 */
enum at_status at_journal_refuse(struct at_journal *self, int64_t evaluation_id,
	enum at_outcome outcome, const char *detail, struct at_evaluation *out,
	struct at_error *err);

#endif
