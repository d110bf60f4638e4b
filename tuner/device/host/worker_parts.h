/*
 * A worker of device `host`, as its files share it. worker.c runs the threads of a
 * block, worker_blocks.c decides which block is next, worker_zones.c looks after shared
 * memory, worker_failure.c writes the texts for a launch that was given up,
 * worker_region.c makes the address space of a worker. worker.c may call the others. No
 * other file includes this.
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
 * A region is laid out as: the worker, the stack of signal handlers, shared memory of
 * variables, dynamic shared memory, the stacks of fibers; unmapped pages lie between
 * them. Each kind of shared memory is placed at the end of its pages, as far as its
 * alignment allows, so that a kernel that goes beyond the end is caught in every
 * launch, at no cost.
 */
#define HANDLER_OFFSET ((uintptr_t)512 << 10)
#define STATIC_END ((uintptr_t)2 << 20)
#define STATIC_OFFSET (STATIC_END - ((uintptr_t)1 << AT_HOST_DYNAMIC_SHIFT))
#define DYNAMIC_END ((uintptr_t)3 << 20)
/* in whole pages whatever the size of a page is (up to 64 KiB) */
#define DYNAMIC_OFFSET \
	(DYNAMIC_END - (AT_HOST_DYNAMIC_SHARED_BYTES + 0xffff) / 0x10000 * 0x10000)
#define STACKS_OFFSET ((uintptr_t)4 << 20)
/*
 * The frame that the system pushes for a handler has all vector registers: 11 KiB on
 * the processors with the largest ones.
 */
#define HANDLER_BYTES ((size_t)64 << 10)

/* A fiber with its stack and, while the fiber waits, the thread that it runs. */
struct slot {
	struct at_fiber fiber;
	struct at_host_uint3 thread;
	unsigned linear_thread;
	bool mapped; /* its stack is mapped */
	bool started; /* the fiber exists, and waits at least for a thread to run */
};

/*
 * The lanes of a warp that wait in a warp operation: what each has brought, and what
 * each is to be given.
 */
struct warp {
	uint32_t waiting; /* one bit for each lane */
	uint32_t mask[LANES];
	uint64_t value[LANES];
	uint64_t result[LANES];
	uint16_t slot[LANES];
	uint8_t source[LANES];
	uint8_t operation[LANES];
};

/* Whose priorities a block of a shuffled launch has. */
enum priorities { PRIORITIES_NONE, PRIORITIES_OF_WARPS, PRIORITIES_OF_THREADS };

struct at_host_worker {
	/* First: kernels compute its address from that of their stack, by rounding down
	   to the region. */
	struct at_host_context context;
	struct at_host_launch *launch;
	struct at_fiber home; /* the fiber that called at_host_worker_run() */
	/* the block that runs, and the end of the chunk that it is from */
	uint64_t block;
	uint64_t block_end;
	uint16_t current; /* the slot that runs */
	bool is_shuffled; /* the launch is */
	bool armed; /* the thread that runs this has a stack for signal handlers */

	/* Slots that run no thread. The last one in is the first one out: its stack is
	   still in the cache. */
	uint16_t idle[THREADS];
	unsigned idle_count;
	/* slots whose threads wait at the block's barrier */
	uint16_t waiting[THREADS];
	unsigned waiting_count;
	/* how many of those that wait brought a predicate that is not 0 */
	unsigned predicates;
	/* the same, of the barrier that was released last */
	unsigned released_predicates;
	unsigned warp_waiting_count; /* threads that wait in warp operations */
	/* slots whose threads may go on: a ring, the first one in is the first one
	   out */
	uint16_t ready[THREADS];
	unsigned ready_first;
	unsigned ready_count;

	unsigned guard_count; /* slots with a guard page, from slot 0 */
	size_t slot_bytes; /* of a slot's part of the region: guard page and stack */
	size_t page_bytes;
	struct slot slots[THREADS];
	struct warp warps[WARPS];
	struct at_host_fault fault;

	/* Shuffled launches only, down to the end. */
	uint16_t start_order[THREADS];
	/*
	 * In some blocks the thread that goes on is not drawn anew each time: each has
	 * a priority, the same for all lanes of a warp or its own. So one warp runs far
	 * ahead of the others (Burckhardt et al. 2010, "A Randomized Scheduler with
	 * Probabilistic Guarantees of Finding Bugs").
	 */
	enum priorities priorities;
	uint16_t priority[THREADS]; /* by linear thread; the largest goes first */
	uint16_t lowest; /* the priority that the next one falls to */
	uint64_t compared_count; /* priorities that were compared in the block */
	/* shared memory was filled with garbage, and its zones have to be checked */
	bool is_filled;
	bool has_block; /* a block of this launch was taken before */
	unsigned away_count; /* how often it gave its core away in this launch */
	/* The turns of the block until it lingers: at that one it waits for other
	   blocks. */
	uint64_t turns_to_linger;
	struct at_random random; /* seeded anew for each block */
	/* Slots whose threads were stopped by a tick because they did not give way: a
	   ring too. They go on when no other thread can. */
	uint16_t preempted[THREADS];
	unsigned preempted_first;
	unsigned preempted_count;
	bool was_preempted; /* the current slot comes from `preempted` */
	struct at_host_tick tick;
	uint64_t turn_count; /* counts switches and starts of threads */
	/* Values of turn_count and of processor time when a tick first saw this
	   turn. */
	uint64_t tick_turn;
	uint64_t tick_cpu_ns;
};

_Static_assert(sizeof(struct at_host_worker) < HANDLER_OFFSET &&
		       HANDLER_OFFSET + HANDLER_BYTES < STATIC_OFFSET &&
		       STATIC_END < DYNAMIC_OFFSET && DYNAMIC_END < STACKS_OFFSET,
	"pages that nobody may touch lie between the parts of a region");

/* ---- worker_region.c */

/* Makes a worker that is all zero except for the sizes of its stacks. AT_ENOMEM. */
enum at_status worker_region_make(
	unsigned worker_count, struct at_host_worker **out, struct at_error *err);
void worker_region_free(struct at_host_worker *self);
/*
 * The lowest address of the slot's part of the region; a guard page comes first, if the
 * slot has one.
 */
char *worker_stack(const struct at_host_worker *self, unsigned slot);
/*
 * Maps the slot's stack and returns its size; it ends where the slot's part ends. 0:
 * there is no memory, see errno.
 */
size_t worker_map_stack(struct at_host_worker *self, unsigned slot);

/* ---- worker_failure.c */

/*
 * Ends the launch with an outcome, and lets describe() write the text. Where several
 * workers call this, only the first has an effect.
 */
void worker_give_up(struct at_host_worker *self, enum at_outcome outcome,
	void (*describe)(struct at_host_worker *));
/* Writes launch->undefined: in a shuffle the lane gets no value of its source. Only the
   first of a launch counts. */
void worker_note_undefined(
	struct at_host_worker *self, const struct warp *warp, unsigned lane);
/* The describe functions for worker_give_up(): they write launch->failure. */
void worker_describe_mask(struct at_host_worker *self);
void worker_describe_deadlock(struct at_host_worker *self);
void worker_describe_no_stack(struct at_host_worker *self); /* reads errno */
/* May change the outcome to AT_OUTCOME_OUT_OF_BOUNDS. */
void worker_describe_fault(struct at_host_worker *self);

/* ---- worker_blocks.c */

/*
 * Goes on to the next block of the launch. False: none is left, or the launch was given
 * up.
 */
bool worker_next_block(struct at_host_worker *self);

/*
 * To be called where the threads of a block give way to each other in a shuffled
 * launch. Now and then the whole block stays where it is until other blocks have ended.
 */
void worker_pass_turn(struct at_host_worker *self);

/* ---- worker_zones.c */

/*
 * Where the variables, and dynamic shared memory, begin in a launch: offsets in the
 * region.
 */
size_t worker_static_offset(const struct at_host_launch *launch);
size_t worker_dynamic_offset(const struct at_host_launch *launch);
/*
 * A byte that a kernel must not rely on: it differs from block to block and from seed
 * to seed.
 */
unsigned char worker_leftover(const struct at_host_worker *self, uint64_t shift);
/*
 * Called ahead of a block of a shuffled launch: fills shared memory and its zones with
 * garbage, which differs from block to block and from seed to seed.
 */
void worker_fill_shared(struct at_host_worker *self);
/*
 * Called behind a block of a shuffled launch: whether no zone has been written to. Not
 * found are: a write of the very byte that the zone holds (the next block has another
 * one), a write beyond a zone that ends up in another variable, and a write from one
 * element of an array of arrays, or one member of a structure, into the next.
 */
bool worker_zones_are_whole(const struct at_host_worker *self);
/* Writes into launch->failure which zone was written to. */
void worker_describe_zone(struct at_host_worker *self);

#endif
