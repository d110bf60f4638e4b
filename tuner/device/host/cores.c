/* Threads on cores of their own; see cores.h. */
/* affinity and sched_getcpu() are Linux's own */
#define _GNU_SOURCE
#include "device/host/cores.h"

#include "base/memory.h"

#include <sched.h>
#include <stdlib.h>

int at_host_core_of_caller(void)
{
	int core = sched_getcpu();

	return core >= 0 ? core : AT_CORE_STAYS;
}

/* Whether a thread runs on the core, or is to move to it. */
static bool is_used(int core, const int *at, const int *to, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (at[i] == core || to[i] == core)
			return true;
	return false;
}

/* Whether an earlier thread runs on the same core. */
static bool shares(const int *at, unsigned which)
{
	for (unsigned i = 0; i < which; i++)
		if (at[i] == at[which] && at[i] != AT_CORE_STAYS)
			return true;
	return false;
}

void at_host_cores_spread(const int *at, unsigned count, const int *allowed,
	unsigned allowed_count, int *to)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = AT_CORE_STAYS;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; shares(at, i) && k < allowed_count; k++)
			if (!is_used(allowed[k], at, to, count)) {
				to[i] = allowed[k];
				break;
			}
}

/* Pins the thread to the core, which moves it there, and then restores its affinity. */
static bool move(pthread_t thread, int core)
{
	cpu_set_t before, one;

	CPU_ZERO(&one);
	CPU_SET((size_t)core, &one);
	return !pthread_getaffinity_np(thread, sizeof(before), &before) &&
	       !pthread_setaffinity_np(thread, sizeof(one), &one) &&
	       !pthread_setaffinity_np(thread, sizeof(before), &before);
}

bool at_host_cores_move(const pthread_t *threads, const int *at, unsigned count)
{
	unsigned core_count = 0, sharing = 0;
	int *cores, *to;
	bool moved = false;
	cpu_set_t allowed;

	for (unsigned i = 0; i < count; i++)
		sharing += shares(at, i);
	if (!sharing)
		return false;
	cores = at_calloc(CPU_SETSIZE + (size_t)count, sizeof(*cores));
	to = cores + CPU_SETSIZE;
	/* best effort: threads that cannot be moved run as well */
	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
		for (int core = 0; core < CPU_SETSIZE; core++)
			if (CPU_ISSET((size_t)core, &allowed))
				cores[core_count++] = core;
		at_host_cores_spread(at, count, cores, core_count, to);
		for (unsigned i = 0; i < count; i++)
			if (to[i] != AT_CORE_STAYS && move(threads[i], to[i]))
				moved = true;
	}
	free(cores);
	return moved;
}

void at_host_cores_try(void)
{
	cpu_set_t own;

	if (!pthread_getaffinity_np(pthread_self(), sizeof(own), &own))
		(void)!pthread_setaffinity_np(pthread_self(), sizeof(own), &own);
}
