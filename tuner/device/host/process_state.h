/*
 * What a kernel can change in the process that it runs in, and leave changed for the
 * next configuration: threads that go on, descriptors, signals, limits, rights,
 * folders.
 *
 *   at_process_state_note(&before);
 *   ...                                     kernels
 *   at_process_state_note(&after);
 *   at_process_state_differs(&before, &after)
 *
 * No difference is no verification that nothing was changed: memory is not looked at,
 * nor are the signals that the C library keeps for itself. A note costs about sixty
 * system calls; what cannot be read counts as unchanged.
 *
 * Threads: notes the state of the calling thread and of the process.
 */
#ifndef AT_DEVICE_HOST_PROCESS_STATE_H
#define AT_DEVICE_HOST_PROCESS_STATE_H

#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>

struct at_process_state {
	uint64_t thread_count; /* 0: not known */
	/* The lowest descriptor that is free; handlers, mask and timers of signals;
	   limits, priority, scheduling, affinity; user, groups, capabilities, umask;
	   working folder and root; environment and locale. */
	struct at_hash rest;
};

/* Notes the state as it is now; never fails. */
void at_process_state_note(struct at_process_state *out);
bool at_process_state_differs(
	const struct at_process_state *before, const struct at_process_state *after);

/* Puts rounding mode and floating-point exceptions of the calling thread back, and the
   handling of very small numbers. To be called before and after each launch. */
void at_process_restore_arithmetic(void);

#endif
