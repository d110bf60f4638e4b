/*
 * A worker for each core, and launches spread over them. The caller's thread is
 * the first worker.
 *
 *   at_host_pool_open(core_count, &pool, &err);
 *   at_host_pool_wake(pool);            so that none sleeps when the clock starts
 *   at_host_pool_run(pool, &launch);    as often as needed
 *   at_host_pool_close(pool);
 *
 * Threads: one thread owns a pool.
 */
#ifndef AT_DEVICE_HOST_POOL_H
#define AT_DEVICE_HOST_POOL_H

#include "device/host/worker.h"

struct at_host_pool;

enum at_status at_host_pool_open(
	unsigned worker_count, struct at_host_pool **out, struct at_error *err);
void at_host_pool_close(struct at_host_pool *self);

/* Returns when every worker is awake and waits for work without sleeping. */
void at_host_pool_wake(struct at_host_pool *self);

/*
 * Runs all blocks and returns when they are done, or when the launch was given up
 * (launch->stopped, launch->failure). The caller fills in what stands ahead of
 * thread_count; the rest is set here.
 */
void at_host_pool_run(struct at_host_pool *self, struct at_host_launch *launch);

#endif
