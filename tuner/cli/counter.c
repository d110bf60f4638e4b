/* Shows that a space is being counted: see counter.h. */
#include "cli/counter.h"

#include "cli/format.h"
#include "cli/output.h"

#include "base/clock.h"

#include <stdio.h>
#include <unistd.h>

/* A shorter wait needs no explanation. */
#define SILENT_NS UINT64_C(1000000000)
#define REDRAW_NS UINT64_C(100000000)

enum at_status at_counter_poll(void *context, struct at_error *err)
{
	struct at_counter *self = context;
	uint64_t now_ns = at_clock_now_ns();
	struct at_strbuf text = { 0 }, line = { 0 };

	(void)err;
	if (now_ns - self->begun_ns < SILENT_NS ||
		now_ns - self->drawn_ns < REDRAW_NS ||
		!at_output_is_terminal(STDERR_FILENO))
		return AT_OK;
	self->drawn_ns = now_ns;
	at_strbuf_add(&text, "counting ");
	at_format_plain(&text, self->path);
	at_strbuf_add(&text, ", ");
	at_format_seconds(&text, (double)(now_ns - self->begun_ns) * 1e-9);
	at_format_fit(&line, at_strbuf_text(&text), at_output_width(STDERR_FILENO) - 1);
	fprintf(stderr, "\r%s\033[K", at_strbuf_text(&line));
	fflush(stderr);
	at_strbuf_release(&text);
	at_strbuf_release(&line);
	return AT_OK;
}

void at_counter_end(struct at_counter *self)
{
	if (self->drawn_ns)
		fprintf(stderr, "\r\033[K");
	self->drawn_ns = 0;
}
