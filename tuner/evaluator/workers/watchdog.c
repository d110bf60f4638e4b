/* Judges a worker by samples of its processes' activity, which process.c takes. */
#include "evaluator/workers/watchdog.h"

/* a check later than this says nothing about the time since the previous check */
#define LATE_NS UINT64_C(1000000000)
/* ten seconds: a user may stop a process for a moment */
#define STOPPED_LOOKS (UINT64_C(10000000000) / AT_WATCHDOG_NS)
/* this many checks suffice, if at least three of four agree */
#define STARVED_CHECKS 4
/* a user begins to wonder after ten seconds, and again after a minute */
#define SILENCE_SECONDS 10
#define LONG_SILENCE_SECONDS 60

void at_watchdog_begin(struct at_watchdog *self, uint64_t now_ns)
{
	self->due_ns = now_ns + AT_WATCHDOG_NS;
	self->quiet_ns = now_ns;
	self->stopped = 0;
	self->checks = self->running = 0;
	self->heard_ns = now_ns;
	self->told_seconds = 0;
}

enum at_watchdog_verdict at_watchdog_check(
	struct at_watchdog *self, const struct at_activity *activity, uint64_t now_ns)
{
	bool is_late = now_ns > self->due_ns + LATE_NS;
	uint64_t since_ns = now_ns - (self->due_ns - AT_WATCHDOG_NS);
	/* Missing activity data is no sign of a hang. Zero ticks can be: a compiler
	   that hangs at its start has used less than one. */
	bool is_quiet = activity->is_told && activity->ticks == self->ticks &&
			!activity->is_running;

	if (!self->checks++) {
		self->first_ns = now_ns;
		self->first_ticks = activity->ticks;
	}
	self->running += activity->is_running;
	self->due_ns = now_ns + AT_WATCHDOG_NS;
	self->ticks = activity->ticks;
	self->stopped = activity->is_stopped ? self->stopped + !is_late : 0;
	/* on a busy machine some checks are late; only the time up to the previous
	   check counts */
	if (!is_quiet)
		self->quiet_ns = now_ns;
	else if (is_late)
		self->quiet_ns += since_ns;
	if (self->stopped >= STOPPED_LOOKS)
		return AT_WATCHDOG_STOPPED;
	return self->limit_seconds > 0 && (double)(now_ns - self->quiet_ns) * 1e-9 >=
						  self->limit_seconds
		       ? AT_WATCHDOG_QUIET
		       : AT_WATCHDOG_NONE;
}

bool at_watchdog_is_starved(const struct at_watchdog *self, uint64_t now_ns,
	uint64_t ticks, uint64_t ticks_per_second)
{
	double seconds = (double)(now_ns - self->first_ns) * 1e-9;

	return self->checks >= STARVED_CHECKS &&
	       self->running >= self->checks - self->checks / 4 &&
	       ticks >= self->first_ticks && ticks_per_second > 0 &&
	       (double)(ticks - self->first_ticks) / (double)ticks_per_second <
		       seconds / 2;
}

double at_watchdog_silence(struct at_watchdog *self, uint64_t now_ns)
{
	double seconds = (double)(now_ns - self->heard_ns) * 1e-9;
	double next = self->told_seconds == 0 ? SILENCE_SECONDS
		      : self->told_seconds < LONG_SILENCE_SECONDS
			      ? LONG_SILENCE_SECONDS
			      : 2 * self->told_seconds;

	if (seconds < next)
		return 0;
	self->told_seconds = seconds;
	return seconds;
}
