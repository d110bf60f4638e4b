/* anonymous mappings are in no POSIX of 2008 */
#define _DEFAULT_SOURCE
#include "device/host/worker.h"
#include "base/random.h"
#include "device/host/fault.h"
#include "device/host/fiber.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS AT_HOST_MAX_THREADS
#define LANES AT_HOST_WARP_SIZE
#define WARPS (THREADS / LANES)
#define NOBODY UINT16_MAX

/* Where the stacks begin in a region, after context and shared memory. */
#define STACKS_OFFSET ((uintptr_t)4 << 20)
/* The stack of signal handlers: the frame that the system makes there has all vector
   registers, 11 KiB on the largest processors. */
#define HANDLER_OFFSET ((uintptr_t)3 << 20)
#define HANDLER_BYTES ((size_t)64 << 10)
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
	struct at_host_watch watch;
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

	uint16_t start_order[THREADS];
	unsigned guard_count;
	size_t slot_bytes;
	size_t page_bytes;
	struct slot slots[THREADS];
	struct warp warps[WARPS];
};

_Static_assert(sizeof(struct at_host_worker) <= AT_HOST_SHARED_OFFSET,
	"a worker lies in front of the shared memory");
_Static_assert(AT_HOST_SHARED_OFFSET + AT_HOST_SHARED_LIMIT_BYTES < HANDLER_OFFSET &&
		       HANDLER_OFFSET + HANDLER_BYTES < STACKS_OFFSET,
	"pages that nobody may touch lie between shared memory and stacks");

/* ---- blocks --------------------------------------------------------------- */

/*
 * What a kernel must not count on: bytes of NaN or -1, of a large number and of a
 * small one. A sum, a maximum or a minimum that begins there shows in one of them.
 */
static const unsigned char leftovers[] = { 0xff, 0x7f, 0xfe };

/*
 * A seeded order, the same whichever worker runs the block, in which threads start
 * and in which every barrier lets them go; and shared memory in which nothing
 * useful is left from the block before.
 */
static void shuffle_block(struct at_host_worker *self)
{
	unsigned count = self->context.thread_count;
	struct at_random random;

	at_random_init(&random, self->launch->seed + self->block);
	for (unsigned i = 0; i < count; i++) {
		unsigned j = (unsigned)at_random_below(&random, i + 1);

		self->start_order[i] = self->start_order[j];
		self->start_order[j] = (uint16_t)i;
	}
	memset((char *)self + AT_HOST_SHARED_OFFSET,
		leftovers[(self->launch->seed + self->block) % sizeof(leftovers)],
		self->launch->shared_bytes);
}

static bool take_chunk(struct at_host_worker *self)
{
	struct at_host_launch *launch = self->launch;
	uint64_t first = atomic_fetch_add_explicit(
		&launch->next_block, launch->chunk, memory_order_relaxed);

	if (first >= launch->block_count)
		return false;
	self->block = first;
	self->block_end = first + launch->chunk < launch->block_count
				  ? first + launch->chunk
				  : launch->block_count;
	self->context.block.x = (unsigned)(first % launch->grid.x);
	self->context.block.y = (unsigned)(first / launch->grid.x % launch->grid.y);
	self->context.block.z = (unsigned)(first / launch->grid.x / launch->grid.y);
	return true;
}

static bool next_block(struct at_host_worker *self)
{
	struct at_host_context *context = &self->context;

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
	if (self->launch->seed)
		shuffle_block(self);
	return true;
}

/* ---- giving up ------------------------------------------------------------ */

static void describe_deadlock(struct at_host_worker *self)
{
	const struct at_host_uint3 *block = &self->context.block;

	snprintf(self->launch->failure, sizeof(self->launch->failure),
		"kernel \"%s\", block (%u, %u, %u): threads wait at different barriers: %u at __syncthreads(), %u in warp operations whose other lanes do not come",
		self->launch->kernel->name, block->x, block->y, block->z,
		self->waiting_count, self->warp_waiting_count);
}

static void describe_no_stack(struct at_host_worker *self)
{
	snprintf(self->launch->failure, sizeof(self->launch->failure),
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
	int length = snprintf(launch->failure, sizeof(launch->failure),
		"kernel \"%.100s\", block (%u, %u, %u), thread (%u, %u, %u) %s ",
		launch->kernel->name, block->x, block->y, block->z, thread->x,
		thread->y, thread->z, accesses[self->watch.access]);
	char *rest = launch->failure + length;
	size_t room = sizeof(launch->failure) - (size_t)length;

	launch->fault_address = self->watch.address;
	if (self->watch.address)
		snprintf(rest, room, "address 0x%" PRIx64, self->watch.address);
	else
		snprintf(rest, room, "an address that cannot be told");
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
 * The slot to run now, taken from where it stood; NOBODY when no thread of the
 * block is left, or when the launch had to be given up.
 */
static uint16_t choose(struct at_host_worker *self)
{
	const struct at_host_context *context = &self->context;

	/* first those that have begun: the fewer stacks, the fewer cache lines */
	if (self->ready_count)
		return take_ready(self);
	if (context->started_count < context->thread_count)
		return take_idle(self);
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
		return warp->result[lane];
	}
	keep_thread(slot, context);
	wait_for_turn(self);
	restore_thread(context, slot);
	return warp->result[lane];
}

/* ---- fibers --------------------------------------------------------------- */

static void run_fiber(void *worker)
{
	struct at_host_worker *self = worker;

	for (;;) {
		uint16_t chosen;

		self->launch->kernel->run(&self->context, self->launch->arguments);
		/* every thread of the block has been started, and this one has ended */
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
	self->warp_waiting_count = 0;
	self->predicates = 0;
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
	self->block = self->block_end = 0;
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
	at_host_fault_watch(&self->watch);
	at_fiber_switch(&self->home, &self->slots[first].fiber);
	at_host_fault_watch(NULL);
	if (self->watch.caught) {
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
	char *region = reserve_region();
	struct at_host_worker *self;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (!region)
		return at_fail(err, AT_ENOMEM, NULL, 0,
			"no address space for the stacks of the device \"host\" (%zu MiB a core): %s; raise `ulimit -v`",
			(size_t)AT_HOST_REGION_BYTES >> 20, strerror(errno));
	if (mprotect(region, AT_HOST_SHARED_OFFSET + AT_HOST_SHARED_LIMIT_BYTES,
		    PROT_READ | PROT_WRITE) < 0 ||
		mprotect(region + HANDLER_OFFSET, HANDLER_BYTES,
			PROT_READ | PROT_WRITE) < 0) {
		munmap(region, AT_HOST_REGION_BYTES);
		return at_fail_memory(err);
	}
	self = (struct at_host_worker *)region;
	self->context.barrier = wait_at_barrier;
	self->context.warp = wait_in_warp;
	self->watch.home = &self->home;
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
	munmap(self, AT_HOST_REGION_BYTES);
}
