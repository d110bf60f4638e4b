/* Allocations that end the process when memory runs out; arrays and texts. */
#include "base/memory.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Texts consist of many short pieces, so they begin with some room. */
#define TEXT_LEAST 120

void at_memory_out(void)
{
	static const char text[] = "autotune: " AT_MEMORY_OUT "\n";

	/* buffered output may need memory, and so may exit handlers */
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EXIT_FAILURE);
}

void *at_malloc(size_t size)
{
	void *memory = malloc(size ? size : 1);

	if (!memory)
		at_memory_out();
	return memory;
}

void *at_calloc(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		at_memory_out();
	return memory;
}

void *at_realloc(void *memory, size_t size)
{
	void *grown = realloc(memory, size ? size : 1);

	if (!grown)
		at_memory_out();
	return grown;
}

char *at_strndup(const char *text, size_t length)
{
	char *copy = at_malloc(length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *at_strdup(const char *text)
{
	return at_strndup(text, strlen(text));
}

enum at_status at_reserve(
	void **items, size_t *capacity, size_t need, size_t size, struct at_error *err)
{
	size_t wanted = *capacity;
	void *grown;

	if (need <= *capacity)
		return AT_OK;
	/*
	 * Grows by half: all copies together take at most twice the final size, and the
	 * freed memory soon suffices for the next copy. With doubling it never would.
	 */
	wanted += wanted / 2;
	if (wanted < need)
		wanted = need;
	/* most arrays here are short: one allocation suffices */
	if (wanted < 8)
		wanted = 8;
	if (wanted > SIZE_MAX / size)
		return at_fail_memory(err);
	grown = realloc(*items, wanted * size);
	if (!grown)
		return at_fail_memory(err);
	*items = grown;
	*capacity = wanted;
	return AT_OK;
}

void at_grow(void **items, size_t *capacity, size_t need, size_t size)
{
	if (at_reserve(items, capacity, need, size, NULL))
		at_memory_out();
}

void at_strbuf_release(struct at_strbuf *self)
{
	if (!self)
		return;
	free(self->data);
	memset(self, 0, sizeof(*self));
}

void at_strbuf_clear(struct at_strbuf *self)
{
	self->length = 0;
	if (self->data)
		self->data[0] = '\0';
}

void at_strbuf_reserve(struct at_strbuf *self, size_t length)
{
	size_t need = self->length + length + 1;

	/* most additions fit */
	if (length < self->capacity - self->length)
		return;
	if (length > SIZE_MAX - self->length - 1)
		at_memory_out();
	AT_GROW(self->data, self->capacity, need < TEXT_LEAST ? TEXT_LEAST : need);
}

void at_strbuf_add_bytes(struct at_strbuf *self, const void *data, size_t length)
{
	at_strbuf_reserve(self, length);
	if (length)
		memcpy(self->data + self->length, data, length);
	self->length += length;
	self->data[self->length] = '\0';
}

void at_strbuf_add(struct at_strbuf *self, const char *text)
{
	at_strbuf_add_bytes(self, text, strlen(text));
}

void at_strbuf_add_char(struct at_strbuf *self, char c)
{
	at_strbuf_reserve(self, 1);
	self->data[self->length++] = c;
	self->data[self->length] = '\0';
}

void at_strbuf_add_integer(struct at_strbuf *self, int64_t value)
{
	char digits[24], *first = digits + sizeof(digits);
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do
		*--first = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		*--first = '-';
	at_strbuf_add_bytes(self, first, (size_t)(digits + sizeof(digits) - first));
}

void at_strbuf_addv(struct at_strbuf *self, const char *format, va_list arguments)
{
	/* most appended texts fit into the remaining room: formatted once */
	size_t room = self->data ? self->capacity - self->length : 0;
	va_list again;
	int length;

	va_copy(again, arguments);
	length =
		vsnprintf(room ? self->data + self->length : NULL, room, format, again);
	va_end(again);
	assert(length >= 0); /* no wide characters */
	if ((size_t)length < room) {
		self->length += (size_t)length;
		return;
	}
	at_strbuf_reserve(self, (size_t)length);
	vsnprintf(self->data + self->length, (size_t)length + 1, format, arguments);
	self->length += (size_t)length;
}

void at_strbuf_addf(struct at_strbuf *self, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(self, format, arguments);
	va_end(arguments);
}

const char *at_strbuf_text(const struct at_strbuf *self)
{
	return self->data ? self->data : "";
}

char *at_strbuf_detach(struct at_strbuf *self)
{
	char *text = self->data ? self->data : at_strdup("");

	memset(self, 0, sizeof(*self));
	return text;
}
