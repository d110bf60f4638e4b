/* Checks the limit and polls the caller. */
#include "base/watch.h"

#include "base/clock.h"

/* Steps between two readings of the clock: about five readings in a millisecond. */
#define STEPS 16384

/* between two calls of poll(), as often as a person could notice */
#define INTERVAL_NS 20000000

enum at_status at_watch_poll(struct at_watch *self, struct at_error *err)
{
	enum at_status status = AT_OK;
	uint64_t now_ns;

	self->next = self->spent + STEPS;
	if (self->limit && self->spent > self->limit)
		return AT_EOVERFLOW;
	if (self->limit && self->next > self->limit)
		self->next = self->limit + 1;
	if (self->poll) {
		now_ns = at_clock_now_ns();
		if (now_ns - self->polled_ns >= INTERVAL_NS) {
			self->polled_ns = now_ns;
			status = self->poll(self->context, err);
		}
	}
	return status;
}
