/*
 * Decides whether a worker that owes an answer will never give one, by what is seen of
 * its processes four times a second: they are stopped, or they neither compute nor wait
 * for a processor. That does not depend on how fast or how busy the machine is, since a
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

/* Nanoseconds from one check to the next. */
#define AT_WATCHDOG_NS UINT64_C(250000000)

struct at_watchdog {
	double limit_seconds; /* for so long they may be quiet; 0: for ever */
	uint64_t due_ns; /* time of the next check */
	uint64_t quiet_ns; /* since when they have been quiet */
	uint64_t ticks; /* processor time at the last check: struct at_activity */
	/* since the first check behind the last request or message */
	unsigned checks;
	unsigned
		running; /* those that saw a process compute, or wait for a processor */
	uint64_t first_ns;
	uint64_t first_ticks;
	unsigned stopped; /* checks in a row at which they were stopped */
	uint64_t heard_ns; /* time of the last request or message */
	double told_seconds; /* the length of silence that was reported last */
};

enum at_watchdog_verdict {
	AT_WATCHDOG_NONE = 0, /* the worker may still answer */
	AT_WATCHDOG_STOPPED, /* it is stopped, for too long */
	AT_WATCHDOG_QUIET, /* it neither computes nor waits for a processor */
};

/* The worker was sent a request, or has sent something. limit_seconds stays as it
   is. */
void at_watchdog_begin(struct at_watchdog *self, uint64_t now_ns);
/* Makes a check. One that is more than a second late says nothing of the time since the
   one before: this process did not run either. */
enum at_watchdog_verdict at_watchdog_check(
	struct at_watchdog *self, const struct at_activity *activity, uint64_t now_ns);

/*
 * Whether others had the processors that the worker wanted: whenever it was looked at
 * it was computing or waiting for a processor, and yet it had less than half of one.
 * Then a deadline says nothing about its work. False where there were too few checks.
 */
bool at_watchdog_is_starved(const struct at_watchdog *self, uint64_t now_ns,
	uint64_t ticks, uint64_t ticks_per_second);

/* For how many seconds nothing was heard of the worker, if that is to be reported now:
   after 10 s, after 60 s, and each time it has doubled. Else 0. */
double at_watchdog_silence(struct at_watchdog *self, uint64_t now_ns);

#endif
