/* Builds a search space while the user waits (counting.h): space/ counts, this looks at
   signals and the clock in between. */
#include "session/counting.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TELL_NS UINT64_C(1000000000)

/* Called by the enumeration now and then; an error ends it. AT_EOVERFLOW: count no
   further, and search a part. */
static enum at_status answer_poll(void *context, double done, struct at_error *err)
{
	struct at_counting *self = context;
	uint64_t took_ns = at_clock_now_ns() - self->begun_ns;
	/* only each tenth is told: without a terminal each text is a line of output */
	int tenths = done > 0 && done < 1 ? (int)(done * 10) : 0;
	char text[64];

	if (at_interrupt_was_noted())
		return at_fail(err, AT_EINTERRUPTED, NULL, 0,
			"interrupted while the space was counted");
	if (self->seconds > 0 && (double)took_ns > self->seconds * 1e9)
		return AT_EOVERFLOW;
	if (!self->tell || took_ns < TELL_NS || tenths <= self->told)
		return AT_OK;
	self->told = tenths;
	snprintf(text, sizeof(text),
		tenths ? "counting the space: %d0 %%" : "counting the space", tenths);
	self->tell(self->context, text);
	return AT_OK;
}

static void note(const struct at_enumeration *statistics, struct at_counted *out)
{
	snprintf(out->note, sizeof(out->note),
		"its constraints tie so many values that the space cannot be counted: of %.3g to %.3g configurations %" PRIu64
		" can be searched, of some values of the parameters that are tied together; shorten their lists to choose which",
		fmax(statistics->estimate_low, (double)statistics->valid_least),
		fmax(statistics->estimate_high, (double)statistics->valid_least),
		statistics->valid);
}

enum at_status at_count_space(struct at_counting *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_properties *device,
	bool refuses_empty, struct at_counted *out, struct at_error *err)
{
	const struct at_search_space_options options = { .poll = answer_poll,
		.context = self };
	struct at_enumeration statistics = { 0 };
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));
	enum at_status status;

	*out = (struct at_counted){ 0 };
	at_spec_bind(spec, problem, NULL, device, slots);
	self->begun_ns = at_clock_now_ns();
	self->told = -1;
	status = at_search_space_new_with(
		spec, slots, &options, &out->space, &statistics, err);
	if (self->told >= 0)
		self->tell(self->context, "");
	if (!status && statistics.is_uncounted)
		note(&statistics, out);
	if (!status && refuses_empty && !at_search_space_count(out->space))
		status = at_enumeration_explain_empty(spec, &statistics, slots, err);
	at_enumeration_release(&statistics);
	free(slots);
	return status;
}
