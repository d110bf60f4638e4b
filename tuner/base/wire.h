/*
 * Values as bytes, for messages between processes of one machine.
 *
 * A writer appends to a buffer that it owns; a reader walks over bytes that it borrows.
 * A reader fails softly: after the first overrun `failed` is set, and later calls do
 * nothing (reads give 0, "" or NULL), so that one check at the end of a message is
 * enough. A count must be read by at_wire_get_count(), which compares it
 * with the bytes that are left, before memory is allocated for so many items. Threads:
 * one object, one thread.
 */
#ifndef AT_BASE_WIRE_H
#define AT_BASE_WIRE_H

#include "base/memory.h"

#include <stdint.h>

struct at_wire_writer {
	struct at_strbuf bytes;
};

/* Each appends a value to the message. */
void at_wire_put_u32(struct at_wire_writer *self, uint32_t value);
void at_wire_put_u64(struct at_wire_writer *self, uint64_t value);
void at_wire_put_i64(struct at_wire_writer *self, int64_t value);
void at_wire_put_real(struct at_wire_writer *self, double value);
/* A blob or a text is its length and its bytes; NULL is written as one without
   bytes. */
void at_wire_put_blob(struct at_wire_writer *self, const void *data, size_t size);
void at_wire_put_text(struct at_wire_writer *self, const char *text);

struct at_wire_reader {
	const unsigned char *data;
	size_t size;
	size_t offset;
	bool failed;
};

/* Begins to read a message, which is borrowed. */
void at_wire_reader_init(struct at_wire_reader *self, const void *data, size_t size);
/* Reads a number; the functions for other widths do the same. */
uint32_t at_wire_get_u32(struct at_wire_reader *self);
/* Reads a number below end, as enums are sent; any other number is a failure. */
uint32_t at_wire_get_below(struct at_wire_reader *self, uint32_t end);
uint64_t at_wire_get_u64(struct at_wire_reader *self);
int64_t at_wire_get_i64(struct at_wire_reader *self);
double at_wire_get_real(struct at_wire_reader *self);
/* Reads a blob, which is borrowed from the message; *size is 0 after a failure. */
const void *at_wire_get_blob(struct at_wire_reader *self, size_t *size);
/* The same on the heap, aligned for anything; NULL where it has no bytes. */
void *at_wire_get_copy(struct at_wire_reader *self, size_t *size);
/* Reads bytes without a length, which both ends know; zeros after a failure. */
void at_wire_get_bytes(struct at_wire_reader *self, void *out, size_t size);
/* Reads a text on the heap; NULL after a failure, and for a text with a NUL inside,
   which is one. */
char *at_wire_get_text(struct at_wire_reader *self);
/* Reads a text into buffer; a text that does not fit is a failure. */
void at_wire_get_text_into(struct at_wire_reader *self, char *buffer, size_t size);
/* Reads a count of items that take at least item_bytes each; a failure if so many
   cannot follow. */
uint32_t at_wire_get_count(struct at_wire_reader *self, size_t item_bytes);
/* Whether all bytes were read and nothing failed. */
bool at_wire_done(const struct at_wire_reader *self);

#endif
