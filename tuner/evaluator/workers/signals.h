/*
 * Receives the signals that request the program's end, on a separate thread. So the
 * first signal arrives even during long work, and the second one does not wait for the
 * work.
 *
 * Several objects may listen at once, such as a nightly run and its current session:
 * one thread receives the signals for all of them. The system delivers a signal to any
 * one of several threads; if each listener had a thread, the others would continue.
 *
 * Threads: begin and end are called on one thread, which then gets none of these
 * signals; callbacks come on the signal thread, and `first` also from begin.
 */
#ifndef AT_WORKERS_SIGNALS_H
#define AT_WORKERS_SIGNALS_H

#include "base/error.h"

#include <stdbool.h>

struct at_signals_events {
	/* The first SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU came. False:
	   this listener ends nothing because of it. If all listeners return false, it
	   counts as the second signal. */
	bool (*first)(void *context);
	/* Another of these signals came: ends what must not outlive the process, which
	   then exits with 130. */
	void (*second)(void *context);
};

/* A listener. */
struct at_signals {
	const struct at_signals_events *events; /* NULL: not begun */
	void *context;
	struct at_signals *outer; /* the listener that began before and still listens */
};

/* Begins listening. The first listener ignores earlier signals; a later one immediately
   gets a signal that the others have received. An ignored SIGHUP stays ignored, for
   nohup. events are borrowed until the end. */
enum at_status at_signals_begin(struct at_signals *self,
	const struct at_signals_events *events, void *context, struct at_error *err);
/*
 * Ends listening; does nothing if it did not begin. After the last listener the signal
 * mask is restored if no signal came. Otherwise the program is ending, and a further
 * signal ends it at once, with 130. Delivered normally, the signal would give another
 * exit status; and with blocked signals, a program that cannot write its last lines
 * could not be ended.
 */
void at_signals_end(struct at_signals *self);

#endif
