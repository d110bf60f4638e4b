/*
 * Memory on the heap: allocations that cannot fail, growing arrays, and texts.
 *
 * A failed small allocation ends the process with one line. The record is committed
 * before any action, and workers are processes, so no measurement is lost. A buffer
 * whose size depends on a file, a space or a device may be too large for this machine:
 * such code uses malloc() or AT_RESERVE() and reports AT_ENOMEM.
 *
 * Threads: none of these share state.
 */
#ifndef AT_BASE_MEMORY_H
#define AT_BASE_MEMORY_H

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of elements of an array; not for pointers. */
#define AT_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define AT_MEMORY_OUT \
	"out of memory; raise `ulimit -v`, or let other programs free some"
/* Prints AT_MEMORY_OUT and ends the process. */
_Noreturn void at_memory_out(void);

/* Like malloc(), calloc() and realloc(), but never NULL. The caller frees the memory
   with free(). */
void *at_malloc(size_t size);
void *at_calloc(size_t count, size_t size);
void *at_realloc(void *memory, size_t size);

/* Copies of a text on the heap; never NULL. */
char *at_strdup(const char *text);
char *at_strndup(const char *text, size_t length);

/* Makes room in *items for at least `need` items of `size` bytes; grows by at least
   half. On AT_ENOMEM the old memory is unchanged. New room is not cleared. */
enum at_status at_reserve(
	void **items, size_t *capacity, size_t need, size_t size, struct at_error *err);

/* Likewise for arrays that stay small: it never fails. */
void at_grow(void **items, size_t *capacity, size_t need, size_t size);

/* at_grow() and at_reserve() for a typed pointer */
#define AT_GROW(items, capacity, need) \
	at_grow((void **)&(items), &(capacity), (need), sizeof(*(items)))
#define AT_RESERVE(items, capacity, need, err) \
	at_reserve((void **)&(items), &(capacity), (need), sizeof(*(items)), (err))

/* A growing text. All zero is empty. data is NULL while it is empty; at_strbuf_text()
   is never NULL. */
struct at_strbuf {
	char *data;
	size_t length;
	size_t capacity;
};

/* Frees the text and leaves an empty one; self may be NULL. */
void at_strbuf_release(struct at_strbuf *self);
/* Empties the text and keeps the memory. */
void at_strbuf_clear(struct at_strbuf *self);
void at_strbuf_add(struct at_strbuf *self, const char *text);
void at_strbuf_add_bytes(struct at_strbuf *self, const void *data, size_t length);
void at_strbuf_add_char(struct at_strbuf *self, char c);
void at_strbuf_add_integer(struct at_strbuf *self, int64_t value); /* in decimal */
void at_strbuf_reserve(struct at_strbuf *self, size_t length);
void at_strbuf_addf(struct at_strbuf *self, const char *format, ...) AT_PRINTF(2, 3);
void at_strbuf_addv(struct at_strbuf *self, const char *format, va_list arguments);
/* The text, borrowed until the next change; "" while it is empty. */
const char *at_strbuf_text(const struct at_strbuf *self);

/* Passes the text to the caller to free, and empties self. */
char *at_strbuf_detach(struct at_strbuf *self);

#endif
