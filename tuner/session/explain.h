/*
 * Explains a configuration of a problem, without a search: reads the hardware counters
 * of the recorded winner, or of the configuration that the session names, and of the
 * baseline (session/phase_counters.h).
 *
 * |   at_explain_start(&visit, &explaining, &err);   -> visit.done() later, once
 * |   at_explain_interrupt(explaining);                (any time: ends it soon)
 * |   at_explain_free(explaining);                     (after done())
 *
 * Events: AT_EVENT_BEGIN, notes, and one AT_EVENT_COUNTERS, unless it is interrupted or
 * fails. Of visit.session it uses explained and the listener. Threads: the evaluator's
 * loop.
 */
#ifndef AT_SESSION_EXPLAIN_H
#define AT_SESSION_EXPLAIN_H

#include "session/visit.h"

struct at_explaining;

/* As at_tuning_start(). */
enum at_status at_explain_start(
	const struct at_visit *given, struct at_explaining **out, struct at_error *err);
void at_explain_interrupt(struct at_explaining *self);
/* Called a few times a second. May call done(). */
void at_explain_poke(struct at_explaining *self);
/* Frees it and closes its evaluator; NULL is allowed. */
void at_explain_free(struct at_explaining *self);

#endif
