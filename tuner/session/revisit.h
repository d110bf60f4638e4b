/*
 * A recorded winner once more: it and its baseline are evaluated, with verification,
 * and measured in finals of their own; what comes of that is compared with the nights
 * before (session/nights.h) and recorded as the next one. Nothing is searched, and no
 * evaluation of the record is replaced by new times.
 *
 *   at_revisit_start(&options, &revisit, &err);   -> options.done() later, once
 *   at_revisit_interrupt(revisit);                (any time: ends it soon)
 *   at_revisit_free(revisit);                     (after done())
 *
 * What is told: AT_EVENT_BEGIN, notes, and one AT_EVENT_REVISIT, unless it is
 * interrupted or fails. A winner that is not correct any more is refused: the record
 * does not call it right any longer, and its crown is withdrawn, so that no header has
 * it. What the machine may have done to it (a crash, a time-out) has to happen twice.
 *
 * Of options.session budget (a time, for this one problem), margin, results and the
 * listener are of interest. Must not know: processes, units, SQL. Threads: the
 * evaluator's loop.
 */
#ifndef AT_SESSION_REVISIT_H
#define AT_SESSION_REVISIT_H

#include "session/tuning.h"

struct at_revisiting;

/* As at_tuning_start(). */
enum at_status at_revisit_start(const struct at_tuning_options *options,
	struct at_revisiting **out, struct at_error *err);
/* What was measured so far is dropped: half a night is none. */
void at_revisit_interrupt(struct at_revisiting *self);
/* Time has passed. */
void at_revisit_poke(struct at_revisiting *self);
void at_revisit_free(struct at_revisiting *self);

#endif
