/*
 * What a kernel can change in its process, and leave changed for the next
 * configuration: running threads, descriptors, signals, limits, rights, folders.
 *
 *   at_process_state_note(&before);
 *   ...                                     kernels
 *   at_process_state_note(&after);
 *   at_process_state_differs(&before, &after)
 *
 * Equal states do not prove that nothing changed: memory is not compared, nor are the
 * signals reserved for the C library. A note costs about sixty system calls; what
 * cannot be read counts as unchanged.
 *
 * Threads: notes the state of the calling thread and of the process.
 */
#ifndef AT_DEVICE_HOST_PROCESS_STATE_H
#define AT_DEVICE_HOST_PROCESS_STATE_H

#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>

struct at_process_state {
	uint64_t thread_count; /* 0: unknown */
	/* The lowest free descriptor; handlers, mask and timers of signals; limits,
	   priority, scheduling, affinity; user, groups, capabilities, umask; working
	   folder and root; environment and locale. */
	struct at_hash rest;
};

/* Records the present state; never fails. */
void at_process_state_note(struct at_process_state *out);
bool at_process_state_differs(
	const struct at_process_state *before, const struct at_process_state *after);

/* Restores rounding mode, floating-point exceptions and the handling of very small
   numbers of the calling thread. To be called before and after each launch. */
void at_process_restore_arithmetic(void);

#endif
