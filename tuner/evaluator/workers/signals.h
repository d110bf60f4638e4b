/*
 * Hears the signals that ask the program to end, on a thread of its own. So the first
 * signal arrives even while the program is busy with something long, and the second one
 * does not wait for it.
 *
 * Several may listen at once, as a night and the session that it runs: one thread hears
 * for all of them, and tells all. Which of several threads gets a signal is not known,
 * and one that were told alone would have the others go on.
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
	   this listener will end nothing because of it. If all listeners say so it
	   counts as the second one. */
	bool (*first)(void *context);
	/* Another of them came: ends what must not outlive the process, which exits
	   with 130 then. */
	void (*second)(void *context);
};

/* One who listens. */
struct at_signals {
	const struct at_signals_events *events; /* NULL: not begun */
	void *context;
	struct at_signals *outer; /* who began before and listens still */
};

/* Begins listening. The first listener forgets what came before; a later one hears at
   once of a signal that the others have heard. A SIGHUP that is ignored stays ignored,
   since nohup asks for that. events are borrowed until the end. */
enum at_status at_signals_begin(struct at_signals *self,
	const struct at_signals_events *events, void *context, struct at_error *err);
/*
 * Ends it; does nothing where it did not begin. With the last listener the mask is
 * restored if no signal was heard. If one was, the program is on its way out, and a
 * further signal ends it at once, with 130: delivered, it would end it with another
 * exit status; and with signals blocked, no user could end a program that cannot write
 * its last lines.
 */
void at_signals_end(struct at_signals *self);

#endif
