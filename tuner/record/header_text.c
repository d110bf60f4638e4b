#include "record/header_internal.h"

#include <stdlib.h>
#include <string.h>

/*
 * What is no printable ASCII could turn a line round or end it; a backslash could join
 * it with the next one; and of a few pairs compilers make something else.
 */
void at_header_add_comment(struct at_strbuf *out, const char *text)
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

void at_header_add_string(struct at_strbuf *out, const char *text)
{
	char last = '\0';

	at_strbuf_add_char(out, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		/* three digits: one that follows is not taken for another */
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

bool at_header_is_plain(const char *text)
{
	bool is_quoted = false;

	for (const char *c = text; *c; c++) {
		if (*c < ' ' || *c > '~' || *c == '\\' || *c == '\'' || *c == '`' ||
			*c == '@' || *c == '$' || *c == '#')
			return false;
		if (c[0] == '?' && c[1] == '?')
			return false;
		if (c[0] == '/' && (c[1] == '*' || c[1] == '/'))
			return false;
		if (*c == '"')
			is_quoted = !is_quoted;
	}
	return !is_quoted;
}

enum at_status at_header_claim(
	struct at_header_writer *self, const char **out, const char *format, ...)
{
	struct at_strbuf name = { 0 };
	enum at_status status;
	va_list arguments;
	bool is_taken;

	*out = "";
	va_start(arguments, format);
	at_strbuf_addv(&name, format, arguments);
	va_end(arguments);
	do {
		is_taken = false;
		for (size_t i = 0; i < self->name_count && !name.failed; i++)
			is_taken |= !strcmp(self->names[i], at_strbuf_text(&name));
		if (is_taken)
			at_strbuf_add_char(&name, '_');
	} while (is_taken && !name.failed);
	status = AT_RESERVE(
		self->names, self->name_capacity, self->name_count + 1, self->err);
	if (!status && name.failed)
		status = at_fail_memory(self->err);
	if (status) {
		at_strbuf_release(&name);
		return status;
	}
	self->names[self->name_count] = at_strbuf_detach(&name);
	if (!self->names[self->name_count])
		return at_fail_memory(self->err);
	*out = self->names[self->name_count++];
	return AT_OK;
}
