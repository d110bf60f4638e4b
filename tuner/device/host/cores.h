/*
 * Gives each of some threads that work for microseconds at a time a core of its own.
 * The system may wake a thread on the core of the thread that woke it, where it waits
 * until that one sleeps; without help the two can stay there for a whole run.
 * Threads: safe.
 */
#ifndef AT_DEVICE_HOST_CORES_H
#define AT_DEVICE_HOST_CORES_H

#include <pthread.h>
#include <stdbool.h>

/* In place of a core: the thread is not moved, or its core is not known. */
#define AT_CORE_STAYS (-1)

/*
 * The number of the core that the caller runs on; AT_CORE_STAYS where it is not known.
 */
int at_host_core_of_caller(void);

/*
 * Decides which threads move. at[count]: the core that each thread runs on.
 * allowed[allowed_count]: the cores to choose from, ascending. to[count]: receives the
 * free core that each thread is to move to, or AT_CORE_STAYS. Of the threads that share
 * a core the first stays; the others stay too where no core is free.
 */
void at_host_cores_spread(const int *at, unsigned count, const int *allowed,
	unsigned allowed_count, int *to);

/*
 * Moves threads that share a core, as decided above, to cores that the caller may use.
 * Their affinity is afterwards what it was, so that the system can still move them.
 * True when any thread was moved. Best effort: a thread that cannot be moved stays.
 */
bool at_host_cores_move(const pthread_t *threads, const int *at, unsigned count);
/*
 * Makes the calls of at_host_cores_move() once, without moving the caller. Whether they
 * are made later depends on where threads happen to run: where a filter ends whoever
 * makes them, a process ends here, and not while it measures one configuration of many.
 */
void at_host_cores_try(void);

#endif
