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

#endif
