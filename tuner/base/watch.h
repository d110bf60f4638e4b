/*
 * For long work: it regularly polls for an early end, and stops at a limit. Work is
 * counted in steps of some ten nanoseconds; their number is the same on every machine.
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
	/* Called about fifty times a second. A status other than AT_OK ends the work.
	   NULL: not called. */
	enum at_status (*poll)(void *context, struct at_error *err);
	void *context;
	uint64_t limit; /* steps until AT_EOVERFLOW, without a text; 0: never */
	uint64_t spent; /* steps so far */
	uint64_t next; /* steps at the next call of at_watch_poll() */
	uint64_t polled_ns; /* time of the last call of poll() */
};

/* Checks the limit and calls poll(); called by at_watch_spend(). */
enum at_status at_watch_poll(struct at_watch *self, struct at_error *err);

/* Counts steps. Not AT_OK: the work must end with this status. */
static inline enum at_status at_watch_spend(
	struct at_watch *self, uint64_t steps, struct at_error *err)
{
	self->spent += steps;
	return self->spent < self->next ? AT_OK : at_watch_poll(self, err);
}

#endif
