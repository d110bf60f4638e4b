/*
 * Worker processes on the event loop: started, sent messages, watched, killed.
 *
 *   at_loop_new(executable, &loop, &err);
 *   at_worker_spawn(loop, "measure", &events, context, &worker, &err);
 *   at_worker_send(worker, AT_MESSAGE_OPEN, &body);
 *   at_loop_run(loop);            returns after at_loop_stop()
 *   at_worker_free(worker); at_loop_free(loop);
 *
 * Threads: everything, callbacks too, on the thread that made the loop.
 */
#ifndef AT_WORKERS_PROCESS_H
#define AT_WORKERS_PROCESS_H

#include "evaluator/workers/loop.h"
#include "evaluator/workers/protocol.h"

#include <stdbool.h>

struct at_worker;

/* How a process ended. */
struct at_worker_end {
	int64_t exit_status;
	int signal; /* the signal that ended it; 0: it exited */
	bool timed_out; /* killed at its deadline */
	/* it or a child was stopped at its deadline, or for 10 s */
	bool was_stopped;
	bool was_quiet; /* idle for too long: at_worker_expect_work() */
	bool protocol; /* killed for a malformed message */
	char text[256]; /* the last line of its standard error, or "" */
};

/* Describes the end, to follow the process's name: "did not end within 3 s", "was ended
   by signal 9 (Killed): ...". deadline_seconds: as set. */
void at_worker_describe_end(const struct at_worker_end *end, double deadline_seconds,
	char *text, size_t size);

/* Callbacks about one worker, made from the loop. */
struct at_worker_events {
	/* A message arrived; body is borrowed for the call. */
	void (*message)(
		void *context, enum at_message type, const void *body, size_t size);
	/* The process is gone; no further callback comes. The worker may be freed
	   here. */
	void (*ended)(void *context, const struct at_worker_end *end);
};

/* Starts a worker process; role: "compile" or "measure". events are borrowed. */
enum at_status at_worker_spawn(struct at_loop *loop, const char *role,
	const struct at_worker_events *events, void *context, struct at_worker **out,
	struct at_error *err);
/* Starts a worker under another program, such as a checker that starts the process it
   watches. The worker's command line follows the program's own words. command: the
   program's own words, ending with NULL, borrowed for the call. */
enum at_status at_worker_spawn_under(struct at_loop *loop, const char *const *command,
	const char *role, const struct at_worker_events *events, void *context,
	struct at_worker **out, struct at_error *err);
/* Closes the worker's channel for writing: it ends by itself after its pending work. */
void at_worker_finish(struct at_worker *self);
/* Sends a message. Takes the writer's bytes, also on failure, which ends the
   process. */
void at_worker_send(
	struct at_worker *self, enum at_message type, struct at_wire_writer *body);
/* The same with a body that stays the caller's, who may send it again. */
void at_worker_send_kept(
	struct at_worker *self, enum at_message type, const struct at_strbuf *body);
/* Kills the process after `seconds`, unless called again before; 0: never. */
void at_worker_deadline(struct at_worker *self, double seconds);
/* The same for unwanted work: the deadline holds even if the worker had no
   processor. */
void at_worker_end_after(struct at_worker *self, double seconds);
/*
 * Declares that the worker must compute for its requests, itself or in its children. It
 * is ended, as at its deadline, if for `seconds` none of these processes has computed
 * or waited for a processor. 0, the initial value: it may wait for something. In any
 * case a worker that owes an answer is ended once it has been stopped (SIGSTOP) for ten
 * seconds.
 */
void at_worker_expect_work(struct at_worker *self, double seconds);
/* Sets what the worker is doing, for at_worker_on_silence(): "device host: opening it",
   or without a device (NULL): "compiling". what NULL: its silence is not reported,
   since it may take long, or another text reports it. */
void at_worker_is_at(struct at_worker *self, const char *device, const char *what);
/* Sets the receiver of reports about workers that have sent nothing for 10 s, a minute,
   and longer: a line with the worker's activity and the remaining time to its deadline.
   For the whole process, whichever loop runs; NULL: no receiver. */
void at_worker_on_silence(void (*tell)(const char *text));
/* Kills the process if it still exists; no callback follows. */
void at_worker_free(struct at_worker *self);

#endif
