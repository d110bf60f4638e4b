/*
 * The set of tried configurations: a hash table with open addressing and linear probing
 * (Knuth, "The Art of Computer Programming", volume 3, 6.4). It is one array, and a
 * look-up usually touches one cache line.
 */
#include "search/kinds.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64

/* no configuration has this index */
#define EMPTY AT_NO_CONFIGURATION

/* The slot of an index, or the free one where it belongs. At most half of the slots are
   in use, so that the way is short. */
static size_t slot_of(const uint64_t *slots, size_t slot_count, uint64_t index)
{
	/* the finalizer of SplitMix64: configurations that are neighbours are far apart
	   in the table */
	uint64_t hash = index;
	size_t slot;

	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	hash ^= hash >> 31;
	slot = (size_t)hash & (slot_count - 1);
	while (slots[slot] != EMPTY && slots[slot] != index)
		slot = (slot + 1) & (slot_count - 1);
	return slot;
}

static uint64_t *new_slots(size_t slot_count)
{
	uint64_t *slots = at_malloc(slot_count * sizeof(*slots));

	for (size_t i = 0; i < slot_count; i++)
		slots[i] = EMPTY;
	return slots;
}

void at_tried_init(struct at_tried *self)
{
	*self = (struct at_tried){ .slots = new_slots(FIRST_SLOTS),
		.slot_count = FIRST_SLOTS };
}

void at_tried_release(struct at_tried *self)
{
	free(self->slots);
	*self = (struct at_tried){ 0 };
}

bool at_tried_test(const struct at_tried *self, uint64_t index)
{
	return self->slots[slot_of(self->slots, self->slot_count, index)] == index;
}

static void grow(struct at_tried *self)
{
	size_t slot_count = self->slot_count * 2;
	uint64_t *slots = new_slots(slot_count);

	for (size_t i = 0; i < self->slot_count; i++)
		if (self->slots[i] != EMPTY)
			slots[slot_of(slots, slot_count, self->slots[i])] =
				self->slots[i];
	free(self->slots);
	self->slots = slots;
	self->slot_count = slot_count;
}

void at_tried_set(struct at_tried *self, uint64_t index)
{
	if (at_tried_test(self, index))
		return;
	if (self->count == self->slot_count / 2)
		grow(self);
	self->slots[slot_of(self->slots, self->slot_count, index)] = index;
	self->count++;
}

enum at_status at_strategy_no_options(
	const char *name, const char *options, struct at_error *err)
{
	if (!options[0])
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"strategy \"%s\" takes no options, found \"%s\"%s", name, options,
		strncmp(options, "seed", 4)
			? ""
			: ": the seed is an option of its own, --seed 3");
}
