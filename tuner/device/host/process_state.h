/*
 * What a kernel can change of the process it runs in, and leave so for whoever comes
 * behind it: threads that go on, descriptors, signals, limits, rights, folders.
 *
 *   at_process_state_note(&before);
 *   ...                                     kernels
 *   at_process_state_note(&after);
 *   at_process_state_differs(&before, &after)      names the first that is another one
 *
 * What is told is no proof: memory is not looked at, nor are signals that the C library
 * keeps for itself. Costs about sixty calls of the system; what cannot be asked for
 * counts as unchanged.
 *
 * Threads: of the calling one, and of the process.
 */
#ifndef AT_DEVICE_HOST_PROCESS_STATE_H
#define AT_DEVICE_HOST_PROCESS_STATE_H

#include "base/hash.h"

#include <stdint.h>

struct at_process_state {
	uint64_t thread_count; /* 0: not told */
	int lowest_descriptor; /* that is free */
	struct at_hash signals; /* handlers, mask, timers */
	struct at_hash limits; /* of resources, and who gets the processor */
	struct at_hash rights; /* user, groups, mask of new files */
	struct at_hash folders; /* the working one and the root */
	struct at_hash surroundings; /* environment and locale */
};

void at_process_state_note(struct at_process_state *out);
/* The first difference, "its threads"; NULL: none is seen. */
const char *at_process_state_differs(
	const struct at_process_state *before, const struct at_process_state *after);

#endif
