/*
 * Reads the hardware counters of the baseline and another configuration, launch by
 * launch, and adds them to their recorded evaluations: the last phase of a tuning, and
 * all of `autotune explain`.
 *
 *   at_counters_phase_begin(&phase, &options, &err);   -> ended() later, once
 *   at_counters_phase_end(&phase);
 *
 * If counters cannot be read, `reason` says why and nothing is recorded; that is not an
 * error. Threads: the loop's.
 */
#ifndef AT_SESSION_COUNTERS_H
#define AT_SESSION_COUNTERS_H

#include "session/visit.h"

enum at_counted {
	AT_COUNTED_BASELINE,
	AT_COUNTED_OTHER,
	AT_COUNTED_COUNT,
};

struct at_counters_phase_options {
	const struct at_visit *visit;
	/* AT_NO_CONFIGURATION: none. Both may be equal. */
	uint64_t indices[AT_COUNTED_COUNT];
	/* Called from the loop. err: why the evaluator cannot continue, or NULL. */
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

struct at_counters_phase {
	struct at_counters_phase_options options;
	struct at_task *tasks[AT_COUNTED_COUNT]; /* NULL: not counted */
	/* As recorded, or only with counters if there is no recorded evaluation; key
	   zero: not counted. */
	struct at_evaluation evaluations[AT_COUNTED_COUNT];
	char reason[640]; /* why there are no counters, or "" */
	bool ended;
};

/* Whether this kind of device may have counters. */
bool at_counters_phase_is_possible(const struct at_visit *visit);
enum at_status at_counters_phase_begin(struct at_counters_phase *self,
	const struct at_counters_phase_options *options, struct at_error *err);
/* Cancels the phase, without a later ended(), and frees what it owns. */
void at_counters_phase_end(struct at_counters_phase *self);

/*
 * Explains a configuration without a search: the recorded winner, or the configuration
 * that the session names. Events: AT_EVENT_BEGIN, notes, and one AT_EVENT_COUNTERS
 * unless it is interrupted or fails. Uses only `explained` and the listener of
 * visit.session.
 */
extern const struct at_visit_kind at_explain_kind;

#endif
