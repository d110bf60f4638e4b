/*
 * Runs the threads of a block as fibers that take turns on one core: which one runs
 * next, what happens where they wait, and how they start and end.
 */
#include "device/host/process_state.h"
#include "device/host/worker_parts.h"

#include <fenv.h>
#include <sched.h>
#include <string.h>

/*
 * Garbage that threads of shuffled launches find on their stack: some frames of usual
 * size.
 */
#define POISON_BYTES ((size_t)8 << 10)
/* One thread in so many finds it: a wrong result of one thread is enough. */
#define POISON_EVERY 8u
/*
 * Where a thread of a shuffled launch could be stopped, it goes on in this many of four
 * cases. If it never did, every thread would do one operation at a time, which is an
 * order as well.
 */
#define STAY_OF_FOUR 2u
/*
 * A thread of a shuffled launch that has run for this much processor time without
 * giving way is stopped: it may be waiting, by plain reads, for a thread that cannot
 * run meanwhile. Long compared with what a thread usually does between two turns, so
 * that a seed gives the same order again; shorter for a thread that was stopped in this
 * way before.
 */
#define FIRST_SLICE_NS 2000000u
#define NEXT_SLICE_NS 100000u
#define NOBODY UINT16_MAX
/* Where a thread of a block with priorities could be stopped, it loses its priority in
   one of so many cases: it may be waiting for a thread that has a lower one. */
#define LOSES_EVERY 32u
/* So many threads of a block are compared by their priorities, which takes some
   milliseconds; after that they go on as drawn. */
#define COMPARED_MOST (UINT64_C(1) << 22)

/* ---- which slot runs next -------------------------------------------------- */

static void run_fiber(void *worker);

/* Takes a slot for threads that have not started; NOBODY when there is no memory. */
static uint16_t take_idle(struct at_host_worker *self)
{
	uint16_t index = self->idle[--self->idle_count];
	struct slot *slot = &self->slots[index];
	/* If the stacks of all slots began at equal addresses within a page, they would
	   compete for the same few sets of the first-level cache. */
	size_t colour_bytes = index * 5 % 64 * 64;
	size_t stack_bytes = worker_map_stack(self, index);

	if (!stack_bytes) {
		worker_give_up(self, AT_OUTCOME_CRASHED, worker_describe_no_stack);
		return NOBODY;
	}
	if (!slot->started)
		at_fiber_start(&slot->fiber,
			worker_stack(self, index) + self->slot_bytes - stack_bytes,
			stack_bytes - colour_bytes, run_fiber, self);
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
	if (self->is_shuffled)
		worker_pass_turn(self);
	self->released_predicates = self->predicates;
	self->predicates = 0;
	for (unsigned i = 0; i < self->waiting_count; i++)
		make_ready(self, self->waiting[i]);
	self->waiting_count = 0;
}

/*
 * Whether all of `lanes` wait, and for the same operation with the same mask as `lane`.
 */
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

/*
 * Gives the lanes their results, and lets all of them go on except `except`, which is
 * running already (LANES: none).
 */
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
			memset(&warp->result[i], worker_leftover(self, i),
				sizeof(warp->result[i]));
			worker_note_undefined(self, warp, i);
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

/*
 * The lanes of a warp that wait to be gathered (AT_HOST_WARP_GATHER) with the same
 * value as `lane`.
 */
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

/*
 * Called when no thread can run, so that every thread that has not ended is waiting: no
 * further lane will come to those that gather. They are complete.
 */
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

/*
 * Called when no thread can run, so that every thread that has not ended is waiting.
 * Warps whose missing lanes have ended, or wait at the block's barrier, go on without
 * them.
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

/* The place in the ring of the ready slot whose thread has the highest priority. */
static unsigned find_highest(struct at_host_worker *self)
{
	unsigned best = self->ready_first;

	self->compared_count += self->ready_count;
	for (unsigned i = 1; i < self->ready_count; i++) {
		const unsigned at = (self->ready_first + i) % THREADS;

		if (self->priority[self->slots[self->ready[at]].linear_thread] >
			self->priority[self->slots[self->ready[best]].linear_thread])
			best = at;
	}
	return best;
}

/* Whether the next thread that has not begun goes before all that are ready. It does
   where they are equal: lanes of a warp may wait for it. */
static bool start_goes_first(const struct at_host_worker *self, unsigned highest)
{
	const uint16_t next = self->start_order[self->context.started_count];
	const uint16_t ready = self->ready[highest];

	return self->priority[next] >= self->priority[self->slots[ready].linear_thread];
}

/*
 * Decides what a shuffled launch does next: moves one of the ready slots to the front,
 * a random one or that with the highest priority, or returns true if a thread that has
 * not begun is to start instead.
 */
static bool starts_another(struct at_host_worker *self)
{
	const bool may_start = self->context.started_count < self->context.thread_count;
	uint64_t draw = at_random_next(&self->random);
	unsigned first = self->ready_first;
	unsigned other = (first + (unsigned)(draw >> 1) % self->ready_count) % THREADS;
	uint16_t taken;

	if (self->compared_count > COMPARED_MOST)
		self->priorities = PRIORITIES_NONE;
	if (self->priorities) {
		other = find_highest(self);
		if (may_start && start_goes_first(self, other))
			return true;
	}
	taken = self->ready[other];
	self->ready[other] = self->ready[first];
	self->ready[first] = taken;
	return !self->priorities && draw & 1 && may_start;
}

/* The current thread falls behind all others, and with it its warp. */
static void lose_priority(struct at_host_worker *self)
{
	const unsigned thread = self->context.linear_thread;
	const unsigned first = self->priorities == PRIORITIES_OF_WARPS
				       ? thread / LANES * LANES
				       : thread;
	const unsigned end =
		self->priorities == PRIORITIES_OF_WARPS ? first + LANES : first + 1;

	self->lowest -= self->lowest > 0;
	for (unsigned i = first; i < end && i < THREADS; i++)
		self->priority[i] = self->lowest;
}

/*
 * Chooses the slot to run now and takes it from the list that it was in. NOBODY when no
 * thread of the block is left, or the launch had to be given up.
 */
static uint16_t choose(struct at_host_worker *self)
{
	const struct at_host_context *context = &self->context;

	if (self->is_shuffled) {
		self->turn_count++;
		self->was_preempted = false;
		if (self->ready_count && starts_another(self))
			return take_idle(self);
	}
	/* Threads that have begun go first: fewer stacks are in use, and fewer cache
	   lines. */
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
		worker_give_up(self, AT_OUTCOME_CRASHED, worker_describe_deadlock);
		return NOBODY;
	}
	if (!self->waiting_count)
		return NOBODY;
	release_barrier(self);
	return take_ready(self);
}

/*
 * Leaves the current fiber for the chosen one. NOBODY: returns to at_host_worker_run().
 */
static void switch_to(struct at_host_worker *self, uint16_t chosen)
{
	struct at_fiber *from = &self->slots[self->current].fiber;

	self->current = chosen;
	at_fiber_switch(
		from, chosen == NOBODY ? &self->home : &self->slots[chosen].fiber);
}

/* ---- what kernels call ---------------------------------------------------- */

/*
 * The current thread waits, after the caller has put it into a list. Returns when it
 * may go on.
 */
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
 * Whether the worker of another block may run on this core now: one time in 16, and
 * after every 128 of them 16 times more seldom. Each is a switch of the system's, and
 * on a busy machine a time slice of somebody else's: the proofs of a histogram of 2
 * million values took 14 s of processor time when it never became rarer, and 6 with
 * this, as a launch of 250,000 atomic operations gave cores away 16,000 times.
 */
static bool gives_core_away(struct at_host_worker *self, uint64_t draw)
{
	unsigned bits = 4 + 4 * (self->away_count / 128);

	if (bits > 60 || draw & ((UINT64_C(1) << bits) - 1))
		return false;
	self->away_count++;
	return true;
}

/*
 * Called at atomic operations of a shuffled launch: another thread may go on here. This
 * shows races between what stands ahead of an atomic operation and what stands behind
 * it. It does not show everything: threads of a block see each other's stores in order,
 * and on a processor that orders stores (x86) so do blocks, so that a missing fence is
 * not found.
 */
static void take_turn(struct at_host_context *context)
{
	struct at_host_worker *self = (struct at_host_worker *)context;
	struct slot *slot = &self->slots[self->current];
	uint64_t draw = at_random_next(&self->random);

	/* the thread may wait for something that will not come any more: leave it
	   here */
	if (atomic_load_explicit(&self->launch->stopped, memory_order_relaxed))
		switch_to(self, NOBODY);
	worker_pass_turn(self);
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

/*
 * Called at a tick: stops the current thread where it is, if it has run for long and if
 * it is safe: in the kernel's own instructions. Not in the C library, which may hold a
 * lock, not in the code of this file, and not while the thread is being started.
 */
static void stop_thread(void *worker, uint64_t address)
{
	struct at_host_worker *self = worker;
	struct at_host_context *context = &self->context;
	struct slot *slot;
	uint64_t now_ns;
	int rounding;

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
		(self->was_preempted ? NEXT_SLICE_NS : FIRST_SLICE_NS))
		return;
	at_host_tick_leave();
	if (atomic_load_explicit(&self->launch->stopped, memory_order_relaxed))
		switch_to(self, NOBODY);
	/* the block that this one waits for may be another worker's on the same core */
	sched_yield();
	slot = &self->slots[self->current];
	keep_thread(slot, context);
	self->preempted[(self->preempted_first + self->preempted_count++) % THREADS] =
		self->current;
	/* It may be in the middle of __fadd_ru(), whose mode is not for the others.
	   Some systems set the mode for signal handlers, others do not. */
	rounding = fegetround();
	if (rounding != FE_TONEAREST)
		fesetround(FE_TONEAREST);
	wait_for_turn(self);
	if (rounding != FE_TONEAREST)
		fesetround(rounding);
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
	warp->mask[lane] = mask;
	if (operation != AT_HOST_WARP_GATHER && !(mask >> lane & 1)) {
		worker_give_up(self, AT_OUTCOME_CRASHED, worker_describe_mask);
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
		/* otherwise the lane that came last would always go on first */
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

/*
 * Pointers to functions that the compiler cannot see through: otherwise it would leave
 * out filling memory that nothing reads.
 */
static void *(*volatile fill)(void *, int, size_t) = memset;

static void fill_frame(int byte)
{
	char frame[POISON_BYTES];

	fill(frame, byte, sizeof(frame));
}

static void (*volatile poison_stack)(int) = fill_frame;

/*
 * Lets one thread of a shuffled launch start. For the first thread of a block, and for
 * one in POISON_EVERY of the others, garbage is written where its local arrays will
 * lie. Not found are uninitialised variables that the compiler keeps in registers or
 * knows to be unset: it may choose any value for these, and chooses a harmless one.
 */
static void let_one_start(struct at_host_worker *self)
{
	struct at_host_context *context = &self->context;

	self->turn_count++;
	self->was_preempted = false;
	context->start_limit = context->started_count + 1;
	if (!context->started_count ||
		at_random_next(&self->random) % POISON_EVERY == 0)
		poison_stack(worker_leftover(self, 3));
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
				(self->priorities ? start_goes_first(
							    self, find_highest(self))
						  : at_random_next(&self->random) & 1)))
			continue;
		/* In ascending order every thread of the block has started by now, and
		   this one has ended. */
		chosen = choose(self);
		if (chosen == NOBODY &&
			!atomic_load_explicit(
				&self->launch->stopped, memory_order_relaxed) &&
			worker_next_block(self))
			continue;
		self->idle[self->idle_count++] = self->current;
		/* returns when this slot is to start threads again */
		switch_to(self, chosen);
	}
}

/* Resets all slots: no fiber is in the middle of a kernel any more. */
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
	context->shared[0] = (char *)self + worker_static_offset(launch);
	context->shared[1] = (char *)self + worker_dynamic_offset(launch) -
			     launch->shared->dynamic_offset;
	self->block = self->block_end = 0;
	self->is_shuffled = launch->seed != 0;
	self->is_filled = self->has_block = false;
	self->away_count = 0;
	if (!worker_next_block(self))
		return;
	first = take_idle(self);
	if (first == NOBODY)
		return;
	self->current = first;
	if (!self->armed) {
		/* not for each launch, because it is a system call */
		at_host_fault_arm((char *)self + HANDLER_OFFSET, HANDLER_BYTES);
		self->armed = true;
	}
	at_process_restore_arithmetic();
	at_host_fault_watch(&self->fault);
	if (launch->seed)
		at_host_tick_begin(&self->tick);
	at_fiber_switch(&self->home, &self->slots[first].fiber);
	if (launch->seed)
		at_host_tick_end(&self->tick);
	at_host_fault_watch(NULL);
	at_process_restore_arithmetic();
	if (self->fault.caught) {
		at_host_fault_forget();
		worker_give_up(self, AT_OUTCOME_CRASHED, worker_describe_fault);
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
	struct at_host_worker *self;
	enum at_status status = worker_region_make(worker_count, &self, err);

	if (status)
		return status;
	self->context.barrier = wait_at_barrier;
	self->context.warp = wait_in_warp;
	self->fault.home = &self->home;
	self->tick.call = stop_thread;
	self->tick.argument = self;
	forget_fibers(self);
	*out = self;
	return AT_OK;
}

void at_host_worker_close(struct at_host_worker *self)
{
	if (!self)
		return;
	at_host_worker_leave(self);
	worker_region_free(self);
}
