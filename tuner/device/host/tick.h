/*
 * Interrupts a thread at short intervals, so that code which never gives way can be
 * stopped in the middle: a function is called on the stack of whatever runs, and may
 * switch to another fiber.
 *
 *   at_host_tick_begin(&tick);     on the thread
 *   at_host_tick_end(&tick);       on the same thread
 *
 * Where the system cannot do that, the function is never called.
 * Threads: each thread has a tick of its own.
 */
#ifndef AT_DEVICE_HOST_TICK_H
#define AT_DEVICE_HOST_TICK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct at_host_tick {
	/* Called at each tick; address is that of the instruction that would run next.
	   Must be async-signal-safe. */
	void (*call)(void *argument, uint64_t address);
	void *argument;
	bool has_timer;
	timer_t timer;
};

/* Starts the ticks of the calling thread: call(argument, address) from now on. */
void at_host_tick_begin(struct at_host_tick *self);
/* Ends them. */
void at_host_tick_end(struct at_host_tick *self);

/*
 * To be called in a tick before it switches to another fiber, so that ticks go on
 * there.
 */
void at_host_tick_leave(void);

/* Processor time of the calling thread, in ns; async-signal-safe. */
uint64_t at_host_tick_cpu_ns(void);

#endif
