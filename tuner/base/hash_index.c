/*
 * A hash table with open addressing and linear probing (Knuth, "The Art of Computer
 * Programming", volume 3, 6.4). Keys are hashes, so their low bits are the place.
 */
#include "base/hash_index.h"
#include "base/memory.h"

#include <stdlib.h>

#define FIRST_ENTRIES 256

struct at_hash_entry {
	struct at_hash key;
	uint32_t number; /* UINT32_MAX: free */
};

void at_hash_index_release(struct at_hash_index *self)
{
	free(self->entries);
	*self = (struct at_hash_index){ 0 };
}

void at_hash_index_clear(struct at_hash_index *self)
{
	for (size_t i = 0; i < self->entry_count; i++)
		self->entries[i].number = UINT32_MAX;
	self->count = 0;
}

static struct at_hash_entry *place_of(
	struct at_hash_entry *entries, size_t entry_count, struct at_hash key)
{
	size_t i = (size_t)key.low & (entry_count - 1);

	while (entries[i].number != UINT32_MAX &&
		(entries[i].key.low != key.low || entries[i].key.high != key.high))
		i = (i + 1) & (entry_count - 1);
	return &entries[i];
}

static void grow(struct at_hash_index *self)
{
	size_t entry_count = self->entry_count ? self->entry_count * 2 : FIRST_ENTRIES;
	struct at_hash_entry *entries;

	if (entry_count > SIZE_MAX / sizeof(*entries))
		at_memory_out();
	entries = at_malloc(entry_count * sizeof(*entries));
	for (size_t i = 0; i < entry_count; i++)
		entries[i] = (struct at_hash_entry){ .number = UINT32_MAX };
	for (size_t i = 0; i < self->entry_count; i++)
		if (self->entries[i].number != UINT32_MAX)
			*place_of(entries, entry_count, self->entries[i].key) =
				self->entries[i];
	free(self->entries);
	self->entries = entries;
	self->entry_count = entry_count;
}

void at_hash_index_put(struct at_hash_index *self, struct at_hash key, uint32_t fresh,
	uint32_t *number)
{
	struct at_hash_entry *entry;

	/* at most two thirds full, so that probing is short */
	if (self->count >= self->entry_count / 3 * 2)
		grow(self);
	entry = place_of(self->entries, self->entry_count, key);
	if (entry->number == UINT32_MAX) {
		entry->key = key;
		entry->number = fresh;
		self->count++;
	}
	*number = entry->number;
}

uint32_t at_hash_index_find(const struct at_hash_index *self, struct at_hash key)
{
	return self->entry_count
		       ? place_of(self->entries, self->entry_count, key)->number
		       : UINT32_MAX;
}
