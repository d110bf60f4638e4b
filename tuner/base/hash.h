/* 128-bit hashes of contents (XXH3), for keys that must not collide by accident. Not
   for secrets. Threads: a hasher belongs to one thread. */
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

struct at_hasher;

/* Makes a hasher of several values; at_hasher_free() releases it, and accepts NULL. */
struct at_hasher *at_hasher_new(void);
void at_hasher_free(struct at_hasher *self);
/* Each adds a value, preceded by its length, so that ("ab","c") and ("a","bc")
   differ. */
void at_hasher_add(struct at_hasher *self, const void *data, size_t size);
void at_hasher_add_text(struct at_hasher *self, const char *text);
void at_hasher_add_integer(struct at_hasher *self, int64_t value);
void at_hasher_add_real(struct at_hasher *self, double value);
struct at_hash at_hasher_result(const struct at_hasher *self);

/* The hash of bytes, without their length: differs from a hasher's. */
struct at_hash at_hash_bytes(const void *data, size_t size);
/* The hash from at_file_hash() (base/file.h) for a file of these contents; it reads
   files in pieces of this size. */
#define AT_HASH_PIECE_BYTES ((size_t)64 << 10)
struct at_hash at_hash_pieces(const void *data, size_t size);
void at_hasher_add_pieces(struct at_hasher *self, const void *data, size_t size);
/* Writes the hash in lower-case digits, the most significant first; returns hex. */
char *at_hash_hex(struct at_hash hash, char hex[AT_HASH_HEX_SIZE]);

/*
 * Makes `own` a key within a group: its highest 32 bits become the group's. The keys of
 * a group are then adjacent in an ordered index, and adding many of them touches few of
 * its pages. `own` must also be a hash of everything that identifies the group: its
 * remaining 96 bits do not collide by accident either.
 */
struct at_hash at_hash_grouped(struct at_hash group, struct at_hash own);

bool at_hash_equal(struct at_hash a, struct at_hash b);

#endif
