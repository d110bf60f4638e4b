/*
 * Runs the threads of a block as fibers that take turns on one core: chooses the next
 * block and thread, and handles waiting, starting and ending of threads.
 */
/* anonymous mappings, SIGEV_THREAD_ID and gettid() are not in POSIX 2008 */
#define _GNU_SOURCE
#include "device/host/worker.h"

#include "base/clock.h"
#include "base/random.h"
#include "device/host/fault.h"
#include "device/host/fiber.h"
#include "device/host/process_state.h"

#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define THREADS AT_HOST_MAX_THREADS
#define LANES AT_HOST_WARP_SIZE
#define WARPS (THREADS / LANES)

/*
 * The layout of a region: the worker, the stack of signal handlers, shared memory of
 * variables, dynamic shared memory, the stacks of fibers; with unmapped pages between
 * them. Each kind of shared memory ends at the end of its pages, as far as its
 * alignment allows, so that an access beyond its end is caught in every launch, at no
 * cost.
 */
#define HANDLER_OFFSET ((uintptr_t)512 << 10)
#define STATIC_END ((uintptr_t)2 << 20)
#define STATIC_OFFSET (STATIC_END - ((uintptr_t)1 << AT_HOST_DYNAMIC_SHIFT))
#define DYNAMIC_END ((uintptr_t)3 << 20)
/* in whole pages for every page size (up to 64 KiB) */
#define DYNAMIC_OFFSET \
	(DYNAMIC_END - (AT_HOST_DYNAMIC_SHARED_BYTES + 0xffff) / 0x10000 * 0x10000)
#define STACKS_OFFSET ((uintptr_t)4 << 20)
/* The system's signal frame contains all vector registers: 11 KiB on the processors
   with the largest ones. */
#define HANDLER_BYTES ((size_t)64 << 10)

/* A fiber with its stack and, while it waits, the state of its thread. */
struct slot {
	struct at_fiber fiber;
	struct at_host_uint3 thread;
	unsigned linear_thread;
	bool mapped; /* its stack is mapped */
	bool started; /* the fiber exists, and waits at least for a thread to run */
};

/* The lanes of a warp that wait in a warp operation, with their operands and
   results. */
struct warp {
	uint32_t waiting; /* one bit for each lane */
	uint32_t mask[LANES];
	uint64_t value[LANES];
	uint64_t result[LANES];
	uint16_t slot[LANES];
	uint8_t source[LANES];
	uint8_t operation[LANES];
};

/* The granularity of priorities in a block of a shuffled launch. */
enum priorities { PRIORITIES_NONE, PRIORITIES_OF_WARPS, PRIORITIES_OF_THREADS };

struct at_host_worker {
	/* First: kernels compute its address from that of their stack, by rounding down
	   to the region. */
	struct at_host_context context;
	struct at_host_launch *launch;
	struct at_fiber home; /* the fiber that called at_host_worker_run() */
	/* the running block, and the end of its chunk */
	uint64_t block;
	uint64_t block_end;
	uint16_t current; /* the running slot */
	bool is_shuffled; /* the launch is */
	bool armed; /* the running thread has a stack for signal handlers */

	/* Slots without a thread. Last in, first out: the stack is still in the
	   cache. */
	uint16_t idle[THREADS];
	unsigned idle_count;
	/* slots whose threads wait at the block's barrier */
	uint16_t waiting[THREADS];
	unsigned waiting_count;
	/* number of waiting threads with a nonzero predicate */
	unsigned predicates;
	/* likewise, at the last released barrier */
	unsigned released_predicates;
	unsigned grid_count; /* threads waiting at the barrier of all blocks */
	unsigned warp_waiting_count; /* threads waiting in warp operations */
	/* slots with runnable threads: a ring, first in, first out; in a block with
	   priorities a heap, highest first */
	uint16_t ready[THREADS];
	unsigned ready_first;
	unsigned ready_count;

	unsigned guard_count; /* slots with a guard page, from slot 0 */
	size_t slot_bytes; /* of a slot's part of the region: guard page and stack */
	size_t page_bytes;
	struct slot slots[THREADS];
	struct warp warps[WARPS];
	struct at_host_fault fault;

	/* Shuffled launches only, up to the end. */
	uint16_t start_order[THREADS];
	/*
	 * In some blocks the next thread is chosen by priority instead of at random.
	 * All lanes of a warp share a priority, or each thread has its own. So one warp
	 * runs far ahead of the others (Burckhardt et al. 2010, "A Randomized Scheduler
	 * with Probabilistic Guarantees of Finding Bugs").
	 */
	enum priorities priorities;
	uint16_t priority[THREADS]; /* by linear thread; the largest runs first */
	uint16_t lowest; /* the next value for a lowered priority */
	/* shared memory was poisoned, and its canaries must be checked */
	bool is_filled;
	bool has_block; /* this launch already took a block */
	unsigned yield_count; /* how often it yielded its core in this launch */
	/* The turns of the block until it lingers: then it waits for other blocks. */
	uint64_t turns_to_linger;
	struct at_random random; /* reseeded for each block */
	/* Slots whose threads a tick stopped because they did not yield: also a ring.
	   They continue when no other thread can run. */
	uint16_t preempted[THREADS];
	unsigned preempted_first;
	unsigned preempted_count;
	bool was_preempted; /* the current slot comes from `preempted` */
	bool has_timer; /* ticks are active */
	timer_t timer;
	uint64_t turn_count; /* counts switches and starts of threads */
	/* turn_count and processor time when a tick first saw this turn. */
	uint64_t tick_turn;
	uint64_t tick_cpu_ns;
};

_Static_assert(sizeof(struct at_host_worker) < HANDLER_OFFSET &&
		       HANDLER_OFFSET + HANDLER_BYTES < STATIC_OFFSET &&
		       STATIC_END < DYNAMIC_OFFSET && DYNAMIC_END < STACKS_OFFSET,
	"pages without access lie between the parts of a region");

/* ---- the address space of a worker ---------------------------------------------- */

/* Guard pages of all workers together. Each needs two mappings, and a process may have
   65530 by default. */
#define GUARD_LIMIT 16384u

/* Reserves inaccessible address space, aligned to its size. */
static char *reserve_region(void)
{
	size_t bytes = AT_HOST_REGION_BYTES;
	char *wide = mmap(NULL, 2 * bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t before;

	if (wide == MAP_FAILED)
		return NULL;
	before = (bytes - (uintptr_t)wide % bytes) % bytes;
	if (before)
		munmap(wide, before);
	if (before < bytes)
		munmap(wide + before + bytes, bytes - before);
	return wide + before;
}

/* Makes a zeroed worker with the sizes of its stacks. AT_ENOMEM. */
static enum at_status make_region(
	unsigned worker_count, struct at_host_worker **out, struct at_error *err)
{
	static const struct {
		size_t offset, bytes;
	} parts[] = {
		{ 0, sizeof(struct at_host_worker) },
		{ HANDLER_OFFSET, HANDLER_BYTES },
		{ STATIC_OFFSET, STATIC_END - STATIC_OFFSET },
		{ DYNAMIC_OFFSET, DYNAMIC_END - DYNAMIC_OFFSET },
	};
	char *region = reserve_region();
	struct at_host_worker *self;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (!region)
		return at_fail(err, AT_ENOMEM, NULL, 0,
			"no address space for the stacks of the device \"host\" (%zu MiB a core): %s; raise `ulimit -v`",
			(size_t)AT_HOST_REGION_BYTES >> 20, strerror(errno));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (mprotect(region + parts[i].offset, parts[i].bytes,
			    PROT_READ | PROT_WRITE) < 0) {
			munmap(region, AT_HOST_REGION_BYTES);
			return at_fail_memory(err);
		}
	self = (struct at_host_worker *)region;
	self->page_bytes = page_bytes;
	self->slot_bytes = (AT_HOST_REGION_BYTES - STACKS_OFFSET) / THREADS /
			   page_bytes * page_bytes;
	self->guard_count = GUARD_LIMIT / worker_count;
	*out = self;
	return AT_OK;
}

/* The lowest address of the slot's part of the region, which begins with the guard page
   if the slot has one. */
static char *stack_of(const struct at_host_worker *self, unsigned slot)
{
	return (char *)self + STACKS_OFFSET + slot * self->slot_bytes;
}

/* Maps the slot's stack and returns its size; it ends at the end of the slot's part. 0:
   out of memory, see errno. */
static size_t map_stack(struct at_host_worker *self, unsigned slot)
{
	size_t guard_bytes = slot < self->guard_count ? self->page_bytes : 0;

	if (!self->slots[slot].mapped &&
		mprotect(stack_of(self, slot) + guard_bytes,
			self->slot_bytes - guard_bytes, PROT_READ | PROT_WRITE) < 0)
		return 0;
	self->slots[slot].mapped = true;
	return self->slot_bytes - guard_bytes;
}

static void free_region(struct at_host_worker *self)
{
	at_fiber_forget((char *)self + HANDLER_OFFSET, HANDLER_BYTES);
	for (unsigned i = 0; i < THREADS; i++)
		if (self->slots[i].mapped)
			at_fiber_forget(stack_of(self, i), self->slot_bytes);
	munmap(self, AT_HOST_REGION_BYTES);
}

/* ---- why a launch was abandoned: texts for the author of the kernel -------------- */

/* Ends the launch with an outcome and a text after the kernel's name and the block's
   number. True: the first call of all workers, the only one with an effect. */
AT_PRINTF(3, 4)
static bool give_up(
	struct at_host_worker *self, enum at_outcome outcome, const char *format, ...)
{
	static atomic_flag speaking = ATOMIC_FLAG_INIT;
	const struct at_host_uint3 *block = &self->context.block;
	struct at_host_launch *launch = self->launch;
	va_list arguments;
	bool is_first;
	int length;

	while (atomic_flag_test_and_set(&speaking))
		;
	is_first = !atomic_load(&launch->stopped);
	if (is_first) {
		launch->outcome = outcome;
		length = snprintf(launch->failure, AT_HOST_FAILURE_BYTES,
			"kernel \"%.100s\", block (%u, %u, %u)", launch->kernel->name,
			block->x, block->y, block->z);
		va_start(arguments, format);
		vsnprintf(launch->failure + length,
			AT_HOST_FAILURE_BYTES - (size_t)length, format, arguments);
		va_end(arguments);
		atomic_store(&launch->stopped, true);
	}
	atomic_flag_clear(&speaking);
	return is_first;
}

/* Writes launch->undefined: in a shuffle the lane gets no value of its source. Only the
   first of a launch counts. */
static void note_undefined(
	struct at_host_worker *self, const struct warp *warp, unsigned lane)
{
	struct at_host_launch *launch = self->launch;
	const struct at_host_uint3 *block = &self->context.block;
	const unsigned number = (unsigned)(warp - self->warps),
		       source = warp->source[lane];
	const bool exists = number * LANES + source < self->context.thread_count;

	/* the kernel may come here often, and a write costs the other cores a cache
	   line */
	if (atomic_load_explicit(&launch->has_undefined, memory_order_relaxed) ||
		atomic_exchange(&launch->has_undefined, true))
		return;
	snprintf(launch->undefined, AT_UNDEFINED_BYTES,
		"block (%u, %u, %u), warp %u: lane %u shuffles from lane %u, which %s 0x%08" PRIx32
		": CUDA leaves the value undefined",
		block->x, block->y, block->z, number, lane, source,
		!exists                          ? "the block does not have, mask"
		: warp->mask[lane] >> source & 1 ? "has ended or waits elsewhere, mask"
						 : "is not in the mask",
		warp->mask[lane]);
}

/* Ends a launch after a thread's bad memory access. */
static void give_up_by_fault(struct at_host_worker *self)
{
	static const char *const accesses[] = {
		[AT_HOST_ACCESS_UNKNOWN] = "touched",
		[AT_HOST_ACCESS_READ] = "read from",
		[AT_HOST_ACCESS_WRITE] = "wrote to",
	};
	const struct at_host_uint3 *thread = &self->context.thread;
	struct at_host_launch *launch = self->launch;
	enum at_outcome outcome = AT_OUTCOME_CRASHED;
	/* offset in this worker's region; far larger for an address elsewhere */
	uint64_t offset = self->fault.address - (uint64_t)(uintptr_t)self;
	char place[160];

	if (!self->fault.address) {
		snprintf(place, sizeof(place),
			"an address that cannot be told: one that no process can have, or one that a vector of its type cannot have");
	} else if (self->fault.address == AT_HOST_MISUSE) {
		self->fault.access = AT_HOST_ACCESS_UNKNOWN;
		snprintf(place, sizeof(place),
			"no texel: outside of a surface, at bytes that are no multiple of what is accessed, or by a function for other objects");
	} else if (offset >= STATIC_OFFSET && offset < STACKS_OFFSET) {
		outcome = AT_OUTCOME_OUT_OF_BOUNDS;
		snprintf(place, sizeof(place),
			"address 0x%" PRIx64
			", outside its shared memory (%zu bytes of variables, %zu bytes dynamic)",
			self->fault.address, launch->shared->static_bytes,
			launch->dynamic_bytes);
	} else {
		snprintf(place, sizeof(place), "address 0x%" PRIx64,
			self->fault.address);
	}
	if (give_up(self, outcome, ", thread (%u, %u, %u) %s %s", thread->x, thread->y,
		    thread->z, accesses[self->fault.access], place))
		launch->fault_address = self->fault.address;
}

/* ---- shared memory of a block, and the canaries around its variables ------------- */

/* Templates may require more by __align__, but an undefined name does not show that. A
   GPU provides this much by default. */
#define DYNAMIC_ALIGNMENT ((size_t)128)
/* The size of the canaries before shared memory: a row of a tile, the usual distance of
   an index error. */
#define AHEAD_BYTES ((size_t)1024)

/* The start of the variables, and of dynamic shared memory, in a launch: offsets in the
   region. */
static size_t static_offset(const struct at_host_launch *launch)
{
	const struct at_host_shared *shared = launch->shared;

	return (STATIC_END - shared->static_bytes) & ~(shared->alignment - 1);
}

static size_t dynamic_offset(const struct at_host_launch *launch)
{
	return (DYNAMIC_END - launch->dynamic_bytes) & ~(DYNAMIC_ALIGNMENT - 1);
}

/* A part of shared memory outside all variables, checked for writes. */
struct zone {
	const char *place; /* for the message: "behind its variables" */
	size_t offset; /* in the region */
	size_t bytes;
	bool is_ahead;
};

static size_t zone_count(const struct at_host_launch *launch)
{
	return 4 + launch->shared->gap_count;
}

static struct zone zone_at(const struct at_host_launch *launch, size_t index)
{
	const struct at_host_shared *shared = launch->shared;
	size_t first = static_offset(launch), dynamic = dynamic_offset(launch);
	size_t end = first + shared->static_bytes;
	size_t dynamic_end = dynamic + launch->dynamic_bytes;
	const struct at_host_gap *gap;

	switch (index) {
	case 0:
		return (struct zone){ "ahead of its variables", first - AHEAD_BYTES,
			AHEAD_BYTES, true };
	case 1:
		return (struct zone){ "behind its variables", end, STATIC_END - end,
			false };
	case 2:
		return (struct zone){ "ahead of the dynamic part",
			dynamic - AHEAD_BYTES, AHEAD_BYTES, true };
	case 3:
		return (struct zone){ "behind the dynamic part", dynamic_end,
			DYNAMIC_END - dynamic_end, false };
	}
	gap = &shared->gaps[index - 4];
	return (struct zone){ "behind one of its variables", first + gap->offset,
		gap->bytes, false };
}

/*
 * Bytes that a kernel must not rely on. As floats or integers they are NaN or -1; very
 * large; very small (far below 0); barely above 0; barely below 0 (as an integer far
 * below); 0. A sum, maximum, minimum or count that starts from such a value is wrong
 * for one of them.
 */
static const unsigned char leftovers[] = { 0xff, 0x7f, 0xfe, 0x01, 0x81, 0x00 };

/* A poison byte: it differs between blocks and seeds. */
static unsigned char poison_byte(const struct at_host_worker *self, uint64_t shift)
{
	return leftovers[(self->launch->seed + self->block + shift) %
			 sizeof(leftovers)];
}

/* The canary byte. Never 0: kernels fill halos and tails with 0, and such a write would
   go unnoticed. */
static unsigned char canary_of(const struct at_host_worker *self)
{
	unsigned char byte = poison_byte(self, 0);

	return byte ? byte : 0xa5;
}

/* Called before a block of a shuffled launch: fills shared memory with poison and its
   zones with canaries, which differ between blocks and seeds. */
static void fill_shared(struct at_host_worker *self)
{
	const struct at_host_launch *launch = self->launch;
	size_t first = static_offset(launch), dynamic = dynamic_offset(launch);
	char *region = (char *)self;

	memset(region + first, poison_byte(self, 0), STATIC_END - first);
	memset(region + dynamic, poison_byte(self, 0), DYNAMIC_END - dynamic);
	for (size_t i = 0; i < zone_count(launch); i++) {
		struct zone zone = zone_at(launch, i);

		memset(region + zone.offset, canary_of(self), zone.bytes);
	}
	self->is_filled = true;
}

/*
 * Called after a block of a shuffled launch: ends the launch if a canary changed. Not
 * found are: a write of the canary's own value (the next block has another value), a
 * write past a zone into another variable, and a write from one element of an array of
 * arrays, or one member of a structure, into the next.
 */
static void check_zones(struct at_host_worker *self)
{
	unsigned char canary = canary_of(self);

	for (size_t i = 0; i < zone_count(self->launch); i++) {
		struct zone zone = zone_at(self->launch, i);
		const unsigned char *bytes = (const unsigned char *)self + zone.offset;
		size_t at = 0;

		if (!zone.bytes || (bytes[0] == canary &&
					   !memcmp(bytes, bytes + 1, zone.bytes - 1)))
			continue;
		while (bytes[at] == canary)
			at++;
		give_up(self, AT_OUTCOME_OUT_OF_BOUNDS,
			" wrote to shared memory %zu bytes %s (%zu bytes of variables, %zu bytes dynamic)",
			zone.is_ahead ? zone.bytes - at : at, zone.place,
			self->launch->shared->static_bytes,
			self->launch->dynamic_bytes);
		return;
	}
}

/* ---- the next block, in order or in a seeded order ------------------------------- */

/* About this many blocks of a shuffled launch linger, and at most every second block:
   if blocks wait for each other, each lingering block may cost LINGER_NS. */
#define LINGERING_BLOCKS 16u
/*
 * The block lingers at a barrier, or at an operation where threads yield. The turn is
 * drawn evenly among this many powers of two, since the number of turns in a block is
 * unknown.
 */
#define LINGER_BITS 6u
/* If no block has ended for this long, the others may be waiting for the lingering
   block. */
#define LINGER_NS UINT64_C(500000)
#define LOOK_NS 20000 /* polling interval */

/* A block that waits for others at a grid barrier yields its core this often before it
   sleeps between polls. */
#define MEET_LOOKS 100u

/*
 * The place of number `index` in a seeded order of all blocks: a bijection on the next
 * power of two, applied again until the result is a block (cycle walking: Black and
 * Rogaway 2002, "Ciphers with Arbitrary Finite Domains").
 */
static uint64_t shuffled_place(uint64_t index, uint64_t count, uint64_t seed)
{
	struct at_random random;
	uint64_t mask = 1, factors[4], summands[4];
	unsigned shift = 1;

	for (unsigned bits = 1; mask < count - 1; bits++) {
		mask = mask << 1 | 1;
		shift = (bits + 2) / 2;
	}
	at_random_init(&random, seed);
	for (int i = 0; i < 4; i++) {
		factors[i] = at_random_next(&random) | 1;
		summands[i] = at_random_next(&random);
	}
	if (count == 1)
		return 0;
	do {
		for (int i = 0; i < 4; i++) {
			index = (index * factors[i] + summands[i]) & mask;
			index ^= index >> shift;
		}
	} while (index >= count);
	return index;
}

/* Draws whether the new block lingers, and at which turn. */
static void draw_linger(struct at_host_worker *self)
{
	uint64_t most = self->launch->block_count, bits;

	if (most < 2 * LINGERING_BLOCKS)
		most = 2 * LINGERING_BLOCKS;
	self->turns_to_linger = UINT64_MAX;
	if (at_random_below(&self->random, most) >= LINGERING_BLOCKS)
		return;
	bits = at_random_below(&self->random, LINGER_BITS);
	self->turns_to_linger = (UINT64_C(1) << bits) +
				at_random_below(&self->random, UINT64_C(1) << bits);
}

/*
 * By chance, blocks overlap only while both run, which is short: two blocks that must
 * not overlap in a few instructions rarely do. So one block stops in the middle while
 * others run from start to end, like threads that lose their priority at a random point
 * (Burckhardt and others 2010, "A Randomized Scheduler with Probabilistic Guarantees of
 * Finding Bugs").
 */
static void linger(struct at_host_worker *self)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	struct at_host_launch *launch = self->launch;
	uint64_t ended = atomic_load(&launch->ended_blocks), seen_ended = ended;
	uint64_t enough =
		ended + 1 + at_random_below(&self->random, launch->block_count);
	uint64_t seen_ns = at_clock_now_ns(), now_ns;

	/* at most half of the workers linger, so that the others make progress */
	if (atomic_fetch_add(&launch->lingering, 1) < launch->worker_count / 2) {
		while (!atomic_load(&launch->stopped) && ended < enough &&
			ended + atomic_load(&launch->lingering) < launch->block_count) {
			nanosleep(&pause, NULL);
			ended = atomic_load(&launch->ended_blocks);
			now_ns = at_clock_now_ns();
			if (ended == seen_ended && now_ns - seen_ns > LINGER_NS)
				break;
			if (ended != seen_ended)
				seen_ns = now_ns;
			seen_ended = ended;
		}
	}
	atomic_fetch_sub(&launch->lingering, 1);
}

/* Called where the threads of a block yield to each other in a shuffled launch.
   Occasionally the whole block stops until other blocks have ended. */
static void pass_turn(struct at_host_worker *self)
{
	if (--self->turns_to_linger == 0)
		linger(self);
}

static void draw_order(struct at_host_worker *self, uint16_t *order, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned j = (unsigned)at_random_below(&self->random, i + 1);

		order[i] = order[j];
		order[j] = (uint16_t)i;
	}
}

/* Assigns priorities to the threads of every second block, and starts them in that
   order. */
static void draw_priorities(struct at_host_worker *self)
{
	const unsigned count = self->context.thread_count;
	uint16_t warps[WARPS];
	unsigned place = 0;

	switch (at_random_next(&self->random) % 4) {
	case 0:
		self->priorities = PRIORITIES_OF_THREADS;
		break;
	case 1:
		self->priorities = PRIORITIES_OF_WARPS;
		draw_order(self, warps, (count + LANES - 1) / LANES);
		for (unsigned i = 0; i < (count + LANES - 1) / LANES; i++)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (warps[i] * LANES + lane < count)
					self->start_order[place++] =
						(uint16_t)(warps[i] * LANES + lane);
		break;
	default:
		self->priorities = PRIORITIES_NONE;
		return;
	}
	self->lowest = THREADS;
	self->ready_first = 0;
	for (unsigned i = 0; i < count; i++)
		self->priority[self->start_order[i]] = (uint16_t)(2 * THREADS - i);
}

/*
 * Prepares a block of a shuffled launch: draws the start order of threads, which does
 * not depend on the worker, and poisons shared memory, so that nothing useful remains
 * from the previous block.
 */
static void shuffle_block(struct at_host_worker *self)
{
	unsigned count = self->context.thread_count;

	at_random_init(&self->random, self->launch->seed + self->block);
	draw_order(self, self->start_order, count);
	draw_priorities(self);
	draw_linger(self);
	fill_shared(self);
}

static bool take_chunk(struct at_host_worker *self)
{
	struct at_host_launch *launch = self->launch;
	uint64_t first = atomic_fetch_add_explicit(
		&launch->next_block, launch->chunk, memory_order_relaxed);

	if (first >= launch->block_count)
		return false;
	self->block_end = first + launch->chunk < launch->block_count
				  ? first + launch->chunk
				  : launch->block_count;
	if (launch->seed) {
		/* in a shuffled launch a chunk is one block */
		first = shuffled_place(first, launch->block_count, launch->seed);
		self->block_end = first + 1;
	}
	self->block = first;
	self->context.block.x = (unsigned)(first % launch->grid.x);
	self->context.block.y = (unsigned)(first / launch->grid.x % launch->grid.y);
	self->context.block.z = (unsigned)(first / launch->grid.x / launch->grid.y);
	return true;
}

/* Proceeds to the next block of the launch. False: all blocks are taken, or the launch
   was abandoned. */
static bool next_block(struct at_host_worker *self)
{
	struct at_host_context *context = &self->context;

	if (self->is_shuffled || self->launch->is_cooperative) {
		if (self->has_block)
			atomic_fetch_add(&self->launch->ended_blocks, 1);
		self->has_block = true;
	}
	if (self->is_shuffled) {
		if (self->is_filled)
			check_zones(self);
		self->is_filled = false;
	}
	if (self->block + 1 < self->block_end) {
		self->block++;
		if (++context->block.x == context->grid_size.x) {
			context->block.x = 0;
			if (++context->block.y == context->grid_size.y) {
				context->block.y = 0;
				context->block.z++;
			}
		}
	} else if (!take_chunk(self)) {
		return false;
	}
	/* another worker may have ended the launch in the middle of this chunk */
	if (atomic_load_explicit(&self->launch->stopped, memory_order_relaxed))
		return false;
	context->started_count = 0;
	context->row_first = context->row_y = context->row_z = 0;
	if (self->is_shuffled)
		shuffle_block(self);
	return true;
}

/* ---- the threads of a block -------------------------------------------------------
 */

/* Poison on the stack of threads in shuffled launches: some frames of usual size. */
#define POISON_BYTES ((size_t)8 << 10)
/* One thread in this many gets it: a wrong result of one thread is enough. */
#define POISON_EVERY 8u
/*
 * At a possible switch a thread of a shuffled launch continues in this many of four
 * cases. If it always switched, every thread would do one operation at a time, which is
 * itself a fixed order.
 */
#define STAY_OF_FOUR 2u
/*
 * A thread of a shuffled launch that runs for this much processor time without yielding
 * is stopped: its plain reads may wait for a thread that cannot run meanwhile. The
 * slice is long compared with a usual turn, so that a seed reproduces the order, and
 * shorter for a thread that was already stopped this way.
 */
#define FIRST_SLICE_NS 2000000u
#define NEXT_SLICE_NS 100000u
#define NOBODY UINT16_MAX
/* At a possible switch a thread of a block with priorities loses its priority in one of
   this many cases: it may be waiting for a thread with a lower priority. */
#define LOSES_EVERY 32u

/* ---- the next slot -------------------------------------------------------------- */

static void run_fiber(void *worker);

/* Takes a slot for threads that have not started; NOBODY: out of memory. */
static uint16_t take_idle(struct at_host_worker *self)
{
	uint16_t index = self->idle[--self->idle_count];
	struct slot *slot = &self->slots[index];
	/* If all stacks began at equal addresses within a page, they would compete for
	   the same few sets of the first-level cache. */
	size_t colour_bytes = index * 5 % 64 * 64;
	size_t stack_bytes = map_stack(self, index);

	if (!stack_bytes) {
		give_up(self, AT_OUTCOME_CRASHED,
			": no memory for the stack of one more thread (%s); use smaller blocks or raise the sysctl vm.max_map_count",
			strerror(errno));
		return NOBODY;
	}
	if (!slot->started)
		at_fiber_start(&slot->fiber,
			stack_of(self, index) + self->slot_bytes - stack_bytes,
			stack_bytes - colour_bytes, run_fiber, self);
	slot->started = true;
	return index;
}

/* Whether the first of two places in a heap of ready slots has the higher priority. */
static bool goes_before(const struct at_host_worker *self, unsigned at, unsigned other)
{
	return self->priority[self->slots[self->ready[at]].linear_thread] >
	       self->priority[self->slots[self->ready[other]].linear_thread];
}

static void swap_ready(struct at_host_worker *self, unsigned at, unsigned other)
{
	const uint16_t moved = self->ready[at];

	self->ready[at] = self->ready[other];
	self->ready[other] = moved;
}

/* Moves the slot at this place of the heap below those with higher priorities. */
static void sink(struct at_host_worker *self, unsigned at)
{
	for (unsigned child; (child = 2 * at + 1) < self->ready_count; at = child) {
		if (child + 1 < self->ready_count &&
			goes_before(self, child + 1, child))
			child++;
		if (!goes_before(self, child, at))
			return;
		swap_ready(self, at, child);
	}
}

static void make_ready(struct at_host_worker *self, uint16_t slot)
{
	unsigned at = (self->ready_first + self->ready_count++) % THREADS;

	self->ready[at] = slot;
	for (; self->priorities && at && goes_before(self, at, (at - 1) / 2);
		at = (at - 1) / 2)
		swap_ready(self, at, (at - 1) / 2);
}

static uint16_t take_ready(struct at_host_worker *self)
{
	uint16_t taken = self->ready[self->ready_first];

	self->ready_count--;
	if (self->priorities) {
		self->ready[0] = self->ready[self->ready_count];
		sink(self, 0);
	} else {
		self->ready_first = (self->ready_first + 1) % THREADS;
	}
	return taken;
}

/* Waits until all blocks, each on its own worker, reach this grid barrier. False: the
   launch was abandoned. */
static bool meet_blocks(struct at_host_worker *self)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	struct at_host_launch *launch = self->launch;
	const uint64_t count = launch->block_count;
	uint64_t target;

	if (!launch->is_cooperative) {
		give_up(self, AT_OUTCOME_CRASHED,
			": grid.sync() in a launch that is not cooperative: add cooperative = true");
		return false;
	}
	if (self->grid_count < self->waiting_count) {
		give_up(self, AT_OUTCOME_CRASHED,
			": threads wait at different barriers: %u at __syncthreads(), %u at grid.sync()",
			self->waiting_count - self->grid_count, self->grid_count);
		return false;
	}
	self->grid_count = 0;
	target = (atomic_fetch_add(&launch->met_blocks, 1) / count + 1) * count;
	for (unsigned i = 0; atomic_load(&launch->met_blocks) < target; i++) {
		if (atomic_load(&launch->stopped))
			return false;
		/* a block that has met all others may end before this one sees it */
		if (atomic_load(&launch->ended_blocks) &&
			atomic_load(&launch->met_blocks) < target) {
			give_up(self, AT_OUTCOME_CRASHED,
				": it waits at grid.sync() for a block that has ended");
			return false;
		}
		if (i < MEET_LOOKS)
			sched_yield();
		else
			nanosleep(&pause, NULL);
	}
	return true;
}

static void release_barrier(struct at_host_worker *self)
{
	if (self->is_shuffled)
		pass_turn(self);
	self->released_predicates = self->predicates;
	self->predicates = 0;
	for (unsigned i = 0; i < self->waiting_count; i++)
		make_ready(self, self->waiting[i]);
	self->waiting_count = 0;
}

/* Whether all of `lanes` wait for the same operation with the same mask as `lane`. */
static bool agree(const struct warp *warp, uint32_t lanes, unsigned lane)
{
	if ((warp->waiting & lanes) != lanes)
		return false;
	for (unsigned i = 0; i < LANES; i++)
		if (lanes >> i & 1 &&
			(warp->mask[i] != warp->mask[lane] ||
				warp->operation[i] != warp->operation[lane]))
			return false;
	return true;
}

/* Gives the lanes their results, and makes all of them ready except `except`, which is
   already running (LANES: none). */
static void complete_warp(
	struct at_host_worker *self, struct warp *warp, uint32_t lanes, unsigned except)
{
	uint64_t ballot = 0;

	for (unsigned i = 0; i < LANES; i++)
		if (lanes >> i & 1)
			ballot |= (uint64_t)(warp->value[i] != 0) << i;
	for (unsigned i = 0; i < LANES; i++) {
		if (!(lanes >> i & 1))
			continue;
		switch ((enum at_host_warp_operation)warp->operation[i]) {
		case AT_HOST_WARP_SYNC:
			break;
		case AT_HOST_WARP_SHUFFLE:
			if (lanes >> warp->source[i] & 1) {
				warp->result[i] = warp->value[warp->source[i]];
				break;
			}
			/* undefined, and never what the kernel hopes for */
			memset(&warp->result[i], poison_byte(self, i),
				sizeof(warp->result[i]));
			note_undefined(self, warp, i);
			break;
		case AT_HOST_WARP_BALLOT:
			warp->result[i] = ballot;
			break;
		case AT_HOST_WARP_GATHER:
			warp->result[i] = lanes;
			break;
		}
		warp->waiting &= ~(UINT32_C(1) << i);
		self->warp_waiting_count--;
		if (i != except)
			make_ready(self, warp->slot[i]);
	}
}

/* The lanes of a warp that wait to be gathered (AT_HOST_WARP_GATHER) with the same
   value as `lane`. */
static uint32_t gathered(const struct warp *warp, unsigned lane)
{
	uint32_t lanes = 0;

	for (unsigned i = 0; i < LANES; i++)
		if (warp->waiting >> i & 1 &&
			warp->operation[i] == AT_HOST_WARP_GATHER &&
			warp->value[i] == warp->value[lane])
			lanes |= UINT32_C(1) << i;
	return lanes;
}

/* Called when no thread can run, so every remaining thread waits: no further lane will
   join those that gather. They are complete. */
static void complete_gathered(struct at_host_worker *self)
{
	for (unsigned i = 0; i < (self->context.thread_count + LANES - 1) / LANES;
		i++) {
		struct warp *warp = &self->warps[i];

		for (unsigned lane = 0; lane < LANES; lane++)
			if (warp->waiting >> lane & 1 &&
				warp->operation[lane] == AT_HOST_WARP_GATHER)
				complete_warp(self, warp, gathered(warp, lane), LANES);
	}
}

/* Called when no thread can run, so every remaining thread waits. Warps whose missing
   lanes have ended, or wait at the block's barrier, continue without them. */
static void complete_partial_warps(struct at_host_worker *self)
{
	uint32_t at_barrier[WARPS] = { 0 };

	for (unsigned i = 0; i < self->waiting_count; i++) {
		unsigned thread = self->slots[self->waiting[i]].linear_thread;

		at_barrier[thread / LANES] |= UINT32_C(1) << thread % LANES;
	}
	for (unsigned i = 0; i < (self->context.thread_count + LANES - 1) / LANES;
		i++) {
		struct warp *warp = &self->warps[i];

		for (unsigned lane = 0; lane < LANES; lane++) {
			uint32_t lanes =
				warp->mask[lane] & (warp->waiting | at_barrier[i]);

			if (warp->waiting >> lane & 1 && agree(warp, lanes, lane))
				complete_warp(self, warp, lanes, LANES);
		}
	}
}

/* Whether the next unstarted thread precedes all ready ones. It also does on a tie:
   lanes of a warp may wait for it. */
static bool start_goes_first(const struct at_host_worker *self)
{
	const uint16_t next = self->start_order[self->context.started_count];

	return self->priority[next] >=
	       self->priority[self->slots[self->ready[0]].linear_thread];
}

/*
 * Chooses the next step of a shuffled launch: true to start a new thread. Otherwise the
 * first ready slot continues: the one with the highest priority, or a random one, which
 * is moved to the front.
 */
static bool starts_another(struct at_host_worker *self)
{
	const bool may_start = self->context.started_count < self->context.thread_count;
	uint64_t draw = at_random_next(&self->random);

	if (self->priorities)
		return may_start && start_goes_first(self);
	swap_ready(self, self->ready_first,
		(self->ready_first + (unsigned)(draw >> 1) % self->ready_count) %
			THREADS);
	return draw & 1 && may_start;
}

/* The current thread, and with it its warp, gets the lowest priority. After THREADS
   times the block's threads are drawn at random again: they may be waiting for each
   other. */
static void lose_priority(struct at_host_worker *self)
{
	const unsigned thread = self->context.linear_thread;
	const unsigned first = self->priorities == PRIORITIES_OF_WARPS
				       ? thread / LANES * LANES
				       : thread;
	const unsigned end =
		self->priorities == PRIORITIES_OF_WARPS ? first + LANES : first + 1;

	if (!self->lowest--) {
		self->priorities = PRIORITIES_NONE;
		return;
	}
	for (unsigned i = first; i < end && i < THREADS; i++)
		self->priority[i] = self->lowest;
	/* ready lanes of the warp */
	for (unsigned i = self->ready_count / 2; i-- > 0;)
		sink(self, i);
}

/* Chooses the slot to run and removes it from its list. NOBODY: no thread of the block
   is left, or the launch was abandoned. */
static uint16_t choose(struct at_host_worker *self)
{
	const struct at_host_context *context = &self->context;

	if (self->is_shuffled) {
		self->turn_count++;
		self->was_preempted = false;
		if (self->ready_count && starts_another(self))
			return take_idle(self);
	}
	/* Started threads first: fewer stacks are in use, and fewer cache lines. */
	if (self->ready_count)
		return take_ready(self);
	if (context->started_count < context->thread_count)
		return take_idle(self);
	if (self->preempted_count) {
		uint16_t taken = self->preempted[self->preempted_first];

		self->preempted_first = (self->preempted_first + 1) % THREADS;
		self->preempted_count--;
		self->was_preempted = true;
		return taken;
	}
	if (self->warp_waiting_count) {
		complete_gathered(self);
		if (self->ready_count)
			return take_ready(self);
		complete_partial_warps(self);
		if (self->ready_count)
			return take_ready(self);
		give_up(self, AT_OUTCOME_CRASHED,
			": threads wait at different barriers: %u at __syncthreads(), %u in warp operations whose other lanes do not come",
			self->waiting_count, self->warp_waiting_count);
		return NOBODY;
	}
	if (!self->waiting_count || (self->grid_count && !meet_blocks(self)))
		return NOBODY;
	release_barrier(self);
	return take_ready(self);
}

/* Leaves the current fiber for the chosen one. NOBODY: returns to
   at_host_worker_run(). */
static void switch_to(struct at_host_worker *self, uint16_t chosen)
{
	struct at_fiber *from = &self->slots[self->current].fiber;

	self->current = chosen;
	at_fiber_switch(
		from, chosen == NOBODY ? &self->home : &self->slots[chosen].fiber);
}

/* ---- what kernels call ---------------------------------------------------- */

/* The current thread waits, in the list chosen by the caller. Returns when it may
   continue. */
static void wait_for_turn(struct at_host_worker *self)
{
	uint16_t chosen = choose(self);

	if (chosen != self->current)
		switch_to(self, chosen);
}

static void keep_thread(struct slot *slot, const struct at_host_context *context)
{
	slot->thread = context->thread;
	slot->linear_thread = context->linear_thread;
}

static void restore_thread(struct at_host_context *context, const struct slot *slot)
{
	context->thread = slot->thread;
	context->linear_thread = slot->linear_thread;
}

/*
 * Whether the worker of another block may run on this core now: one time in 16, and 16
 * times more rarely after every 128 of them. Each is a system context switch, and on a
 * busy machine a time slice of another process. The verification of a histogram of 2
 * million values took 14 s of processor time at a constant rate, and 6 with this: a
 * launch of 250,000 atomic operations had yielded its core 16,000 times.
 */
static bool gives_core_away(struct at_host_worker *self, uint64_t draw)
{
	unsigned bits = 4 + 4 * (self->yield_count / 128);

	if (bits > 60 || draw & ((UINT64_C(1) << bits) - 1))
		return false;
	self->yield_count++;
	return true;
}

/*
 * Called at atomic operations of a shuffled launch: another thread may continue here.
 * This shows races between operations before and after an atomic one, but not all of
 * them: threads of a block see each other's stores in order, and on a processor that
 * orders stores (x86) so do blocks. So a missing fence is not found.
 */
static void take_turn(struct at_host_context *context)
{
	struct at_host_worker *self = (struct at_host_worker *)context;
	struct slot *slot = &self->slots[self->current];
	uint64_t draw = at_random_next(&self->random);

	/* the thread may wait forever: abandon it here */
	if (atomic_load_explicit(&self->launch->stopped, memory_order_relaxed))
		switch_to(self, NOBODY);
	pass_turn(self);
	if (draw % 4 < STAY_OF_FOUR)
		return;
	if (gives_core_away(self, draw >> 2))
		sched_yield();
	if (self->priorities && (draw >> 40) % LOSES_EVERY == 0)
		lose_priority(self);
	keep_thread(slot, context);
	make_ready(self, self->current);
	wait_for_turn(self);
	restore_thread(context, slot);
}

/* ---- ticks: a timer whose signal stops a thread that does not yield
   --------------- */

/*
 * The interval of ticks. The timer expires once, and each tick sets it again. A
 * periodic timer would send signals even while a tick is late: ticks would interrupt
 * each other until the stack overflows (seen with sanitizers under load). A tick must
 * take less than this, because its handler does not block the signal; see
 * begin_ticks().
 */
#define TICK_NS 200000
/* Libraries use real-time signals from the low end, so this one should be free. */
#define TICK_SIGNAL (SIGRTMAX - 3)

/* older C libraries do not define this name */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* The next instruction; 0, which is never a kernel's, on a processor unknown to this
   file: no thread is stopped there. */
#if defined(__x86_64__)
#define NEXT_INSTRUCTION(machine) ((uint64_t)(machine)->uc_mcontext.gregs[REG_RIP])
#elif defined(__aarch64__)
#define NEXT_INSTRUCTION(machine) ((uint64_t)(machine)->uc_mcontext.pc)
#else
#define NEXT_INSTRUCTION(machine) ((void)(machine), UINT64_C(0))
#endif

/* The worker of the calling thread, with ticks. */
static _Thread_local struct at_host_worker *ticked;

static void set_timer(struct at_host_worker *self)
{
	struct itimerspec once = { .it_value = { .tv_nsec = TICK_NS } };

	timer_settime(self->timer, 0, &once, NULL);
}

static void unblock_ticks(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, TICK_SIGNAL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/*
 * Called at a tick: stops the current thread if it has run for long and if this is
 * safe: in the kernel's own instructions. Not in the C library, which may hold a lock,
 * not in the code of this file, and not while the thread starts.
 */
static void stop_thread(struct at_host_worker *self, uint64_t address)
{
	struct at_host_context *context = &self->context;
	struct slot *slot;
	uint64_t now_ns;
	int rounding;

	if (address - self->launch->code_first >= self->launch->code_bytes ||
		context->start_limit)
		return;
	now_ns = at_clock_thread_ns();
	if (self->tick_turn != self->turn_count) {
		self->tick_turn = self->turn_count;
		self->tick_cpu_ns = now_ns;
		return;
	}
	if (now_ns - self->tick_cpu_ns <
		(self->was_preempted ? NEXT_SLICE_NS : FIRST_SLICE_NS))
		return;
	/* ticks continue in the next fiber */
	unblock_ticks();
	if (atomic_load_explicit(&self->launch->stopped, memory_order_relaxed))
		switch_to(self, NOBODY);
	/* this one may wait for a block of another worker on the same core */
	sched_yield();
	slot = &self->slots[self->current];
	keep_thread(slot, context);
	self->preempted[(self->preempted_first + self->preempted_count++) % THREADS] =
		self->current;
	/* It may be inside __fadd_ru(), whose rounding mode must not affect the others.
	   Some systems reset the mode for signal handlers, others do not. */
	rounding = fegetround();
	if (rounding != FE_TONEAREST)
		fesetround(FE_TONEAREST);
	wait_for_turn(self);
	if (rounding != FE_TONEAREST)
		fesetround(rounding);
	restore_thread(context, slot);
}

static void on_tick(int number, siginfo_t *info, void *context)
{
	struct at_host_worker *self = ticked;
	int error = errno;

	(void)number;
	(void)info;
	if (!self || !self->has_timer)
		return;
	set_timer(self);
	stop_thread(self, NEXT_INSTRUCTION((const ucontext_t *)context));
	errno = error;
}

static void begin_ticks(struct at_host_worker *self)
{
	/* SA_NODEFER: stop_thread() leaves the handler for another fiber, which then
	   runs outside of any handler and must get its ticks */
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID };

	action.sa_sigaction = on_tick;
	sigemptyset(&action.sa_mask);
	event.sigev_signo = TICK_SIGNAL;
	event.sigev_notify_thread_id = gettid();
	if (sigaction(TICK_SIGNAL, &action, NULL) < 0)
		return;
	unblock_ticks();
	self->has_timer = timer_create(CLOCK_MONOTONIC, &event, &self->timer) == 0;
	ticked = self;
	if (self->has_timer)
		set_timer(self);
}

static void end_ticks(struct at_host_worker *self)
{
	/* a pending signal finds no worker */
	ticked = NULL;
	if (self->has_timer)
		timer_delete(self->timer);
	self->has_timer = false;
}

static unsigned wait_at_barrier(struct at_host_context *context, unsigned predicate)
{
	struct at_host_worker *self = (struct at_host_worker *)context;
	struct slot *slot = &self->slots[self->current];

	keep_thread(slot, context);
	self->predicates += predicate;
	self->waiting[self->waiting_count++] = self->current;
	wait_for_turn(self);
	restore_thread(context, slot);
	return self->released_predicates;
}

static void wait_for_grid(struct at_host_context *context)
{
	((struct at_host_worker *)context)->grid_count++;
	wait_at_barrier(context, 0);
}

static uint64_t wait_in_warp(struct at_host_context *context,
	enum at_host_warp_operation operation, unsigned mask, unsigned source,
	uint64_t value)
{
	struct at_host_worker *self = (struct at_host_worker *)context;
	struct slot *slot = &self->slots[self->current];
	unsigned thread = context->linear_thread, lane = thread % LANES;
	unsigned lanes_left = context->thread_count - (thread - lane);
	struct warp *warp = &self->warps[thread / LANES];

	if (lanes_left < LANES)
		mask &= (UINT32_C(1) << lanes_left) - 1;
	warp->mask[lane] = mask;
	if (operation != AT_HOST_WARP_GATHER && !(mask >> lane & 1)) {
		give_up(self, AT_OUTCOME_CRASHED,
			", warp %u: lane %u calls a warp function with the mask 0x%08x, which lacks this lane: name each lane that calls",
			thread / LANES, lane, mask);
		switch_to(self, NOBODY);
	}
	warp->waiting |= UINT32_C(1) << lane;
	warp->value[lane] = value;
	warp->slot[lane] = self->current;
	warp->source[lane] = (uint8_t)(source % LANES);
	warp->operation[lane] = (uint8_t)operation;
	self->warp_waiting_count++;
	if (operation != AT_HOST_WARP_GATHER && agree(warp, mask, lane)) {
		complete_warp(self, warp, mask, lane);
		value = warp->result[lane];
		/* otherwise the last lane would always continue first */
		if (self->is_shuffled)
			take_turn(context);
		return value;
	}
	keep_thread(slot, context);
	wait_for_turn(self);
	restore_thread(context, slot);
	return warp->result[lane];
}

/* ---- fibers --------------------------------------------------------------- */

/* A function pointer that is opaque to the compiler, which would otherwise drop writes
   to memory that is never read. */
static void *(*volatile fill)(void *, int, size_t) = memset;

/* Without redzones: they would lie where the first arrays of a kernel will. */
__attribute__((no_sanitize("address"))) static void fill_frame(int byte)
{
	char frame[POISON_BYTES];

	fill(frame, byte, sizeof(frame));
}

static void (*volatile poison_stack)(int) = fill_frame;

/*
 * Starts one thread of a shuffled launch. For the first thread of a block, and for one
 * in POISON_EVERY of the others, poisons the stack where its local arrays will lie. Not
 * found are uninitialised variables that the compiler keeps in registers or knows to be
 * unset: it may choose any value for these, and chooses a harmless one.
 */
static void let_one_start(struct at_host_worker *self)
{
	struct at_host_context *context = &self->context;

	self->turn_count++;
	self->was_preempted = false;
	context->start_limit = context->started_count + 1;
	if (!context->started_count ||
		at_random_next(&self->random) % POISON_EVERY == 0)
		poison_stack(poison_byte(self, 3));
}

static void run_fiber(void *worker)
{
	struct at_host_worker *self = worker;
	const struct at_host_context *context = &self->context;

	for (;;) {
		uint16_t chosen;

		if (self->is_shuffled)
			let_one_start(self);
		self->launch->kernel->run(&self->context, self->launch->arguments);
		/* shuffled: this stack is free, so the next thread can start on it */
		if (self->is_shuffled &&
			context->started_count < context->thread_count &&
			(!self->ready_count ||
				(self->priorities ? start_goes_first(self)
						  : at_random_next(&self->random) & 1)))
			continue;
		/* In ascending order every thread of the block has started, and this
		   one has ended. */
		chosen = choose(self);
		if (chosen == NOBODY &&
			!atomic_load_explicit(
				&self->launch->stopped, memory_order_relaxed) &&
			next_block(self))
			continue;
		self->idle[self->idle_count++] = self->current;
		/* returns when this slot should start threads again */
		switch_to(self, chosen);
	}
}

/* Resets all slots: no fiber is inside a kernel any more. */
static void forget_fibers(struct at_host_worker *self)
{
	self->idle_count = THREADS;
	for (unsigned i = 0; i < THREADS; i++) {
		self->idle[i] = (uint16_t)(THREADS - 1 - i);
		self->slots[i].started = false;
	}
	for (unsigned i = 0; i < WARPS; i++)
		self->warps[i].waiting = 0;
	self->waiting_count = 0;
	self->ready_count = 0;
	self->preempted_count = 0;
	self->warp_waiting_count = 0;
	self->predicates = 0;
	self->grid_count = 0;
}

void at_host_worker_run(struct at_host_worker *self, struct at_host_launch *launch)
{
	struct at_host_context *context = &self->context;
	uint16_t first;

	self->launch = launch;
	context->block_size = launch->block;
	context->grid_size = launch->grid;
	context->thread_count = launch->thread_count;
	context->start_order = launch->seed ? self->start_order : NULL;
	context->start_limit = launch->thread_count;
	context->turn = launch->seed ? take_turn : NULL;
	context->is_cooperative = launch->is_cooperative;
	context->shared[0] = (char *)self + static_offset(launch);
	context->shared[1] =
		(char *)self + dynamic_offset(launch) - launch->shared->dynamic_offset;
	self->block = self->block_end = 0;
	self->is_shuffled = launch->seed != 0;
	self->priorities = PRIORITIES_NONE;
	self->is_filled = self->has_block = false;
	self->yield_count = 0;
	if (!next_block(self))
		return;
	first = take_idle(self);
	if (first == NOBODY)
		return;
	self->current = first;
	if (!self->armed) {
		/* not per launch, because it is a system call */
		at_host_fault_arm((char *)self + HANDLER_OFFSET, HANDLER_BYTES);
		self->armed = true;
	}
	at_process_restore_arithmetic();
	at_host_fault_watch(&self->fault);
	if (launch->seed)
		begin_ticks(self);
	at_fiber_switch(&self->home, &self->slots[first].fiber);
	if (launch->seed)
		end_ticks(self);
	at_host_fault_watch(NULL);
	at_process_restore_arithmetic();
	if (self->fault.caught) {
		at_host_fault_forget();
		give_up_by_fault(self);
		self->fault.caught = false;
	}
	if (self->idle_count < THREADS)
		forget_fibers(self);
}

void at_host_worker_leave(struct at_host_worker *self)
{
	if (self->armed)
		at_host_fault_disarm((char *)self + HANDLER_OFFSET);
	self->armed = false;
}

/* ---- life ----------------------------------------------------------------- */

enum at_status at_host_worker_open(
	unsigned worker_count, struct at_host_worker **out, struct at_error *err)
{
	struct at_host_worker *self = NULL;
	enum at_status status = make_region(worker_count, &self, err);

	if (status)
		return status;
	self->context.barrier = wait_at_barrier;
	self->context.grid = wait_for_grid;
	self->context.warp = wait_in_warp;
	self->fault.home = &self->home;
	forget_fibers(self);
	*out = self;
	return AT_OK;
}

void at_host_worker_close(struct at_host_worker *self)
{
	if (!self)
		return;
	at_host_worker_leave(self);
	free_region(self);
}
