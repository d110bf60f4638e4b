/*
 * Heap helpers: growth with overflow checks, and a string buffer.
 * Threads: none of these share state.
 */
#ifndef AT_BASE_MEMORY_H
#define AT_BASE_MEMORY_H

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Items of an array (not of a pointer). */
#define AT_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Copies of a string on the heap, NULL when memory ran out. */
char *at_strdup(const char *text);
char *at_strndup(const char *text, size_t length);

/*
 * Makes room for at least `need` items of `size` bytes in *items (grows by half
 * again). On AT_ENOMEM the old storage is untouched. New room is not cleared.
 */
enum at_status at_reserve(
	void **items, size_t *capacity, size_t need, size_t size, struct at_error *err);

/* reserve for a typed pointer: AT_RESERVE(array, capacity, need, err) */
#define AT_RESERVE(items, capacity, need, err) \
	at_reserve((void **)&(items), &(capacity), (need), sizeof(*(items)), (err))

/*
 * Text that grows. Zeroed is empty. A failed allocation sets `failed` and turns
 * later appends into nothing, so that one check at the end is enough.
 * data is NULL while empty; at_strbuf_text() is never NULL.
 */
struct at_strbuf {
	char *data;
	size_t length;
	size_t capacity;
	bool failed;
};

void at_strbuf_release(struct at_strbuf *self);
/* Keeps the storage, and a failure: of a text that is written in pieces, one lacks. */
void at_strbuf_clear(struct at_strbuf *self);
void at_strbuf_add(struct at_strbuf *self, const char *text);
void at_strbuf_add_bytes(struct at_strbuf *self, const void *data, size_t length);
void at_strbuf_add_char(struct at_strbuf *self, char c);
void at_strbuf_addf(struct at_strbuf *self, const char *format, ...) AT_PRINTF(2, 3);
void at_strbuf_addv(struct at_strbuf *self, const char *format, va_list arguments);
const char *at_strbuf_text(const struct at_strbuf *self);

/* Hands the text to the caller and empties self; NULL if failed. */
char *at_strbuf_detach(struct at_strbuf *self);

#endif
