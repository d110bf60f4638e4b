/*
 * Threads that work for microseconds at a time, each on a core of its own: the system
 * may wake one on the core of who wakes it, where it waits until that one sleeps, and
 * they stay there for a whole run. Threads: safe.
 */
#ifndef AT_DEVICE_HOST_CORES_H
#define AT_DEVICE_HOST_CORES_H

#include <pthread.h>
#include <stdbool.h>

#define AT_CORE_STAYS (-1)

/* Number of the core that the caller runs on; AT_CORE_STAYS where none is told. */
int at_host_core_of_caller(void);

/*
 * to[count]: the free core that each thread is to move to, or AT_CORE_STAYS. The first
 * of those that share a core stays, and so does who finds no core free. at[count]:
 * where each runs; allowed[allowed_count]: the cores to choose from, rising.
 */
void at_host_cores_spread(const int *at, unsigned count, const int *allowed,
	unsigned allowed_count, int *to);

/*
 * Moves the threads that share a core, as above, to cores that the caller may use.
 * Where each of them may run is afterwards what it was, so that the system can still
 * move it. True when any was moved.
 */
bool at_host_cores_move(const pthread_t *threads, const int *at, unsigned count);

#endif
