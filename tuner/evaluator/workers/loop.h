/*
 * The event loop: calls at once, later and at intervals, signals, and the run's
 * temporary folder. Worker processes run on it (process.h); process.c alone
 * includes the event library.
 *
 * Threads: everything, callbacks too, on the thread that made the loop.
 */
#ifndef AT_WORKERS_LOOP_H
#define AT_WORKERS_LOOP_H

#include "base/error.h"

#include <stdbool.h>

struct at_loop;

/* executable: the program to start as workers; NULL: the running one. The loop makes a
   folder for temporary files of the workers and their compilers, and removes it at its
   end. */
enum at_status at_loop_new(
	const char *executable, struct at_loop **out, struct at_error *err);
/* Waits for the workers' processes to end; all workers must have been freed. Drops
   pending calls. */
void at_loop_free(struct at_loop *self);
/* Runs until at_loop_stop() is called, or nothing is left to wait for. */
void at_loop_run(struct at_loop *self);
/* Makes at_loop_run() return after the current callback. */
void at_loop_stop(struct at_loop *self);
/* SIGINT, SIGTERM and SIGHUP call interrupted(); the second signal ends the process at
   once. */
enum at_status at_loop_watch_signals(struct at_loop *self, void (*interrupted)(void *),
	void *context, struct at_error *err);
/* Whether a watched signal came: all waits must give up. */
bool at_loop_interrupted(const struct at_loop *self);
/* An answer for which the loop runs. */
struct at_awaited {
	struct at_loop *loop;
	struct at_error error; /* of the answer */
	bool is_there;
};
/* Delivers the answer; err: NULL on success. */
void at_awaited_came(struct at_awaited *self, const struct at_error *err);
/* Runs the loop until the answer comes, and returns its status. AT_EINTERRUPTED: a
   watched signal came first. */
enum at_status at_loop_await(struct at_awaited *self, struct at_error *err);
/* Calls tick every interval_ms while the loop runs; NULL stops it. */
void at_loop_tick(struct at_loop *self, unsigned interval_ms, void (*tick)(void *),
	void *context);
/* Calls `call` once, from the loop, after the current callback has returned. */
void at_loop_later(struct at_loop *self, void (*call)(void *), void *context);
/* The same after a number of milliseconds; the loop does not end before. */
void at_loop_after(struct at_loop *self, unsigned milliseconds, void (*call)(void *),
	void *context);

/* Drops calls by at_loop_later() and at_loop_after() for this context. */
void at_loop_forget(struct at_loop *self, const void *context);
/* This run's folder for temporary files, removed with the loop, or "". */
const char *at_loop_folder(const struct at_loop *self);

#endif
