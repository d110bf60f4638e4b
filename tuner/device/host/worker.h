/*
 * One CPU thread's share of a launch: runs whole blocks, one at a time, the
 * threads of a block as fibers.
 *
 * A fiber runs one thread of the block after another until one of them must wait
 * (for a barrier or for its warp); only then is another fiber begun for the
 * threads that have not started. A kernel that never waits is a plain loop.
 *
 *   at_host_worker_open(worker_count, &worker, &err);   on any thread
 *   at_host_worker_run(worker, &launch);                on always the same thread
 *   at_host_worker_close(worker);
 *
 * Where a thread that waits can never go on, or touches memory that is not there, the
 * launch is given up: the text is in launch->failure, and launch->stopped keeps the
 * other workers from going on. at_host_faults_catch() must have been called.
 */
#ifndef AT_DEVICE_HOST_WORKER_H
#define AT_DEVICE_HOST_WORKER_H

#include "base/error.h"
#include "base/outcome.h"
#include "device/host/shared.h"
#include "kernel/host_dialect.h"

#include <stdatomic.h>
#include <stdbool.h>

#define AT_HOST_FAILURE_BYTES 400

/* One launch, shared by all workers. */
struct at_host_launch {
	const struct at_host_kernel *kernel;
	const struct at_host_value *arguments;
	struct at_host_uint3 grid;
	struct at_host_uint3 block;
	/* 0: threads take turns in ascending order; else in one drawn from it */
	uint64_t seed;
	const struct at_host_shared *shared; /* of the image */
	size_t dynamic_bytes; /* of shared memory, beside the variables */
	/* instructions of the image: where shuffled threads may be stopped */
	uint64_t code_first;
	uint64_t code_bytes;
	char *failure; /* of AT_HOST_FAILURE_BYTES; "" unless stopped */

	unsigned thread_count; /* of a block; at most AT_HOST_MAX_THREADS */
	uint64_t block_count;
	uint64_t chunk; /* blocks that a worker takes at a time */
	unsigned worker_count; /* that take them */
	atomic_bool stopped;
	/* of whoever set `stopped` */
	enum at_outcome outcome;
	uint64_t fault_address; /* 0: no access to memory, or one to nobody knows where
				 */
	/* away from what every worker reads for each block */
	_Alignas(64) atomic_uint_fast64_t next_block;
	/* shuffled launches only */
	atomic_uint_fast64_t ended_blocks;
	atomic_uint lingering; /* workers that let the others go ahead */
};

struct at_host_worker;

/*
 * worker_count: how many there will be; they share the number of mappings that a
 * process may have, which guard pages eat up. AT_ENOMEM when no room is left.
 */
enum at_status at_host_worker_open(
	unsigned worker_count, struct at_host_worker **out, struct at_error *err);
void at_host_worker_close(struct at_host_worker *self);

/* Takes blocks until none is left, or the launch is given up. */
void at_host_worker_run(struct at_host_worker *self, struct at_host_launch *launch);
/* For a thread that has run one and ends before the worker is closed. */
void at_host_worker_leave(struct at_host_worker *self);

#endif
