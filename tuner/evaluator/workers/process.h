/*
 * The worker processes on the event loop: started, spoken to, watched, killed.
 *
 *   at_loop_new(executable, &loop, &err);
 *   at_worker_spawn(loop, "measure", &events, context, &worker, &err);
 *   at_worker_send(worker, AT_MESSAGE_OPEN, &body);
 *   at_loop_run(loop);            returns after at_loop_stop()
 *   at_worker_free(worker); at_loop_free(loop);
 *
 * Threads: everything on the thread that made the loop; callbacks too.
 */
#ifndef AT_WORKERS_PROCESS_H
#define AT_WORKERS_PROCESS_H

#include "evaluator/workers/loop.h"
#include "evaluator/workers/protocol.h"

#include <stdbool.h>

struct at_worker;

/* What became of a process. */
struct at_worker_end {
	int64_t exit_status;
	int signal; /* 0: it ended by itself */
	bool timed_out; /* killed at its deadline */
	bool was_stopped; /* it, or what it had started, when that came, or for 10 s */
	bool was_quiet; /* at_worker_expect_work() */
	bool protocol; /* killed for a broken message */
	char text[256]; /* the last line it wrote to its standard error; "" */
};

struct at_worker_events {
	/* body is borrowed for the call */
	void (*message)(
		void *context, enum at_message type, const void *body, size_t size);
	/* The process is gone; nothing more comes. The worker may be freed here. */
	void (*ended)(void *context, const struct at_worker_end *end);
};

enum at_status at_worker_spawn(struct at_loop *loop, const char *role,
	const struct at_worker_events *events, void *context, struct at_worker **out,
	struct at_error *err);
/*
 * The same under another program, which gets the worker's command line as its last
 * words: a checker that starts what it watches. command: its own words, NULL after the
 * last, borrowed for the call.
 */
enum at_status at_worker_spawn_under(struct at_loop *loop, const char *const *command,
	const char *role, const struct at_worker_events *events, void *context,
	struct at_worker **out, struct at_error *err);
/* Nothing more is asked of it: it ends by itself once it has done what it was sent. */
void at_worker_finish(struct at_worker *self);
/* Takes the writer's bytes over, also when it fails (the process then ends). */
void at_worker_send(
	struct at_worker *self, enum at_message type, struct at_wire_writer *body);
/* Kills it after so many seconds unless called again; 0 calls it off. */
void at_worker_deadline(struct at_worker *self, double seconds);
/*
 * What it was sent is computed, by it or by what it starts: where for so long none of
 * them has, nor waits for a processor, it is ended as at its deadline. 0: it may wait
 * for something, as at first. One that is stopped (SIGSTOP) for ten seconds while it
 * owes an answer is ended in any case.
 */
void at_worker_expect_work(struct at_worker *self, double seconds);
/*
 * What it is at from now on, for whoever waits: "opening device host"; NULL: what
 * may take long, or what others tell of.
 */
void at_worker_is_at(struct at_worker *self, const char *what);
/*
 * Hears of workers of which nothing was heard for 10 s, a minute, and longer, though
 * they are at something: in a line, what that is and how long it is waited for yet. Of
 * the whole process, whichever loop runs; NULL: nobody.
 */
void at_worker_on_silence(void (*tell)(const char *text));
/* No callback follows; the process is killed if it is still there. */
void at_worker_free(struct at_worker *self);

#endif
