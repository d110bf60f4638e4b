/*
 * Work that may take long: it says now and then how far it is, hears whether it shall
 * end, and does no more than its limit. What it has done is counted in steps, the same
 * on every machine: some ten nanoseconds each.
 *
 *   struct at_watch watch = { .look = look, .context = self, .limit = 1 << 28 };
 *   ... in each loop: status = at_watch_spend(&watch, steps, err); ...
 *
 * Threads: one's.
 */
#ifndef AT_BASE_WATCH_H
#define AT_BASE_WATCH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct at_watch {
	/*
	 * About fifty times a second. done: 0 to 1, or NAN where it is not known. Not
	 * AT_OK ends the work with this: AT_EINTERRUPTED, err filled in; AT_EOVERFLOW,
	 * without a text: whatever can be left out is, from now on. NULL: nobody looks.
	 */
	enum at_status (*look)(void *context, double done, struct at_error *err);
	void *context;
	uint64_t
		limit; /* AT_EOVERFLOW, without a text, after so many steps; 0: never */
	double done;
	bool is_needed; /* what is done now cannot be left out */
	bool gave_up; /* look() said so */
	uint64_t spent;
	uint64_t next; /* when it is looked */
	uint64_t looked_ns;
};

/* What at_watch_spend() does every now and then. */
enum at_status at_watch_look(struct at_watch *self, struct at_error *err);

static inline enum at_status at_watch_spend(
	struct at_watch *self, uint64_t steps, struct at_error *err)
{
	self->spent += steps;
	return self->spent < self->next ? AT_OK : at_watch_look(self, err);
}

#endif
