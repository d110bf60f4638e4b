/*
 * Tunes one problem of one space on one model of device: search, finals, verification,
 * winner, explanation, counters. Each phase has its own state (phase_*.h); the tuning
 * leads from phase to phase on the evaluator's loop.
 *
 * An interruption drops the evaluations under way and selects the best so far without
 * finals and verification (at_winner.is_unverified), unless a verified winner stands.
 *
 * Must not know: processes, units, images; terminals; SQL. Threads: the loop's.
 */
#ifndef AT_SESSION_TUNING_H
#define AT_SESSION_TUNING_H

#include "session/visit.h"

extern const struct at_visit_kind at_tuning_kind;

#endif
