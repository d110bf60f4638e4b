/*
 * Measures a recorded winner again: evaluates it and its baseline, with verification,
 * and measures both in finals of their own. The result is compared with the nights
 * before (session/nights.h) and recorded as the next night. Nothing is searched, and no
 * time in the record is replaced.
 *
 * |   at_revisit_start(&visit, &revisit, &err);   -> visit.done() later, once
 * |   at_revisit_interrupt(revisit);                (any time: ends it soon)
 * |   at_revisit_free(revisit);                     (after done())
 *
 * Events: AT_EVENT_BEGIN, notes, and one AT_EVENT_REVISIT, unless it is interrupted or
 * fails. A winner that is not correct any more is refused: the record no longer lists
 * it as ok, and its record is withdrawn so that no header lists it. An outcome that the
 * machine may have caused (a crash, a time-out) has to occur twice.
 *
 * Of visit.session it uses budget (a time, for this one problem), margin, results and
 * the listener. Must not know: processes, units, SQL. Threads: the evaluator's loop.
 */
#ifndef AT_SESSION_REVISIT_H
#define AT_SESSION_REVISIT_H

#include "session/visit.h"

struct at_revisiting;

/* As at_tuning_start(). */
enum at_status at_revisit_start(
	const struct at_visit *given, struct at_revisiting **out, struct at_error *err);
/* Ends it soon and records nothing: half a night cannot be compared with others. */
void at_revisit_interrupt(struct at_revisiting *self);
/* Called a few times a second. May call done(). */
void at_revisit_poke(struct at_revisiting *self);
/* Frees it and closes its evaluator; NULL is allowed. */
void at_revisit_free(struct at_revisiting *self);

#endif
