/* Numbers by content hash: an existing key returns its number. All zero is empty.
   Threads: one. */
#ifndef AT_BASE_HASH_INDEX_H
#define AT_BASE_HASH_INDEX_H

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

struct at_hash_index {
	struct at_hash_entry *entries; /* a hash table with open addressing */
	size_t entry_count; /* a power of two, or 0 */
	size_t count; /* entries in use */
};

/* Frees the memory and leaves an empty index. */
void at_hash_index_release(struct at_hash_index *self);
/* Removes all keys and keeps the memory. */
void at_hash_index_clear(struct at_hash_index *self);
/* Sets *number to the number of this key. A new key gets the number `fresh`, which must
   not be UINT32_MAX. */
void at_hash_index_put(struct at_hash_index *self, struct at_hash key, uint32_t fresh,
	uint32_t *number);
/* The number of the key, or UINT32_MAX. */
uint32_t at_hash_index_find(const struct at_hash_index *self, struct at_hash key);

#endif
