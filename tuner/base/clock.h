/* Clocks. Threads: any. */
#ifndef AT_BASE_CLOCK_H
#define AT_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a monotonic clock with an arbitrary origin. */
uint64_t at_clock_now_ns(void);
/* Seconds since 1970-01-01 UTC. */
int64_t at_clock_wall_seconds(void);

#endif
