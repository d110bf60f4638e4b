/*
 * The signals that ask for the end, heard by a thread of their own: the first is told,
 * also while the program is busy with something long, the second does not wait for it.
 *
 * Threads: begin and end on the one that is to be spared signals; the calls come from
 * another thread.
 */
#ifndef AT_WORKERS_SIGNALS_H
#define AT_WORKERS_SIGNALS_H

#include "base/error.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct at_signals_events {
	/* SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU came */
	void (*first)(void *context);
	/* another one; is to end the process */
	void (*second)(void *context);
};

struct at_signals {
	const struct at_signals_events *events; /* NULL: not begun */
	void *context;
	sigset_t heard;
	sigset_t mask; /* what the thread had */
	pthread_t thread;
	atomic_bool ends;
};

/*
 * A SIGHUP that is ignored stays ignored: that is what nohup asks for. events are
 * borrowed until the end.
 */
enum at_status at_signals_begin(struct at_signals *self,
	const struct at_signals_events *events, void *context, struct at_error *err);
/* Nothing for one that did not begin. */
void at_signals_end(struct at_signals *self);

#endif
