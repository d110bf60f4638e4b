/*
 * Hears the signals that ask the program to end, on a thread of its own. So the first
 * signal is told even while the program is busy with something long, and the second one
 * does not wait for it.
 *
 * Threads: begin and end are called on one thread, which then gets none of these
 * signals; callbacks come on the signal thread.
 */
#ifndef AT_WORKERS_SIGNALS_H
#define AT_WORKERS_SIGNALS_H

#include "base/error.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

/* Callbacks, made on the signal thread. */
struct at_signals_events {
	/* the first SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU came */
	void (*first)(void *context);
	/* another of them came; this has to end the process */
	void (*second)(void *context);
};

struct at_signals {
	const struct at_signals_events *events; /* NULL: not begun */
	void *context;
	sigset_t heard; /* signals that the signal thread waits for */
	sigset_t mask; /* of the caller's thread before it began */
	pthread_t thread;
	atomic_bool ends; /* tells the thread to end */
	atomic_bool has_heard; /* the first signal came */
};

/* Begins hearing signals. A SIGHUP that is ignored stays ignored, since nohup asks for
   that. events are borrowed until the end. */
enum at_status at_signals_begin(struct at_signals *self,
	const struct at_signals_events *events, void *context, struct at_error *err);
/* Ends it; does nothing where it did not begin. The mask is restored if no signal was
   heard. If one was, the program is on its way out, and further signals stay blocked:
   they would end it halfway through its last lines, with another exit status. */
void at_signals_end(struct at_signals *self);

#endif
