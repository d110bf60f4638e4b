/*
 * Bad memory accesses of kernels: a SIGSEGV or SIGBUS in a watched fiber returns to the
 * fiber that waits for it, instead of ending the process.
 *
 *   at_host_faults_catch(&err);            for each user; until at_host_faults_leave()
 *   at_host_fault_arm(stack, bytes);       once on each thread
 *   at_host_fault_watch(&fault);           before fault.home is left
 *   at_fiber_switch(fault.home, &fiber);   returns; fault.caught says why
 *   at_host_fault_watch(NULL);
 *
 * Signals on unwatched threads go to the previous handler. Resources of the faulting
 * code (a lock of the C library, say) stay held: after a fault a process should do
 * little more than report it.
 *
 * Threads: each thread watches for itself; catch and leave may be called on any.
 */
#ifndef AT_DEVICE_HOST_FAULT_H
#define AT_DEVICE_HOST_FAULT_H

#include "base/error.h"
#include "device/host/fiber.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of the bad access. */
enum at_host_access {
	AT_HOST_ACCESS_UNKNOWN = 0, /* the processor does not report it */
	AT_HOST_ACCESS_READ,
	AT_HOST_ACCESS_WRITE,
};

/* A fault of the calling thread, and where execution continues. */
struct at_host_fault {
	struct at_fiber *home; /* the fiber that continues after a fault */
	/* the faulting fiber; it must never continue */
	struct at_fiber abandoned;
	bool caught;
	enum at_host_access access;
	uint64_t address; /* of the bad access; 0: unknown */
};

/* Sets the handlers. Each successful call needs one of at_host_faults_leave(); the last
   one restores the previous handlers. AT_EUNAVAILABLE: the system refuses. */
enum at_status at_host_faults_catch(struct at_error *err);
/* Ends one use of at_host_faults_catch(). */
void at_host_faults_leave(void);

/* Gives the calling thread a stack for signal handlers, unless it has one: otherwise a
   stack overflow of a kernel could not be caught. The caller keeps the stack. */
void at_host_fault_arm(void *stack, size_t bytes);
/* Takes that stack away from the calling thread, if it is the one in use. */
void at_host_fault_disarm(const void *stack);

/* Sets where faults of the calling thread are recorded; NULL: they are not caught.
 *fault must live until the next call. */
void at_host_fault_watch(struct at_host_fault *fault);
/* To be called after a fault was caught on the calling thread: tells AddressSanitizer
   to forget the frames of the handler, which never returns. */
void at_host_fault_forget(void);

#endif
