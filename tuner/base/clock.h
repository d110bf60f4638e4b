/* Clocks. Threads: any. */
#ifndef AT_BASE_CLOCK_H
#define AT_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a monotonic clock with an arbitrary origin. */
uint64_t at_clock_now_ns(void);
/* Nanoseconds of processor time that the calling thread has had. A system call. */
uint64_t at_clock_thread_ns(void);
/* Seconds since 1970-01-01 UTC. */
int64_t at_clock_wall_seconds(void);
/*
 * The latest time that something already recorded can have, where the clock says `now`:
 * a day later, since clocks differ. What says more was recorded while a clock was
 * ahead. INT64_MAX where it is this clock that must be wrong, as on a board without a
 * battery (1970): then nothing can be said of others.
 */
int64_t at_clock_latest_seconds(int64_t now_seconds);

#endif
