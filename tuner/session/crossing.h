/*
 * Configurations of other problems on this one: a visit to one problem on one model of
 * device that measures what it is given, or holds one of them to finals beside the
 * problem's winner and to the proof that a winner has.
 *
 *   at_crossing_start(&options, &crossing, &err);  -> options.done() later, once
 *   at_crossing_interrupt(crossing);               (any time: done() comes soon)
 *   at_crossing_free(crossing);                    (after done())
 *
 * Must not know: processes, units, images; terminals; SQL. Threads: the loop's.
 */
#ifndef AT_SESSION_CROSSING_H
#define AT_SESSION_CROSSING_H

#include "base/objective.h"
#include "evaluator/evaluator.h"
#include "record/store.h"
#include "session/session.h"
#include "space/spec.h"

struct at_crossing;

/* What a configuration is worth here. */
struct at_crossed {
	int64_t evaluation_id; /* 0: its evaluation was called off */
	enum at_outcome outcome; /* NOT_APPLICABLE: the constraints exclude it here */
	struct at_score score; /* unknown unless OK */
};

/* All pointers are borrowed until at_crossing_free(), but for the evaluator. */
struct at_crossing_options {
	struct at_evaluator *evaluator; /* taken over by a start that succeeds */
	struct at_store *store;
	const struct at_session_options *session;
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_objective *objective;
	int64_t device_id;
	int64_t run_id;
	/* value indices, one configuration after the other */
	const uint16_t *configurations;
	size_t count;
	/* NULL: configurations are measured, nothing more. Else the problem's winner,
	   and there is one configuration, which is to serve instead */
	const struct at_crown *winner;
	/* err NULL: it ended well. From the loop. */
	void (*done)(void *context, const struct at_error *err);
	void *context;
};

enum at_status at_crossing_start(const struct at_crossing_options *options,
	struct at_crossing **out, struct at_error *err);
void at_crossing_interrupt(struct at_crossing *self);
/* Time has passed. */
void at_crossing_poke(struct at_crossing *self);
/* After done(): per configuration; borrowed. */
const struct at_crossed *at_crossing_results(const struct at_crossing *self);
/*
 * After done(), with a winner: what the configuration is as the problem's member of a
 * portfolio: by finals and proof, with its loss. NULL: it failed, and the result of the
 * configuration tells how. Borrowed.
 */
const struct at_crown *at_crossing_member(const struct at_crossing *self);
void at_crossing_free(struct at_crossing *self);

#endif
