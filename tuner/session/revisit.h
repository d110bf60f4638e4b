/*
 * Measures a recorded winner again: evaluates it and its baseline, with verification,
 * and measures both in new finals. The result is compared with earlier nights
 * (session/nights.h) and recorded as the next night. It searches nothing and replaces
 * no recorded time.
 *
 * An interruption records nothing: half a night cannot be compared.
 *
 * Events: AT_EVENT_BEGIN, notes, and one AT_EVENT_REVISIT, unless it is interrupted or
 * fails. A winner that is no longer correct is refused: its evaluation is no longer ok,
 * and its row is withdrawn, so that no header lists it. An outcome that the machine may
 * have caused (a crash, a time-out) must occur twice.
 *
 * Of visit.session it uses budget (a time, for this problem), margin, night, results,
 * seed and the listener. Must not know: processes, units, SQL. Threads: the evaluator's
 * loop.
 */
#ifndef AT_SESSION_REVISIT_H
#define AT_SESSION_REVISIT_H

#include "session/visit.h"

extern const struct at_visit_kind at_revisit_kind;

#endif
