/*
 * The beginning and the end of a text that may be of any length: what a compiler says.
 * A gigabyte of warnings costs time, and not memory; what matters of it stands first,
 * or last.
 *
 *   struct at_excerpt excerpt = { 0 };
 *   at_excerpt_add(&excerpt, bytes, count);      again and again
 *   at_excerpt_end(&excerpt, &text);
 *
 * Threads: one user at a time.
 */
#ifndef AT_KERNEL_EXCERPT_H
#define AT_KERNEL_EXCERPT_H

#include "base/memory.h"

#include <stdint.h>

/* so much of each end is kept */
#define AT_EXCERPT_BYTES ((size_t)128 << 10)

/* Zeroed: nothing was said. */
struct at_excerpt {
	uint64_t total_bytes;
	struct at_strbuf head;
	struct at_strbuf tail; /* up to twice what is kept of it */
};

/* A zero byte among them becomes a blank: the text would end there. */
void at_excerpt_add(struct at_excerpt *self, const char *bytes, size_t count);
/*
 * Appends it all to out, where it is too long with a line in the place of what is left
 * out; and releases self. out->failed where memory ran out.
 */
void at_excerpt_end(struct at_excerpt *self, struct at_strbuf *out);

#endif
