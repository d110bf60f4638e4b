/*
 * Which block a worker runs next, in order or in a seeded order; and blocks that
 * linger.
 */
#include "device/host/worker_parts.h"

#include "base/clock.h"

#include <time.h>

/*
 * About this many blocks of a shuffled launch linger, and at most every other block:
 * where blocks wait for each other, each that lingers may cost LINGER_NS.
 */
#define LINGERING_BLOCKS 16u
/*
 * The block lingers at a barrier, or at an operation where threads give way. At which
 * of these is drawn evenly among so many powers of two, since it is not known how many
 * a block has.
 */
#define LINGER_BITS 6u
/*
 * If no block has ended for this long, the others may be waiting for the block that
 * lingers.
 */
#define LINGER_NS UINT64_C(500000)
#define LOOK_NS 20000 /* time between two looks */

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

/* Draws whether the new block lingers, and at which of its turns. */
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
 * Blocks that overlap by chance overlap while both are running, which is short: of two
 * blocks that must not overlap in a few instructions, few ever do. So one block is held
 * in the middle while others run from beginning to end, like threads that lose their
 * priority at a random point (Burckhardt and others 2010, "A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs").
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

void worker_pass_turn(struct at_host_worker *self)
{
	if (--self->turns_to_linger == 0)
		linger(self);
}

/* Fills order with the numbers below count, in random order. */
static void draw_order(struct at_host_worker *self, uint16_t *order, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned j = (unsigned)at_random_below(&self->random, i + 1);

		order[i] = order[j];
		order[j] = (uint16_t)i;
	}
}

/* Gives the threads of every other block priorities, and lets them start in that order.
 */
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
	self->compared_count = 0;
	for (unsigned i = 0; i < count; i++)
		self->priority[self->start_order[i]] = (uint16_t)(2 * THREADS - i);
}

/*
 * Prepares a block of a shuffled launch: draws the order in which threads start, which
 * is the same whichever worker runs the block, and fills shared memory, so that nothing
 * useful is left from the block before.
 */
static void shuffle_block(struct at_host_worker *self)
{
	unsigned count = self->context.thread_count;

	at_random_init(&self->random, self->launch->seed + self->block);
	draw_order(self, self->start_order, count);
	draw_priorities(self);
	draw_linger(self);
	worker_fill_shared(self);
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

bool worker_next_block(struct at_host_worker *self)
{
	struct at_host_context *context = &self->context;

	if (self->is_shuffled) {
		if (self->has_block)
			atomic_fetch_add(&self->launch->ended_blocks, 1);
		self->has_block = true;
		if (self->is_filled && !worker_zones_are_whole(self))
			worker_give_up(
				self, AT_OUTCOME_OUT_OF_BOUNDS, worker_describe_zone);
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
