/* Breaks lines between words: see fold.h. */
#include "cli/fold.h"

#include "cli/format.h"

#include <string.h>

/* How far to indent the continuation of a line with a single cell. */
#define HANGING 2
/* With fewer columns left, the continuation would be a column of letters. */
#define LEAST_COLUMNS 16

/* The end of the escape sequence or character (UTF-8) that begins here; *columns: its
   width. */
static const char *next_character(const char *at, const char *end, int *columns)
{
	*columns = 0;
	if (*at == '\033') {
		for (at++; at < end && *at != 'm';)
			at++;
		return at < end ? at + 1 : end;
	}
	*columns = 1;
	for (at++; at < end && ((unsigned char)*at & 0xc0) == 0x80;)
		at++;
	return at;
}

/* The column where the line is continued. */
static int find_indent(const char *line, const char *end, int columns)
{
	int column = 0, blanks = 0, first = -1, indent = -1;

	while (line < end) {
		bool is_blank = *line == ' ';
		int width;

		if (!is_blank && first < 0)
			first = column;
		else if (!is_blank && blanks >= 2 && column <= columns / 2)
			indent = column;
		line = next_character(line, end, &width);
		/* An escape sequence between blanks neither counts as a blank nor as a
		   word. */
		if (width)
			blanks = is_blank ? blanks + 1 : 0;
		column += width;
	}
	if (indent < 0)
		indent = (first < 0 ? 0 : first) + HANGING;
	return columns - indent < LEAST_COLUMNS ? HANGING : indent;
}

static void fold_line(
	struct at_strbuf *out, const char *line, const char *end, int columns)
{
	int indent = find_indent(line, end, columns), column = 0;
	bool has_word = false; /* in this line of the terminal */

	while (line < end) {
		const char *word = line + strspn(line, " "), *after = word;
		int blanks = (int)(word - line), width = 0, step;

		if (word > end)
			word = after = end;
		/* "51 %" is not separated. */
		while (after < end &&
			(*after != ' ' || at_format_is_before_unit(word, after))) {
			after = next_character(after, end, &step);
			width += step;
		}
		/* A word without width, an escape sequence that ends a style, stays on
		   its line. */
		if (has_word && width && column + blanks + width > columns) {
			at_strbuf_add_char(out, '\n');
			blanks = indent;
			column = 0;
		}
		if (after > word) {
			at_strbuf_addf(out, "%*s", blanks, "");
			at_strbuf_add_bytes(out, word, (size_t)(after - word));
			column += blanks + width;
		}
		has_word = has_word || width;
		line = after;
	}
}

void at_fold(struct at_strbuf *out, const char *text, int columns)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		fold_line(out, text, text + length, columns);
		text += length;
		if (*text) {
			at_strbuf_add_char(out, '\n');
			text++;
		}
	}
}
