/*
 * Builds a search space while the user waits: heeds signals, and shows a text if it
 * takes longer than a second.
 *
 * Must not know: terminals, processes. Threads: the loop's, which it blocks.
 */
#ifndef AT_SESSION_COUNTING_H
#define AT_SESSION_COUNTING_H

#include "space/search_space.h"

/* Set the first two members, zero the rest. */
struct at_counting {
	/* Shows a text, and later "" to remove it; may be NULL. */
	void (*tell)(void *context, const char *text);
	void *context;
	/* private */
	uint64_t begun_ns;
	bool has_told;
};

/* Builds the search space of a problem on a device, as at_search_space_new(). With
   refuses_empty, an empty space is AT_EINVAL with the reason. AT_EINTERRUPTED: a signal
   came. */
enum at_status at_count_space(struct at_counting *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_properties *device,
	bool refuses_empty, struct at_search_space **out, struct at_error *err);

#endif
