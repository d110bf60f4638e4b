/*
 * A visit to one problem of one space on one model of device, with one evaluator: what
 * a tuning (tuning.h), a revisit (revisit.h) and a crossing (portfolio.c) have in
 * common. Phases, journal and record get the visit in place of its members.
 *
 * |   at_visit_open(&visit, given, ...);     takes the evaluator over
 * |   at_visit_emit(&visit, &event);         tells the listener
 * |   at_visit_end(&visit, err);             stops the evaluator; done() comes later
 * |   at_visit_release(&visit);
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

/* The members up to `context` are given; all pointers among them but the evaluator are
   borrowed until the visit is freed. The others are zero when a visit is given. */
struct at_visit {
	/* a start function takes ownership, unless it fails */
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
	/* Called once, from the loop. err NULL: the visit ended without an error. It
	   may free the visit. */
	void (*done)(void *context, const struct at_error *err);
	void *context;

	struct at_search_space *space;
	uint16_t *row; /* buffer for one configuration, for at_visit_row() */
	struct at_budget budget;
	struct at_progress progress;
	bool tells_progress; /* events have the progress */
	struct at_error error;
	bool is_over; /* done() was called, or is queued in the loop */
};

/*
 * Copies what is given, begins the budget's time and counts the search space. A search
 * refuses an empty space (AT_EINVAL). After an error the evaluator is still the
 * caller's, and at_visit_release() is needed.
 */
enum at_status at_visit_open(struct at_visit *self, const struct at_visit *given,
	bool is_search, struct at_error *err);
/* Calls begin(context) from the loop; the evaluator's notes and states are reported. */
void at_visit_begin(struct at_visit *self, void (*begin)(void *context), void *context);
/* Stops the evaluator and queues done(). err is copied; NULL: no error. False: the
   visit was over before. */
bool at_visit_end(struct at_visit *self, const struct at_error *err);
/* Frees the space and closes the evaluator. */
void at_visit_release(struct at_visit *self);

/* The value indices of a configuration; valid until the next call. */
const uint16_t *at_visit_row(const struct at_visit *self, uint64_t index);
/* Seconds for the cases of a verification; 0: no limit. */
double at_visit_case_seconds(const struct at_visit *self);
/* Seconds for all of its checks together (record/verification.h). */
double at_visit_check_seconds(const struct at_visit *self);
/* The evaluator's clock. */
uint64_t at_visit_now_ns(const struct at_visit *self);
/* Completes an event with what all events of the visit have, and tells it. */
void at_visit_emit(struct at_visit *self, struct at_event *event);
/* Tells an event that has only a text. */
void at_visit_emit_text(
	struct at_visit *self, enum at_event_kind kind, const char *text);
/* Whether a winner was won with the source that the evaluator compiles now. */
bool at_visit_has_same_source(
	const struct at_visit *self, const struct at_winner *best);

#endif
