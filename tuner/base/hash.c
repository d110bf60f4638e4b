/* Hashes by the library xxHash. */
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

#include <xxhash.h>

/* struct at_hasher is never defined: it is the library's state, which needs an
   alignment of 64 and thus the library's allocator. */
struct at_hasher *at_hasher_new(void)
{
	XXH3_state_t *state = XXH3_createState();

	if (!state || XXH3_128bits_reset(state) != XXH_OK)
		at_memory_out();
	return (struct at_hasher *)state;
}

void at_hasher_free(struct at_hasher *self)
{
	XXH3_freeState((XXH3_state_t *)self);
}

void at_hasher_add(struct at_hasher *self, const void *data, size_t size)
{
	uint64_t length = size;
	unsigned char both[128];

	/* A library call costs more than these bytes: most hashed values are names and
	   numbers. */
	if (size <= sizeof(both) - sizeof(length)) {
		memcpy(both, &length, sizeof(length));
		if (size)
			memcpy(both + sizeof(length), data, size);
		XXH3_128bits_update((XXH3_state_t *)self, both, sizeof(length) + size);
		return;
	}
	XXH3_128bits_update((XXH3_state_t *)self, &length, sizeof(length));
	XXH3_128bits_update((XXH3_state_t *)self, data, size);
}

void at_hasher_add_text(struct at_hasher *self, const char *text)
{
	at_hasher_add(self, text, strlen(text));
}

void at_hasher_add_integer(struct at_hasher *self, int64_t value)
{
	at_hasher_add(self, &value, sizeof(value));
}

void at_hasher_add_real(struct at_hasher *self, double value)
{
	at_hasher_add(self, &value, sizeof(value));
}

struct at_hash at_hasher_result(const struct at_hasher *self)
{
	XXH128_hash_t hash = XXH3_128bits_digest((const XXH3_state_t *)self);

	return (struct at_hash){ hash.low64, hash.high64 };
}

struct at_hash at_hash_bytes(const void *data, size_t size)
{
	XXH128_hash_t hash = XXH3_128bits(data, size);

	return (struct at_hash){ hash.low64, hash.high64 };
}

void at_hasher_add_pieces(struct at_hasher *self, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		size_t piece = size < AT_HASH_PIECE_BYTES ? size : AT_HASH_PIECE_BYTES;

		at_hasher_add(self, at, piece);
		at += piece;
		size -= piece;
	}
}

struct at_hash at_hash_pieces(const void *data, size_t size)
{
	struct at_hasher *hasher = at_hasher_new();
	struct at_hash hash;

	at_hasher_add_pieces(hasher, data, size);
	hash = at_hasher_result(hasher);
	at_hasher_free(hasher);
	return hash;
}

char *at_hash_hex(struct at_hash hash, char hex[AT_HASH_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	for (int i = 0; i < 16; i++) {
		hex[i] = digits[hash.high >> (60 - 4 * i) & 15];
		hex[16 + i] = digits[hash.low >> (60 - 4 * i) & 15];
	}
	hex[32] = '\0';
	return hex;
}

struct at_hash at_hash_grouped(struct at_hash group, struct at_hash own)
{
	own.high = (group.high & UINT64_C(0xffffffff00000000)) |
		   (own.high & UINT64_C(0xffffffff));
	return own;
}

bool at_hash_equal(struct at_hash a, struct at_hash b)
{
	return a.low == b.low && a.high == b.high;
}
