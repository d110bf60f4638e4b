/* Ends workers that miss their deadline, or that will never answer, and reports long
   silences. */
#include "evaluator/workers/process_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "evaluator/workers/guard.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/*
 * A deadline that is noticed so late shows that this process did not run, and perhaps
 * the worker neither: they were stopped, or the machine was asleep or overloaded.
 * Others may also have had the processors that the worker wanted
 * (at_watchdog_is_starved()). In both cases the deadline begins anew, but only so many
 * times.
 */
#define LATE_NS UINT64_C(1000000000)
#define EXTENSIONS_MAX 5
/* A guard gives up after 10 seconds on processes that the system does not let go. A
   guard that has not ended by this time counts as ended, so that the run goes on. */
#define END_SECONDS 15.0
/* when an answer has arrived already: so long to read it */
#define READ_MS 100
/* a silence of this length is reported even if another worker has reported the same */
#define FURTHER_SECONDS 60.0

/* Ends the worker with all that it has started. Its owner hears of it when they are
   gone. */
void worker_kill(struct at_worker *self)
{
	if (self->exited || self->process.pid <= 0)
		return;
	at_guard_end(self->process.pid);
	if (self->ending)
		return;
	self->ending = true;
	uv_update_time(&self->loop->uv);
	uv_timer_start(
		&self->timer, self->not_ended, (uint64_t)(END_SECONDS * 1000), 0);
}

int worker_waiting_bytes(const uv_pipe_t *stream)
{
	uv_os_fd_t file;
	int count = 0;

	return uv_fileno((const uv_handle_t *)stream, &file) ||
			       ioctl(file, FIONREAD, &count)
		       ? 0
		       : count;
}

static void start_deadline(struct at_worker *self, uint64_t milliseconds);

/* Ends a worker that is too late. */
static void end_late(struct at_worker *self)
{
	struct at_activity activity;

	self->end.timed_out = true;
	if (!self->exited && self->process.pid > 0) {
		at_processes_activity(self->process.pid, &activity);
		self->end.was_stopped = self->end.was_stopped || activity.is_stopped;
	}
	worker_kill(self);
}

/* These are for the whole process, as the terminal is. */
static void (*silence_told)(const char *text);
static char last_silence[160];

void at_worker_on_silence(void (*tell)(const char *text))
{
	silence_told = tell;
	last_silence[0] = '\0';
}

/* Put together by hand, since it is said several times an evaluation. */
void at_worker_is_at(struct at_worker *self, const char *device, const char *what)
{
	const char *parts[] = { device ? "device " : "", device ? device : "",
		device ? ": " : "", what ? what : "" };
	size_t length = 0;

	for (size_t i = 0; what && i < AT_COUNT_OF(parts); i++) {
		size_t more = strlen(parts[i]);

		if (more >= sizeof(self->is_at) - length)
			more = sizeof(self->is_at) - length - 1;
		memcpy(self->is_at + length, parts[i], more);
		length += more;
	}
	self->is_at[length] = '\0';
}

static void tell_silence(struct at_worker *self)
{
	uint64_t now_ns = at_clock_now_ns();
	double seconds = at_watchdog_silence(&self->watchdog, now_ns);
	char lasts[32], text[320], left[80] = "";
	size_t length;

	if (seconds <= 0 || !self->is_at[0] || !silence_told)
		return;
	/* if many workers take equally long, only the first reports it; longer silences
	   are reported each */
	if (seconds < FURTHER_SECONDS && !strcmp(last_silence, self->is_at))
		return;
	snprintf(last_silence, sizeof(last_silence), "%s", self->is_at);
	if (uv_is_active((uv_handle_t *)&self->timer) && self->due_ns > now_ns) {
		length = (size_t)snprintf(
			left, sizeof(left), "; it will be stopped in ");
		at_text_duration((double)(self->due_ns - now_ns), left + length,
			sizeof(left) - length);
	}
	at_text_duration(seconds * 1e9, lasts, sizeof(lasts));
	snprintf(
		text, sizeof(text), "%s: no answer for %s%s", self->is_at, lasts, left);
	silence_told(text);
}

static void on_watchdog(uv_timer_t *timer)
{
	struct at_worker *self = timer->data;
	struct at_activity activity;
	enum at_watchdog_verdict verdict;

	if (self->ending || self->exited || self->asked == self->answered) {
		uv_timer_stop(timer);
		return;
	}
	at_processes_activity(self->process.pid, &activity);
	verdict = at_watchdog_check(&self->watchdog, &activity, at_clock_now_ns());
	self->end.was_stopped = verdict == AT_WATCHDOG_STOPPED;
	self->end.was_quiet = verdict == AT_WATCHDOG_QUIET;
	if (verdict)
		end_late(self);
	else
		tell_silence(self);
}

void worker_keep_watchdog(struct at_worker *self)
{
	at_watchdog_begin(&self->watchdog, at_clock_now_ns());
	uv_update_time(&self->loop->uv);
	uv_timer_start(&self->watchdog_timer, on_watchdog, AT_WATCHDOG_NS / 1000000,
		AT_WATCHDOG_NS / 1000000);
}

static bool is_starved(const struct at_worker *self)
{
	struct at_activity activity;
	long ticks = sysconf(_SC_CLK_TCK);

	if (self->exited || self->process.pid <= 0)
		return false;
	at_processes_activity(self->process.pid, &activity);
	return at_watchdog_is_starved(&self->watchdog, at_clock_now_ns(),
		activity.ticks, ticks > 0 ? (uint64_t)ticks : 0);
}

static void on_deadline(uv_timer_t *timer)
{
	struct at_worker *self = timer->data;
	bool is_late = at_clock_now_ns() > self->due_ns + LATE_NS || is_starved(self);

	if ((is_late || worker_waiting_bytes(&self->channel)) &&
		self->extensions++ < EXTENSIONS_MAX) {
		start_deadline(self,
			is_late ? (uint64_t)(self->deadline_seconds * 1000) : READ_MS);
		return;
	}
	end_late(self);
}

/* updates the loop's time first, which may be old */
static void start_deadline(struct at_worker *self, uint64_t milliseconds)
{
	uv_update_time(&self->loop->uv);
	self->due_ns = at_clock_now_ns() + milliseconds * 1000000;
	uv_timer_start(&self->timer, on_deadline, milliseconds + 1, 0);
}

void at_worker_deadline(struct at_worker *self, double seconds)
{
	/* the timer is used for END_SECONDS by now */
	if (self->ending || self->exited)
		return;
	self->deadline_seconds = seconds;
	self->extensions = 0;
	if (seconds <= 0)
		uv_timer_stop(&self->timer);
	else
		start_deadline(self, (uint64_t)(seconds * 1000));
}

void at_worker_expect_work(struct at_worker *self, double seconds)
{
	self->watchdog.limit_seconds = seconds;
	worker_keep_watchdog(self);
}
