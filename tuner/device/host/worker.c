/* The threads of a block, taking turns on one core: fibers that wait and go on. */
#include "device/host/worker_parts.h"

#include <fenv.h>
#include <sched.h>
#include <string.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

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
#define NOBODY UINT16_MAX

/* ---- who runs next -------------------------------------------------------- */

static void run_fiber(void *worker);

/* A slot to run threads that have not started; NOBODY when memory is out. */
static uint16_t take_idle(struct at_host_worker *self)
{
	uint16_t index = self->idle[--self->idle_count];
	struct slot *slot = &self->slots[index];
	/* equal addresses within a page would make all stacks meet in the same few
	   sets of the first cache */
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
		switch ((enum at_host_warp_operation)warp->operation[i]) {
		case AT_HOST_WARP_SYNC:
		case AT_HOST_WARP_SHUFFLE:
			warp->result[i] = warp->value[source];
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

/* Of a warp's lanes that gather those who wait with the same value. */
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
 * Nobody can run, so every thread that has not ended waits. Those that gather are all
 * that will come.
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
	worker_pass_turn(self);
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
	/* a block that this one waits for may be another worker's, on this core */
	sched_yield();
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
	if (operation != AT_HOST_WARP_GATHER && agree(warp, mask, lane)) {
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
		soil(worker_leftover(self, 3));
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
			worker_next_block(self))
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
	context->shared[0] = (char *)self + worker_static_offset(launch);
	context->shared[1] = (char *)self + worker_dynamic_offset(launch) -
			     launch->shared->dynamic_offset;
	self->block = self->block_end = 0;
	self->is_shuffled = launch->seed != 0;
	self->is_filled = self->has_block = false;
	if (!worker_next_block(self))
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
		worker_give_up(self, AT_OUTCOME_CRASHED, worker_describe_fault);
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
	self->watch.home = &self->home;
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
