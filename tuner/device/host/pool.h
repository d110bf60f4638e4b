/*
 * A worker (worker.h) for each core, and launches whose blocks are spread over them.
 * The thread that uses the pool is the first worker.
 *
 *   at_host_pool_open(core_count, &pool, &err);
 *   at_host_pool_wake(pool);            no worker sleeps when the clock starts
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

/* Starts worker_count - 1 threads. AT_ENOMEM; AT_EUNAVAILABLE: no thread or no fault
   handler is available. The caller closes the pool. */
enum at_status at_host_pool_open(
	unsigned worker_count, struct at_host_pool **out, struct at_error *err);
/* Ends the threads and frees the pool; NULL is allowed. */
void at_host_pool_close(struct at_host_pool *self);

/* Returns when every worker is awake and spinning, each on its own core if there are
   enough. */
void at_host_pool_wake(struct at_host_pool *self);

/*
 * Runs all blocks, and returns when they are done or the launch was abandoned
 * (launch->stopped, launch->failure). The caller fills in the members of *launch before
 * thread_count; the pool sets the others.
 */
void at_host_pool_run(struct at_host_pool *self, struct at_host_launch *launch);

/* Instead of a core: the thread is not moved, or its core is unknown. */
#define AT_CORE_STAYS (-1)

/*
 * Decides which threads move to a core of their own. The system may wake a thread on
 * the core of its waker, where it waits until the waker sleeps; without help the two
 * can stay there for a whole run. at[count]: the present core of each thread.
 * allowed[allowed_count]: the available cores, ascending. to[count]: receives the free
 * core for each thread, or AT_CORE_STAYS. Of the threads that share a core the first
 * stays; the others stay too if no core is free.
 */
void at_host_cores_spread(const int *at, unsigned count, const int *allowed,
	unsigned allowed_count, int *to);
/*
 * Moves threads, as decided above, to cores that the caller may use. Restores their
 * affinity afterwards, so that the system can still move them. True if any thread was
 * moved. Best effort: a thread that cannot be moved stays.
 */
bool at_host_cores_move(const pthread_t *threads, const int *at, unsigned count);

#endif
