/*
 * Builds a search space while the user waits for it: heeds signals, keeps to a limit of
 * time, and tells the progress once it takes longer than a second.
 *
 * Must not know: terminals, processes. Threads: the loop's, which stands still
 * meanwhile.
 */
#ifndef AT_SESSION_COUNTING_H
#define AT_SESSION_COUNTING_H

#include "space/search_space.h"

/* Fill in the first three members, zero the rest. */
struct at_counting {
	/* Told the progress as text, and "" at the end if it told anything; may be
	   NULL. */
	void (*tell)(void *context, const char *text);
	void *context;
	/* After so many seconds the space is not counted further, and only a part of it
	   is searched; 0: only the steps limit it (STEPS_MAX in space/). */
	double seconds;
	/* private */
	uint64_t begun_ns;
	int told; /* the last progress told, in tenths; -1: none yet */
};

/*
 * What at_count_space() makes. The note is one line where only a part of the space can
 * be searched, else "".
 */
struct at_counted {
	struct at_search_space *space; /* the caller frees it; NULL after a failure */
	char note[400];
};

/* Builds the search space of a problem on a device, as at_search_space_new(). With
   refuses_empty a space without configurations is AT_EINVAL with the reason.
   AT_EINTERRUPTED: a signal asked for the end. */
enum at_status at_count_space(struct at_counting *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_properties *device,
	bool refuses_empty, struct at_counted *out, struct at_error *err);

#endif
