/*
 * 128-bit content hashes (XXH3), for keys that must not collide by accident.
 * Not for secrets. Threads: a hasher belongs to one thread.
 */
#ifndef AT_BASE_HASH_H
#define AT_BASE_HASH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct at_hash {
	uint64_t low;
	uint64_t high;
};

#define AT_HASH_HEX_SIZE 33 /* 32 digits and the terminator */

struct at_hasher; /* opaque, heap */

enum at_status at_hasher_new(struct at_hasher **out, struct at_error *err);
void at_hasher_free(struct at_hasher *self);
/* Length-prefixed, so that ("ab","c") and ("a","bc") differ. */
void at_hasher_add(struct at_hasher *self, const void *data, size_t size);
void at_hasher_add_text(struct at_hasher *self, const char *text);
void at_hasher_add_integer(struct at_hasher *self, int64_t value);
void at_hasher_add_real(struct at_hasher *self, double value);
struct at_hash at_hasher_result(const struct at_hasher *self);

struct at_hash at_hash_bytes(const void *data, size_t size);
/* As a file of these contents hashes by at_file_hash() (base/file.h), which reads it
   piece by piece. */
#define AT_HASH_PIECE_BYTES ((size_t)64 << 10)
enum at_status at_hash_pieces(
	const void *data, size_t size, struct at_hash *out, struct at_error *err);
/* Lower-case, most significant digit first. */
char *at_hash_hex(struct at_hash hash, char hex[AT_HASH_HEX_SIZE]);

/*
 * `own` as a key among others of the same group: its highest 32 bits become the
 * group's. Keys of a group then lie together in an index that is ordered by them, and
 * adding many of them touches few of its pages. `own` has to cover what the group
 * does: the 96 bits that are left of it still do not collide by accident.
 */
struct at_hash at_hash_grouped(struct at_hash group, struct at_hash own);

bool at_hash_equal(struct at_hash a, struct at_hash b);

#endif
