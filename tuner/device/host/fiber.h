/*
 * Fibers: stacks that take turns on one thread. Only fiber.c knows how a processor
 * switches stacks.
 *
 *   at_fiber_start(&fiber, stack, bytes, entry, argument);
 *   at_fiber_switch(&here, &fiber);   runs entry(argument) on that stack, until
 *                                     it switches back to &here
 *
 * entry must never return. All fibers of a thread share its signal mask and its
 * floating-point modes. Threads: a fiber stays on the thread that ran it first.
 */
#ifndef AT_DEVICE_HOST_FIBER_H
#define AT_DEVICE_HOST_FIBER_H

#include <stddef.h>

struct at_fiber {
	void *stack_pointer; /* valid while the fiber does not run */
	/* Its lowest byte; may be unknown for a thread's original stack. */
	void *stack;
	size_t stack_bytes;
};

/* Prepares a new fiber. The caller still owns the stack, whose highest bytes are
   written. A fiber needs no release: a waiting fiber can simply be abandoned. */
void at_fiber_start(struct at_fiber *self, void *stack, size_t bytes,
	void (*entry)(void *), void *argument);

/* To be called before a stack with a waiting fiber is freed: AddressSanitizer must not
   take later contents for the fiber's frames. */
void at_fiber_forget(void *stack, size_t bytes);

/* Leaves the running fiber, saved in *from, and continues with *to. Returns when
   another fiber switches back to *from. */
void at_fiber_switch(struct at_fiber *from, struct at_fiber *to);

#endif
