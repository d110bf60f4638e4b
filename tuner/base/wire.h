/*
 * Values as bytes, for messages between processes of one machine.
 *
 * A writer appends to its own buffer; a reader walks over borrowed bytes. A reader
 * fails softly: after the first overrun `failed` is set, and later calls do nothing
 * (reads give 0, "" or NULL), so that one check at the end of a message is enough. A
 * count must be read by at_wire_get_count(), which compares it with the remaining
 * bytes, before memory is allocated for the items. Threads: one object, one thread.
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
/* A blob or a text is its length and its bytes; NULL is written as an empty one. */
void at_wire_put_blob(struct at_wire_writer *self, const void *data, size_t size);
void at_wire_put_text(struct at_wire_writer *self, const char *text);

struct at_wire_reader {
	const unsigned char *data;
	size_t size;
	size_t offset;
	bool failed;
};

/* Begins reading a message, which is borrowed. */
void at_wire_reader_init(struct at_wire_reader *self, const void *data, size_t size);
/* Reads a number; the functions for other widths do the same. */
uint32_t at_wire_get_u32(struct at_wire_reader *self);
/* Reads a number below end, for enums; other numbers are a failure. */
uint32_t at_wire_get_below(struct at_wire_reader *self, uint32_t end);
uint64_t at_wire_get_u64(struct at_wire_reader *self);
int64_t at_wire_get_i64(struct at_wire_reader *self);
double at_wire_get_real(struct at_wire_reader *self);
/* Reads a blob, borrowed from the message; *size is 0 after a failure. */
const void *at_wire_get_blob(struct at_wire_reader *self, size_t *size);
/* Reads a blob to the heap, aligned for any type; NULL if it is empty. */
void *at_wire_get_copy(struct at_wire_reader *self, size_t *size);
/* Reads bytes of a length known to both ends; zeros after a failure. */
void at_wire_get_bytes(struct at_wire_reader *self, void *out, size_t size);
/* Reads a text to the heap; NULL after a failure, such as a NUL inside the text. */
char *at_wire_get_text(struct at_wire_reader *self);
/* Reads a text into buffer; a text that does not fit is a failure. */
void at_wire_get_text_into(struct at_wire_reader *self, char *buffer, size_t size);
/* Reads a count of items of at least item_bytes each; a failure if the message is too
   short for them. */
uint32_t at_wire_get_count(struct at_wire_reader *self, size_t item_bytes);
/* Whether all bytes were read and nothing failed. */
bool at_wire_done(const struct at_wire_reader *self);

#endif
