/*
 * The loop and the workers on it, as loop.c and process.c share them; nobody else
 * includes this, nor the event library.
 */
#ifndef AT_WORKERS_PROCESS_PARTS_H
#define AT_WORKERS_PROCESS_PARTS_H

#include "evaluator/workers/process.h"

#include "base/processes.h"
#include "base/scratch.h"
#include "evaluator/workers/signals.h"
#include "evaluator/workers/vigil.h"

#include <uv.h>

struct later {
	struct later *next;
	void (*call)(void *);
	void *context; /* NULL: forgotten */
	uint64_t due_ms; /* by the loop's clock */
};

struct at_loop {
	uv_loop_t uv;
	char executable[4096];
	struct at_scratch scratch; /* of the workers' temporary files */
	struct at_signals signals;
	uv_async_t interruption; /* from the thread that hears signals */
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
	uv_timer_cb not_ended; /* it was told to end, and has not in its time */
	uv_timer_t look; /* of the vigil */
	struct at_vigil vigil; /* while it owes an answer */
	uint64_t due_ns; /* of the deadline */
	double deadline_seconds;
	unsigned extensions; /* of this deadline */
	int open_handles;
	bool exited;
	bool ending; /* its guard was told to end it */
	bool gone; /* it did not, and is not waited for */
	bool channel_ended; /* everything it sent was read */
	bool finishing; /* it is left to end by itself */
	bool told;
	struct at_worker_end end;
	uint64_t asked, answered; /* requests */
	char is_at[160]; /* "": nothing to be told of */
	struct at_strbuf incoming;
	struct at_strbuf error_text;
};

/* ---- process.c */

/* Whether it was started below this very process, and not before by whoever became it.
 */
bool worker_is_ours(pid_t id);
/* The guards of all workers, also of those that were freed and are not gone yet. */
void worker_add_guards(struct at_loop *self, struct at_processes *out);
/* Nobody waits for any of them from then on. */
void worker_close_all(struct at_loop *self);

/* ---- process_deadline.c */

/* With all that it has started. Who asked hears of it when that is gone. */
void worker_kill(struct at_worker *self);
/* What was written to a stream and nobody has read yet. */
int worker_waiting_bytes(const uv_pipe_t *stream);
/* It was asked for something, or has said something. */
void worker_keep_vigil(struct at_worker *self);

#endif
