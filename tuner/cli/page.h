/*
 * Output for people: titles, named entries and tables, as text or Markdown. Nothing
 * here prints. Threads: safe.
 *
 *   struct at_page page = at_page_of_stdout(&text);
 *   at_page_entry(&page, "gain", &line);
 *   at_page_head(&page, columns, AT_COUNT_OF(columns));
 *   at_page_text(&page, "12"); ... at_page_row_end(&page);
 *   at_print_folded(&text);
 */
#ifndef AT_CLI_PAGE_H
#define AT_CLI_PAGE_H

#include "base/memory.h"
#include "cli/format.h"

#include <stdbool.h>

/* A column of a table. */
struct at_page_column {
	const char *heading; /* NULL: the column and its cells are left out */
	/* Distance to the next cell on the terminal; negative: right-aligned in that
	   width. A longer cell gets one blank. 0: the last column. */
	int width;
};

/* Destination and style. Zeroed: plain text of any width. */
struct at_page {
	struct at_strbuf *out;
	bool color;
	bool wide; /* all columns, and configurations with all their parameters */
	bool is_utf8; /* false: ASCII alone */
	bool is_markdown; /* of tables; the caller escapes the cells */
	int columns; /* width of entries; 0: unlimited */
	/* the open table */
	const struct at_page_column *table;
	size_t cell; /* index of the open cell, plus 1; or 0 */
	size_t row_start, cell_start; /* in out */
	int column; /* terminal column of the next cell */
};

/* For text to print: with the colours and width of standard output. */
struct at_page at_page_of_stdout(struct at_strbuf *out);

/* Appends "space, problem on where", in bold, and the rest of the line. */
void at_page_title(struct at_page *self, const char *space, const char *problem,
	const char *where, const char *rest);
/* Appends an empty line and "heading". */
void at_page_heading(struct at_page *self, const char *words);
/* Appends "  name      words of the text"; nothing if the line is empty. Releases
   line. */
void at_page_entry(struct at_page *self, const char *name, struct at_strbuf *line);
/* The same with a format. */
void at_page_say(struct at_page *self, const char *name, const char *format, ...)
	AT_PRINTF(3, 4);

/* Begins a table: appends the headings. columns is borrowed until the table is done. */
void at_page_head(struct at_page *self, const struct at_page_column *columns,
	size_t column_count);
/* Ends the previous cell and begins the next one, whose text is appended to the result.
   An empty cell of Markdown becomes "-". */
struct at_strbuf *at_page_cell(struct at_page *self);
/* The same, and appends a text. */
void at_page_text(struct at_page *self, const char *text);
/* Ends the row, omitting cells that were not begun. */
void at_page_row_end(struct at_page *self);

#endif
