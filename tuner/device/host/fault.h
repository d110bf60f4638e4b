/*
 * Bad memory accesses of kernels: a SIGSEGV or SIGBUS that is raised while a watched
 * fiber runs leads back to the fiber that waits for it, instead of ending the process.
 *
 *   at_host_faults_catch(&err);            for each user; until at_host_faults_leave()
 *   at_host_fault_arm(stack, bytes);       once on each thread
 *   at_host_fault_watch(&fault);           before fault.home is left
 *   at_fiber_switch(fault.home, &fiber);   returns; fault.caught says why
 *   at_host_fault_watch(NULL);
 *
 * Signals of threads that watch nothing go to the handler that was there before. What
 * the faulting code held (a lock of the C library, say) stays held: after a fault a
 * process should do little more than report it.
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

/* What the bad access was. */
enum at_host_access {
	AT_HOST_ACCESS_UNKNOWN = 0, /* the processor does not say */
	AT_HOST_ACCESS_READ,
	AT_HOST_ACCESS_WRITE,
};

/* A fault of the calling thread, and where it goes on after it. */
struct at_host_fault {
	struct at_fiber *home; /* the fiber that continues after a fault */
	/* the fiber with the fault; it must never be continued */
	struct at_fiber abandoned;
	bool caught;
	enum at_host_access access;
	uint64_t address; /* of the bad access; 0: unknown */
};

/*
 * Sets the handlers. Each successful call needs one of at_host_faults_leave(); the last
 * one restores the handlers that were there before. AT_EUNAVAILABLE: the system
 * refuses.
 */
enum at_status at_host_faults_catch(struct at_error *err);
/* Ends the use that at_host_faults_catch() has begun. */
void at_host_faults_leave(void);

/*
 * Gives the calling thread a stack for signal handlers, unless it has one already:
 * without it, a fault of a kernel that has used up its own stack could not be caught.
 * The stack stays the caller's.
 */
void at_host_fault_arm(void *stack, size_t bytes);
/* Takes that stack away from the calling thread, if it is the one in use. */
void at_host_fault_disarm(const void *stack);

/*
 * Sets where a fault of the calling thread is noted from now on; NULL: it is not
 * caught. *fault must live until then.
 */
void at_host_fault_watch(struct at_host_fault *fault);
/*
 * To be called after a fault was caught on the calling thread: the frames of the
 * handler, which never returns, are forgotten.
 */
void at_host_fault_forget(void);

#endif
