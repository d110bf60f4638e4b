/* The event loop, on libuv: start, end, signals, ticks and calls later. Worker
   processes on it: starting, messages both ways, ends, and killing workers that miss a
   deadline or hang. */
#include "evaluator/workers/process.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/processes.h"
#include "base/scratch.h"
#include "base/text.h"
#include "evaluator/workers/clocks.h"
#include "evaluator/workers/guard.h"
#include "evaluator/workers/signals.h"
#include "evaluator/workers/watchdog.h"
#include "evaluator/workers/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

/* Real-time signals have higher numbers; one of them is the coordinator's order to a
   guard. */
#define LAST_PLAIN_SIGNAL 31

/* the most words of a program that starts a worker */
#define COMMAND_WORDS_MAX 32

/* how long to search for what a killed guard left */
#define STRAYS_MS 200

/*
 * A deadline noticed this late shows that this process did not run, and perhaps the
 * worker neither: they were stopped, or the machine was asleep or overloaded. Other
 * processes may also have used the worker's processors (at_watchdog_is_starved()). In
 * both cases the deadline begins anew, but at most EXTENSIONS_MAX times.
 */
#define LATE_NS UINT64_C(1000000000)
#define EXTENSIONS_MAX 5
/* A guard gives up after 10 seconds on processes that the kernel does not release. A
   guard that has not ended by this time counts as ended, so that the run continues. */
#define END_SECONDS 15.0
/* if an answer has arrived already: time to read it */
#define READ_MS 100
/* a silence of this length is reported even if another worker has reported the same */
#define FURTHER_SECONDS 60.0

/* How long a loop's end waits for killed processes. They execute nothing any more.
   Cleaning up after a process that had a GPU takes the kernel a tenth of a second: not
   worth waiting for. */
#define REAP_MS 20
/* how long to wait for the death of all workers, also after a second signal */
#define LEAVE_MS 1000
/* holds "AUTOTUNE_FOLDER=" and a path */
#define MARK_BYTES 600

struct later {
	uv_timer_t timer;
	struct later *next;
	void (*call)(void *);
	void *context; /* NULL: forgotten, not called */
};

struct at_loop {
	uv_loop_t uv;
	char executable[4096];
	struct at_scratch scratch; /* the folder for the workers' temporary files */
	struct at_signals signals;
	uv_async_t interruption; /* sent by the signal thread */
	/* guards the next three members, and closing `interruption` */
	pthread_mutex_t watching_lock;
	bool watching; /* `interruption` is open */
	bool was_signalled; /* since the loop was made */
	/* it was watching, and is being freed: the process ends anyway */
	bool is_leaving;
	bool was_interrupted;
	void (*interrupted)(void *);
	void *interrupted_context;
	uv_timer_t ticker;
	void (*tick)(void *);
	void *tick_context;
	struct later *later; /* pending calls */
};

struct at_worker {
	struct at_loop *loop;
	const struct at_worker_events *events; /* NULL: its owner has freed it */
	void *context;
	uv_process_t process;
	uv_pipe_t channel;
	uv_pipe_t errors;
	uv_timer_t timer; /* of the deadline and of ending */
	uv_timer_t watchdog_timer; /* for the checks of the watchdog */
	struct at_watchdog watchdog; /* while an answer is pending */
	uint64_t due_ns; /* the deadline */
	double deadline_seconds; /* as it was set */
	unsigned extensions; /* how often this deadline began anew */
	int open_handles; /* libuv's: the worker is released once all are closed */
	bool exited;
	bool ending; /* its guard has the order to end it */
	bool gone; /* it did not end, and is not awaited any more */
	bool channel_ended; /* everything that it sent was read */
	bool finishing; /* it is to end by itself */
	bool told; /* ended() was called */
	struct at_worker_end end;
	uint64_t asked, answered; /* numbers of the last request and answer */
	char is_at[160]; /* at_worker_is_at(); "": silence is not reported */
	struct at_strbuf incoming;
	struct at_strbuf error_text;
};

/* A queued message to a worker. */
struct outgoing {
	uv_write_t request;
	struct at_message_header header;
	struct at_strbuf body;
};

/* Whether this process started the process, rather than the program that this process
   was before an exec. */
static bool is_ours(pid_t id)
{
	char mark[64];

	snprintf(mark, sizeof(mark), AT_WORKER_PARENT "=%ld", (long)uv_os_getpid());
	return at_processes_is_marked(id, mark);
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct at_worker *self = handle->data;

	if (--self->open_handles > 0)
		return;
	at_strbuf_release(&self->incoming);
	at_strbuf_release(&self->error_text);
	free(self);
}

static void close_handle(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, on_handle_closed);
}

static void close_timers(struct at_worker *self)
{
	close_handle((uv_handle_t *)&self->timer);
	close_handle((uv_handle_t *)&self->watchdog_timer);
}

static void close_process(uv_handle_t *handle, void *unused)
{
	struct at_worker *self = handle->data;

	(void)unused;
	if (handle->type != UV_PROCESS)
		return;
	close_timers(self);
	close_handle(handle);
}

static void add_process(uv_handle_t *handle, void *guards)
{
	struct at_processes *known = guards;

	if (handle->type != UV_PROCESS)
		return;
	AT_GROW(known->ids, known->capacity, known->count + 1);
	known->ids[known->count++] = ((uv_process_t *)handle)->pid;
}

/* Adds the guards of all workers, also of freed workers whose process still exists. */
static void add_guards(struct at_loop *self, struct at_processes *out)
{
	uv_walk(&self->uv, add_process, out);
}

/* Kills processes that became our children because their guard died. False: none are
   left, and all have ended. */
static bool end_some_strays(const struct at_processes *guards)
{
	struct at_processes found = { 0 };
	bool any = false;

	at_processes_children(uv_os_getpid(), &found);
	for (size_t i = 0; i < found.count; i++) {
		pid_t id = found.ids[i];

		if (at_processes_have(guards, id))
			continue;
		if (is_ours(id)) {
			at_processes_kill_below(id, NULL);
			kill(id, SIGKILL);
			any = true;
		} else if (at_processes_is_ending(id)) {
			/* its own children become ours once it has ended */
			(void)!waitpid(id, NULL, WNOHANG);
			any = true;
		}
	}
	at_processes_release(&found);
	return any;
}

/* Ends the processes of a killed guard: they have become children of this process. */
static void end_strays(struct at_loop *self)
{
	const struct timespec moment = { 0, 1000000 };
	struct at_processes guards = { 0 };

	add_guards(self, &guards);
	for (int i = 0; i < STRAYS_MS && end_some_strays(&guards); i++)
		nanosleep(&moment, NULL);
	at_processes_release(&guards);
}

/* ---- deadlines, and silence ---- */

static void on_not_ended(uv_timer_t *timer);

/* Ends the worker with everything that it started. Its owner is notified when they are
   gone. */
static void end_worker(struct at_worker *self)
{
	if (self->exited || self->process.pid <= 0)
		return;
	at_guard_end(self->process.pid);
	if (self->ending)
		return;
	self->ending = true;
	uv_update_time(&self->loop->uv);
	uv_timer_start(&self->timer, on_not_ended, (uint64_t)(END_SECONDS * 1000), 0);
}

/* The number of bytes written to a stream and not yet read. */
static int waiting_bytes(const uv_pipe_t *stream)
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
		at_processes_activity(self->process.pid, &activity);
		self->end.was_stopped = self->end.was_stopped || activity.is_stopped;
	}
	end_worker(self);
}

/* These are for the whole process, as the terminal is. */
static void (*silence_told)(const char *text);
static char last_silence[160];

void at_worker_on_silence(void (*tell)(const char *text))
{
	silence_told = tell;
	last_silence[0] = '\0';
}

/* Composed by hand, since it is called several times an evaluation. */
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
	/* if several workers are silent equally long, only the first reports it; longer
	   silences are reported by each */
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

/* Restarts the watchdog: the worker got a request or sent something. */
static void keep_watchdog(struct at_worker *self)
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

	if ((is_late || waiting_bytes(&self->channel)) &&
		self->extensions++ < EXTENSIONS_MAX) {
		start_deadline(self,
			is_late ? (uint64_t)(self->deadline_seconds * 1000) : READ_MS);
		return;
	}
	end_late(self);
}

/* updates the loop's cached time first */
static void start_deadline(struct at_worker *self, uint64_t milliseconds)
{
	uv_update_time(&self->loop->uv);
	self->due_ns = at_clock_now_ns() + milliseconds * 1000000;
	uv_timer_start(&self->timer, on_deadline, milliseconds + 1, 0);
}

void at_worker_deadline(struct at_worker *self, double seconds)
{
	/* by now the timer counts END_SECONDS */
	if (self->ending || self->exited)
		return;
	self->deadline_seconds = seconds;
	self->extensions = 0;
	if (seconds <= 0)
		uv_timer_stop(&self->timer);
	else
		start_deadline(self, (uint64_t)(seconds * 1000));
}

void at_worker_end_after(struct at_worker *self, double seconds)
{
	at_worker_deadline(self, seconds);
	self->extensions = EXTENSIONS_MAX;
}

void at_worker_expect_work(struct at_worker *self, double seconds)
{
	self->watchdog.limit_seconds = seconds;
	keep_watchdog(self);
}

/* ---- messages from a worker, and its end ---- */

void at_worker_describe_end(const struct at_worker_end *end, double deadline_seconds,
	char *text, size_t size)
{
	const char *said = end->text[0] ? ": " : "";

	if (end->timed_out && end->was_stopped)
		snprintf(text, size, "did not end, and was stopped (SIGSTOP)");
	else if (end->timed_out && end->was_quiet)
		snprintf(text, size, "waited for something that does not come");
	else if (end->timed_out)
		snprintf(text, size, "did not end within %.3g s", deadline_seconds);
	else if (end->protocol)
		snprintf(text, size, "wrote what is no message on its channel%s%s",
			said, end->text);
	else if (end->signal)
		snprintf(text, size, "was ended by signal %d (%s)%s%s", end->signal,
			strsignal(end->signal), said, end->text);
	else
		snprintf(text, size, "ended with status %lld%s%s",
			(long long)end->exit_status, said, end->text);
}

/* Notifies the owner once the process is gone and its last message was read. */
static void tell_end(struct at_worker *self)
{
	struct at_strbuf *text = &self->error_text;
	const char *line;
	size_t length;

	if (self->told || !(self->exited || self->gone) || !self->channel_ended)
		return;
	self->told = true;
	uv_timer_stop(&self->timer);
	uv_timer_stop(&self->watchdog_timer);
	/* the last line of its standard error is useful */
	while (text->length && strchr("\r\n ", text->data[text->length - 1]))
		text->data[--text->length] = '\0';
	line = text->length ? text->data : "";
	length = strlen(line);
	while (length && line[length - 1] != '\n')
		length--;
	snprintf(self->end.text, sizeof(self->end.text), "%s", line + length);
	if (self->events)
		self->events->ended(self->context, &self->end);
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
	struct at_worker *self = handle->data;
	struct at_strbuf *into = handle == (uv_handle_t *)&self->channel
					 ? &self->incoming
					 : &self->error_text;

	/* a worker's messages must not end this process */
	if (AT_RESERVE(
		    into->data, into->capacity, into->length + suggested + 1, NULL)) {
		*buffer = uv_buf_init(NULL, 0);
		return;
	}
	*buffer = uv_buf_init(into->data + into->length, (unsigned)suggested);
}

/* Whether the message answers the oldest unanswered request. */
static bool take_number(struct at_worker *self, const struct at_message_header *header)
{
	if (header->number != self->answered + 1)
		return false;
	if (header->type != AT_MESSAGE_WAITING && header->type != AT_MESSAGE_STARTED)
		self->answered++;
	return true;
}

/* Passes every complete message to the owner; false: a message is malformed. */
static bool hand_on(struct at_worker *self)
{
	size_t done = 0;

	while (self->incoming.length - done >= AT_MESSAGE_HEADER_BYTES) {
		struct at_message_header header;
		const char *body = self->incoming.data + done + AT_MESSAGE_HEADER_BYTES;

		memcpy(&header, self->incoming.data + done, sizeof(header));
		if (header.magic != AT_MESSAGE_MAGIC ||
			header.body_bytes > AT_MESSAGE_LIMIT_BYTES)
			return false;
		if (self->incoming.length - done - AT_MESSAGE_HEADER_BYTES <
			header.body_bytes)
			break;
		if (!take_number(self, &header))
			return false;
		done += AT_MESSAGE_HEADER_BYTES + (size_t)header.body_bytes;
		if (self->events)
			self->events->message(self->context,
				(enum at_message)header.type, body,
				(size_t)header.body_bytes);
	}
	self->incoming.length -= done;
	memmove(self->incoming.data, self->incoming.data + done, self->incoming.length);
	return true;
}

static void on_message(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
	struct at_worker *self = stream->data;

	(void)buffer;
	if (got > 0) {
		keep_watchdog(self);
		self->incoming.length += (size_t)got;
		if (hand_on(self))
			return;
		self->end.protocol = true;
	}
	if (got == 0)
		return;
	uv_read_stop(stream);
	self->channel_ended = true;
	/* A worker without a channel is useless. But one that is finishing may still
	   write a sanitizer's report, so it may end by itself. */
	if (!self->finishing)
		end_worker(self);
	tell_end(self);
}

static void on_error_text(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
	struct at_worker *self = stream->data;

	(void)buffer;
	if (got > 0) {
		self->error_text.length += (size_t)got;
		if (self->error_text.length > 65536) { /* only the end is useful */
			memmove(self->error_text.data,
				self->error_text.data + self->error_text.length - 4096,
				4096);
			self->error_text.length = 4096;
		}
		self->error_text.data[self->error_text.length] = '\0';
	}
	if (got < 0)
		uv_read_stop(stream);
}

/* Reads the remaining output of a dead process, without waiting for the end of the
   stream: an unknown process may still have it open. */
static void read_rest(uv_pipe_t *stream, uv_read_cb heard)
{
	uv_os_fd_t file;
	int left = uv_is_active((uv_handle_t *)stream) ? waiting_bytes(stream) : 0;

	while (left > 0 && uv_is_active((uv_handle_t *)stream) &&
		!uv_fileno((uv_handle_t *)stream, &file)) {
		ssize_t got;
		uv_buf_t room;

		give_room((uv_handle_t *)stream, (size_t)left, &room);
		if (!room.base)
			return;
		do
			got = read(file, room.base, (size_t)left);
		while (got < 0 && errno == EINTR);
		if (got <= 0)
			return;
		left -= (int)got;
		heard((uv_stream_t *)stream, got, &room);
	}
}

static void end_streams(struct at_worker *self)
{
	uv_read_stop((uv_stream_t *)&self->errors);
	uv_read_stop((uv_stream_t *)&self->channel);
	self->channel_ended = true;
}

static void on_exit(uv_process_t *process, int64_t exit_status, int signal_number)
{
	struct at_worker *self = process->data;

	self->exited = true;
	self->end.exit_status = exit_status;
	/* a worker that had not become a guard yet dies of the order itself, which
	   counts as a kill */
	self->end.signal = self->ending && signal_number > LAST_PLAIN_SIGNAL
				   ? SIGKILL
				   : signal_number;
	uv_timer_stop(&self->timer);
	uv_timer_stop(&self->watchdog_timer);
	if (signal_number && !self->ending)
		end_strays(self->loop);
	if (!self->events) {
		close_timers(self);
		close_handle((uv_handle_t *)process);
		return;
	}
	read_rest(&self->errors, on_error_text);
	read_rest(&self->channel, on_message);
	/* the owner may have freed the worker when it got the last answer */
	if (!self->events)
		return;
	end_streams(self);
	tell_end(self);
}

/* The worker did not end on the order: stop waiting for it. */
static void on_not_ended(uv_timer_t *timer)
{
	struct at_worker *self = timer->data;

	kill(self->process.pid, SIGKILL);
	end_strays(self->loop);
	if (!self->events)
		return;
	self->end.signal = SIGKILL;
	self->gone = true;
	end_streams(self);
	tell_end(self);
}

/* Starts the process; command NULL: not under another program. */
static int start(struct at_worker *self, const char *const *command, const char *role)
{
	const char *arguments[COMMAND_WORDS_MAX + 7];
	size_t count = 0;
	uv_stdio_container_t stdio[4];
	uv_process_options_t options = { 0 };

	/* with a command the guard starts that program, which starts the worker:
	   worker.h */
	for (int part = command ? 0 : 1; part < 2; part++) {
		arguments[count++] = self->loop->executable;
		arguments[count++] = AT_WORKER_OPTION;
		arguments[count++] = role;
		for (size_t i = 0; part == 0 && command[i]; i++) {
			if (i == COMMAND_WORDS_MAX)
				return UV_E2BIG;
			arguments[count++] = command[i];
		}
	}
	arguments[count] = NULL;
	/* a watched worker's parent is that program, not the coordinator's guard */
	if (command)
		uv_os_setenv(AT_WORKER_WATCHED, "1");
	else
		uv_os_unsetenv(AT_WORKER_WATCHED);
	stdio[0].flags = UV_IGNORE;
	stdio[1].flags = UV_IGNORE;
	stdio[2].flags = (uv_stdio_flags)(UV_CREATE_PIPE | UV_WRITABLE_PIPE);
	stdio[2].data.stream = (uv_stream_t *)&self->errors;
	stdio[3].flags =
		(uv_stdio_flags)(UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE);
	stdio[3].data.stream = (uv_stream_t *)&self->channel;
	options.file = arguments[0];
	options.args = (char **)(uintptr_t)arguments;
	options.stdio = stdio;
	options.stdio_count = 4;
	options.exit_cb = on_exit;
	options.flags = UV_PROCESS_DETACHED;
	return uv_spawn(&self->loop->uv, &self->process, &options);
}

/* The remedy for a process that does not start. is_own: it was to run this program. */
static const char *remedy(int code, bool is_own)
{
	switch (code) {
	case UV_EMFILE:
		return "; raise the limit (ulimit -n)";
	case UV_EAGAIN:
		return "; no more processes may be started here (ulimit -u, pids.max)";
	case UV_ENOENT:
		return is_own ? "; where this program lies is read in /proc: is it mounted?"
			      : "";
	default:
		return "";
	}
}

enum at_status at_worker_spawn_under(struct at_loop *loop, const char *const *command,
	const char *role, const struct at_worker_events *events, void *context,
	struct at_worker **out, struct at_error *err)
{
	struct at_worker *self = at_calloc(1, sizeof(*self));
	enum at_status status;
	char number[32];
	int code;

	self->loop = loop;
	self->events = events;
	self->context = context;
	uv_pipe_init(&loop->uv, &self->channel, 0);
	uv_pipe_init(&loop->uv, &self->errors, 0);
	uv_timer_init(&loop->uv, &self->timer);
	uv_timer_init(&loop->uv, &self->watchdog_timer);
	self->channel.data = self->errors.data = self->timer.data = self;
	self->process.data = self->watchdog_timer.data = self;
	self->open_handles = 5;
	snprintf(number, sizeof(number), "%ld", (long)uv_os_getpid());
	uv_os_setenv(AT_WORKER_PARENT, number);
	if (loop->scratch.path[0])
		uv_os_setenv(AT_WORKER_FOLDER, loop->scratch.path);
	else
		uv_os_unsetenv(AT_WORKER_FOLDER);
	code = start(self, command, role);
	if (code) {
		status = at_fail(err, code == UV_ENOMEM ? AT_ENOMEM : AT_EIO,
			command ? command[0] : loop->executable, 0,
			"a %s worker does not start: %s%s", role, uv_strerror(code),
			remedy(code, !command));
		self->exited = true;
		at_worker_free(self);
		return status;
	}
	uv_read_start((uv_stream_t *)&self->channel, give_room, on_message);
	uv_read_start((uv_stream_t *)&self->errors, give_room, on_error_text);
	*out = self;
	return AT_OK;
}

enum at_status at_worker_spawn(struct at_loop *loop, const char *role,
	const struct at_worker_events *events, void *context, struct at_worker **out,
	struct at_error *err)
{
	return at_worker_spawn_under(loop, NULL, role, events, context, out, err);
}

static void on_shut_down(uv_shutdown_t *request, int status)
{
	(void)status; /* if the process is gone, on_exit() notifies the owner */
	free(request);
}

void at_worker_finish(struct at_worker *self)
{
	uv_shutdown_t *request = at_calloc(1, sizeof(*request));

	self->finishing = true;
	if (uv_shutdown(request, (uv_stream_t *)&self->channel, on_shut_down)) {
		free(request);
		end_worker(self);
	}
}

static void on_written(uv_write_t *request, int status)
{
	struct outgoing *message = request->data;

	/* the worker would wait for the rest of the message for ever */
	if (status < 0 && status != UV_ECANCELED)
		end_worker(request->handle->data);
	at_strbuf_release(&message->body);
	free(message);
}

/* Queues the rest of a message after its first `sent` bytes. */
static void send_rest(struct at_worker *self, const struct at_message_header *header,
	const struct at_strbuf *body, size_t sent)
{
	struct outgoing *message = at_calloc(1, sizeof(*message));
	size_t of_header = sent < sizeof(*header) ? sent : sizeof(*header);
	uv_buf_t parts[2];
	unsigned count = 0;

	at_strbuf_add_bytes(&message->body, at_strbuf_text(body) + (sent - of_header),
		body->length - (sent - of_header));
	message->header = *header;
	message->request.data = message;
	/* libuv would never finish a part of no bytes */
	if (of_header < sizeof(*header))
		parts[count++] = uv_buf_init((char *)&message->header + of_header,
			(unsigned)(sizeof(*header) - of_header));
	if (message->body.length)
		parts[count++] =
			uv_buf_init(message->body.data, (unsigned)message->body.length);
	if (uv_write(&message->request, (uv_stream_t *)&self->channel, parts, count,
		    on_written)) {
		at_strbuf_release(&message->body);
		free(message);
		end_worker(self);
	}
}

/* Most messages fit into the channel's buffer and are sent at once: a queued message
   costs a copy, a loop callback and another system call. */
void at_worker_send_kept(
	struct at_worker *self, enum at_message type, const struct at_strbuf *body)
{
	struct at_message_header header;
	uv_buf_t parts[2];
	int sent;

	header = (struct at_message_header){ AT_MESSAGE_MAGIC, type, body->length,
		type == AT_MESSAGE_WARM ? 0 : ++self->asked };
	keep_watchdog(self);
	parts[0] = uv_buf_init((char *)&header, sizeof(header));
	parts[1] = uv_buf_init(body->data, (unsigned)body->length);
	sent = uv_try_write((uv_stream_t *)&self->channel, parts, body->length ? 2 : 1);
	/* the loop reports an error when the queued message fails, too */
	if (sent < 0)
		sent = 0;
	if ((size_t)sent < sizeof(header) + body->length)
		send_rest(self, &header, body, (size_t)sent);
}

void at_worker_send(
	struct at_worker *self, enum at_message type, struct at_wire_writer *body)
{
	at_worker_send_kept(self, type, &body->bytes);
	at_strbuf_release(&body->bytes);
}

void at_worker_free(struct at_worker *self)
{
	if (!self)
		return;
	self->events = NULL;
	end_worker(self);
	close_handle((uv_handle_t *)&self->channel);
	close_handle((uv_handle_t *)&self->errors);
	/* the timers and the process stay until the process is reaped */
	if (self->exited) {
		close_timers(self);
		close_handle((uv_handle_t *)&self->process);
	}
}

/* ---- the loop ---- */

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

/* Called on the signal thread. */
static bool first_signal(void *context)
{
	struct at_loop *self = context;
	bool is_watched;

	/* for code that waits inside a library */
	at_interrupt_note();
	pthread_mutex_lock(&self->watching_lock);
	is_watched = self->watching || self->is_leaving;
	/* a later watcher will be notified */
	self->was_signalled = true;
	if (self->watching)
		uv_async_send(&self->interruption);
	pthread_mutex_unlock(&self->watching_lock);
	return is_watched;
}

/* Called on the signal thread. It does not wait for the main thread; everything
   evaluated so far is recorded. */
static void second_signal(void *context)
{
	const struct timespec moment = { 0, 1000000 };
	struct at_processes found = { 0 };

	(void)context;
	at_processes_children(uv_os_getpid(), &found);
	for (size_t i = 0; i < found.count; i++)
		if (is_ours(found.ids[i]))
			at_guard_end(found.ids[i]);
	for (int waited_ms = 0; waited_ms < LEAVE_MS; waited_ms++) {
		size_t gone = 0;

		for (size_t i = 0; i < found.count; i++)
			gone += !is_ours(found.ids[i]) ||
				waitpid(found.ids[i], NULL, WNOHANG) != 0;
		if (gone == found.count)
			break;
		nanosleep(&moment, NULL);
	}
	at_clocks_rescue(NULL);
	at_scratch_remove_all();
}

static const struct at_signals_events signal_events = { first_signal, second_signal };

enum at_status at_loop_new(
	const char *executable, struct at_loop **out, struct at_error *err)
{
	struct at_loop *self;
	size_t size = sizeof(self->executable);
	int code, ends[] = { -1, -1, -1, -1 };

	/* libuv calls abort() if it finds no descriptors for its first pipe */
	code = pipe(ends) || pipe(ends + 2) ? errno : 0;
	for (size_t i = 0; i < AT_COUNT_OF(ends); i++)
		if (ends[i] >= 0)
			close(ends[i]);
	if (code)
		return at_fail(
			err, AT_EIO, NULL, 0, "no event loop: %s", strerror(code));
	self = at_calloc(1, sizeof(*self));
	/* libuv aborts if it cannot grow its table of descriptors. The call may be
	   repeated with the same functions; nothing calls libuv earlier. */
	uv_replace_allocator(at_malloc, at_realloc, at_calloc, free);
	code = uv_loop_init(&self->uv);
	if (code) {
		free(self);
		return at_fail(
			err, AT_EIO, NULL, 0, "no event loop: %s", uv_strerror(code));
	}
	pthread_mutex_init(&self->watching_lock, NULL);
	/* from here on a signal must clean up */
	if (at_signals_begin(&self->signals, &signal_events, self, err)) {
		pthread_mutex_destroy(&self->watching_lock);
		uv_loop_close(&self->uv);
		free(self);
		return AT_EIO;
	}
	self->uv.data = self;
	signal(SIGPIPE, SIG_IGN); /* a worker's death is seen by its exit */
	uv_timer_init(&self->uv, &self->ticker);
	/* processes whose guard was killed become this process's children */
	at_processes_adopt();
	if (executable)
		snprintf(self->executable, sizeof(self->executable), "%s", executable);
	else if (uv_exepath(self->executable, &size))
		snprintf(self->executable, sizeof(self->executable), "autotune");
	at_scratch_sweep(end_dead_run, NULL);
	/* without a folder of their own, the workers use the common one, or report its
	   fault */
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

/* ---- signals, ticks and calls ---- */

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

void at_awaited_came(struct at_awaited *self, const struct at_error *err)
{
	if (err && !self->error.status)
		self->error = *err;
	self->is_there = true;
	at_loop_stop(self->loop);
}

enum at_status at_loop_await(struct at_awaited *self, struct at_error *err)
{
	while (!self->is_there && !at_loop_interrupted(self->loop))
		at_loop_run(self->loop);
	if (!self->is_there)
		return at_fail(err, AT_EINTERRUPTED, NULL, 0, "interrupted");
	if (self->error.status && err && !err->status)
		*err = self->error;
	return self->error.status;
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

static void free_later(uv_handle_t *handle)
{
	free(handle->data);
}

static void drop_later(struct at_loop *self, struct later *later)
{
	struct later **link = &self->later;

	while (*link != later)
		link = &(*link)->next;
	*link = later->next;
	uv_close((uv_handle_t *)&later->timer, free_later);
}

static void on_later(uv_timer_t *timer)
{
	const struct later later = *(struct later *)timer->data;

	drop_later(timer->loop->data, timer->data);
	if (later.context)
		later.call(later.context);
}

void at_loop_forget(struct at_loop *self, const void *context)
{
	for (struct later *later = self->later; later; later = later->next)
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
	later->next = self->later;
	self->later = later;
	uv_timer_init(&self->uv, &later->timer);
	later->timer.data = later;
	/* outside of callbacks the loop's cached time may be old */
	if (milliseconds)
		uv_update_time(&self->uv);
	/* never 0: calls that repeat themselves would keep libuv from seeing signals */
	uv_timer_start(&later->timer, on_later, milliseconds ? milliseconds : 1, 0);
}

void at_loop_later(struct at_loop *self, void (*call)(void *), void *context)
{
	at_loop_after(self, 0, call, context);
}

static void stop_reaping(uv_timer_t *timer)
{
	uv_stop(timer->loop);
}

/* Whether anything below our guards still runs; a process in the kernel's clean-up does
   not. */
static bool any_runs(struct at_loop *self)
{
	struct at_processes guards = { 0 }, below = { 0 };
	bool any = false;

	add_guards(self, &guards);
	for (size_t i = 0; i < guards.count; i++)
		at_processes_below(guards.ids[i], &below);
	for (size_t i = 0; i < below.count && !any; i++)
		any = is_ours(below.ids[i]);
	at_processes_release(&guards);
	at_processes_release(&below);
	return any;
}

void at_loop_free(struct at_loop *self)
{
	const struct timespec moment = { 0, 1000000 };

	if (!self)
		return;
	/* the loop runs once more, and the callers of these calls are gone by now */
	while (self->later)
		drop_later(self, self->later);
	uv_timer_stop(&self->ticker);
	/* Signals are heard until almost the end of this function, which can take a
	   second: a second signal must neither wait nor leave processes running. */
	pthread_mutex_lock(&self->watching_lock);
	if (self->watching)
		uv_close((uv_handle_t *)&self->interruption, on_closed);
	self->is_leaving = self->watching;
	self->watching = false;
	pthread_mutex_unlock(&self->watching_lock);
	/* an earlier at_loop_stop() outside of a run would end the first run at once */
	uv_run(&self->uv, UV_RUN_NOWAIT);
	uv_timer_start(&self->ticker, stop_reaping, REAP_MS, 0);
	uv_unref((uv_handle_t *)&self->ticker);
	uv_run(&self->uv, UV_RUN_DEFAULT);
	/* on a busy machine their death takes longer */
	for (int i = 0; i < LEAVE_MS && any_runs(self); i++)
		nanosleep(&moment, NULL);
	/* remaining guards end by themselves and then remove the folder */
	uv_walk(&self->uv, close_process, NULL);
	uv_close((uv_handle_t *)&self->ticker, on_closed);
	do
		uv_run(&self->uv, UV_RUN_DEFAULT);
	while (uv_loop_close(&self->uv) == UV_EBUSY);
	at_scratch_remove(&self->scratch);
	at_signals_end(&self->signals);
	pthread_mutex_destroy(&self->watching_lock);
	free(self);
}
