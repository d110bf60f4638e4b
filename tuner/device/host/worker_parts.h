/*
 * A worker of device `host`, as its files share it: worker.c runs the threads of a
 * block, worker_blocks.c says which block is next, worker_zones.c has its shared
 * memory, worker_failure.c the words for a launch that was given up, worker_region.c
 * the address space of all this. worker.c may use the others. Nobody else includes
 * this.
 */
#ifndef AT_DEVICE_HOST_WORKER_PARTS_H
#define AT_DEVICE_HOST_WORKER_PARTS_H

#include "device/host/worker.h"

#include "base/random.h"
#include "device/host/fault.h"
#include "device/host/fiber.h"
#include "device/host/tick.h"

#define THREADS AT_HOST_MAX_THREADS
#define LANES AT_HOST_WARP_SIZE
#define WARPS (THREADS / LANES)

/*
 * A region: the worker, the stack of signal handlers, shared memory of variables,
 * dynamic shared memory, the stacks of fibers; and between them pages that nobody may
 * touch. Both kinds of shared memory end at the end of their last page, but for what
 * their alignment takes, so that a kernel that goes on behind them is caught in every
 * launch, at no cost.
 */
#define HANDLER_OFFSET ((uintptr_t)512 << 10)
#define STATIC_END ((uintptr_t)2 << 20)
#define STATIC_OFFSET (STATIC_END - ((uintptr_t)1 << AT_HOST_DYNAMIC_SHIFT))
#define DYNAMIC_END ((uintptr_t)3 << 20)
/* in whole pages, whatever their size: up to 64 KiB */
#define DYNAMIC_OFFSET \
	(DYNAMIC_END - (AT_HOST_DYNAMIC_SHARED_BYTES + 0xffff) / 0x10000 * 0x10000)
#define STACKS_OFFSET ((uintptr_t)4 << 20)
/* The frame that the system makes for a handler has all vector registers: 11 KiB on
   the largest processors. */
#define HANDLER_BYTES ((size_t)64 << 10)

/* A fiber and, while it waits, the thread that it runs. */
struct slot {
	struct at_fiber fiber;
	struct at_host_uint3 thread;
	unsigned linear_thread;
	bool mapped; /* its stack may be used */
	bool started; /* it waits somewhere, at least for its first thread */
};

/* What lanes of a warp that wait there have brought and will be given. */
struct warp {
	uint32_t waiting; /* a bit a lane */
	uint32_t mask[LANES];
	uint64_t value[LANES];
	uint64_t result[LANES];
	uint16_t slot[LANES];
	uint8_t source[LANES];
	uint8_t operation[LANES];
};

struct at_host_worker {
	/* first: kernels find it at the bottom of the region of their stacks */
	struct at_host_context context;
	struct at_host_launch *launch;
	struct at_fiber home; /* whoever called at_host_worker_run() */
	uint64_t block; /* that runs, and the end of the chunk it is from */
	uint64_t block_end;
	uint16_t current; /* the slot that runs */
	bool is_shuffled; /* the launch */
	bool armed; /* signals of the thread that runs this have a stack */

	/* slots without a thread, last in first out: warm stacks first */
	uint16_t idle[THREADS];
	unsigned idle_count;
	/* slots whose threads wait at the block's barrier */
	uint16_t waiting[THREADS];
	unsigned waiting_count;
	unsigned predicates; /* not 0, among those that wait */
	unsigned released_predicates; /* the same of the barrier passed last */
	unsigned warp_waiting_count;
	/* slots whose threads may go on: a ring, first in first out */
	uint16_t ready[THREADS];
	unsigned ready_first;
	unsigned ready_count;

	unsigned guard_count;
	size_t slot_bytes;
	size_t page_bytes;
	struct slot slots[THREADS];
	struct warp warps[WARPS];
	struct at_host_watch watch;

	/* shuffled launches only */
	uint16_t start_order[THREADS];
	bool is_filled; /* shared memory, with garbage that is to be looked at */
	bool has_block; /* one of the launch was taken */
	/* of the block: at the last of them others go ahead */
	uint64_t turns_to_linger;
	struct at_random random; /* of the block */
	/* slots whose threads were stopped because they did not give way: a ring as
	   well; they go on when no other one can */
	uint16_t patient[THREADS];
	unsigned patient_first;
	unsigned patient_count;
	bool is_patient; /* the current one comes from there */
	struct at_host_tick tick;
	uint64_t turn_count; /* of switches and starts */
	uint64_t tick_turn; /* turn_count and processor time when a tick first saw it */
	uint64_t tick_cpu_ns;
};

_Static_assert(sizeof(struct at_host_worker) < HANDLER_OFFSET &&
		       HANDLER_OFFSET + HANDLER_BYTES < STATIC_OFFSET &&
		       STATIC_END < DYNAMIC_OFFSET && DYNAMIC_END < STACKS_OFFSET,
	"pages that nobody may touch lie between the parts of a region");

/* ---- worker_region.c */

/* A worker that is all zero but for the sizes of its stacks. AT_ENOMEM. */
enum at_status worker_region_make(
	unsigned worker_count, struct at_host_worker **out, struct at_error *err);
void worker_region_free(struct at_host_worker *self);
/* Where the slot's part of the region begins: with its guard page, if it has one. */
char *worker_stack(const struct at_host_worker *self, unsigned slot);
/* Lets the slot's stack be used: its bytes, which end where the slot's part does; 0: no
   memory, see errno. */
size_t worker_map_stack(struct at_host_worker *self, unsigned slot);

/* ---- worker_failure.c */

/* Ends the launch with an outcome and words for it; the first worker to find out has
   the word. */
void worker_give_up(struct at_host_worker *self, enum at_outcome outcome,
	void (*describe)(struct at_host_worker *));
void worker_describe_deadlock(struct at_host_worker *self);
void worker_describe_no_stack(struct at_host_worker *self); /* reads errno */
/* May say that the outcome is another one: AT_OUTCOME_OUT_OF_BOUNDS. */
void worker_describe_fault(struct at_host_worker *self);

/* ---- worker_blocks.c */

/* Goes on to the next block of the launch; false: there is none, or it was given up. */
bool worker_next_block(struct at_host_worker *self);

/*
 * Of a shuffled launch, where the threads of a block give way to each other: now and
 * then all of them stay where they are until other blocks have ended.
 */
void worker_pass_turn(struct at_host_worker *self);

/* ---- worker_zones.c */

/* Where variables begin, and dynamic shared memory, in a launch. */
size_t worker_static_offset(const struct at_host_launch *launch);
size_t worker_dynamic_offset(const struct at_host_launch *launch);
/* A byte that a kernel must not count on: another one in each block, with each seed. */
unsigned char worker_leftover(const struct at_host_worker *self, uint64_t shift);
/*
 * Ahead of a block of a shuffled launch. Reads outside of a variable find garbage as
 * well, another one in each block and with each seed.
 */
void worker_fill_shared(struct at_host_worker *self);
/*
 * Behind a block of a shuffled launch: no zone has been written to. Not seen: a write
 * of the canary's own byte (in the next block it is another one), a write farther than
 * a zone reaches that ends in another variable, and a write that goes from one element
 * of an array of arrays, or from one member of a structure, to the next.
 */
bool worker_zones_are_whole(const struct at_host_worker *self);
/* The one that is not, as the launch's failure. */
void worker_describe_zone(struct at_host_worker *self);

#endif
