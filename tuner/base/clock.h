/* Clocks. Threads: safe from any. */
#ifndef AT_BASE_CLOCK_H
#define AT_BASE_CLOCK_H

#include <stdint.h>

/* Monotonic, from an arbitrary start. */
uint64_t at_clock_now_ns(void);
/* Seconds since 1970-01-01 UTC. */
int64_t at_clock_wall_seconds(void);

#endif
