/* Titles, entries and tables: see page.h. */
#include "cli/page.h"

#include "cli/output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The column of an entry's text, after its name. */
#define ENTRY_COLUMN 12

struct at_page at_page_of_stdout(struct at_strbuf *out)
{
	return (struct at_page){
		.out = out,
		.color = at_output_has_color(STDOUT_FILENO),
		.is_utf8 = at_output_is_utf8(),
		.columns = at_output_is_terminal(STDOUT_FILENO)
				   ? at_output_width(STDOUT_FILENO)
				   : 0,
	};
}

void at_page_title(struct at_page *self, const char *space, const char *problem,
	const char *where, const char *rest)
{
	at_strbuf_add(self->out, at_style(AT_STYLE_STRONG, self->color));
	at_format_plain(self->out, space, ", ", problem, " on ", where);
	at_strbuf_add(self->out, at_style(AT_STYLE_END, self->color));
	at_format_plain(self->out, rest);
	at_strbuf_add_char(self->out, '\n');
}

void at_page_heading(struct at_page *self, const char *words)
{
	at_strbuf_addf(self->out, "\n %s%s%s\n", at_style(AT_STYLE_STRONG, self->color),
		words, at_style(AT_STYLE_END, self->color));
}

void at_page_entry(struct at_page *self, const char *name, struct at_strbuf *line)
{
	size_t start = self->out->length;

	if (line->length) {
		/* recorded texts may contain newlines */
		for (char *at = line->data; (at = strchr(at, '\n'));)
			*at = ' ';
		at_strbuf_addf(self->out, "  %s", name);
		at_format_pad(self->out, start, ENTRY_COLUMN);
		if (self->columns)
			at_format_wrap(self->out, at_strbuf_text(line), ENTRY_COLUMN,
				ENTRY_COLUMN, self->columns);
		else
			at_strbuf_add(self->out, at_strbuf_text(line));
		at_strbuf_add_char(self->out, '\n');
	}
	at_strbuf_release(line);
}

void at_page_say(struct at_page *self, const char *name, const char *format, ...)
{
	struct at_strbuf line = { 0 };
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&line, format, arguments);
	va_end(arguments);
	at_page_entry(self, name, &line);
}

/* ---- tables ------------------------------------------------------------------ */

/* The last cell of a row is not padded. */
static void end_cell(struct at_page *self, bool is_last)
{
	const struct at_page_column *column = &self->table[self->cell - 1];
	int blanks;

	if (!column->heading) {
		self->out->length = self->cell_start;
		self->out->data[self->out->length] = '\0';
		return;
	}
	if (self->is_markdown) {
		if (self->out->length == self->cell_start)
			at_strbuf_add_char(self->out, '-');
		at_strbuf_add(self->out, " | ");
		return;
	}
	/* an overlong cell moves only the next cell */
	self->column += abs(column->width);
	blanks = self->column - at_format_width(self->out->data + self->row_start);
	if (column->width < 0 && blanks > 0) {
		char *cell = at_strdup(self->out->data + self->cell_start);

		self->out->length = self->cell_start;
		at_strbuf_addf(self->out, "%*s%s", blanks, "", cell);
		free(cell);
	} else if (column->width > 0 && !is_last) {
		at_strbuf_addf(self->out, "%*s", blanks > 1 ? blanks : 1, "");
	}
}

struct at_strbuf *at_page_cell(struct at_page *self)
{
	if (self->cell) {
		end_cell(self, false);
	} else {
		self->row_start = self->out->length;
		self->column = 0;
		at_strbuf_add(self->out, self->is_markdown ? "| " : "");
	}
	self->cell++;
	self->cell_start = self->out->length;
	return self->out;
}

void at_page_text(struct at_page *self, const char *text)
{
	at_strbuf_add(at_page_cell(self), text);
}

void at_page_row_end(struct at_page *self)
{
	end_cell(self, true);
	if (self->is_markdown)
		self->out->length--;
	at_strbuf_add_char(self->out, '\n');
	self->cell = 0;
}

void at_page_head(
	struct at_page *self, const struct at_page_column *columns, size_t column_count)
{
	self->table = columns;
	self->cell = 0;
	for (size_t i = 0; i < column_count; i++)
		at_page_text(self, columns[i].heading ? columns[i].heading : "");
	at_page_row_end(self);
	for (size_t i = 0; i < column_count && self->is_markdown; i++)
		at_page_text(self, "---");
	if (self->is_markdown)
		at_page_row_end(self);
}
