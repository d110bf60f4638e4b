/* UTF-8, and one function for each output language. */
#include "base/escape.h"

#include <string.h>

/* ---- characters ---------------------------------------------------------------- */

uint32_t at_character(const char *text, size_t size, size_t *length)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *c = (const unsigned char *)text;
	size_t bytes = c[0] < 0x80             ? 1
		       : (c[0] & 0xe0) == 0xc0 ? 2
		       : (c[0] & 0xf0) == 0xe0 ? 3
		       : (c[0] & 0xf8) == 0xf0 ? 4
					       : 0;
	uint32_t value = bytes > 1 ? c[0] & (0xffu >> (bytes + 1)) : c[0];

	*length = 1;
	if (!bytes || bytes > size)
		return AT_NO_CHARACTER;
	for (size_t i = 1; i < bytes; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return AT_NO_CHARACTER;
		value = value << 6 | (c[i] & 0x3f);
	}
	if (value < least[bytes] || value > 0x10ffff ||
		(value >= 0xd800 && value < 0xe000))
		return AT_NO_CHARACTER;
	*length = bytes;
	return value;
}

bool at_character_is_shown(uint32_t character)
{
	/* Unicode's Cc, Cf, Zl and Zp, fillers that look blank, and invalid code
	   points */
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{ 0, 0x1f },
		{ 0x7f, 0x9f },
		{ 0xad, 0xad },
		{ 0x34f, 0x34f },
		{ 0x600, 0x605 },
		{ 0x61c, 0x61c },
		{ 0x6dd, 0x6dd },
		{ 0x70f, 0x70f },
		{ 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 },
		{ 0x180b, 0x180f },
		{ 0x200b, 0x200f },
		{ 0x2028, 0x202e },
		{ 0x2060, 0x206f },
		{ 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },
		{ 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb },
		{ 0xfffe, 0xffff },
		{ 0x1d173, 0x1d17a },
		{ 0xe0000, 0xe0fff },
	};

	/* most characters are ASCII; the table is sorted */
	if (character >= ' ' && character <= '~')
		return true;
	for (size_t i = 0; i < AT_COUNT_OF(hidden) && character >= hidden[i].first; i++)
		if (character <= hidden[i].last)
			return false;
	return character <= 0x10ffff && (character & 0xfffe) != 0xfffe;
}

/* The length of the printable ASCII at the start, usually the whole text. */
static size_t plain_length(const char *text, size_t size)
{
	size_t i = 0;

	while (i < size && text[i] >= ' ' && text[i] <= '~')
		i++;
	return i;
}

bool at_text_is_shown(const char *text, size_t size)
{
	size_t length;

	for (size_t i = plain_length(text, size); i < size; i += length)
		if (!at_character_is_shown(at_character(text + i, size - i, &length)))
			return false;
	return true;
}

/* ---- languages ------------------------------------------------------------------ */

void at_escape_line(struct at_strbuf *out, const char *text, size_t size)
{
	size_t length = plain_length(text, size);

	at_strbuf_add_bytes(out, text, length);
	for (size_t i = length; i < size; i += length) {
		uint32_t character = at_character(text + i, size - i, &length);

		if (at_character_is_shown(character))
			at_strbuf_add_bytes(out, text + i, length);
		else
			at_strbuf_add_char(
				out, character < ' ' || character == 0x7f ? ' ' : '?');
	}
}

void at_escape_c_comment(struct at_strbuf *out, const char *text)
{
	char last = '\0';

	for (; *text; text++) {
		char c = *text;

		if (c == '\n' || c == '\t' || c == '\r')
			c = ' ';
		else if (c == '\\')
			c = '|';
		else if (c < ' ' || c > '~')
			c = '?';
		if ((last == '*' && c == '/') || (last == '/' && c == '*') ||
			(last == '?' && c == '?'))
			at_strbuf_add_char(out, ' ');
		at_strbuf_add_char(out, c);
		last = c;
	}
}

void at_escape_c_string(struct at_strbuf *out, const char *text)
{
	char last = '\0';

	at_strbuf_add_char(out, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		/* always three digits, so that a following digit is not part of it */
		if (c < ' ' || c > '~')
			at_strbuf_addf(out, "\\%03o", c);
		else if (c == '"' || c == '\\' || (c == '?' && last == '?'))
			at_strbuf_addf(out, "\\%c", c);
		else
			at_strbuf_add_char(out, *text);
		last = *text;
	}
	at_strbuf_add_char(out, '"');
}

void at_escape_xml(struct at_strbuf *out, const char *text)
{
	size_t size = strlen(text), length;

	for (size_t i = 0; i < size; i += length) {
		uint32_t character = at_character(text + i, size - i, &length);

		if (strchr("&<>\"'\t\n\r", text[i]))
			at_strbuf_addf(out, "&#%d;", text[i]);
		else if (at_character_is_shown(character))
			at_strbuf_add_bytes(out, text + i, length);
		else
			at_strbuf_add_char(out, '?');
	}
}

void at_escape_json(struct at_strbuf *out, const char *text, size_t size)
{
	size_t length = plain_length(text, size);

	at_strbuf_add_bytes(out, text, length);
	for (size_t i = length; i < size; i += length) {
		uint32_t character = at_character(text + i, size - i, &length);

		/* control characters here are the line ends between values */
		if (character < ' ' || at_character_is_shown(character))
			at_strbuf_add_bytes(out, text + i, length);
		else if (character == AT_NO_CHARACTER)
			at_strbuf_add_char(out, '?');
		else if (character < 0x10000)
			at_strbuf_addf(out, "\\u%04x", (unsigned)character);
		else
			at_strbuf_addf(out, "\\u%04x\\u%04x",
				0xd800u + (unsigned)((character - 0x10000) >> 10),
				0xdc00u + (unsigned)((character - 0x10000) & 0x3ff));
	}
}

/* Adds a line with a backslash in front of characters that would be markup. */
static void add_marked(struct at_strbuf *out, const char *text, const char *markup)
{
	struct at_strbuf line = { 0 };

	at_escape_line(&line, text, strlen(text));
	for (const char *c = at_strbuf_text(&line); *c; c++) {
		if (strchr(markup, *c))
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *c);
	}
	at_strbuf_release(&line);
}

void at_escape_markdown(struct at_strbuf *out, const char *text)
{
	add_marked(out, text, "\\|`*<[");
}

void at_escape_markdown_code(struct at_strbuf *out, const char *text)
{
	/* a code span with backticks needs a fence of more backticks */
	size_t fence = 0;

	if (!*text)
		return;
	for (size_t i = 0, run; text[i]; i += run ? run : 1) {
		run = strspn(text + i, "`");
		fence = run > fence ? run : fence;
	}
	for (size_t i = 0; i <= fence; i++)
		at_strbuf_add_char(out, '`');
	at_strbuf_add(out, fence ? " " : "");
	/* a bar would end the cell, even inside a code span */
	add_marked(out, text, "|");
	at_strbuf_add(out, fence ? " " : "");
	for (size_t i = 0; i <= fence; i++)
		at_strbuf_add_char(out, '`');
}

void at_escape_csv(struct at_strbuf *out, const char *text)
{
	size_t length = strlen(text);

	/* readers, ours too, strip blanks around a cell */
	if (!strpbrk(text, "\",\r\n") && *text != ' ' &&
		(!length || text[length - 1] != ' ')) {
		at_strbuf_add(out, text);
		return;
	}
	at_strbuf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			at_strbuf_add_char(out, '"');
		at_strbuf_add_char(out, *text);
	}
	at_strbuf_add_char(out, '"');
}

void at_escape_shell(struct at_strbuf *out, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=:,./@%";

	if (*text && strspn(text, plain) == strlen(text)) {
		at_strbuf_add(out, text);
		return;
	}
	at_strbuf_add_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			at_strbuf_add(out, "'\\''");
		else
			at_strbuf_add_char(out, *text);
	}
	at_strbuf_add_char(out, '\'');
}
