/* Entries and headings of a report as text; the sections are in other files. */
#include "cli/report_text.h"

#include "cli/format.h"

/* The column where the text of an entry begins, behind its name. */
#define COLUMN 12

void at_report_text_entry(
	struct at_report_text *self, const char *name, struct at_strbuf *line)
{
	struct at_strbuf plain = { 0 };
	size_t start = self->out->length;

	at_format_plain(&plain, at_strbuf_text(line));
	if (plain.length) {
		at_strbuf_addf(self->out, "  %s", name);
		at_format_pad(self->out, start, COLUMN);
		at_format_wrap(self->out, at_strbuf_text(&plain), COLUMN, COLUMN,
			self->columns);
		at_strbuf_add_char(self->out, '\n');
	}
	at_strbuf_release(&plain);
	at_strbuf_release(line);
}

void at_report_text_words(
	struct at_report_text *self, const char *name, const char *words)
{
	struct at_strbuf line = { 0 };

	at_strbuf_add(&line, words);
	at_report_text_entry(self, name, &line);
}

void at_report_text_heading(struct at_report_text *self, const char *words)
{
	at_strbuf_addf(self->out, "\n %s%s%s\n", at_style(AT_STYLE_STRONG, self->color),
		words, at_style(AT_STYLE_END, self->color));
}
