/*
 * What a kernel can change in the process that it runs in, and leave changed for the
 * next configuration: threads that go on, descriptors, signals, limits, rights,
 * folders.
 *
 *   at_process_state_note(&before);
 *   ...                                     kernels
 *   at_process_state_note(&after);
 *   at_process_state_differs(&before, &after)      names the first difference
 *
 * No difference is no proof that nothing was changed: memory is not looked at, nor are
 * the signals that the C library keeps for itself. A note costs about sixty system
 * calls; what cannot be read counts as unchanged.
 *
 * Threads: notes the state of the calling thread and of the process.
 */
#ifndef AT_DEVICE_HOST_PROCESS_STATE_H
#define AT_DEVICE_HOST_PROCESS_STATE_H

#include "base/hash.h"

#include <stdint.h>

struct at_process_state {
	uint64_t thread_count; /* 0: not known */
	int lowest_descriptor; /* that is free: the one that a file would get */
	struct at_hash signals; /* handlers, mask, timers */
	struct at_hash limits; /* limits of resources, priority, scheduling, affinity */
	struct at_hash rights; /* user, groups, capabilities, umask */
	struct at_hash folders; /* the working folder and the root */
	struct at_hash surroundings; /* environment and locale */
};

/* Notes the state as it is now; never fails. */
void at_process_state_note(struct at_process_state *out);
/* Names the first difference, as "its threads"; NULL: none was found. */
const char *at_process_state_differs(
	const struct at_process_state *before, const struct at_process_state *after);

/* Puts rounding mode and floating-point exceptions of the calling thread back, and the
   handling of very small numbers. To be called before and after each launch. */
void at_process_restore_arithmetic(void);

#endif
