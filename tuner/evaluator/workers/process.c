#include "evaluator/workers/process.h"

#include "base/interrupt.h"
#include "evaluator/workers/worker.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

/*
 * How long the end of a loop waits for processes that it has killed to be gone. Nothing
 * of theirs runs any more; but the kernel takes a tenth of a second to clear up behind
 * one that has a GPU, which nobody needs to see.
 */
#define REAP_MS 20

/* of a program that a worker is started under */
#define COMMAND_WORDS_MAX 32

/* batch systems announce with one of the last two that the time is nearly up */
enum { SIGNAL_COUNT = 5 };
static const int signal_numbers[SIGNAL_COUNT] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1,
	SIGUSR2 };

struct later {
	struct later *next;
	void (*call)(void *);
	void *context;
};

struct at_loop {
	uv_loop_t uv;
	char executable[4096];
	char folder[512]; /* of the workers' temporary files; "": there is none */
	uv_signal_t signals[SIGNAL_COUNT];
	bool watching;
	bool was_interrupted;
	void (*interrupted)(void *);
	void *interrupted_context;
	uv_timer_t ticker;
	void (*tick)(void *);
	void *tick_context;
	uv_timer_t later_timer;
	struct later *later;
	struct later **later_last;
	struct later *due; /* being called; a context that is NULL was forgotten */
};

struct at_worker {
	struct at_loop *loop;
	const struct at_worker_events *events; /* NULL once freed by its owner */
	void *context;
	uv_process_t process;
	uv_pipe_t channel;
	uv_pipe_t errors;
	uv_timer_t timer;
	int open_handles;
	bool exited;
	bool channel_ended; /* everything it sent was read */
	bool finishing; /* it is left to end by itself */
	bool told;
	struct at_worker_end end;
	struct at_strbuf incoming;
	struct at_strbuf error_text;
};

struct outgoing {
	uv_write_t request;
	struct at_message_header header;
	struct at_strbuf body;
};

static void on_closed(uv_handle_t *handle)
{
	(void)handle;
}

/* without it the workers use the common folder, or say what is wrong with that */
static void make_folder(struct at_loop *self)
{
	const char *place = getenv("TMPDIR");
	int length = snprintf(self->folder, sizeof(self->folder), "%s/autotune-XXXXXX",
		place && place[0] ? place : "/tmp");

	if (length >= (int)sizeof(self->folder) - 64 || !mkdtemp(self->folder))
		self->folder[0] = '\0';
}

static int remove_entry(
	const char *path, const struct stat *facts, int flag, struct FTW *walk)
{
	(void)facts;
	(void)flag;
	(void)walk;
	remove(path);
	return 0;
}

static void remove_folder(struct at_loop *self)
{
	if (self->folder[0])
		nftw(self->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

enum at_status at_loop_new(
	const char *executable, struct at_loop **out, struct at_error *err)
{
	struct at_loop *self = calloc(1, sizeof(*self));
	size_t size = sizeof(self->executable);
	int code;

	if (!self)
		return at_fail_memory(err);
	code = uv_loop_init(&self->uv);
	if (code) {
		free(self);
		return at_fail(
			err, AT_EIO, NULL, 0, "no event loop: %s", uv_strerror(code));
	}
	self->uv.data = self;
	self->later_last = &self->later;
	signal(SIGPIPE, SIG_IGN); /* a worker that died is seen by its exit */
	uv_timer_init(&self->uv, &self->ticker);
	uv_timer_init(&self->uv, &self->later_timer);
	if (executable)
		snprintf(self->executable, sizeof(self->executable), "%s", executable);
	else if (uv_exepath(self->executable, &size))
		snprintf(self->executable, sizeof(self->executable), "autotune");
	make_folder(self);
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

unsigned at_loop_cores(void)
{
	unsigned cores = uv_available_parallelism();

	return cores ? cores : 1;
}

static void on_signal(uv_signal_t *handle, int number)
{
	struct at_loop *self = handle->data;

	/* the next one ends the process at once */
	for (int i = 0; i < SIGNAL_COUNT; i++)
		uv_signal_stop(&self->signals[i]);
	(void)number;
	self->was_interrupted = true;
	self->interrupted(self->interrupted_context);
}

enum at_status at_loop_watch_signals(struct at_loop *self, void (*interrupted)(void *),
	void *context, struct at_error *err)
{
	self->interrupted = interrupted;
	self->interrupted_context = context;
	for (int i = 0; i < SIGNAL_COUNT; i++) {
		uv_signal_init(&self->uv, &self->signals[i]);
		self->signals[i].data = self;
		uv_unref((uv_handle_t *)&self->signals[i]);
	}
	self->watching = true;
	for (int i = 0; i < SIGNAL_COUNT; i++)
		if (uv_signal_start(&self->signals[i], on_signal, signal_numbers[i]))
			return at_fail(err, AT_EIO, NULL, 0, "cannot watch signals");
	for (int i = 0; i < SIGNAL_COUNT; i++)
		at_interrupt_watch(signal_numbers[i]);
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

static void on_later(uv_timer_t *timer)
{
	struct at_loop *self = timer->loop->data;
	struct later *due = self->later;

	self->later = NULL;
	self->later_last = &self->later;
	/* what is called may forget others that are due now */
	self->due = due;
	while ((due = self->due) != NULL) {
		self->due = due->next;
		if (due->context)
			due->call(due->context);
		free(due);
	}
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
	return self->folder;
}

enum at_status at_loop_later(
	struct at_loop *self, void (*call)(void *), void *context, struct at_error *err)
{
	struct later *later = calloc(1, sizeof(*later));

	if (!later)
		return at_fail_memory(err);
	later->call = call;
	later->context = context;
	*self->later_last = later;
	self->later_last = &later->next;
	/* not 0: a call that asks for the next one would keep signals waiting */
	uv_timer_start(&self->later_timer, on_later, 1, 0);
	return AT_OK;
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

static void stop_reaping(uv_timer_t *timer)
{
	uv_stop(timer->loop);
}

static void close_process(uv_handle_t *handle, void *unused)
{
	(void)unused;
	if (handle->type == UV_PROCESS)
		close_handle(handle);
}

void at_loop_free(struct at_loop *self)
{
	if (!self)
		return;
	for (int i = 0; i < SIGNAL_COUNT && self->watching; i++)
		uv_close((uv_handle_t *)&self->signals[i], on_closed);
	uv_close((uv_handle_t *)&self->ticker, on_closed);
	/* a stop that was asked for while nothing ran ends the first round at once */
	uv_run(&self->uv, UV_RUN_NOWAIT);
	uv_timer_start(&self->later_timer, stop_reaping, REAP_MS, 0);
	uv_unref((uv_handle_t *)&self->later_timer);
	uv_run(&self->uv, UV_RUN_DEFAULT);
	/* whoever has us as a parent no longer is reaped by init */
	uv_walk(&self->uv, close_process, NULL);
	uv_close((uv_handle_t *)&self->later_timer, on_closed);
	do
		uv_run(&self->uv, UV_RUN_DEFAULT);
	while (uv_loop_close(&self->uv) == UV_EBUSY);
	remove_folder(self);
	while (self->later) {
		struct later *next = self->later->next;

		free(self->later);
		self->later = next;
	}
	free(self);
}

/* and the compiler that it may have started: a worker leads a group of its own */
static void kill_group(const struct at_worker *self)
{
	if (self->process.pid > 0)
		uv_kill(-self->process.pid, SIGKILL);
}

static void kill_process(struct at_worker *self)
{
	if (!self->exited)
		kill_group(self);
}

/* keeps the last line of what it said */
static void set_last_line(struct at_worker *self)
{
	struct at_strbuf *text = &self->error_text;
	const char *line;
	size_t length;

	while (text->length && strchr("\r\n ", text->data[text->length - 1]))
		text->data[--text->length] = '\0';
	line = text->length ? text->data : "";
	length = strlen(line);
	while (length && line[length - 1] != '\n')
		length--;
	snprintf(self->end.text, sizeof(self->end.text), "%s", line + length);
}

/* tells the owner once the process is gone and its last message was read */
static void tell_end(struct at_worker *self)
{
	if (self->told || !self->exited || !self->channel_ended)
		return;
	self->told = true;
	uv_timer_stop(&self->timer);
	set_last_line(self);
	if (self->events)
		self->events->ended(self->context, &self->end);
}

static void on_exit(uv_process_t *process, int64_t exit_status, int signal_number)
{
	struct at_worker *self = process->data;

	self->exited = true;
	self->end.exit_status = exit_status;
	self->end.signal = signal_number;
	if (signal_number)
		kill_group(self);
	if (!self->events)
		close_handle((uv_handle_t *)process);
	tell_end(self);
}

static void on_deadline(uv_timer_t *timer)
{
	struct at_worker *self = timer->data;

	self->end.timed_out = true;
	kill_process(self);
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
	struct at_worker *self = handle->data;
	struct at_strbuf *into = handle == (uv_handle_t *)&self->channel
					 ? &self->incoming
					 : &self->error_text;

	if (AT_RESERVE(
		    into->data, into->capacity, into->length + suggested + 1, NULL)) {
		*buffer = uv_buf_init(NULL, 0);
		return;
	}
	*buffer = uv_buf_init(into->data + into->length, (unsigned)suggested);
}

/* hands on every whole message; false when one is broken */
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
		self->incoming.length += (size_t)got;
		if (hand_on(self))
			return;
		self->end.protocol = true;
	}
	if (got == 0)
		return;
	uv_read_stop(stream);
	self->channel_ended = true;
	/* no channel, no worker; but who watched it has something to write yet */
	if (!self->finishing)
		kill_process(self);
	tell_end(self);
}

static void on_error_text(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
	struct at_worker *self = stream->data;

	(void)buffer;
	if (got > 0) {
		self->error_text.length += (size_t)got;
		if (self->error_text.length > 65536) { /* only the end is of use */
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

static void init_handles(struct at_worker *self)
{
	uv_loop_t *uv = &self->loop->uv;

	uv_pipe_init(uv, &self->channel, 0);
	uv_pipe_init(uv, &self->errors, 0);
	uv_timer_init(uv, &self->timer);
	self->channel.data = self->errors.data = self->timer.data = self;
	self->process.data = self;
	self->open_handles = 4;
}

/* command NULL: it is started by itself */
static int start(struct at_worker *self, const char *const *command, const char *role)
{
	const char *arguments[COMMAND_WORDS_MAX + 4];
	size_t count = 0;
	uv_stdio_container_t stdio[4];
	uv_process_options_t options = { 0 };

	for (; command && command[count]; count++) {
		if (count == COMMAND_WORDS_MAX)
			return UV_E2BIG;
		arguments[count] = command[count];
	}
	arguments[count++] = self->loop->executable;
	arguments[count++] = AT_WORKER_OPTION;
	arguments[count++] = role;
	arguments[count] = NULL;
	/* its parent is not the coordinator then */
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

enum at_status at_worker_spawn_under(struct at_loop *loop, const char *const *command,
	const char *role, const struct at_worker_events *events, void *context,
	struct at_worker **out, struct at_error *err)
{
	struct at_worker *self = calloc(1, sizeof(*self));
	enum at_status status;
	char number[32];
	int code;

	if (!self)
		return at_fail_memory(err);
	self->loop = loop;
	self->events = events;
	self->context = context;
	init_handles(self);
	snprintf(number, sizeof(number), "%ld", (long)uv_os_getpid());
	uv_os_setenv(AT_WORKER_PARENT, number);
	if (loop->folder[0])
		uv_os_setenv(AT_WORKER_FOLDER, loop->folder);
	else
		uv_os_unsetenv(AT_WORKER_FOLDER);
	code = start(self, command, role);
	if (code) {
		status = at_fail(err, code == UV_ENOMEM ? AT_ENOMEM : AT_EIO,
			command ? command[0] : loop->executable, 0,
			"a %s worker does not start: %s", role, uv_strerror(code));
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
	(void)status; /* a process that is gone is told of by on_exit */
	free(request);
}

void at_worker_finish(struct at_worker *self)
{
	uv_shutdown_t *request = calloc(1, sizeof(*request));

	self->finishing = true;
	if (!request ||
		uv_shutdown(request, (uv_stream_t *)&self->channel, on_shut_down)) {
		free(request);
		kill_process(self);
	}
}

static void on_written(uv_write_t *request, int status)
{
	struct outgoing *message = request->data;

	(void)status; /* a process that cannot be written to is ending: see on_exit */
	at_strbuf_release(&message->body);
	free(message);
}

void at_worker_send(
	struct at_worker *self, enum at_message type, struct at_wire_writer *body)
{
	struct outgoing *message = calloc(1, sizeof(*message));
	uv_buf_t parts[2];

	if (!message || body->bytes.failed) {
		free(message);
		at_strbuf_release(&body->bytes);
		kill_process(self);
		return;
	}
	message->header = (struct at_message_header){ AT_MESSAGE_MAGIC, type,
		body->bytes.length };
	message->body = body->bytes;
	memset(body, 0, sizeof(*body));
	message->request.data = message;
	parts[0] = uv_buf_init((char *)&message->header, sizeof(message->header));
	parts[1] = uv_buf_init(message->body.data, (unsigned)message->body.length);
	if (uv_write(&message->request, (uv_stream_t *)&self->channel, parts,
		    message->body.length ? 2 : 1, on_written)) {
		on_written(&message->request, -1);
		kill_process(self);
	}
}

void at_worker_deadline(struct at_worker *self, double seconds)
{
	if (seconds <= 0)
		uv_timer_stop(&self->timer);
	else
		uv_timer_start(
			&self->timer, on_deadline, (uint64_t)(seconds * 1000) + 1, 0);
}

void at_worker_free(struct at_worker *self)
{
	if (!self)
		return;
	self->events = NULL;
	kill_process(self);
	close_handle((uv_handle_t *)&self->channel);
	close_handle((uv_handle_t *)&self->errors);
	close_handle((uv_handle_t *)&self->timer);
	/* a process handle is kept until the process is reaped */
	if (self->exited)
		close_handle((uv_handle_t *)&self->process);
}
