/*
 * Making a search space while others wait for it: signals are heard, a budget of time
 * is kept, and whoever watches is told once it takes longer than a second.
 *
 * Must not know: terminals, processes. Threads: the loop's, which stands still
 * meanwhile.
 */
#ifndef AT_SESSION_COUNTING_H
#define AT_SESSION_COUNTING_H

#include "space/search_space.h"

struct at_counting {
	/* text: "" at last, where there was another; may be NULL */
	void (*tell)(void *context, const char *text);
	void *context;
	/* what is not counted by then is searched in part; 0: see STEPS_MAX */
	double seconds;
	/* private */
	uint64_t begun_ns;
	int told; /* tenths; -1: nothing yet */
};

/*
 * As at_search_space_new() of a problem on a device, and an empty space is AT_EINVAL
 * with the reason where `refuses_empty`. AT_EINTERRUPTED: a signal asked for the end.
 * *note is one line where only a part can be searched, else "".
 */
struct at_counted {
	struct at_search_space *space; /* the caller's */
	char note[400];
};

enum at_status at_count_space(struct at_counting *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_properties *device,
	bool refuses_empty, struct at_counted *out, struct at_error *err);

#endif
