/*
 * Measures a recorded winner again: evaluates it and its baseline, with verification,
 * and measures both in finals of their own. The result is compared with the nights
 * before (session/nights.h) and recorded as the next night. Nothing is searched, and no
 * time in the record is replaced.
 *
 * An interruption records nothing: half a night cannot be compared with others.
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

extern const struct at_visit_kind at_revisit_kind;

#endif
