/*
 * Explains a configuration of a problem, without a search: reads the hardware counters
 * of the recorded winner, or of the configuration that the session names, and of the
 * baseline (session/phase_counters.h).
 *
 * Events: AT_EVENT_BEGIN, notes, and one AT_EVENT_COUNTERS, unless it is interrupted or
 * fails. Of visit.session it uses explained and the listener. Threads: the evaluator's
 * loop.
 */
#ifndef AT_SESSION_EXPLAIN_H
#define AT_SESSION_EXPLAIN_H

#include "session/visit.h"

extern const struct at_visit_kind at_explain_kind;

#endif
