/* Lists of calls, and the trips that send them to the device. */
#include "measure/trip.h"
#include "base/clock.h"
#include "base/memory.h"
#include "measure/place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A GPU that idles this long, in nanoseconds, may lower its clocks. */
#define IDLE_NS 50000000u

/* ---- lists of calls -------------------------------------------------------- */

void call_list_init(struct call_list *self, size_t room)
{
	self->calls = at_calloc(room + 1, sizeof(*self->calls));
	self->values = at_calloc(room + 1, sizeof(*self->values));
	self->count = 0;
	self->room = room;
}

void call_list_release(struct call_list *self)
{
	free(self->calls);
	free(self->values);
	memset(self, 0, sizeof(*self));
}

void call_list_add(struct call_list *self, const struct at_invocation *call)
{
	assert(self->count < self->room);
	self->calls[self->count++] = *call;
}

/* ---- trips ------------------------------------------------------------------ */

uint64_t bench_worked_ns(const struct at_measure_context *self)
{
	const struct at_device_ops *ops = self->device->ops;

	return ops->worked_ns ? ops->worked_ns(self->device) : at_clock_now_ns();
}

static bool was_idle(const struct at_measure_context *self, uint64_t now_ns)
{
	return now_ns - self->shared->last_busy_ns > IDLE_NS ||
	       self->shared->last_busy_ns < self->device->clocks_set_ns;
}

bool bench_is_idle(const struct at_measure_context *self)
{
	return was_idle(self, at_clock_now_ns());
}

enum at_outcome bench_set_clocks(struct at_measure_context *self,
	const struct at_measure_request *request, struct at_error *err)
{
	return at_device_set_clocks(self->device, &request->clocks, err)
		       ? AT_OUTCOME_NOT_APPLICABLE
		       : AT_OUTCOME_OK;
}

/* A short launch does not raise clocks that are down. So a trip only prolongs the time
   in which they count as full; a warm-up (sample.c) begins it. */
void bench_stayed_busy(struct at_measure_context *self, uint64_t start_ns)
{
	if (!was_idle(self, start_ns))
		self->shared->last_busy_ns = at_clock_now_ns();
}

enum at_outcome bench_run(struct at_measure_context *self, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	size_t count = self->queue.count;
	enum at_outcome outcome;

	/* first, so that after a failure its calls are not sent again */
	self->queue.count = 0;
	if (count == 0)
		return AT_OUTCOME_OK;
	outcome = self->device->ops->run(self->device, self->queue.calls, count, err);
	place_tell_fault(self, outcome, err);
	bench_stayed_busy(self, start_ns);
	return outcome;
}

enum at_outcome bench_run_timed(
	struct at_measure_context *self, double *least_ns, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	size_t count = self->queue.count;
	enum at_outcome outcome;

	*least_ns = 0;
	if (!self->device->ops->run_timed)
		return bench_run(self, err);
	self->queue.count = 0;
	outcome = self->device->ops->run_timed(
		self->device, self->queue.calls, count, least_ns, err);
	place_tell_fault(self, outcome, err);
	bench_stayed_busy(self, start_ns);
	return outcome;
}

enum at_status bench_run_own(struct at_measure_context *self, const char *what,
	size_t argument, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (bench_run(self, &reason) == AT_OUTCOME_OK)
		return AT_OK;
	return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
		"%s argument \"%s\" failed: %s", what,
		self->setup->arguments[argument].name, reason.text);
}
