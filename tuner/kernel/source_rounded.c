/*
 * The reference with random roundings: the same text, in which float means a class that
 * rounds each result up or down by chance (rounded.cu). Its literals are of that class
 * too: in "0.5f * x", where x is a byte, nothing else says that it is about floats. In
 * "is_empty ? 0 : x" the 0 is of a class that becomes an integer or such a float, as x
 * is, since C++ chooses no type between an integer and a class.
 *
 * As with the reference in double, this does not work for all templates: those that
 * hand vectors of floats to functions or choose between a float and the variable of an
 * integer by "?:" do not compile, and are done without.
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

/* The end of a short decimal integer without a suffix, maybe negative, that is all
   there is from `at` on up to the end of an expression; `at` itself if there is
   something else. */
static const char *skip_whole(const char *at)
{
	const char *digits = at + (*at == '-');
	size_t length = strspn(digits, "0123456789");
	const char *behind = digits + length;

	if (length == 0 || length > 9 || (length > 1 && digits[0] == '0') ||
		is_word(*behind) || *behind == '.')
		return at;
	behind += strspn(behind, " \t\r\n");
	return *behind && strchr(":;,)]}", *behind) ? digits + length : at;
}

/* Whether the line is a directive of the preprocessor with a condition. */
static bool is_condition(const char *line)
{
	line += strspn(line, " \t");
	if (*line != '#')
		return false;
	line += 1 + strspn(line + 1, " \t");
	return !strncmp(line, "if", 2) || !strncmp(line, "elif", 4);
}

/* Writes what lies between `from` and `at`, then the literal as one of the class. */
static const char *write_literal(const char *from, const char *at, const char *end,
	const char *name, struct at_strbuf *out)
{
	at_strbuf_add_bytes(out, from, (size_t)(at - from));
	at_strbuf_addf(out, "%s(", name);
	at_strbuf_add_bytes(out, at, (size_t)(end - at));
	at_strbuf_add(out, ")");
	return end;
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

void at_source_write_rounded(const char *text, struct at_strbuf *out)
{
	const char *at = text, *from = text;
	/* for each "?" that has no ":" yet, the last one lowest: whether nothing but an
	   integer is behind it */
	uint64_t is_whole = 0;
	unsigned questions = 0;
	/* behind a "?" or its ":", where an integer has no integer beside it */
	bool is_choice = false;

	while (*at) {
		const char *end = skip_quoted(at);

		if (end > at) {
			at = end;
		} else if ((at == text || at[-1] == '\n') && is_condition(at)) {
			at += strcspn(at, "\n");
		} else if (isspace((unsigned char)*at)) {
			at++;
		} else if (is_choice && skip_whole(at) > at) {
			from = write_literal(from, at, skip_whole(at), "at_whole", out);
			at = from;
			is_choice = false;
		} else if (isdigit((unsigned char)at[0]) ||
			   (at[0] == '.' && isdigit((unsigned char)at[1]))) {
			end = skip_number(at);
			if (is_float(at, end))
				from = write_literal(from, at, end, "at_rounded", out);
			at = end;
			is_choice = false;
		} else if (is_word(*at)) {
			while (is_word(*at))
				at++;
			is_choice = false;
		} else if (*at == '?') {
			const char *one = skip_blanks(++at), *other;

			end = skip_whole(one);
			other = skip_blanks(
				end + (end > one ? strspn(end, " \t\r\n:") : 0));
			is_whole = is_whole << 1 | (end > one);
			questions++;
			is_choice = end > one && skip_whole(other) == other;
		} else if (*at == ':' && at[1] != ':' && questions > 0) {
			is_choice = !(is_whole & 1);
			is_whole >>= 1;
			questions--;
			at++;
		} else {
			if (strchr(";{}", *at))
				questions = 0;
			is_choice = false;
			at++;
		}
	}
	at_strbuf_add_bytes(out, from, (size_t)(at - from));
}
