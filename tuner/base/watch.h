/*
 * For work that may take long: now and then it reports how far it is, asks whether to
 * end, and stops at a limit. The work is counted in steps of some ten nanoseconds;
 * their number is the same on every machine.
 *
 *   struct at_watch watch = { .poll = poll, .context = self, .limit = 1 << 28 };
 *   ... in each loop: status = at_watch_spend(&watch, steps, err); ...
 *
 * Threads: one.
 */
#ifndef AT_BASE_WATCH_H
#define AT_BASE_WATCH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct at_watch {
	/*
	 * Called about fifty times a second. done: the part that is done, 0 to 1, or
	 * NAN where it is not known. The work ends with what it returns unless that is
	 * AT_OK: AT_EINTERRUPTED with err set; AT_EOVERFLOW without a text: from now on
	 * leave out all that can be left out. NULL: nobody is asked.
	 */
	enum at_status (*poll)(void *context, double done, struct at_error *err);
	void *context;
	uint64_t
		limit; /* AT_EOVERFLOW, without a text, after so many steps; 0: never */
	double done; /* set by the work, for poll() */
	bool is_needed; /* set by the work: the present part cannot be left out */
	bool gave_up; /* poll() has returned AT_EOVERFLOW */
	uint64_t spent; /* steps so far */
	uint64_t next; /* steps at which at_watch_poll() is called next */
	uint64_t polled_ns; /* when poll() was called last */
};

/* Checks the limit and calls poll(); called by at_watch_spend() now and then. */
enum at_status at_watch_poll(struct at_watch *self, struct at_error *err);

/* Counts steps. Not AT_OK: the work has to end with this status. */
static inline enum at_status at_watch_spend(
	struct at_watch *self, uint64_t steps, struct at_error *err)
{
	self->spent += steps;
	return self->spent < self->next ? AT_OK : at_watch_poll(self, err);
}

#endif
