/* Workers that do not answer in their time, or never will. */
#include "evaluator/workers/process_parts.h"

#include "base/clock.h"

#include <sys/ioctl.h>

/*
 * A deadline that is heard of so late says that this process did not run, and perhaps
 * nobody did: it was stopped, the machine was asleep or at its limits. Then it begins
 * anew, but not for ever.
 */
#define LATE_NS UINT64_C(1000000000)
#define EXTENSIONS_MAX 5
/* an answer that lies there already is read first */
#define READ_MS 100

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

static void end_late(struct at_worker *self)
{
	struct at_activity activity;

	self->end.timed_out = true;
	if (!self->exited && self->process.pid > 0) {
		at_processes_look(self->process.pid, &activity);
		self->end.was_stopped = self->end.was_stopped || activity.is_stopped;
	}
	worker_kill(self);
}

static void on_look(uv_timer_t *timer)
{
	struct at_worker *self = timer->data;
	struct at_activity activity;
	enum at_vigil_verdict verdict;

	if (self->ending || self->exited || self->asked == self->answered) {
		uv_timer_stop(timer);
		return;
	}
	at_processes_look(self->process.pid, &activity);
	verdict = at_vigil_look(&self->vigil, &activity, at_clock_now_ns());
	self->end.was_stopped = verdict == AT_VIGIL_STOPPED;
	self->end.was_quiet = verdict == AT_VIGIL_QUIET;
	if (verdict)
		end_late(self);
}

void worker_keep_vigil(struct at_worker *self)
{
	at_vigil_begin(&self->vigil, at_clock_now_ns());
	uv_update_time(&self->loop->uv);
	uv_timer_start(
		&self->look, on_look, AT_VIGIL_NS / 1000000, AT_VIGIL_NS / 1000000);
}

static void on_deadline(uv_timer_t *timer)
{
	struct at_worker *self = timer->data;
	bool is_late = at_clock_now_ns() > self->due_ns + LATE_NS;

	if ((is_late || worker_waiting_bytes(&self->channel)) &&
		self->extensions++ < EXTENSIONS_MAX) {
		start_deadline(self,
			is_late ? (uint64_t)(self->deadline_seconds * 1000) : READ_MS);
		return;
	}
	end_late(self);
}

/* The loop's own time may be of before something long. */
static void start_deadline(struct at_worker *self, uint64_t milliseconds)
{
	uv_update_time(&self->loop->uv);
	self->due_ns = at_clock_now_ns() + milliseconds * 1000000;
	uv_timer_start(&self->timer, on_deadline, milliseconds + 1, 0);
}

void at_worker_deadline(struct at_worker *self, double seconds)
{
	/* it has another deadline by then */
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
	self->vigil.limit_seconds = seconds;
	worker_keep_vigil(self);
}
