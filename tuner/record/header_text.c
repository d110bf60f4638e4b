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

/* Appends ", long long size_M, double size_F", or ", size_M, size_F", or
   "(void)size_M;" and so on: not every function uses all sizes. */
static void add_sizes(struct at_header_writer *self, char form)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->size_count; i++) {
		const char *name = spec->size_names[i];

		if (form == 'P')
			at_strbuf_addf(self->out, ", %s size_%s",
				at_header_is_real(spec, i) ? "double" : "long long",
				name);
		else if (form == 'A')
			at_strbuf_addf(self->out, ", size_%s", name);
		else
			at_strbuf_addf(
				self->out, "%s(void)size_%s;", i ? " " : "\t", name);
	}
	if (form == 'U' && spec->size_count)
		at_strbuf_add_char(self->out, '\n');
}

void at_header_add(struct at_header_writer *self, const char *format, ...)
{
	struct at_strbuf text = { 0 };
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&text, format, arguments);
	va_end(arguments);
	for (const char *at = at_strbuf_text(&text); *at; at++) {
		if (*at != '$')
			at_strbuf_add_char(self->out, *at);
		else if (*++at == 'K')
			at_strbuf_add(self->out, self->kernel);
		else if (*at == 'k')
			at_strbuf_add(self->out, self->prefix);
		else
			add_sizes(self, *at);
	}
	at_strbuf_release(&text);
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
