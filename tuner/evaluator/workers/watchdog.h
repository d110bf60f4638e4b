/*
 * Decides whether a worker that owes an answer will never give one, from its processes'
 * activity four times a second: they are stopped, or they neither compute nor wait for
 * a processor. The verdict does not depend on the machine's speed or load, since a
 * process that waits for a processor counts as working.
 *
 *   at_watchdog_begin(&watchdog, now_ns);
 *   every AT_WATCHDOG_NS: at_watchdog_check(&watchdog, &activity, now_ns)
 *
 * Must not know: clocks, processes. Threads: none of these share state.
 */
#ifndef AT_WORKERS_WATCHDOG_H
#define AT_WORKERS_WATCHDOG_H

#include "base/processes.h"

#include <stdint.h>

/* Nanoseconds between checks. */
#define AT_WATCHDOG_NS UINT64_C(250000000)

struct at_watchdog {
	double limit_seconds; /* how long they may be idle; 0: for ever */
	uint64_t due_ns; /* time of the next check */
	uint64_t quiet_ns; /* when they became idle */
	uint64_t ticks; /* processor time at the last check: struct at_activity */
	/* checks since the last request or message */
	unsigned checks;
	unsigned
		/* checks that saw a process compute, or wait for a processor */
		running;
	uint64_t first_ns;
	uint64_t first_ticks;
	unsigned stopped; /* consecutive checks at which they were stopped */
	uint64_t heard_ns; /* time of the last request or message */
	double told_seconds; /* the last reported length of silence */
};

enum at_watchdog_verdict {
	AT_WATCHDOG_NONE = 0, /* the worker may still answer */
	AT_WATCHDOG_STOPPED, /* it is stopped, for too long */
	AT_WATCHDOG_QUIET, /* it neither computes nor waits for a processor */
};

/* The worker got a request, or sent something. limit_seconds is unchanged. */
void at_watchdog_begin(struct at_watchdog *self, uint64_t now_ns);
/* Makes a check. One that is more than a second late says nothing about the time since
   the previous check: this process did not run either. */
enum at_watchdog_verdict at_watchdog_check(
	struct at_watchdog *self, const struct at_activity *activity, uint64_t now_ns);

/* Whether other processes used the processors that the worker needed: at every check it
   was computing or waiting for a processor, and yet it had less than half a processor.
   Then a deadline says nothing about its work. False after too few checks. */
bool at_watchdog_is_starved(const struct at_watchdog *self, uint64_t now_ns,
	uint64_t ticks, uint64_t ticks_per_second);

/* The worker's silence in seconds if it is to be reported now: after 10 s, after 60 s,
   and whenever it has doubled. Else 0. */
double at_watchdog_silence(struct at_watchdog *self, uint64_t now_ns);

#endif
