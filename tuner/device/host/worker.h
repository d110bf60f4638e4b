/*
 * A worker: one CPU thread's share of a launch. It runs whole blocks, one at a time,
 * and the threads of a block as fibers.
 *
 * A fiber runs one thread of the block after another until one of them must wait (for a
 * barrier or for its warp); only then another fiber starts the remaining threads. A
 * kernel that never waits is a plain loop.
 *
 *   at_host_worker_open(worker_count, &worker, &err);   on any thread
 *   at_host_worker_run(worker, &launch);                always on the same thread
 *   at_host_worker_close(worker);
 *
 * If a waiting thread can never continue, or a thread makes an invalid access, the
 * launch is abandoned: launch->failure has the text, and launch->stopped stops the
 * other workers. at_host_faults_catch() must have been called.
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
	/* The image's instructions: a thread of a shuffled launch may be stopped only
	   there. */
	uint64_t code_first;
	uint64_t code_bytes;
	/* whether to measure the workers' processor time, which costs each of them two
	   system calls */
	bool is_counted;
	/* All blocks are resident at once, each on its own worker: there must be at
	   least as many workers as blocks. */
	bool is_cooperative;
	/* room for AT_HOST_FAILURE_BYTES; "" unless the launch was abandoned */
	char *failure;
	/* room for AT_UNDEFINED_BYTES: at_device.undefined */
	char *undefined;
	atomic_bool has_undefined; /* a worker has written that text */

	unsigned thread_count; /* per block; at most AT_HOST_MAX_THREADS */
	uint64_t block_count;
	uint64_t chunk; /* blocks that a worker takes at a time */
	unsigned worker_count; /* workers that take blocks */
	atomic_bool stopped;
	/* Why the launch was abandoned, set by the worker that set `stopped`. */
	enum at_outcome outcome;
	uint64_t fault_address; /* 0: not a memory access, or unknown */
	/* On its own cache line: it changes constantly, and every worker reads the
	   members above for each block. */
	_Alignas(64) atomic_uint_fast64_t next_block;
	/* the maximum processor time of a worker; 0 unless is_counted */
	atomic_uint_fast64_t worked_ns;
	/* Shuffled and cooperative launches only. */
	atomic_uint_fast64_t ended_blocks;
	atomic_uint lingering; /* workers that let others go first */
	/* arrivals of blocks at grid barriers */
	atomic_uint_fast64_t met_blocks;
};

struct at_host_worker;

/*
 * Makes a worker. worker_count: the number of workers; they share the process's limit
 * of mappings, which guard pages use up. AT_ENOMEM: no memory or no address space. The
 * caller closes the worker.
 */
enum at_status at_host_worker_open(
	unsigned worker_count, struct at_host_worker **out, struct at_error *err);
/* To be called when no thread runs the worker; NULL is allowed. */
void at_host_worker_close(struct at_host_worker *self);

/* Takes and runs blocks until none is left, or the launch is abandoned. */
void at_host_worker_run(struct at_host_worker *self, struct at_host_launch *launch);
/* To be called on a thread that has run the worker and ends before the worker
   closes. */
void at_host_worker_leave(struct at_host_worker *self);

#endif
