/*
 * Interrupts a thread at short intervals, so that code that never gives way can be
 * stopped in the middle: a function is called on the stack of whatever runs, and may
 * switch to another fiber.
 *
 *   at_host_tick_begin(&tick);     on the thread
 *   at_host_tick_end(&tick);       on the same one
 *
 * Where the system cannot do that, nothing is called. Threads: each for itself.
 */
#ifndef AT_DEVICE_HOST_TICK_H
#define AT_DEVICE_HOST_TICK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct at_host_tick {
	/* address: of the instruction that was to come next. Async-signal-safe. */
	void (*call)(void *argument, uint64_t address);
	void *argument;
	bool has_timer;
	timer_t timer;
};

void at_host_tick_begin(struct at_host_tick *self);
void at_host_tick_end(struct at_host_tick *self);

/* For a call that is about to switch to another fiber: ticks come again. */
void at_host_tick_leave(void);

/* Processor time of the calling thread; async-signal-safe. */
uint64_t at_host_tick_cpu_ns(void);

#endif
