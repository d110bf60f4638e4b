/*
 * The worker processes on the event loop: started, sent messages, watched, killed.
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
	int signal; /* that ended it; 0: it ended by itself */
	bool timed_out; /* it was killed at its deadline */
	/* it, or what it had started, was stopped at its deadline, or for 10 s */
	bool was_stopped;
	bool was_quiet; /* it did nothing for too long: at_worker_expect_work() */
	bool protocol; /* it was killed for a broken message */
	char text[256]; /* the last line that it wrote to its standard error; "" */
};

/* Says how the process ended, behind its name: "did not end within 3 s", "was ended by
   signal 9 (Killed): ...". deadline_seconds: as it was set. */
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
/*
 * Starts a worker under another program, which gets the worker's command line behind
 * its own words: a checker that starts what it watches. command: the program's own
 * words, NULL behind the last, borrowed for the call.
 */
enum at_status at_worker_spawn_under(struct at_loop *loop, const char *const *command,
	const char *role, const struct at_worker_events *events, void *context,
	struct at_worker **out, struct at_error *err);
/* Closes the worker's channel for writing: it ends by itself after what it was sent is
   done. */
void at_worker_finish(struct at_worker *self);
/* Sends a message. Takes the writer's bytes, also when it fails (the process is then
   ended). */
void at_worker_send(
	struct at_worker *self, enum at_message type, struct at_wire_writer *body);
/* The same with a body that stays the caller's, who may send it again. */
void at_worker_send_kept(
	struct at_worker *self, enum at_message type, const struct at_strbuf *body);
/* Kills the process after so many seconds, unless called again before; 0: never. */
void at_worker_deadline(struct at_worker *self, double seconds);
/* The same for work that nothing waits for: whether the worker had a processor does not
   matter. */
void at_worker_end_after(struct at_worker *self, double seconds);
/*
 * Says that the worker has to compute for what it was sent, itself or by what it
 * starts. If for so many seconds none of these processes has computed or waited for a
 * processor, it is ended as at its deadline. 0, as at first: it may wait for something.
 * In any case a worker that owes an answer is ended once it has been stopped (SIGSTOP)
 * for ten seconds.
 */
void at_worker_expect_work(struct at_worker *self, double seconds);
/*
 * Says what the worker does from now on, for at_worker_on_silence(): "device host:
 * opening it". Without a device (NULL): "compiling". what is NULL: its silence is not
 * reported, since it may take long, or another text tells of it.
 */
void at_worker_is_at(struct at_worker *self, const char *device, const char *what);
/*
 * Sets who hears of workers that are at something and have sent nothing for 10 s, a
 * minute, and longer: a line that says what the worker does and how long it is still
 * waited for. For the whole process, whichever loop runs; NULL: no function.
 */
void at_worker_on_silence(void (*tell)(const char *text));
/* Kills the process if it is still there; no callback follows. */
void at_worker_free(struct at_worker *self);

#endif
