/*
 * Fibers: stacks that take turns on one thread. The only place that knows how a
 * processor switches stacks.
 *
 *   at_fiber_start(&fiber, stack, bytes, entry, argument);
 *   at_fiber_switch(&here, &fiber);   runs entry(argument) on that stack, until
 *                                     it switches back to &here
 *
 * entry must never return. Signal masks and floating-point modes are shared by
 * all fibers of a thread. Threads: a fiber stays on the thread that ran it first.
 */
#ifndef AT_DEVICE_HOST_FIBER_H
#define AT_DEVICE_HOST_FIBER_H

#include <stddef.h>

struct at_fiber {
	void *stack_pointer; /* while it does not run */
	void *stack; /* lowest byte; of a thread's own stack as far as it is known */
	size_t stack_bytes;
};

/*
 * Prepares a fiber that has not run. The stack stays the caller's; its highest
 * bytes are written. Nothing is to be released: a fiber that waits is dropped by
 * forgetting it.
 */
void at_fiber_start(struct at_fiber *self, void *stack, size_t bytes,
	void (*entry)(void *), void *argument);

/*
 * For a stack whose memory is to be given back while a fiber waits on it: tools that
 * watch stacks must not take what lies there next for its frames.
 */
void at_fiber_forget(void *stack, size_t bytes);

/* Leaves `from`, which is what runs now, and goes on with `to`. */
void at_fiber_switch(struct at_fiber *from, struct at_fiber *to);

#endif
