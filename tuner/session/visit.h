/*
 * A visit to one problem of one space on one model of device, with one evaluator: the
 * common part of a tuning (tuning.h), a revisit (revisit.h), an explanation
 * (counters.h) and a crossing (portfolio.c). Phases and journal get the visit instead
 * of its members.
 *
 * |   at_visit_start(&at_tuning_kind, &given, &visit, &err);   -> done() later, once
 * |   at_visit_poke(visit);                a few times a second; may call done()
 * |   at_visit_interrupt(visit);           any time: ends it soon
 * |   at_visit_free(visit);                after done()
 *
 * Must not know: processes, units, images; terminals; SQL. Threads: the loop's.
 */
#ifndef AT_SESSION_VISIT_H
#define AT_SESSION_VISIT_H

#include "evaluator/evaluator.h"
#include "record/store.h"
#include "search/part.h"
#include "session/budget.h"
#include "session/session.h"
#include "space/search_space.h"
#include "space/spec.h"

struct at_visit;

/* A kind of visit: functions of an object whose first member is its visit. */
struct at_visit_kind {
	size_t size; /* of the object */
	bool is_search; /* an empty space is AT_EINVAL */
	bool tells_progress; /* events have the progress */
	/* Opens the rest of the object; may be NULL. */
	enum at_status (*open)(struct at_visit *self, struct at_error *err);
	/* Called from the loop, unless the visit is already over. */
	void (*begin)(struct at_visit *self);
	/* Ends it soon. */
	void (*interrupt)(struct at_visit *self);
	/* Called a few times a second; may be NULL. */
	void (*poke)(struct at_visit *self);
	/* Sets the members that all events of the object have; may be NULL. */
	void (*complete)(struct at_visit *self, struct at_event *event);
	/* Frees the rest of the object, also after a failed open(). */
	void (*release)(struct at_visit *self);
};

/* The caller sets the members up to `context` and zeroes the rest. The pointers, except
   the evaluator, are borrowed until the visit is freed. */
struct at_visit {
	/* owned after at_visit_start() succeeds */
	struct at_evaluator *evaluator;
	struct at_store *store;
	const struct at_session_options *session;
	const struct at_spec *spec;
	/* The space without --set, for recorded winners in the files that --set
	   excludes. */
	const struct at_spec *whole_spec;
	const struct at_problem *problem;
	/* selects the winner; every search is by time */
	const struct at_objective *objective;
	/* The part of the space to search, if other processes search the rest; count at
	   most 1: the whole space. */
	struct at_part part;
	/* Limit of this problem's time, in seconds, in addition to its budget; 0:
	   none. */
	double seconds;
	int64_t device_id; /* of the device's row */
	int64_t run_id; /* of the run's row */
	/* Called once, from the loop; may free the visit. err NULL: no error. */
	void (*done)(void *context, const struct at_error *err);
	void *context;

	const struct at_visit_kind *kind;
	struct at_search_space *space;
	uint16_t *row; /* buffer for one configuration, for at_visit_row() */
	struct at_budget budget;
	struct at_progress progress;
	struct at_error error;
	bool is_over; /* done() was called, or is queued in the loop */
	/* results of a tuning: the problem has a winner; the time limit ended the
	   search */
	bool found_winner, was_cut;
};

/*
 * Makes a visit from the given members, starts the budget's time, counts the search
 * space, and queues the beginning; the evaluator's notes and states become events. *out
 * is the caller's: at_visit_free(). After an error done() is not called, and the
 * evaluator remains the caller's.
 */
enum at_status at_visit_start(const struct at_visit_kind *kind,
	const struct at_visit *given, struct at_visit **out, struct at_error *err);
void at_visit_interrupt(struct at_visit *self);
void at_visit_poke(struct at_visit *self);
/* Frees the object and closes its evaluator; NULL is allowed. */
void at_visit_free(struct at_visit *self);

/* Stops the evaluator and queues done(). err is copied; NULL: no error. False: the
   visit was already over. */
bool at_visit_end(struct at_visit *self, const struct at_error *err);

/* The value indices of a configuration; valid until the next call. */
const uint16_t *at_visit_row(const struct at_visit *self, uint64_t index);
/* The configuration of the defaults; AT_NO_CONFIGURATION: the space has none. */
uint64_t at_visit_baseline(const struct at_visit *self);
/* Finds the recorded winner by this objective, and its configuration. best->space NULL:
   none; *index AT_NO_CONFIGURATION: it is not in this space. The caller releases *best,
   and *configuration (heap, JSON; may be NULL). */
enum at_status at_visit_find_winner(struct at_visit *self, struct at_winner *best,
	char **configuration, uint64_t *index, struct at_error *err);
/* Plans a configuration; the caller drops *out with at_task_free(). */
enum at_status at_visit_plan(const struct at_visit *self, uint64_t index,
	struct at_task **out, struct at_error *err);
/* Measures a configuration in full, ignoring the record; answered() gets the task. */
enum at_status at_visit_measure(const struct at_visit *self, uint64_t index, bool first,
	void (*answered)(struct at_task *task, const struct at_error *err),
	void *context, struct at_error *err);
/* Seconds for the cases of a verification; 0: no limit. */
double at_visit_case_seconds(const struct at_visit *self);
/* Seconds for all of its checks together (record/verification.h). */
double at_visit_check_seconds(const struct at_visit *self);
/* AT_EUNAVAILABLE: the objective needs energy, which the device cannot measure. */
enum at_status at_visit_check_energy(const struct at_visit *self, struct at_error *err);
/* The evaluator's clock. */
uint64_t at_visit_now_ns(const struct at_visit *self);
/* Sets the members that all events of the visit have, and emits the event. */
void at_visit_emit(struct at_visit *self, struct at_event *event);
void at_visit_emit_text(
	struct at_visit *self, enum at_event_kind kind, const char *text);
/* Whether a winner was selected with the source that the evaluator compiles. */
bool at_visit_has_same_source(
	const struct at_visit *self, const struct at_winner *best);

#endif
