/* The system's clocks. */
#include "base/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t at_clock_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t at_clock_thread_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int64_t at_clock_wall_seconds(void)
{
	return (int64_t)time(NULL);
}

/* 2026-01-01: this program is newer */
#define FIRST_SECONDS INT64_C(1767225600)
#define DAY_SECONDS 86400

int64_t at_clock_latest_seconds(int64_t now_seconds)
{
	return now_seconds < FIRST_SECONDS ? INT64_MAX : now_seconds + DAY_SECONDS;
}
