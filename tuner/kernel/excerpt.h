/*
 * The beginning and the end of a text of any length, such as a compiler's output: a
 * gigabyte of warnings must not cost a gigabyte of memory, and what matters stands
 * first or last.
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

/* this much is kept at either end */
#define AT_EXCERPT_BYTES ((size_t)128 << 10)

/* Begins as all zero. */
struct at_excerpt {
	uint64_t total_bytes;
	struct at_strbuf head;
	struct at_strbuf tail; /* holds up to twice what is kept in the end */
};

/* Appends bytes. A zero byte becomes a blank, because the text would end there. */
void at_excerpt_add(struct at_excerpt *self, const char *bytes, size_t count);
/* Appends the text to out, with a line in place of what was left out, if any; releases
   self. */
void at_excerpt_end(struct at_excerpt *self, struct at_strbuf *out);

#endif
