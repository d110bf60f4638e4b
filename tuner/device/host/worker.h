/*
 * A worker: one CPU thread's share of a launch. It runs whole blocks, one at a time,
 * and the threads of a block as fibers.
 *
 * A fiber runs one thread of the block after another until one of them has to wait (for
 * a barrier or for its warp); only then another fiber is started for the threads that
 * have not begun. A kernel that never waits is a plain loop.
 *
 *   at_host_worker_open(worker_count, &worker, &err);   on any thread
 *   at_host_worker_run(worker, &launch);                on always the same thread
 *   at_host_worker_close(worker);
 *
 * Where a waiting thread can never go on, or a thread accesses memory that it must not,
 * the launch is given up: launch->failure has the text, and launch->stopped keeps the
 * other workers from going on. at_host_faults_catch() must have been called.
 */
#ifndef AT_DEVICE_HOST_WORKER_H
#define AT_DEVICE_HOST_WORKER_H

#include "base/error.h"
#include "base/outcome.h"
#include "device/device.h"
#include "device/host/image.h"
#include "kernel/host_dialect.h"

#include <stdatomic.h>

/* Size of the text of a failure, with its terminating zero. */
#define AT_HOST_FAILURE_BYTES 400

/* One launch, shared by all workers. */
struct at_host_launch {
	const struct at_host_kernel *kernel;
	const struct at_host_value *arguments;
	struct at_host_uint3 grid;
	struct at_host_uint3 block;
	/* 0: threads take turns in ascending order; else in an order drawn from the
	   seed */
	uint64_t seed;
	const struct at_host_shared *shared; /* of the image */
	/* of dynamic shared memory, in addition to the variables */
	size_t dynamic_bytes;
	/* The image's instructions: only there may a thread of a shuffled launch be
	   stopped. */
	uint64_t code_first;
	uint64_t code_bytes;
	/* whether the workers' processor time is to be known, which costs each of them
	   two system calls */
	bool is_counted;
	/* All blocks are resident at once, each on a worker of its own: there must be
	   as many workers as blocks. */
	bool is_cooperative;
	/* room for AT_HOST_FAILURE_BYTES; "" unless the launch was given up */
	char *failure;
	/* room for AT_UNDEFINED_BYTES: at_device.undefined */
	char *undefined;
	atomic_bool has_undefined; /* a worker has written that text */

	unsigned thread_count; /* in a block; at most AT_HOST_MAX_THREADS */
	uint64_t block_count;
	uint64_t chunk; /* blocks that a worker takes at a time */
	unsigned worker_count; /* how many workers take blocks */
	atomic_bool stopped;
	/* Why the launch was given up, set by the worker that set `stopped`. */
	enum at_outcome outcome;
	uint64_t fault_address; /* 0: not a memory access, or its address is unknown */
	/* On a cache line of its own: it changes all the time, and every worker reads
	   what stands above for each block. */
	_Alignas(64) atomic_uint_fast64_t next_block;
	/* the processor time of the worker that had most of it; 0 unless counted */
	atomic_uint_fast64_t worked_ns;
	/* Shuffled and cooperative launches only. */
	atomic_uint_fast64_t ended_blocks;
	atomic_uint lingering; /* workers that let others go ahead */
	/* blocks that came to a barrier of the grid, counted at each barrier */
	atomic_uint_fast64_t met_blocks;
};

struct at_host_worker;

/*
 * Makes a worker. worker_count: how many there will be; they share the number of
 * mappings that a process may have, which guard pages use up. AT_ENOMEM when there is
 * no memory or no address space. The caller closes the worker.
 */
enum at_status at_host_worker_open(
	unsigned worker_count, struct at_host_worker **out, struct at_error *err);
/* To be called when no thread runs the worker any more; NULL is allowed. */
void at_host_worker_close(struct at_host_worker *self);

/* Takes blocks and runs them until none is left, or the launch is given up. */
void at_host_worker_run(struct at_host_worker *self, struct at_host_launch *launch);
/*
 * To be called on a thread that has run the worker and ends before the worker is
 * closed.
 */
void at_host_worker_leave(struct at_host_worker *self);

#endif
