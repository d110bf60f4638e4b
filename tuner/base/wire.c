/* Writers and readers of messages. */
#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

void at_wire_put_u32(struct at_wire_writer *self, uint32_t value)
{
	at_strbuf_add_bytes(&self->bytes, &value, sizeof(value));
}

void at_wire_put_u64(struct at_wire_writer *self, uint64_t value)
{
	at_strbuf_add_bytes(&self->bytes, &value, sizeof(value));
}

void at_wire_put_i64(struct at_wire_writer *self, int64_t value)
{
	at_strbuf_add_bytes(&self->bytes, &value, sizeof(value));
}

void at_wire_put_real(struct at_wire_writer *self, double value)
{
	at_strbuf_add_bytes(&self->bytes, &value, sizeof(value));
}

void at_wire_put_blob(struct at_wire_writer *self, const void *data, size_t size)
{
	at_wire_put_u64(self, data ? size : 0);
	if (data)
		at_strbuf_add_bytes(&self->bytes, data, size);
}

void at_wire_put_text(struct at_wire_writer *self, const char *text)
{
	at_wire_put_blob(self, text, text ? strlen(text) : 0);
}

void at_wire_reader_init(struct at_wire_reader *self, const void *data, size_t size)
{
	*self = (struct at_wire_reader){ .data = data, .size = size };
}

void at_wire_get_bytes(struct at_wire_reader *self, void *out, size_t size)
{
	if (self->failed || size > self->size - self->offset) {
		self->failed = true;
		memset(out, 0, size);
		return;
	}
	memcpy(out, self->data + self->offset, size);
	self->offset += size;
}

uint32_t at_wire_get_u32(struct at_wire_reader *self)
{
	uint32_t value;

	at_wire_get_bytes(self, &value, sizeof(value));
	return value;
}

uint32_t at_wire_get_below(struct at_wire_reader *self, uint32_t end)
{
	uint32_t value = at_wire_get_u32(self);

	if (value < end)
		return value;
	self->failed = true;
	return 0;
}

uint64_t at_wire_get_u64(struct at_wire_reader *self)
{
	uint64_t value;

	at_wire_get_bytes(self, &value, sizeof(value));
	return value;
}

int64_t at_wire_get_i64(struct at_wire_reader *self)
{
	int64_t value;

	at_wire_get_bytes(self, &value, sizeof(value));
	return value;
}

double at_wire_get_real(struct at_wire_reader *self)
{
	double value;

	at_wire_get_bytes(self, &value, sizeof(value));
	return value;
}

const void *at_wire_get_blob(struct at_wire_reader *self, size_t *size)
{
	uint64_t length = at_wire_get_u64(self);
	const void *data;

	*size = 0;
	if (self->failed || length > self->size - self->offset) {
		self->failed = true;
		return NULL;
	}
	data = self->data + self->offset;
	self->offset += (size_t)length;
	*size = (size_t)length;
	return data;
}

void *at_wire_get_copy(struct at_wire_reader *self, size_t *size)
{
	const void *data = at_wire_get_blob(self, size);
	void *copy;

	if (*size == 0)
		return NULL;
	copy = at_malloc(*size);
	memcpy(copy, data, *size);
	return copy;
}

char *at_wire_get_text(struct at_wire_reader *self)
{
	size_t length;
	const char *data = at_wire_get_blob(self, &length);
	char *text;

	if (!data || memchr(data, '\0', length)) {
		self->failed = true;
		return NULL;
	}
	text = at_strndup(data, length);
	return text;
}

void at_wire_get_text_into(struct at_wire_reader *self, char *buffer, size_t size)
{
	size_t length;
	const char *data = at_wire_get_blob(self, &length);

	buffer[0] = '\0';
	if (!data || length >= size || memchr(data, '\0', length)) {
		self->failed = true;
		return;
	}
	memcpy(buffer, data, length);
	buffer[length] = '\0';
}

uint32_t at_wire_get_count(struct at_wire_reader *self, size_t item_bytes)
{
	uint32_t count = at_wire_get_u32(self);

	if (self->failed || count > (self->size - self->offset) / item_bytes) {
		self->failed = true;
		return 0;
	}
	return count;
}

bool at_wire_done(const struct at_wire_reader *self)
{
	return !self->failed && self->offset == self->size;
}
