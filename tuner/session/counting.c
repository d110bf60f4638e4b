/* Builds a search space while the user waits (counting.h), polling signals and the
   clock. */
#include "session/counting.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <stdlib.h>

#define TELL_NS UINT64_C(1000000000)

/* Called periodically by the enumeration; an error ends it. */
static enum at_status answer_poll(void *context, struct at_error *err)
{
	struct at_counting *self = context;

	if (at_interrupt_was_noted())
		return at_fail(err, AT_EINTERRUPTED, NULL, 0,
			"interrupted while the space was counted");
	if (!self->tell || self->has_told ||
		at_clock_now_ns() - self->begun_ns < TELL_NS)
		return AT_OK;
	self->has_told = true;
	self->tell(self->context, "counting the space");
	return AT_OK;
}

enum at_status at_count_space(struct at_counting *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_properties *device,
	bool refuses_empty, struct at_search_space **out, struct at_error *err)
{
	const struct at_search_space_options options = { .poll = answer_poll,
		.context = self };
	struct at_enumeration statistics = { 0 };
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));
	enum at_status status;

	at_spec_bind(spec, problem, NULL, device, slots);
	self->begun_ns = at_clock_now_ns();
	status = at_search_space_new_with(spec, slots, &options, out, &statistics, err);
	if (self->has_told)
		self->tell(self->context, "");
	if (!status && refuses_empty && !at_search_space_count(*out))
		status = at_enumeration_explain_empty(spec, &statistics, slots, err);
	at_enumeration_release(&statistics);
	free(slots);
	return status;
}
