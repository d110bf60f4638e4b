/*
 * Numbers by content hash: what was seen before gets the number that it had. Zeroed is
 * empty. Threads: one.
 */
#ifndef AT_BASE_HASH_INDEX_H
#define AT_BASE_HASH_INDEX_H

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

struct at_hash_index {
	struct at_hash_entry *entries;
	size_t entry_count; /* a power of two, or 0 */
	size_t count; /* those in use */
};

void at_hash_index_release(struct at_hash_index *self);
/* Forgets all, keeps the storage. */
void at_hash_index_clear(struct at_hash_index *self);
/*
 * *number gets what was given for this key before; where it is new, `fresh`, which is
 * not UINT32_MAX.
 */
enum at_status at_hash_index_put(struct at_hash_index *self, struct at_hash key,
	uint32_t fresh, uint32_t *number, struct at_error *err);

#endif
