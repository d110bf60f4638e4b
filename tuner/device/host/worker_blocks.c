/* Which block a worker runs next: in order, or in a seeded one. */
#include "device/host/worker_parts.h"

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

bool worker_next_block(struct at_host_worker *self)
{
	struct at_host_context *context = &self->context;

	if (self->is_shuffled) {
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
