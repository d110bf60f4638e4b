/* What the files of the loop and of the workers on it share. No other file includes
   this, or the event library. */
#ifndef AT_WORKERS_PROCESS_PARTS_H
#define AT_WORKERS_PROCESS_PARTS_H

#include "evaluator/workers/process.h"

#include "base/processes.h"
#include "base/scratch.h"
#include "evaluator/workers/signals.h"
#include "evaluator/workers/watchdog.h"

#include <uv.h>

/* A call that the loop is to make. */
struct later {
	struct later *next;
	void (*call)(void *);
	void *context; /* NULL: forgotten, not called */
	uint64_t due_ms; /* by the loop's clock */
};

struct at_loop {
	uv_loop_t uv;
	char executable[4096];
	struct at_scratch scratch; /* the folder for the workers' temporary files */
	struct at_signals signals;
	uv_async_t interruption; /* sent by the thread that hears signals */
	/* guards the three below, and closing the handle above */
	pthread_mutex_t watching_lock;
	bool watching; /* the handle above is open */
	bool was_signalled; /* since the loop was made */
	bool is_leaving; /* it was watched, and is being freed: it ends anyway */
	bool was_interrupted;
	void (*interrupted)(void *);
	void *interrupted_context;
	uv_timer_t ticker;
	void (*tick)(void *);
	void *tick_context;
	uv_timer_t later_timer;
	/* calls by at_loop_later() and at_loop_after() that are not due yet */
	struct later *later;
	struct later **later_last;
	struct later *due; /* being called; those with context NULL were forgotten */
};

struct at_worker {
	struct at_loop *loop;
	const struct at_worker_events *events; /* NULL: its owner has freed it */
	void *context;
	uv_process_t process;
	uv_pipe_t channel;
	uv_pipe_t errors;
	uv_timer_t timer; /* of the deadline, and of waiting for an end */
	uv_timer_t watchdog_timer; /* for the checks of the watchdog */
	struct at_watchdog watchdog; /* while the worker owes an answer */
	uint64_t due_ns; /* when the deadline is */
	double deadline_seconds; /* as it was set */
	unsigned extensions; /* how often this deadline began anew */
	int open_handles; /* of libuv: the worker is released when all are closed */
	bool exited;
	bool ending; /* its guard was told to end it */
	bool gone; /* it did not end, and is not waited for any more */
	bool channel_ended; /* everything that it sent was read */
	bool finishing; /* it is left to end by itself */
	bool told; /* ended() was called */
	struct at_worker_end end;
	uint64_t asked, answered; /* numbers of the last request and answer */
	char is_at[160]; /* at_worker_is_at(); "": silence is not reported */
	struct at_strbuf incoming;
	struct at_strbuf error_text;
};

/* ---- process.c */

/* Whether the process was started by this process, and not by the program that this
   process was before an exec. */
bool worker_is_ours(pid_t id);
/* Adds the guards of all workers, also of workers that were freed and whose process is
   not gone. */
void worker_add_guards(struct at_loop *self, struct at_processes *out);
/* Closes all workers; nobody waits for their processes from then on. */
void worker_close_all(struct at_loop *self);

#endif
