/*
 * The event loop: what is called at once, later or every so often, signals, and the
 * folder of a run. Workers are on it (process.h); these two alone know the event
 * library.
 *
 * Threads: everything on the thread that made the loop; callbacks too.
 */
#ifndef AT_WORKERS_LOOP_H
#define AT_WORKERS_LOOP_H

#include "base/error.h"

#include <stdbool.h>

struct at_loop;

/*
 * executable NULL: the one that is running. What the workers and their compilers
 * write for the time being goes into a folder that ends with the loop.
 */
enum at_status at_loop_new(
	const char *executable, struct at_loop **out, struct at_error *err);
/* All workers must have been freed; waits for their processes to be gone. */
void at_loop_free(struct at_loop *self);
void at_loop_run(struct at_loop *self);
void at_loop_stop(struct at_loop *self);
/* Processors that this process may use; at least 1. */
unsigned at_loop_cores(void);
/* SIGINT, SIGTERM and SIGHUP call interrupted(); the second one kills. */
enum at_status at_loop_watch_signals(struct at_loop *self, void (*interrupted)(void *),
	void *context, struct at_error *err);
/* A watched signal came: whoever waits for something gives it up. */
bool at_loop_interrupted(const struct at_loop *self);
/* Calls tick every interval while the loop runs; NULL ends it. */
void at_loop_tick(struct at_loop *self, unsigned interval_ms, void (*tick)(void *),
	void *context);
/* Calls `call` once, from the loop, after what runs now has returned. */
enum at_status at_loop_later(struct at_loop *self, void (*call)(void *), void *context,
	struct at_error *err);
/* The same after so many milliseconds; the loop does not end before. */
enum at_status at_loop_after(struct at_loop *self, unsigned milliseconds,
	void (*call)(void *), void *context, struct at_error *err);

/* Calls that are due for this context do not come. */
void at_loop_forget(struct at_loop *self, const void *context);
/* For temporary files of this run: ends with the loop. "": there is none. */
const char *at_loop_folder(const struct at_loop *self);

#endif
