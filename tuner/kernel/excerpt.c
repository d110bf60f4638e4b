/* Keeps the beginning and the end of a long text. */
#include "kernel/excerpt.h"

#include <inttypes.h>
#include <string.h>

static void add_plain(struct at_strbuf *out, const char *bytes, size_t count)
{
	size_t before = out->length;

	at_strbuf_add_bytes(out, bytes, count);
	for (size_t i = before; i < out->length; i++)
		if (!out->data[i])
			out->data[i] = ' ';
}

/* Keeps the last AT_EXCERPT_BYTES of the tail. */
static void keep_end(struct at_strbuf *tail)
{
	size_t extra = tail->length - AT_EXCERPT_BYTES;

	memmove(tail->data, tail->data + extra, AT_EXCERPT_BYTES);
	tail->length = AT_EXCERPT_BYTES;
	tail->data[tail->length] = '\0';
}

void at_excerpt_add(struct at_excerpt *self, const char *bytes, size_t count)
{
	self->total_bytes += count;
	while (count) {
		bool is_head = self->head.length < AT_EXCERPT_BYTES;
		struct at_strbuf *into = is_head ? &self->head : &self->tail;
		size_t room = (is_head ? 1 : 2) * AT_EXCERPT_BYTES - into->length;
		size_t part = count < room ? count : room;

		add_plain(into, bytes, part);
		if (!is_head && into->length == 2 * AT_EXCERPT_BYTES)
			keep_end(into);
		bytes += part;
		count -= part;
	}
}

void at_excerpt_end(struct at_excerpt *self, struct at_strbuf *out)
{
	struct at_strbuf *tail = &self->tail;
	uint64_t kept;

	if (tail->length > AT_EXCERPT_BYTES)
		keep_end(tail);
	kept = self->head.length + tail->length;
	at_strbuf_add_bytes(out, at_strbuf_text(&self->head), self->head.length);
	if (kept < self->total_bytes)
		at_strbuf_addf(out, "\n[%" PRIu64 " bytes are left out]\n",
			self->total_bytes - kept);
	at_strbuf_add_bytes(out, at_strbuf_text(tail), tail->length);
	at_strbuf_release(&self->head);
	at_strbuf_release(tail);
	memset(self, 0, sizeof(*self));
}
