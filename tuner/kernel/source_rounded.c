/*
 * The reference with random roundings: the same text, in which float means a class that
 * rounds each result up or down by chance (rounded.cu). Its literals are of that class
 * too: in "0.5f * x", where x is a byte, nothing else says that it is about floats.
 *
 * As with the reference in double, this does not work for all templates: those that
 * hand vectors of floats to functions or choose between a float and an integer by "?:"
 * do not compile, and are done without.
 */
#include "kernel/source.h"

#include <ctype.h>
#include <string.h>

/* Where the comment, the string or the character ends that begins at `at`; `at` itself
   if none does. */
static const char *skip_quoted(const char *at)
{
	char quote = *at;
	const char *end;

	if (at[0] == '/' && at[1] == '/')
		return at + strcspn(at, "\n");
	if (at[0] == '/' && at[1] == '*') {
		end = strstr(at + 2, "*/");
		return end ? end + 2 : at + strlen(at);
	}
	if (quote != '"' && quote != '\'')
		return at;
	/* an apostrophe in "#error" has no end on its line */
	for (at++; *at && *at != quote && *at != '\n'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at == quote ? at + 1 : at;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The end of a number, as the preprocessor sees it. */
static const char *skip_number(const char *at)
{
	for (; is_word(*at) || *at == '.'; at++)
		if (strchr("eEpP", *at) && (at[1] == '+' || at[1] == '-'))
			at++;
	return at;
}

static bool is_float(const char *number, const char *end)
{
	size_t length = (size_t)(end - number);
	bool is_hexadecimal =
		number[0] == '0' && (number[1] == 'x' || number[1] == 'X');

	if (end[-1] != 'f' && end[-1] != 'F')
		return false;
	return is_hexadecimal
		       ? memchr(number, 'p', length) || memchr(number, 'P', length)
		       : memchr(number, '.', length) || memchr(number, 'e', length) ||
				 memchr(number, 'E', length);
}

bool at_source_has_floats(const char *text)
{
	for (const char *at = strstr(text, "float"); at; at = strstr(at + 1, "float"))
		if ((at == text || !is_word(at[-1])) && !is_word(at[5]))
			return true;
	return false;
}

void at_source_write_rounded(const char *text, struct at_strbuf *out)
{
	const char *at = text, *from = text;

	while (*at) {
		const char *end = skip_quoted(at);

		if (end > at) {
			at = end;
		} else if (isdigit((unsigned char)at[0]) ||
			   (at[0] == '.' && isdigit((unsigned char)at[1]))) {
			end = skip_number(at);
			if (is_float(at, end)) {
				at_strbuf_add_bytes(out, from, (size_t)(at - from));
				at_strbuf_add(out, "at_rounded(");
				at_strbuf_add_bytes(out, at, (size_t)(end - at));
				at_strbuf_add(out, ")");
				from = end;
			}
			at = end;
		} else if (is_word(*at)) {
			while (is_word(*at))
				at++;
		} else {
			at++;
		}
	}
	at_strbuf_add_bytes(out, from, (size_t)(at - from));
}
