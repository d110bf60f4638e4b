/* The system's clocks. */
#include "base/clock.h"

#include <time.h>

uint64_t at_clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int64_t at_clock_wall_seconds(void)
{
	return (int64_t)time(NULL);
}
