/*
 * For work that may take long: now and then it asks whether to end, and it stops at a
 * limit. The work is counted in steps of some ten nanoseconds;
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

#include <stdint.h>

struct at_watch {
	/* Called about fifty times a second. The work ends with what it returns unless
	   that is AT_OK. NULL: not called. */
	enum at_status (*poll)(void *context, struct at_error *err);
	void *context;
	uint64_t
		limit; /* AT_EOVERFLOW, without a text, after so many steps; 0: never */
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
