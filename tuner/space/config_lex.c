/* Splits a text in libconfig's syntax into tokens: see config_lex.h. */
#include "space/config_lex.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The longest number in characters, far more than any number needs. */
#define NUMBER_MAX 400

/*
 * Names here are wider than libconfig's: "view.n" is a name, and "_x" is one token that
 * the grammar can quote whole when it refuses it.
 */
static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '*';
}

static bool is_name_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '*' || c == '-' ||
	       c == '.';
}

/*
 * Refuses control characters anywhere in the text before the first token is read. So a
 * binary given by mistake is reported as such, not as an odd token.
 */
static enum at_status check_characters(const struct at_config_lexer *self)
{
	int line = 1;

	if (self->end - self->at >= 2 &&
		(!memcmp(self->at, "\xff\xfe", 2) || !memcmp(self->at, "\xfe\xff", 2)))
		return at_fail(self->err, AT_ESYNTAX, self->path, line,
			"this file is in UTF-16: save it as UTF-8");
	for (const char *c = self->at; c < self->end; c++) {
		unsigned char byte = (unsigned char)*c;

		if (byte == '\n')
			line++;
		else if ((byte < ' ' && !strchr("\t\r\f", byte)) || byte == 0 ||
			 byte == 0x7f)
			return at_fail(self->err, AT_ESYNTAX, self->path, line,
				"not a space file but binary data: found the byte 0x%02x",
				byte);
	}
	return AT_OK;
}

static const char *line_end(const struct at_config_lexer *self, const char *from)
{
	const char *newline = memchr(from, '\n', (size_t)(self->end - from));

	return newline ? newline : self->end;
}

static enum at_status skip_comment(struct at_config_lexer *self)
{
	int opened = self->line;

	for (self->at += 2; self->at + 1 < self->end; self->at++) {
		if (self->at[0] == '*' && self->at[1] == '/') {
			self->at += 2;
			return AT_OK;
		}
		if (self->at[0] == '\n') {
			self->line++;
			self->suspect = NULL;
		}
	}
	return at_fail(self->err, AT_ESYNTAX, self->path, opened,
		"expected \"*/\" to close the comment that begins here, found the end of the file");
}

static enum at_status skip_blanks(struct at_config_lexer *self)
{
	while (self->at < self->end) {
		bool slash = *self->at == '/' && self->at + 1 < self->end;

		if (*self->at == '\n') {
			self->line++;
			self->at++;
			self->suspect = NULL;
		} else if (strchr(" \t\r\f", *self->at)) {
			self->at++;
		} else if (*self->at == '#' || (slash && self->at[1] == '/')) {
			self->at = line_end(self, self->at);
		} else if (slash && self->at[1] == '*') {
			enum at_status status = skip_comment(self);

			if (status)
				return status;
		} else {
			break;
		}
	}
	return AT_OK;
}

/*
 * Tokens.
 */

/* Notes a string, from its first quote to `end`, behind its last one, that ends where
   another one should begin. */
static void suspect_string(struct at_config_lexer *self, const char *end)
{
	const char *start = self->token.start, *last = end - 1;

	while (last > start + 1 && strchr(" \t", last[-1]))
		last--;
	if (self->suspect || last == start + 1)
		return;
	/* "-DNAME=" and "A == " alone may be meant */
	if (last[-1] != ',' && (!strchr("=:([", last[-1]) ||
				       !memchr(start, ';', (size_t)(last - start))))
		return;
	self->suspect = start;
	self->suspect_length = (int)(end - start > 40 ? 40 : end - start);
}

static enum at_status scan_string(struct at_config_lexer *self)
{
	const char *c = self->at + 1;

	/* libconfig lets a string continue on the next line. Then a missing quote would
	   be reported where the next string begins, so it is refused here. */
	while (c < self->end && !strchr("\"\n\r\f", *c))
		c += *c == '\\' && c + 1 < self->end && !strchr("\n\r\f", c[1]) ? 2 : 1;
	if (c >= self->end || *c != '"') {
		int length = c - self->at > 20 ? 20 : (int)(c - self->at);

		if (self->suspect)
			return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
				"expected '\"' to close the string that begins with %.*s; is a quote missing in the string %.*s?",
				length, self->token.start, self->suspect_length,
				self->suspect);
		return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"expected '\"' to close the string that begins with %.*s: a long string is written as several, one after the other",
			length, self->token.start);
	}
	self->token.kind = AT_CONFIG_STRING;
	self->at = c + 1;
	suspect_string(self, self->at);
	return AT_OK;
}

static bool all_digits(const char *text, const char *digits)
{
	return *text && text[strspn(text, digits)] == '\0';
}

static enum at_status check_integer(
	const struct at_config_lexer *self, const char *number, int base)
{
	errno = 0;
	strtoll(number, NULL, base);
	if (errno == ERANGE)
		return at_fail(self->err, AT_EOVERFLOW, self->path, self->line,
			"the integer %.60s does not fit 64 bits", number);
	return AT_OK;
}

static enum at_status fail_number(const struct at_config_lexer *self)
{
	int length = (int)(self->at - self->token.start);

	return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
		"\"%.*s\" is not a number; words, options and expressions are written in quotes",
		length > 60 ? 60 : length, self->token.start);
}

/* Converts as libconfig does, with strtod(), but all of the text has to be a number. */
static enum at_status check_real(const struct at_config_lexer *self, const char *number)
{
	char *rest;

	errno = 0;
	strtod(number, &rest);
	if (rest == number || *rest || !strpbrk(number, "0123456789") ||
		!all_digits(number, "0123456789+-.eE"))
		return fail_number(self);
	if (errno == ERANGE)
		return at_fail(self->err, AT_EOVERFLOW, self->path, self->line,
			"the real %.60s does not fit a double", number);
	return AT_OK;
}

/* Marks the integer that ends at self->at as a 64-bit one, for libconfig. */
static void widen(struct at_config_lexer *self)
{
	at_strbuf_add_bytes(
		self->text, self->copied, (size_t)(self->at - self->copied));
	at_strbuf_add_char(self->text, 'L');
	self->copied = self->at;
}

void at_config_replace(struct at_config_lexer *self, const char *text)
{
	at_strbuf_add_bytes(
		self->text, self->copied, (size_t)(self->token.start - self->copied));
	at_strbuf_add(self->text, text);
	self->copied = self->at;
}

static enum at_status scan_number(struct at_config_lexer *self)
{
	const char *c = self->at + 1;
	char number[NUMBER_MAX + 1], *digits = number;
	size_t length;
	int base = 10;
	bool wide = false;

	while (c < self->end && (isalnum((unsigned char)*c) || strchr("._", *c) ||
					(strchr("+-", *c) && strchr("eE", c[-1]))))
		c++;
	length = (size_t)(c - self->at);
	if (length > NUMBER_MAX)
		return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"a number of %zu characters, more than the %d that are read",
			length, NUMBER_MAX);
	memcpy(number, self->at, length);
	number[length] = '\0';
	self->at = c;
	/* L and LL are libconfig's own marks of 64 bits. */
	for (int i = 0; i < 2 && length > 1 && number[length - 1] == 'L'; i++) {
		number[--length] = '\0';
		wide = true;
	}
	if (number[0] == '+' || number[0] == '-')
		digits++;
	if (number[0] == '0' && (number[1] == 'x' || number[1] == 'X')) {
		digits = number + 2;
		base = 16;
	}
	if (all_digits(digits, base == 16 ? "0123456789abcdefABCDEF" : "0123456789")) {
		self->token.kind = AT_CONFIG_INTEGER;
		/* eight in C, and ten in libconfig: expressions refuse it as well */
		if (base == 10 && digits[0] == '0' && digits[1])
			return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
				"\"%.60s\" begins with 0: write it without, or as 0x...",
				number);
		if (!wide)
			widen(self);
		return check_integer(self, number, base);
	}
	self->token.kind = AT_CONFIG_REAL;
	return wide ? fail_number(self) : check_real(self, number);
}

/* Reads a name, or a boolean, which libconfig accepts in upper and lower case. */
static void scan_name(struct at_config_lexer *self)
{
	static const char *const booleans[] = { "true", "false" };

	while (self->at < self->end && is_name_part(*self->at))
		self->at++;
	self->token.kind = AT_CONFIG_NAME;
	for (size_t i = 0; i < 2; i++) {
		size_t length = strlen(booleans[i]), same = 0;

		if (length != (size_t)(self->at - self->token.start))
			continue;
		while (same < length &&
			tolower((unsigned char)self->token.start[same]) ==
				booleans[i][same])
			same++;
		if (same == length)
			self->token.kind = AT_CONFIG_BOOLEAN;
	}
}

/* Fails for a character that begins no token. before: the kind of token ahead of it. */
static enum at_status fail_character(
	const struct at_config_lexer *self, enum at_config_token_kind before)
{
	unsigned char byte = (unsigned char)*self->at;

	/* word processors turn quotes into U+2018 to U+201F */
	if (self->end - self->at >= 3 && !memcmp(self->at, "\xe2\x80", 2) &&
		(unsigned char)self->at[2] >= 0x98 &&
		(unsigned char)self->at[2] <= 0x9f)
		return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"this is a typographic quote: write \"");
	if (*self->at == '\'')
		return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"text is written in double quotes: write \" for '");
	if (self->end - self->at >= 2 && !memcmp(self->at, "\xc2\xa0", 2))
		return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"this is a no-break space: write an ordinary one");
	if (byte == '%' && before >= AT_CONFIG_INTEGER && before <= AT_CONFIG_STRING)
		return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"unexpected character '%%' behind a value: 1 %% is written 0.01, and an expression in quotes, as in \"N %% 2\"");
	/* "N = 1 + 2": the value is over before the expression is */
	if (byte && strchr("^/%&|<>?~!+-", byte) && before >= AT_CONFIG_INTEGER &&
		before <= AT_CONFIG_STRING)
		return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"unexpected character '%c' behind a value: an expression is written in quotes, as in \"2 * N\"",
			byte);
	return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
		byte < 0x80 ? "unexpected character '%c'"
			    : "unexpected byte 0x%02x outside a string",
		byte);
}

enum at_status at_config_next(struct at_config_lexer *self)
{
	enum at_config_token_kind before = self->token.kind;
	enum at_status status = skip_blanks(self);
	char c;

	if (status)
		return status;
	self->token =
		(struct at_config_token){ AT_CONFIG_END, self->at, 0, self->line };
	if (self->at == self->end)
		return AT_OK;
	c = *self->at;
	if (c == '"') {
		status = scan_string(self);
	} else if (isdigit((unsigned char)c) || strchr("+-.", c)) {
		status = scan_number(self);
	} else if (is_name_start(c)) {
		scan_name(self);
	} else if (strchr("=:;,{}()[]", c)) {
		self->token.kind = AT_CONFIG_MARK;
		self->at++;
	} else if (c == '@') {
		status = at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"@include is not supported: put everything into this file");
	} else {
		status = fail_character(self, before);
	}
	self->token.length = (size_t)(self->at - self->token.start);
	return status;
}

enum at_status at_config_lexer_init(struct at_config_lexer *self, const char *text,
	size_t size, const char *path, struct at_strbuf *out, struct at_error *err)
{
	enum at_status status;

	*self = (struct at_config_lexer){ .text = out,
		.path = path,
		.err = err,
		.at = text + at_text_mark_bytes(text, size),
		.end = text + size,
		.line = 1 };
	self->copied = self->at;
	status = check_characters(self);
	return status ? status : at_config_next(self);
}

void at_config_lexer_end(struct at_config_lexer *self)
{
	at_strbuf_add_bytes(
		self->text, self->copied, (size_t)(self->end - self->copied));
	self->copied = self->end;
}
