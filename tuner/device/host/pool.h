/*
 * A worker (worker.h) for each core, and launches whose blocks are spread over them.
 * The thread that uses the pool is the first worker.
 *
 *   at_host_pool_open(core_count, &pool, &err);
 *   at_host_pool_wake(pool);            so that none sleeps when the clock starts
 *   at_host_pool_run(pool, &launch);    as often as needed
 *   at_host_pool_close(pool);
 *
 * Threads: one thread uses a pool.
 */
#ifndef AT_DEVICE_HOST_POOL_H
#define AT_DEVICE_HOST_POOL_H

#include "device/host/worker.h"

#include <pthread.h>

struct at_host_pool;

/*
 * Starts worker_count - 1 threads. AT_ENOMEM; AT_EUNAVAILABLE: no thread, or no handler
 * for faults, can be had. The caller closes the pool.
 */
enum at_status at_host_pool_open(
	unsigned worker_count, struct at_host_pool **out, struct at_error *err);
/* Ends the threads and frees the pool; NULL is allowed. */
void at_host_pool_close(struct at_host_pool *self);

/*
 * Returns when every worker is awake, each on a core of its own where there are enough,
 * and looks for work without sleeping.
 */
void at_host_pool_wake(struct at_host_pool *self);

/*
 * Runs all blocks, and returns when they are done or the launch was given up
 * (launch->stopped, launch->failure). The caller fills in the members of *launch that
 * stand ahead of thread_count; the others are set here.
 */
void at_host_pool_run(struct at_host_pool *self, struct at_host_launch *launch);

/* In place of a core: the thread is not moved, or its core is not known. */
#define AT_CORE_STAYS (-1)

/*
 * Decides which threads move, each to a core of its own. The system may wake a thread
 * on the core of the thread that woke it, where it waits until that one sleeps; without
 * help the two can stay there for a whole run. at[count]: the core that each thread
 * runs on. allowed[allowed_count]: the cores to choose from, ascending. to[count]:
 * receives the free core that each thread is to move to, or AT_CORE_STAYS. Of the
 * threads that share a core the first stays; the others stay too where no core is free.
 */
void at_host_cores_spread(const int *at, unsigned count, const int *allowed,
	unsigned allowed_count, int *to);
/*
 * Moves threads, as decided above, to cores that the caller may use. Their affinity is
 * afterwards what it was, so that the system can still move them. True when any thread
 * was moved. Best effort: a thread that cannot be moved stays.
 */
bool at_host_cores_move(const pthread_t *threads, const int *at, unsigned count);

#endif
