/* Judges a worker by looks at its processes, which process_deadline.c takes. */
#include "evaluator/workers/vigil.h"

/* a look that is later than this says nothing */
#define LATE_NS UINT64_C(1000000000)
/* ten seconds: a person may stop a process for a moment */
#define STOPPED_LOOKS 5
/* a person who waits begins to wonder after ten seconds, and again after a minute */
#define SILENCE_SECONDS 10
#define LONG_SILENCE_SECONDS 60

void at_vigil_begin(struct at_vigil *self, uint64_t now_ns)
{
	self->due_ns = now_ns + AT_VIGIL_NS;
	self->quiet_ns = now_ns;
	self->stopped = 0;
	self->heard_ns = now_ns;
	self->told_seconds = 0;
}

enum at_vigil_verdict at_vigil_look(
	struct at_vigil *self, const struct at_activity *activity, uint64_t now_ns)
{
	bool is_late = now_ns > self->due_ns + LATE_NS;
	/* ticks are 0 where the system does not tell of processes: that is no sign of a
	   hang */
	bool is_quiet = activity->ticks && activity->ticks == self->ticks &&
			!activity->is_running;

	self->due_ns = now_ns + AT_VIGIL_NS;
	self->ticks = activity->ticks;
	self->stopped = activity->is_stopped && !is_late ? self->stopped + 1 : 0;
	if (is_late || !is_quiet)
		self->quiet_ns = now_ns;
	if (self->stopped >= STOPPED_LOOKS)
		return AT_VIGIL_STOPPED;
	return self->limit_seconds > 0 && (double)(now_ns - self->quiet_ns) * 1e-9 >=
						  self->limit_seconds
		       ? AT_VIGIL_QUIET
		       : AT_VIGIL_NONE;
}

double at_vigil_silence(struct at_vigil *self, uint64_t now_ns)
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
