/* Text of a header: names of macros that are all different, and what a macro may
   hold. */
#include "record/header_internal.h"

#include "base/memory.h"

#include <string.h>

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

void at_header_claim(
	struct at_header_writer *self, const char **out, const char *format, ...)
{
	struct at_strbuf name = { 0 };
	va_list arguments;
	bool is_taken;

	*out = "";
	va_start(arguments, format);
	at_strbuf_addv(&name, format, arguments);
	va_end(arguments);
	do {
		is_taken = false;
		for (size_t i = 0; i < self->name_count; i++)
			is_taken |= !strcmp(self->names[i], at_strbuf_text(&name));
		if (is_taken)
			at_strbuf_add_char(&name, '_');
	} while (is_taken);
	AT_GROW(self->names, self->name_capacity, self->name_count + 1);
	self->names[self->name_count] = at_strbuf_detach(&name);
	*out = self->names[self->name_count++];
}
