/*
 * Builds a search space while the user waits for it: heeds signals, and says so once it
 * takes longer than a second.
 *
 * Must not know: terminals, processes. Threads: the loop's, which stands still
 * meanwhile.
 */
#ifndef AT_SESSION_COUNTING_H
#define AT_SESSION_COUNTING_H

#include "space/search_space.h"

/* Fill in the first two members, zero the rest. */
struct at_counting {
	/* Shows a text, and "" at the end if there was one; may be NULL. */
	void (*tell)(void *context, const char *text);
	void *context;
	/* private */
	uint64_t begun_ns;
	bool has_told;
};

/* Builds the search space of a problem on a device, as at_search_space_new(). With
   refuses_empty a space without configurations is AT_EINVAL with the reason.
   AT_EINTERRUPTED: a signal asked for the end. */
enum at_status at_count_space(struct at_counting *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_properties *device,
	bool refuses_empty, struct at_search_space **out, struct at_error *err);

#endif
