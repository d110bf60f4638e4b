/*
 * Reads the hardware counters of the baseline and of another configuration, launch by
 * launch, and adds them to their evaluations in the record: the last phase of a tuning,
 * and all of `autotune explain`.
 *
 *   at_counters_phase_begin(&phase, &options, &err);   -> ended() later, once
 *   at_counters_phase_end(&phase);
 *
 * Where counters cannot be read, `reason` says why, and nothing is recorded: that is no
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
	/* AT_NO_CONFIGURATION: none. The two may be the same. */
	uint64_t indices[AT_COUNTED_COUNT];
	/* called from the loop; err: why the evaluator can do nothing more, else NULL
	 */
	void (*ended)(void *context, const struct at_error *err);
	void *context;
};

struct at_counters_phase {
	struct at_counters_phase_options options;
	struct at_task *tasks[AT_COUNTED_COUNT]; /* NULL: not counted */
	/* As the record has them now, or only with counters where it has no such
	   evaluation; key zero: not counted. */
	struct at_evaluation evaluations[AT_COUNTED_COUNT];
	char reason[640]; /* why there are no counters; "": there are */
	bool ended;
};

/* Whether devices of this kind may have counters. */
bool at_counters_phase_is_possible(const struct at_visit *visit);
enum at_status at_counters_phase_begin(struct at_counters_phase *self,
	const struct at_counters_phase_options *options, struct at_error *err);
/* Calls it off; ended() is not called any more. Frees what the phase has. */
void at_counters_phase_end(struct at_counters_phase *self);

/*
 * Explains a configuration of a problem, without a search: the recorded winner, or the
 * configuration that the session names. Events: AT_EVENT_BEGIN, notes, and one
 * AT_EVENT_COUNTERS, unless it is interrupted or fails. Of visit.session it uses
 * explained and the listener.
 */
extern const struct at_visit_kind at_explain_kind;

#endif
