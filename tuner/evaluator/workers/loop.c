/* The event loop, on libuv: its start and end, signals, ticks and calls later. */
#include "evaluator/workers/process_parts.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "evaluator/workers/guard.h"
#include "evaluator/workers/worker.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * How long the end of a loop waits until killed processes are gone. They execute
 * nothing any more, but the kernel takes a tenth of a second to clean up after a
 * process that had a GPU, and that is not worth waiting for.
 */
#define REAP_MS 20
/* how long to wait until all workers are dead, also after a second signal */
#define LEAVE_MS 1000
/* holds "AUTOTUNE_FOLDER=" and a path */
#define MARK_BYTES 600

static void on_closed(uv_handle_t *handle)
{
	(void)handle;
}

/* Ends processes that still work in the folder of a run that was killed with all its
   guards. */
static void end_dead_run(const char *folder, void *context)
{
	char mark[MARK_BYTES];

	(void)context;
	snprintf(mark, sizeof(mark), AT_WORKER_FOLDER "=%s", folder);
	at_processes_kill_marked(mark);
}

static sigjmp_buf aborted;

static void on_abort(int number)
{
	(void)number;
	siglongjmp(aborted, 1);
}

/*
 * libuv calls abort() where it finds no descriptors for its first pipe. A test ahead of
 * it (pipe() in at_loop_new()) finds that, unless another program takes the last
 * descriptors in between. After such an abort() libuv's state is broken (a
 * pthread_once() that is half done), so that no loop is made in this process any more.
 */
static int init_uv(uv_loop_t *uv)
{
	static bool is_broken;
	struct sigaction ours = { .sa_handler = on_abort }, before;
	volatile int code = UV_EMFILE;

	if (is_broken || sigaction(SIGABRT, &ours, &before))
		return code;
	if (!sigsetjmp(aborted, 1))
		code = uv_loop_init(uv);
	else
		is_broken = true;
	sigaction(SIGABRT, &before, NULL);
	return code;
}

/* Called on the signal thread. */
static bool first_signal(void *context)
{
	struct at_loop *self = context;
	bool is_watched;

	/* for code that waits inside a library */
	at_interrupt_note();
	pthread_mutex_lock(&self->watching_lock);
	is_watched = self->watching || self->is_leaving;
	/* told when somebody watches, if that is ever */
	self->was_signalled = true;
	if (self->watching)
		uv_async_send(&self->interruption);
	pthread_mutex_unlock(&self->watching_lock);
	return is_watched;
}

/* Called on the signal thread. It does not wait for the main thread, whatever that is
   doing; everything that was evaluated is recorded already. */
static void second_signal(void *context)
{
	const struct timespec moment = { 0, 1000000 };
	struct at_processes found = { 0 };

	(void)context;
	at_processes_children(uv_os_getpid(), &found);
	for (size_t i = 0; i < found.count; i++)
		if (worker_is_ours(found.ids[i]))
			at_guard_end(found.ids[i]);
	for (int waited_ms = 0; waited_ms < LEAVE_MS; waited_ms++) {
		size_t gone = 0;

		for (size_t i = 0; i < found.count; i++)
			gone += !worker_is_ours(found.ids[i]) ||
				waitpid(found.ids[i], NULL, WNOHANG) != 0;
		if (gone == found.count)
			break;
		nanosleep(&moment, NULL);
	}
	at_scratch_remove_all();
}

static const struct at_signals_events signal_events = { first_signal, second_signal };

enum at_status at_loop_new(
	const char *executable, struct at_loop **out, struct at_error *err)
{
	struct at_loop *self = at_calloc(1, sizeof(*self));
	size_t size = sizeof(self->executable);
	int code, ends[2];

	if (pipe(ends)) {
		code = errno;
		free(self);
		return at_fail(
			err, AT_EIO, NULL, 0, "no event loop: %s", strerror(code));
	}
	close(ends[0]);
	close(ends[1]);
	/* libuv aborts where it cannot grow its table of descriptors. The call may be
	   repeated with the same functions; nothing else calls libuv earlier. */
	uv_replace_allocator(at_malloc, at_realloc, at_calloc, free);
	code = init_uv(&self->uv);
	if (code) {
		free(self);
		return at_fail(
			err, AT_EIO, NULL, 0, "no event loop: %s", uv_strerror(code));
	}
	pthread_mutex_init(&self->watching_lock, NULL);
	/* from here on there is something that a signal must not leave behind */
	if (at_signals_begin(&self->signals, &signal_events, self, err)) {
		pthread_mutex_destroy(&self->watching_lock);
		uv_loop_close(&self->uv);
		free(self);
		return AT_EIO;
	}
	self->uv.data = self;
	self->later_last = &self->later;
	signal(SIGPIPE, SIG_IGN); /* a worker that died is seen by its exit */
	uv_timer_init(&self->uv, &self->ticker);
	uv_timer_init(&self->uv, &self->later_timer);
	/* processes whose guard was killed become this process's children */
	at_processes_adopt();
	if (executable)
		snprintf(self->executable, sizeof(self->executable), "%s", executable);
	else if (uv_exepath(self->executable, &size))
		snprintf(self->executable, sizeof(self->executable), "autotune");
	at_scratch_sweep(end_dead_run, NULL);
	/* without a folder of its own, the workers use the common one, or say what is
	   wrong with that */
	(void)!at_scratch_make(&self->scratch, "autotune", NULL);
	*out = self;
	return AT_OK;
}

void at_loop_run(struct at_loop *self)
{
	uv_run(&self->uv, UV_RUN_DEFAULT);
}

void at_loop_stop(struct at_loop *self)
{
	uv_stop(&self->uv);
}

/* ---- signals ------------------------------------------------------------------ */

static void on_interruption(uv_async_t *handle)
{
	struct at_loop *self = handle->loop->data;

	self->was_interrupted = true;
	self->interrupted(self->interrupted_context);
}

enum at_status at_loop_watch_signals(struct at_loop *self, void (*interrupted)(void *),
	void *context, struct at_error *err)
{
	self->interrupted = interrupted;
	self->interrupted_context = context;
	if (uv_async_init(&self->uv, &self->interruption, on_interruption))
		return at_fail(err, AT_EIO, NULL, 0, "cannot watch signals");
	uv_unref((uv_handle_t *)&self->interruption);
	pthread_mutex_lock(&self->watching_lock);
	self->watching = true;
	if (self->was_signalled)
		uv_async_send(&self->interruption);
	pthread_mutex_unlock(&self->watching_lock);
	return AT_OK;
}

bool at_loop_interrupted(const struct at_loop *self)
{
	return self->was_interrupted;
}

static void on_tick(uv_timer_t *timer)
{
	struct at_loop *self = timer->loop->data;

	self->tick(self->tick_context);
}

void at_loop_tick(
	struct at_loop *self, unsigned interval_ms, void (*tick)(void *), void *context)
{
	self->tick = tick;
	self->tick_context = context;
	if (!tick)
		uv_timer_stop(&self->ticker);
	else
		uv_timer_start(&self->ticker, on_tick, interval_ms, interval_ms);
	uv_unref((uv_handle_t *)&self->ticker);
}

static void on_later(uv_timer_t *timer);

/* Starts the timer for the first call that is due. Its delay is never 0: with 0 a call
   that asks for the next call would keep libuv from seeing signals. */
static void start_later_timer(struct at_loop *self)
{
	uint64_t now_ms = uv_now(&self->uv), first_ms = UINT64_MAX;

	for (const struct later *later = self->later; later; later = later->next)
		if (later->due_ms < first_ms)
			first_ms = later->due_ms;
	if (self->later)
		uv_timer_start(&self->later_timer, on_later,
			first_ms > now_ms ? first_ms - now_ms : 1, 0);
}

/* Takes the calls that are due, in the order in which they were asked for. */
static struct later *take_due(struct at_loop *self)
{
	struct later *due = NULL, **last = &due, **link = &self->later;
	uint64_t now_ms = uv_now(&self->uv);

	while (*link) {
		struct later *later = *link;

		if (later->due_ms > now_ms) {
			link = &later->next;
			continue;
		}
		*link = later->next;
		later->next = NULL;
		*last = later;
		last = &later->next;
	}
	self->later_last = link;
	return due;
}

static void on_later(uv_timer_t *timer)
{
	struct at_loop *self = timer->loop->data;
	struct later *due = take_due(self);

	/* a call may forget others that are due now */
	self->due = due;
	while ((due = self->due) != NULL) {
		self->due = due->next;
		if (due->context)
			due->call(due->context);
		free(due);
	}
	start_later_timer(self);
}

void at_loop_forget(struct at_loop *self, const void *context)
{
	struct later *lists[] = { self->due, self->later };

	for (size_t i = 0; i < 2; i++)
		for (struct later *later = lists[i]; later; later = later->next)
			if (later->context == context)
				later->context = NULL;
}

const char *at_loop_folder(const struct at_loop *self)
{
	return self->scratch.path;
}

void at_loop_after(struct at_loop *self, unsigned milliseconds, void (*call)(void *),
	void *context)
{
	struct later *later = at_calloc(1, sizeof(*later));

	later->call = call;
	later->context = context;
	/* the loop's own time may be old when this is called outside of a callback */
	if (milliseconds)
		uv_update_time(&self->uv);
	later->due_ms = uv_now(&self->uv) + milliseconds;
	*self->later_last = later;
	self->later_last = &later->next;
	start_later_timer(self);
}

void at_loop_later(struct at_loop *self, void (*call)(void *), void *context)
{
	at_loop_after(self, 0, call, context);
}

static void stop_reaping(uv_timer_t *timer)
{
	uv_stop(timer->loop);
}

/* Whether anything below our guards still runs; one that the kernel only cleans up
   after does not. */
static bool any_runs(struct at_loop *self)
{
	struct at_processes guards = { 0 }, below = { 0 };
	bool any = false;

	worker_add_guards(self, &guards);
	for (size_t i = 0; i < guards.count; i++)
		at_processes_below(guards.ids[i], &below);
	for (size_t i = 0; i < below.count && !any; i++)
		any = worker_is_ours(below.ids[i]);
	at_processes_release(&guards);
	at_processes_release(&below);
	return any;
}

static void drop_later(struct at_loop *self)
{
	while (self->later) {
		struct later *next = self->later->next;

		free(self->later);
		self->later = next;
	}
	self->later_last = &self->later;
}

void at_loop_free(struct at_loop *self)
{
	const struct timespec moment = { 0, 1000000 };

	if (!self)
		return;
	/* the loop runs once more, and whoever asked for a call is gone by now */
	drop_later(self);
	/* Signals are heard until almost the end of this function, which can take a
	   second: the second signal must neither wait for that nor leave processes
	   behind. */
	pthread_mutex_lock(&self->watching_lock);
	if (self->watching)
		uv_close((uv_handle_t *)&self->interruption, on_closed);
	self->is_leaving = self->watching;
	self->watching = false;
	pthread_mutex_unlock(&self->watching_lock);
	uv_close((uv_handle_t *)&self->ticker, on_closed);
	/* an earlier at_loop_stop() while nothing ran would end the first round at
	   once */
	uv_run(&self->uv, UV_RUN_NOWAIT);
	uv_timer_start(&self->later_timer, stop_reaping, REAP_MS, 0);
	uv_unref((uv_handle_t *)&self->later_timer);
	uv_run(&self->uv, UV_RUN_DEFAULT);
	/* on a busy machine it takes longer until they have died */
	for (int i = 0; i < LEAVE_MS && any_runs(self); i++)
		nanosleep(&moment, NULL);
	/* guards that are left end by themselves, and then remove the folder */
	worker_close_all(self);
	uv_close((uv_handle_t *)&self->later_timer, on_closed);
	do
		uv_run(&self->uv, UV_RUN_DEFAULT);
	while (uv_loop_close(&self->uv) == UV_EBUSY);
	at_scratch_remove(&self->scratch);
	at_signals_end(&self->signals);
	pthread_mutex_destroy(&self->watching_lock);
	drop_later(self);
	free(self);
}
