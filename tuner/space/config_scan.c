/*
 * One pass over the text: characters, tokens, and libconfig's grammar by recursive
 * descent. It builds nothing but the list of lines.
 */
#include "space/config_scan.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 32, /* recursion is bounded, here and in libconfig */
	/* libconfig compares a new name with all names of its group */
	GROUP_MAX = 1000,
	VALUES_MAX = 1000000, /* 15 parameters of the most values each */
	NUMBER_MAX =
		400, /* characters, far more than a number needs: a buffer holds it */
};

enum token_kind {
	TOKEN_END = 0,
	TOKEN_NAME,
	TOKEN_INTEGER,
	TOKEN_REAL,
	TOKEN_BOOLEAN,
	TOKEN_STRING,
	TOKEN_MARK, /* one of = : ; , { } ( ) [ ] */
};

struct token {
	enum token_kind kind;
	const char *start;
	size_t length;
	int line;
};

struct scanner {
	struct at_config_scan *result;
	const char *path;
	struct at_error *err;
	const char *at; /* behind the token */
	const char *end;
	const char *copied; /* result->text has all before */
	int line;
	int depth;
	struct token token;
	/* the names given so far, of the open groups one behind the other */
	struct token *names;
	size_t name_count;
	size_t name_capacity;
};

static enum at_status read_value(struct scanner *self, const char *after);

/*
 * Characters.
 */

/*
 * Wider than libconfig's names, so that "_x" and "search.budget" are one token and
 * note_name() can quote them whole when it refuses them.
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
 * Control characters are no text, whatever follows: a binary given by mistake is
 * told as such, not as its first odd token.
 */
static enum at_status check_characters(const struct scanner *self)
{
	int line = 1;

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

static const char *line_end(const struct scanner *self, const char *from)
{
	const char *newline = memchr(from, '\n', (size_t)(self->end - from));

	return newline ? newline : self->end;
}

static enum at_status skip_comment(struct scanner *self)
{
	int opened = self->line;

	for (self->at += 2; self->at + 1 < self->end; self->at++) {
		if (self->at[0] == '*' && self->at[1] == '/') {
			self->at += 2;
			return AT_OK;
		}
		if (self->at[0] == '\n')
			self->line++;
	}
	return at_fail(self->err, AT_ESYNTAX, self->path, opened,
		"expected \"*/\" to close the comment that begins here, found the end of the file");
}

static enum at_status skip_blanks(struct scanner *self)
{
	while (self->at < self->end) {
		bool slash = *self->at == '/' && self->at + 1 < self->end;

		if (*self->at == '\n') {
			self->line++;
			self->at++;
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

static enum at_status scan_string(struct scanner *self)
{
	const char *c = self->at + 1;

	/* libconfig lets a string go on over lines: then a quote that is missing
	   would be told where the next string begins */
	while (c < self->end && !strchr("\"\n\r\f", *c))
		c += *c == '\\' && c + 1 < self->end && !strchr("\n\r\f", c[1]) ? 2 : 1;
	if (c >= self->end || *c != '"') {
		int length = c - self->at > 20 ? 20 : (int)(c - self->at);

		return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"expected '\"' to close the string that begins with %.*s: a long string is written as several, one after the other",
			length, self->token.start);
	}
	self->token.kind = TOKEN_STRING;
	self->at = c + 1;
	return AT_OK;
}

static bool all_digits(const char *text, const char *digits)
{
	return *text && text[strspn(text, digits)] == '\0';
}

static enum at_status check_integer(
	const struct scanner *self, const char *number, int base)
{
	errno = 0;
	strtoll(number, NULL, base);
	if (errno == ERANGE)
		return at_fail(self->err, AT_EOVERFLOW, self->path, self->line,
			"the integer %.60s does not fit 64 bits", number);
	return AT_OK;
}

static enum at_status fail_number(const struct scanner *self)
{
	int length = (int)(self->at - self->token.start);

	return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
		"\"%.*s\" is not a number; an expression is written in quotes",
		length > 60 ? 60 : length, self->token.start);
}

/* As libconfig reads it, with strtod(), but all of it. */
static enum at_status check_real(const struct scanner *self, const char *number)
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

/* Marks the integer that ends at self->at for libconfig as a 64-bit one. */
static void widen(struct scanner *self)
{
	at_strbuf_add_bytes(
		&self->result->text, self->copied, (size_t)(self->at - self->copied));
	at_strbuf_add_char(&self->result->text, 'L');
	self->copied = self->at;
}

static enum at_status scan_number(struct scanner *self)
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
	/* libconfig's marks of 64 bits, L and LL */
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
		self->token.kind = TOKEN_INTEGER;
		if (!wide)
			widen(self);
		return check_integer(self, number, base);
	}
	self->token.kind = TOKEN_REAL;
	return wide ? fail_number(self) : check_real(self, number);
}

/* A name, or a boolean in any case of letters, as libconfig has it. */
static void scan_name(struct scanner *self)
{
	static const char *const booleans[] = { "true", "false" };

	while (self->at < self->end && is_name_part(*self->at))
		self->at++;
	self->token.kind = TOKEN_NAME;
	for (size_t i = 0; i < 2; i++) {
		size_t length = strlen(booleans[i]), same = 0;

		if (length != (size_t)(self->at - self->token.start))
			continue;
		while (same < length &&
			tolower((unsigned char)self->token.start[same]) ==
				booleans[i][same])
			same++;
		if (same == length)
			self->token.kind = TOKEN_BOOLEAN;
	}
}

/* What no token begins with. */
static enum at_status fail_character(const struct scanner *self)
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
	return at_fail(self->err, AT_ESYNTAX, self->path, self->line,
		byte < 0x80 ? "unexpected character '%c'"
			    : "unexpected byte 0x%02x outside a string",
		byte);
}

static enum at_status advance(struct scanner *self)
{
	enum at_status status = skip_blanks(self);
	char c;

	if (status)
		return status;
	self->token = (struct token){ TOKEN_END, self->at, 0, self->line };
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
		self->token.kind = TOKEN_MARK;
		self->at++;
	} else if (c == '@') {
		status = at_fail(self->err, AT_ESYNTAX, self->path, self->line,
			"@include is not supported: put everything into this file");
	} else {
		status = fail_character(self);
	}
	self->token.length = (size_t)(self->at - self->token.start);
	return status;
}

/*
 * Grammar.
 */

/* Whether the token is this mark. */
static bool at_mark(const struct scanner *self, char mark)
{
	return self->token.kind == TOKEN_MARK && *self->token.start == mark;
}

/* For "... found %s". */
static const char *found(const struct scanner *self, char *buffer, size_t size)
{
	int length = self->token.length > 40 ? 40 : (int)self->token.length;

	if (self->token.kind == TOKEN_END)
		snprintf(buffer, size, "the end of the file");
	else if (self->token.kind == TOKEN_STRING)
		snprintf(buffer, size, "the string %.*s", length, self->token.start);
	else
		snprintf(buffer, size, "\"%.*s\"", length, self->token.start);
	return buffer;
}

static enum at_status expected(const struct scanner *self, const char *what)
{
	char text[80];

	return at_fail(self->err, AT_ESYNTAX, self->path, self->token.line,
		"expected %s, found %s", what, found(self, text, sizeof(text)));
}

static enum at_status note_line(struct scanner *self, int line)
{
	struct at_config_scan *result = self->result;
	enum at_status status;

	if (result->line_count == VALUES_MAX)
		return at_fail(self->err, AT_EINVAL, self->path, line,
			"more than %d values, the most that is read", VALUES_MAX);
	status = AT_RESERVE(result->lines, result->line_capacity,
		result->line_count + 1, self->err);
	if (!status)
		result->lines[result->line_count++] = line;
	return status;
}

/* The current token as the name of a setting in the group that began at `first`. */
static enum at_status note_name(struct scanner *self, size_t first)
{
	const struct token *name = &self->token;
	enum at_status status;

	/* libconfig would stop at the dot, with no more than "syntax error" */
	if (name->start[0] == '_' || memchr(name->start, '.', name->length))
		return at_fail(self->err, AT_ESYNTAX, self->path, name->line,
			"\"%.*s\" is not a name: expected a letter, then letters, digits and \"_\"%s",
			name->length > 40 ? 40 : (int)name->length, name->start,
			name->start[0] == '_' ? ""
					      : ", or is a quote missing ahead of it?");
	/* libconfig refuses a second one too, but does not say where the first is */
	for (size_t i = first; i < self->name_count; i++) {
		const struct token *other = &self->names[i];

		if (other->length == name->length &&
			!memcmp(other->start, name->start, name->length))
			return at_fail(self->err, AT_EINVAL, self->path, name->line,
				"\"%.*s\" is given twice, first in line %d",
				name->length > 200 ? 200 : (int)name->length,
				name->start, other->line);
	}
	if (self->name_count - first == GROUP_MAX)
		return at_fail(self->err, AT_EINVAL, self->path, name->line,
			"more than %d settings in one group, the most that is read",
			GROUP_MAX);
	status = AT_RESERVE(
		self->names, self->name_capacity, self->name_count + 1, self->err);
	if (status)
		return status;
	self->names[self->name_count++] = *name;
	return note_line(self, name->line);
}

/* name = value, and the ; or , behind it, which may be left out. */
static enum at_status read_setting(struct scanner *self, size_t first)
{
	char after[64];
	const struct token name = self->token;
	int length = name.length > 40 ? 40 : (int)name.length;
	enum at_status status = note_name(self, first);

	if (!status)
		status = advance(self);
	if (status)
		return status;
	if (!at_mark(self, '=') && !at_mark(self, ':')) {
		snprintf(after, sizeof(after), "\"=\" after \"%.*s\"", length,
			name.start);
		return expected(self, after);
	}
	snprintf(after, sizeof(after), "\"%.*s %c\"", length, name.start,
		*self->token.start);
	status = advance(self);
	if (!status)
		status = read_value(self, after);
	if (!status && (at_mark(self, ';') || at_mark(self, ',')))
		status = advance(self);
	return status;
}

static enum at_status read_settings(struct scanner *self)
{
	size_t first = self->name_count;
	enum at_status status = AT_OK;

	while (!status && self->token.kind == TOKEN_NAME)
		status = read_setting(self, first);
	/* names count within their group only */
	self->name_count = first;
	return status;
}

static enum at_status read_group(struct scanner *self, int opened)
{
	char what[80];
	enum at_status status;

	if (self->token.kind >= TOKEN_INTEGER && self->token.kind <= TOKEN_STRING)
		return expected(
			self, "a name in { } (a list of values is written in [ ])");
	status = read_settings(self);
	if (status)
		return status;
	snprintf(what, sizeof(what), "a name or the \"}\" to the \"{\" of line %d",
		opened);
	return at_mark(self, '}') ? advance(self) : expected(self, what);
}

/* libconfig's arrays hold scalars of one type, its lists anything. */
static enum at_status check_array_element(
	const struct scanner *self, enum token_kind *kind)
{
	if (self->token.kind == TOKEN_MARK && strchr("{([", *self->token.start))
		return expected(self, "a number, a boolean or a string inside [ ]");
	if (*kind != TOKEN_END && *kind != self->token.kind &&
		self->token.kind >= TOKEN_INTEGER && self->token.kind <= TOKEN_STRING) {
		char text[80];

		return at_fail(self->err, AT_ESYNTAX, self->path, self->token.line,
			"the values inside [ ] are of one type and %s is of another: write it like the others, or write ( ) for [ ]",
			found(self, text, sizeof(text)));
	}
	*kind = self->token.kind;
	return AT_OK;
}

/* Up to the closing mark, which is ) or ]. */
static enum at_status read_elements(struct scanner *self, char closing, int opened)
{
	enum token_kind kind = TOKEN_END;
	enum at_status status = AT_OK;
	const char *after = closing == ')' ? "\"(\"" : "\"[\"";
	char what[80];

	if (at_mark(self, closing))
		return advance(self);
	for (;;) {
		if (closing == ']')
			status = check_array_element(self, &kind);
		if (!status)
			status = note_line(self, self->token.line);
		if (!status)
			status = read_value(self, after);
		if (status || !at_mark(self, ','))
			break;
		status = advance(self);
		if (status)
			break;
		after = "\",\"";
	}
	if (status)
		return status;
	snprintf(what, sizeof(what), "\",\" or the \"%c\" to the \"%c\" of line %d",
		closing, closing == ')' ? '(' : '[', opened);
	return at_mark(self, closing) ? advance(self) : expected(self, what);
}

static enum at_status read_aggregate(struct scanner *self)
{
	char mark = *self->token.start;
	int line = self->token.line;
	enum at_status status;

	if (self->depth == DEPTH_MAX)
		return at_fail(self->err, AT_EINVAL, self->path, line,
			"nested deeper than %d", DEPTH_MAX);
	self->depth++;
	status = advance(self);
	if (!status)
		status = mark == '{'
				 ? read_group(self, line)
				 : read_elements(self, mark == '(' ? ')' : ']', line);
	self->depth--;
	return status;
}

/* Strings side by side are one, as in C. */
static enum at_status read_strings(struct scanner *self)
{
	enum at_status status = AT_OK;

	while (!status && self->token.kind == TOKEN_STRING)
		status = advance(self);
	return status;
}

static enum at_status read_value(struct scanner *self, const char *after)
{
	char what[100];

	switch (self->token.kind) {
	case TOKEN_INTEGER:
	case TOKEN_REAL:
	case TOKEN_BOOLEAN:
		return advance(self);
	case TOKEN_STRING:
		return read_strings(self);
	case TOKEN_NAME:
		return expected(
			self, "a value (words and expressions are written in quotes)");
	case TOKEN_MARK:
		if (strchr("{([", *self->token.start))
			return read_aggregate(self);
		break;
	case TOKEN_END:
		break;
	}
	snprintf(what, sizeof(what), "a value after %s", after);
	return expected(self, what);
}

enum at_status at_config_scan(struct at_config_scan *self, const char *text,
	size_t size, const char *path, struct at_error *err)
{
	struct scanner scanner = { .result = self,
		.path = path,
		.err = err,
		.at = text + at_text_mark_bytes(text, size),
		.end = text + size,
		.line = 1 };
	enum at_status status = check_characters(&scanner);

	scanner.copied = scanner.at;
	if (!status)
		status = advance(&scanner);
	if (!status && scanner.token.kind == TOKEN_END)
		status = at_fail(err, AT_ESYNTAX, path, 0,
			"is empty: expected at least \"parameters\"");
	if (!status)
		status = read_settings(&scanner);
	if (!status && scanner.token.kind != TOKEN_END)
		status = expected(&scanner,
			at_mark(&scanner, '{')
				? "a name, as in kernel: { ... } (there are no braces around a space file, and no quotes around names)"
				: "a name");
	free(scanner.names);
	if (status)
		return status;
	at_strbuf_add_bytes(
		&self->text, scanner.copied, (size_t)(scanner.end - scanner.copied));
	/* one newline more: to libconfig, a comment that ends with the file is a syntax
	 * error */
	at_strbuf_add_char(&self->text, '\n');
	return self->text.failed ? at_fail_memory(err) : AT_OK;
}

void at_config_scan_release(struct at_config_scan *self)
{
	at_strbuf_release(&self->text);
	free(self->lines);
	*self = (struct at_config_scan){ 0 };
}
