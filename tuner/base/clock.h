/* Clocks. Threads: any. */
#ifndef AT_BASE_CLOCK_H
#define AT_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a monotonic clock with an arbitrary origin. */
uint64_t at_clock_now_ns(void);
/* Processor time of the calling thread in nanoseconds. A system call. */
uint64_t at_clock_thread_ns(void);
/* Seconds since 1970-01-01 UTC. */
int64_t at_clock_wall_seconds(void);
/*
 * The latest plausible time of a record when the clock says `now`: a day later, since
 * clocks differ. A later record was written while a clock was ahead. INT64_MAX if this
 * clock must be wrong, as on a board without a battery (1970): then any time is
 * plausible.
 */
int64_t at_clock_latest_seconds(int64_t now_seconds);

#endif
