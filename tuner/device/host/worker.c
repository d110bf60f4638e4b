/* anonymous mappings are in no POSIX of 2008 */
#define _DEFAULT_SOURCE
#include "device/host/worker.h"
#include "base/random.h"
#include "device/host/fault.h"
#include "device/host/fiber.h"
#include "device/host/tick.h"

#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#define THREADS AT_HOST_MAX_THREADS
#define LANES AT_HOST_WARP_SIZE
#define WARPS (THREADS / LANES)
#define NOBODY UINT16_MAX

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
/*
 * Templates may ask for it by __align__, and an undefined name does not tell: what
 * a GPU gives without being asked.
 */
#define DYNAMIC_ALIGNMENT ((size_t)128)
/* What threads of shuffled launches find on their stack: some frames of usual size. */
#define SOIL_BYTES ((size_t)8 << 10)
/* One thread in so many finds it. Its result is wrong, which is enough. */
#define SOIL_EVERY 8u
/* A thread of a shuffled launch goes on at so many places of four where it could be
   stopped: else each would do one operation at a time, which is an order as well. */
#define STAY_OF_FOUR 2u
/*
 * Processor time after which a thread of a shuffled launch that does not give way is
 * stopped: it may wait, by plain reads, for another one that was. Long beside what a
 * thread usually does, so that a seed gives the same order again; short for one that
 * was stopped like that before.
 */
#define PATIENCE_NS 2000000u
#define PATIENCE_AGAIN_NS 100000u
/* What is watched ahead of shared memory in shuffled launches: a row of a tile. */
#define AHEAD_BYTES ((size_t)1024)
/* Guard pages of all workers together: two mappings each, of 65530 by default. */
#define GUARD_LIMIT 16384u

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

/* ---- giving up ------------------------------------------------------------ */

static void describe_deadlock(struct at_host_worker *self)
{
	const struct at_host_uint3 *block = &self->context.block;

	snprintf(self->launch->failure, AT_HOST_FAILURE_BYTES,
		"kernel \"%s\", block (%u, %u, %u): threads wait at different barriers: %u at __syncthreads(), %u in warp operations whose other lanes do not come",
		self->launch->kernel->name, block->x, block->y, block->z,
		self->waiting_count, self->warp_waiting_count);
}

static void describe_no_stack(struct at_host_worker *self)
{
	snprintf(self->launch->failure, AT_HOST_FAILURE_BYTES,
		"kernel \"%s\": no memory for the stack of one more thread (%s); use smaller blocks or raise the sysctl vm.max_map_count",
		self->launch->kernel->name, strerror(errno));
}

static void describe_fault(struct at_host_worker *self)
{
	static const char *const accesses[] = {
		[AT_HOST_ACCESS_UNKNOWN] = "touched",
		[AT_HOST_ACCESS_READ] = "read from",
		[AT_HOST_ACCESS_WRITE] = "wrote to",
	};
	const struct at_host_context *context = &self->context;
	const struct at_host_uint3 *block = &context->block, *thread = &context->thread;
	struct at_host_launch *launch = self->launch;
	int length = snprintf(launch->failure, AT_HOST_FAILURE_BYTES,
		"kernel \"%.100s\", block (%u, %u, %u), thread (%u, %u, %u) %s ",
		launch->kernel->name, block->x, block->y, block->z, thread->x,
		thread->y, thread->z, accesses[self->watch.access]);
	char *rest = launch->failure + length;
	size_t room = AT_HOST_FAILURE_BYTES - (size_t)length;
	/* in the region of this worker; far larger for anything else */
	uint64_t offset = self->watch.address - (uint64_t)(uintptr_t)self;

	launch->fault_address = self->watch.address;
	if (!self->watch.address) {
		snprintf(rest, room,
			"an address that cannot be told: one that no process can have, or one that a vector of its type cannot have");
	} else if (offset >= STATIC_OFFSET && offset < STACKS_OFFSET) {
		launch->outcome = AT_OUTCOME_OUT_OF_BOUNDS;
		snprintf(rest, room,
			"address 0x%" PRIx64
			", outside its shared memory (%zu bytes of variables, %zu bytes dynamic)",
			self->watch.address, launch->shared->static_bytes,
			launch->dynamic_bytes);
	} else {
		snprintf(rest, room, "address 0x%" PRIx64, self->watch.address);
	}
}

/* The launch cannot go on; the first worker to find out has the word. */
static void give_up(struct at_host_worker *self, enum at_outcome outcome,
	void (*describe)(struct at_host_worker *))
{
	static atomic_flag speaking = ATOMIC_FLAG_INIT;

	while (atomic_flag_test_and_set(&speaking))
		;
	if (!atomic_load(&self->launch->stopped)) {
		self->launch->outcome = outcome;
		describe(self);
		atomic_store(&self->launch->stopped, true);
	}
	atomic_flag_clear(&speaking);
}

/* ---- shared memory -------------------------------------------------------- */

/* Where variables begin, and dynamic shared memory, in a launch. */
static size_t static_offset(const struct at_host_launch *launch)
{
	const struct at_host_shared *shared = launch->shared;

	return (STATIC_END - shared->static_bytes) & ~(shared->alignment - 1);
}

static size_t dynamic_offset(const struct at_host_launch *launch)
{
	return (DYNAMIC_END - launch->dynamic_bytes) & ~(DYNAMIC_ALIGNMENT - 1);
}

/* A part of shared memory that belongs to no variable. */
struct zone {
	const char *place; /* "behind its variables" */
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
 * What a kernel must not count on, byte by byte: NaN or -1, very large, very small
 * (far below 0), barely above 0, barely below 0 (as an integer far below), 0. A sum, a
 * maximum, a minimum or a count that begins there shows in one of them.
 */
static const unsigned char leftovers[] = { 0xff, 0x7f, 0xfe, 0x01, 0x81, 0x00 };

static unsigned char leftover(const struct at_host_worker *self, uint64_t shift)
{
	return leftovers[(self->launch->seed + self->block + shift) %
			 sizeof(leftovers)];
}

/* In a zone: what halos and tails are filled with is 0 more often than anything. */
static unsigned char canary_of(const struct at_host_worker *self)
{
	unsigned char byte = leftover(self, 0);

	return byte ? byte : 0xa5;
}

/*
 * Ahead of a block of a shuffled launch. Reads outside of a variable find garbage as
 * well, another one in each block and with each seed.
 */
static void fill_shared(struct at_host_worker *self)
{
	const struct at_host_launch *launch = self->launch;
	size_t first = static_offset(launch), dynamic = dynamic_offset(launch);
	char *region = (char *)self;

	memset(region + first, leftover(self, 0), STATIC_END - first);
	memset(region + dynamic, leftover(self, 0), DYNAMIC_END - dynamic);
	for (size_t i = 0; i < zone_count(launch); i++) {
		struct zone zone = zone_at(launch, i);

		memset(region + zone.offset, canary_of(self), zone.bytes);
	}
	self->is_filled = true;
}

static void describe_zone(struct at_host_worker *self)
{
	const struct at_host_uint3 *block = &self->context.block;
	unsigned char canary = canary_of(self);

	for (size_t i = 0; i < zone_count(self->launch); i++) {
		struct zone zone = zone_at(self->launch, i);
		const unsigned char *bytes = (unsigned char *)self + zone.offset;
		size_t at = 0;

		while (at < zone.bytes && bytes[at] == canary)
			at++;
		if (at == zone.bytes)
			continue;
		snprintf(self->launch->failure, AT_HOST_FAILURE_BYTES,
			"kernel \"%.100s\", block (%u, %u, %u) wrote to shared memory %zu bytes %s (%zu bytes of variables, %zu bytes dynamic)",
			self->launch->kernel->name, block->x, block->y, block->z,
			zone.is_ahead ? zone.bytes - at : at, zone.place,
			self->launch->shared->static_bytes,
			self->launch->dynamic_bytes);
		return;
	}
}

/*
 * Behind a block of a shuffled launch: no zone has been written to. Not seen: a write
 * of the canary's own byte (in the next block it is another one), a write farther than
 * a zone reaches that ends in another variable, and a write that goes from one element
 * of an array of arrays, or from one member of a structure, to the next.
 */
static bool zones_are_whole(const struct at_host_worker *self)
{
	unsigned char canary = canary_of(self);

	for (size_t i = 0; i < zone_count(self->launch); i++) {
		struct zone zone = zone_at(self->launch, i);
		const unsigned char *bytes = (const unsigned char *)self + zone.offset;

		if (zone.bytes && (bytes[0] != canary ||
					  memcmp(bytes, bytes + 1, zone.bytes - 1)))
			return false;
	}
	return true;
}

/* ---- blocks --------------------------------------------------------------- */

/*
 * The place of number `index` in a seeded order of all blocks: a bijection on the next
 * power of two, taken again until it falls among the blocks (cycle walking: Black and
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

/*
 * A seeded order, the same whichever worker runs the block, in which threads start; and
 * shared memory in which nothing useful is left from the block before.
 */
static void shuffle_block(struct at_host_worker *self)
{
	unsigned count = self->context.thread_count;

	at_random_init(&self->random, self->launch->seed + self->block);
	for (unsigned i = 0; i < count; i++) {
		unsigned j = (unsigned)at_random_below(&self->random, i + 1);

		self->start_order[i] = self->start_order[j];
		self->start_order[j] = (uint16_t)i;
	}
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
		/* a chunk has one block then */
		first = shuffled_place(first, launch->block_count, launch->seed);
		self->block_end = first + 1;
	}
	self->block = first;
	self->context.block.x = (unsigned)(first % launch->grid.x);
	self->context.block.y = (unsigned)(first / launch->grid.x % launch->grid.y);
	self->context.block.z = (unsigned)(first / launch->grid.x / launch->grid.y);
	return true;
}

static bool next_block(struct at_host_worker *self)
{
	struct at_host_context *context = &self->context;

	if (self->is_shuffled) {
		if (self->is_filled && !zones_are_whole(self))
			give_up(self, AT_OUTCOME_OUT_OF_BOUNDS, describe_zone);
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
	/* another worker may have given up in the middle of this one's chunk */
	if (atomic_load_explicit(&self->launch->stopped, memory_order_relaxed))
		return false;
	context->started_count = 0;
	context->row_first = context->row_y = context->row_z = 0;
	if (self->is_shuffled)
		shuffle_block(self);
	return true;
}

/* ---- who runs next -------------------------------------------------------- */

static void run_fiber(void *worker);

static void *stack_of(const struct at_host_worker *self, unsigned index)
{
	return (char *)self + STACKS_OFFSET + index * self->slot_bytes;
}

/* A slot to run threads that have not started; NOBODY when memory is out. */
static uint16_t take_idle(struct at_host_worker *self)
{
	uint16_t index = self->idle[--self->idle_count];
	struct slot *slot = &self->slots[index];
	char *stack = stack_of(self, index);
	size_t guard_bytes = index < self->guard_count ? self->page_bytes : 0;
	/* equal addresses within a page would make all stacks meet in the same few
	   sets of the first cache */
	size_t colour_bytes = index * 5 % 64 * 64;

	if (!slot->mapped) {
		if (mprotect(stack + guard_bytes, self->slot_bytes - guard_bytes,
			    PROT_READ | PROT_WRITE) < 0) {
			give_up(self, AT_OUTCOME_CRASHED, describe_no_stack);
			return NOBODY;
		}
		slot->mapped = true;
	}
	if (!slot->started)
		at_fiber_start(&slot->fiber, stack + guard_bytes,
			self->slot_bytes - guard_bytes - colour_bytes, run_fiber, self);
	slot->started = true;
	return index;
}

static void make_ready(struct at_host_worker *self, uint16_t slot)
{
	self->ready[(self->ready_first + self->ready_count++) % THREADS] = slot;
}

static uint16_t take_ready(struct at_host_worker *self)
{
	uint16_t taken = self->ready[self->ready_first];

	self->ready_first = (self->ready_first + 1) % THREADS;
	self->ready_count--;
	return taken;
}

static void release_barrier(struct at_host_worker *self)
{
	self->released_predicates = self->predicates;
	self->predicates = 0;
	for (unsigned i = 0; i < self->waiting_count; i++)
		make_ready(self, self->waiting[i]);
	self->waiting_count = 0;
}

/* All lanes of `lanes` wait, for the same operation with the same mask. */
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

/* Gives the lanes their results and lets all of them go on but `except`. */
static void complete_warp(
	struct at_host_worker *self, struct warp *warp, uint32_t lanes, unsigned except)
{
	uint64_t ballot = 0;

	for (unsigned i = 0; i < LANES; i++)
		if (lanes >> i & 1)
			ballot |= (uint64_t)(warp->value[i] != 0) << i;
	for (unsigned i = 0; i < LANES; i++) {
		/* a lane that takes no part has no value to give: keep the own one */
		unsigned source = lanes >> warp->source[i] & 1 ? warp->source[i] : i;

		if (!(lanes >> i & 1))
			continue;
		warp->result[i] = warp->operation[i] == AT_HOST_WARP_BALLOT
					  ? ballot
					  : warp->value[source];
		warp->waiting &= ~(UINT32_C(1) << i);
		self->warp_waiting_count--;
		if (i != except)
			make_ready(self, warp->slot[i]);
	}
}

/*
 * Nobody can run, so every thread that has not ended waits. Warps whose missing
 * lanes have ended go on without them.
 */
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

/*
 * Of a shuffled launch: puts any of those that may go on in front, or says that a
 * thread that has not begun is to come before them.
 */
static bool starts_another(struct at_host_worker *self)
{
	uint64_t draw = at_random_next(&self->random);
	unsigned first = self->ready_first;
	unsigned other = (first + (unsigned)(draw >> 1) % self->ready_count) % THREADS;
	uint16_t taken = self->ready[other];

	self->ready[other] = self->ready[first];
	self->ready[first] = taken;
	return draw & 1 && self->context.started_count < self->context.thread_count;
}

/*
 * The slot to run now, taken from where it stood; NOBODY when no thread of the
 * block is left, or when the launch had to be given up.
 */
static uint16_t choose(struct at_host_worker *self)
{
	const struct at_host_context *context = &self->context;

	if (self->is_shuffled) {
		self->turn_count++;
		self->is_patient = false;
		if (self->ready_count && starts_another(self))
			return take_idle(self);
	}
	/* first those that have begun: the fewer stacks, the fewer cache lines */
	if (self->ready_count)
		return take_ready(self);
	if (context->started_count < context->thread_count)
		return take_idle(self);
	if (self->patient_count) {
		uint16_t taken = self->patient[self->patient_first];

		self->patient_first = (self->patient_first + 1) % THREADS;
		self->patient_count--;
		self->is_patient = true;
		return taken;
	}
	if (self->warp_waiting_count) {
		complete_partial_warps(self);
		if (self->ready_count)
			return take_ready(self);
		give_up(self, AT_OUTCOME_CRASHED, describe_deadlock);
		return NOBODY;
	}
	if (!self->waiting_count)
		return NOBODY;
	release_barrier(self);
	return take_ready(self);
}

/* Leaves the current fiber for the chosen one, or for good. */
static void switch_to(struct at_host_worker *self, uint16_t chosen)
{
	struct at_fiber *from = &self->slots[self->current].fiber;

	self->current = chosen;
	at_fiber_switch(
		from, chosen == NOBODY ? &self->home : &self->slots[chosen].fiber);
}

/* ---- what kernels call ---------------------------------------------------- */

/* The current thread waits where it has been noted down; returns when it may go on. */
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
 * Another thread may go on here (shuffled launches only). It is how a race between what
 * lies around two atomic operations shows. It is not how everything shows: threads of a
 * block see each other's stores in order, and so do blocks on a processor that orders
 * stores (x86), so that a fence that is missing is not seen here.
 */
static void take_turn(struct at_host_context *context)
{
	struct at_host_worker *self = (struct at_host_worker *)context;
	struct slot *slot = &self->slots[self->current];
	uint64_t draw = at_random_next(&self->random);

	/* a thread that waits for what will not come any more can be left here */
	if (atomic_load_explicit(&self->launch->stopped, memory_order_relaxed))
		switch_to(self, NOBODY);
	if (draw % 4 < STAY_OF_FOUR)
		return;
	/* now and then a block on another worker of the same core */
	if (draw >> 2 & 1 && draw >> 3 & 1 && draw >> 4 & 1 && draw >> 5 & 1)
		sched_yield();
	keep_thread(slot, context);
	make_ready(self, self->current);
	wait_for_turn(self);
	restore_thread(context, slot);
}

/*
 * A tick: stops the current thread where it is, if it has gone on for long and nobody
 * but itself would notice: in the kernel's own instructions, not in the C library's,
 * which may hold a lock, nor in the runtime's; nor while it is being started.
 */
static void stop_thread(void *worker, uint64_t address)
{
	struct at_host_worker *self = worker;
	struct at_host_context *context = &self->context;
	struct slot *slot;
	uint64_t now_ns;

	if (address - self->launch->code_first >= self->launch->code_bytes ||
		context->start_limit)
		return;
	now_ns = at_host_tick_cpu_ns();
	if (self->tick_turn != self->turn_count) {
		self->tick_turn = self->turn_count;
		self->tick_cpu_ns = now_ns;
		return;
	}
	if (now_ns - self->tick_cpu_ns <
		(self->is_patient ? PATIENCE_AGAIN_NS : PATIENCE_NS))
		return;
	at_host_tick_leave();
	if (atomic_load_explicit(&self->launch->stopped, memory_order_relaxed))
		switch_to(self, NOBODY);
	slot = &self->slots[self->current];
	keep_thread(slot, context);
	self->patient[(self->patient_first + self->patient_count++) % THREADS] =
		self->current;
	wait_for_turn(self);
	restore_thread(context, slot);
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
	mask |= UINT32_C(1) << lane;
	warp->waiting |= UINT32_C(1) << lane;
	warp->mask[lane] = mask;
	warp->value[lane] = value;
	warp->slot[lane] = self->current;
	warp->source[lane] = (uint8_t)(source % LANES);
	warp->operation[lane] = (uint8_t)operation;
	self->warp_waiting_count++;
	if (agree(warp, mask, lane)) {
		complete_warp(self, warp, mask, lane);
		value = warp->result[lane];
		/* else the last lane to come would always go on first */
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

/* Pointers that the compiler cannot look behind: else it would leave out what has no
   effect that it knows of. */
static void *(*volatile fill)(void *, int, size_t) = memset;

static void fill_frame(int byte)
{
	char frame[SOIL_BYTES];

	fill(frame, byte, sizeof(frame));
}

static void (*volatile soil)(int) = fill_frame;

/*
 * Lets one thread of a shuffled launch start. Of some, and of the first of each block,
 * the local arrays lie where garbage is. Not seen: what the compiler keeps in
 * registers, or knows to be unset: it may take any value for that, and takes a useful
 * one.
 */
static void let_one_start(struct at_host_worker *self)
{
	struct at_host_context *context = &self->context;

	self->turn_count++;
	self->is_patient = false;
	context->start_limit = context->started_count + 1;
	if (!context->started_count || at_random_next(&self->random) % SOIL_EVERY == 0)
		soil(leftover(self, 3));
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
		/* shuffled: the stack is free for the next thread */
		if (self->is_shuffled &&
			context->started_count < context->thread_count &&
			(!self->ready_count || at_random_next(&self->random) & 1))
			continue;
		/* in order: every thread of the block has been started, and this one
		   has ended */
		chosen = choose(self);
		if (chosen == NOBODY &&
			!atomic_load_explicit(
				&self->launch->stopped, memory_order_relaxed) &&
			next_block(self))
			continue;
		self->idle[self->idle_count++] = self->current;
		/* comes back when this slot is to start threads again */
		switch_to(self, chosen);
	}
}

/* Every fiber begins anew: none has a thread in the middle of a kernel. */
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
	self->patient_count = 0;
	self->warp_waiting_count = 0;
	self->predicates = 0;
}

/*
 * Rounding, and which operations are signals, are a thread's and outlive a launch: what
 * one kernel has set there, or the loading of an image (-ffast-math flushes small
 * numbers to zero for good), would be in every other one's results and in ours. Looked
 * at first: to set it takes a hundred times as long.
 */
static void restore_arithmetic(void)
{
	bool is_usual = fegetround() == FE_TONEAREST;

#if defined(__SSE__)
	/* the lowest six bits tell what has happened, and decide nothing */
	is_usual = is_usual && (_mm_getcsr() & ~0x3fu) == _MM_MASK_MASK;
#endif
	if (!is_usual)
		fesetenv(FE_DFL_ENV);
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
	context->shared[0] = (char *)self + static_offset(launch);
	context->shared[1] =
		(char *)self + dynamic_offset(launch) - launch->shared->dynamic_offset;
	self->block = self->block_end = 0;
	self->is_shuffled = launch->seed != 0;
	self->is_filled = false;
	if (!next_block(self))
		return;
	first = take_idle(self);
	if (first == NOBODY)
		return;
	self->current = first;
	if (!self->armed) {
		/* not for each launch: it is a call of the system */
		at_host_fault_arm((char *)self + HANDLER_OFFSET, HANDLER_BYTES);
		self->armed = true;
	}
	restore_arithmetic();
	at_host_fault_watch(&self->watch);
	if (launch->seed)
		at_host_tick_begin(&self->tick);
	at_fiber_switch(&self->home, &self->slots[first].fiber);
	if (launch->seed)
		at_host_tick_end(&self->tick);
	at_host_fault_watch(NULL);
	restore_arithmetic();
	if (self->watch.caught) {
		at_host_fault_forget();
		give_up(self, AT_OUTCOME_CRASHED, describe_fault);
		self->watch.caught = false;
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

/* ---- the region ----------------------------------------------------------- */

/* Address space aligned to its size; nothing in it may be touched yet. */
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

enum at_status at_host_worker_open(
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
	self->context.barrier = wait_at_barrier;
	self->context.warp = wait_in_warp;
	self->watch.home = &self->home;
	self->tick.call = stop_thread;
	self->tick.argument = self;
	self->page_bytes = page_bytes;
	self->slot_bytes = (AT_HOST_REGION_BYTES - STACKS_OFFSET) / THREADS /
			   page_bytes * page_bytes;
	self->guard_count = GUARD_LIMIT / worker_count;
	forget_fibers(self);
	*out = self;
	return AT_OK;
}

void at_host_worker_close(struct at_host_worker *self)
{
	if (!self)
		return;
	at_host_worker_leave(self);
	at_fiber_forget((char *)self + HANDLER_OFFSET, HANDLER_BYTES);
	for (unsigned i = 0; i < THREADS; i++)
		if (self->slots[i].mapped)
			at_fiber_forget(stack_of(self, i), self->slot_bytes);
	munmap(self, AT_HOST_REGION_BYTES);
}
