/*
 * Bad memory accesses of kernels: SIGSEGV and SIGBUS that are raised while a watched
 * fiber runs lead back to the fiber that waits for it, instead of ending the process.
 *
 *   at_host_faults_catch(&err);            once a device; until at_host_faults_leave()
 *   at_host_fault_arm(stack, bytes);       once a thread
 *   at_host_fault_watch(&watch);           watch.home is about to be left
 *   at_fiber_switch(watch.home, &fiber);   returns; watch.caught tells why
 *   at_host_fault_watch(NULL);
 *
 * Signals of threads that watch nothing go to whoever had them before.
 * What the faulting code held (a lock of the C library's) stays as it was: after a
 * fault a process should do little more than tell of it.
 *
 * Threads: each watches for itself; catch and leave from any.
 */
#ifndef AT_DEVICE_HOST_FAULT_H
#define AT_DEVICE_HOST_FAULT_H

#include "base/error.h"
#include "device/host/fiber.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum at_host_access {
	AT_HOST_ACCESS_UNKNOWN = 0, /* the processor does not tell */
	AT_HOST_ACCESS_READ,
	AT_HOST_ACCESS_WRITE,
};

struct at_host_watch {
	struct at_fiber *home; /* who goes on after a fault */
	struct at_fiber abandoned; /* where the fault was; never to go on */
	bool caught;
	enum at_host_access access;
	uint64_t address; /* 0: unknown */
};

/* AT_EUNAVAILABLE: the system refuses handlers. */
enum at_status at_host_faults_catch(struct at_error *err);
void at_host_faults_leave(void);

/*
 * Gives the calling thread a stack for handlers, unless it has one already: a kernel
 * whose own stack is used up could not be caught otherwise.
 */
void at_host_fault_arm(void *stack, size_t bytes);
/* Takes the stack away from the calling thread, where it is that one. */
void at_host_fault_disarm(const void *stack);

/* Of the calling thread from now on; NULL: none. */
void at_host_fault_watch(struct at_host_watch *watch);
/* After a fault was caught on the calling thread. */
void at_host_fault_forget(void);

#endif
