/*
 * Values as bytes, for messages between processes of the same machine.
 *
 * A writer appends to a buffer it owns; a reader walks bytes it borrows. Both
 * fail softly: after the first overrun or failed allocation `failed` is set and
 * every later call does nothing (reads give 0, "" or NULL), so that one check at
 * the end of a message is enough. A count that is read is never trusted for an
 * allocation before at_wire_get_count() has held it against the bytes left.
 * Threads: one object, one thread.
 */
#ifndef AT_BASE_WIRE_H
#define AT_BASE_WIRE_H

#include "base/memory.h"

#include <stdint.h>

struct at_wire_writer {
	struct at_strbuf bytes;
};

void at_wire_put_u32(struct at_wire_writer *self, uint32_t value);
void at_wire_put_u64(struct at_wire_writer *self, uint64_t value);
void at_wire_put_i64(struct at_wire_writer *self, int64_t value);
void at_wire_put_real(struct at_wire_writer *self, double value);
/* NULL is written as a blob of no bytes. */
void at_wire_put_blob(struct at_wire_writer *self, const void *data, size_t size);
void at_wire_put_text(struct at_wire_writer *self, const char *text);

struct at_wire_reader {
	const unsigned char *data;
	size_t size;
	size_t offset;
	bool failed;
	bool no_memory; /* failed for want of it: nothing is known against the bytes */
};

void at_wire_reader_init(struct at_wire_reader *self, const void *data, size_t size);
uint32_t at_wire_get_u32(struct at_wire_reader *self);
/* A number below end, as an enum is sent; any other is a failure. */
uint32_t at_wire_get_below(struct at_wire_reader *self, uint32_t end);
uint64_t at_wire_get_u64(struct at_wire_reader *self);
int64_t at_wire_get_i64(struct at_wire_reader *self);
double at_wire_get_real(struct at_wire_reader *self);
/* Borrowed from the message; *size is 0 after a failure. */
const void *at_wire_get_blob(struct at_wire_reader *self, size_t *size);
/* The same on the heap, aligned for anything; NULL where there are no bytes. */
void *at_wire_get_copy(struct at_wire_reader *self, size_t *size);
/* So many as both ends know; zeros after a failure. */
void at_wire_get_bytes(struct at_wire_reader *self, void *out, size_t size);
/* Heap, terminated; NULL after a failure or for a text with a NUL inside. */
char *at_wire_get_text(struct at_wire_reader *self);
/* Copies into buffer; fails when the text does not fit. */
void at_wire_get_text_into(struct at_wire_reader *self, char *buffer, size_t size);
/* A count of items of at least item_bytes each that can still follow. */
uint32_t at_wire_get_count(struct at_wire_reader *self, size_t item_bytes);
/* True when all bytes were read and none failed. */
bool at_wire_done(const struct at_wire_reader *self);

#endif
