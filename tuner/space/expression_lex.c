/* Splits the text of an expression into tokens. */
#include "space/expression_lex.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The most characters of a quoted text: enough to recognise it, and err holds 1 KiB. */
#define QUOTED_MAX 200

/* Not isdigit() and isalpha(), since names must not depend on the locale. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(char c)
{
	return begins_name(c) || is_digit(c);
}

enum at_status at_lexer_fail(const struct at_lexer *self, enum at_status status,
	const char *place, const char *format, ...)
{
	struct at_strbuf text = { 0 };
	va_list arguments;

	at_strbuf_addf(&text,
		"column %zu of \"%.*s%s\": ", (size_t)(place - self->text) + 1,
		QUOTED_MAX, self->text, strlen(self->text) > QUOTED_MAX ? "..." : "");
	va_start(arguments, format);
	at_strbuf_addv(&text, format, arguments);
	va_end(arguments);
	at_text_flatten(text.data);
	at_fail(self->err, status, self->file, self->line, "%s", text.data);
	at_strbuf_release(&text);
	return status;
}

enum at_status at_lexer_fail_expected(const struct at_lexer *self, const char *expected)
{
	const struct at_token *token = &self->token;

	if (token->kind == AT_TOKEN_END)
		return at_lexer_fail(self, AT_ESYNTAX, token->start,
			"expected %s, found the end", expected);
	return at_lexer_fail(self, AT_ESYNTAX, token->start,
		"expected %s, found \"%.*s\"", expected,
		(int)(token->length < QUOTED_MAX ? token->length : QUOTED_MAX),
		token->start);
}

bool at_token_is(const struct at_token *token, const char *operator_text)
{
	return token->kind == AT_TOKEN_OPERATOR &&
	       token->length == strlen(operator_text) &&
	       !memcmp(token->start, operator_text, token->length);
}

static enum at_status finish_integer(struct at_lexer *self, const char *end, int base)
{
	struct at_token *token = &self->token;
	unsigned long long value;

	/* Unsigned, since a minus before it is another token. */
	errno = 0;
	value = strtoull(token->start, NULL, base);
	/* INT64_MIN is written as a minus and a number that does not fit */
	token->needs_minus = base == 10 && value == (unsigned long long)INT64_MAX + 1;
	if (errno == ERANGE || (value > INT64_MAX && !token->needs_minus))
		return at_lexer_fail(self, AT_ESYNTAX, token->start,
			"%.*s does not fit 64 bits", (int)(end - token->start),
			token->start);
	token->kind = AT_TOKEN_INTEGER;
	token->integer = token->needs_minus ? INT64_MIN : (int64_t)value;
	return AT_OK;
}

/* strtod() gives infinity for 1e999. What is too small for a double becomes 0. */
static enum at_status finish_real(struct at_lexer *self)
{
	struct at_token *token = &self->token;

	token->real = strtod(token->start, NULL);
	if (!isfinite(token->real))
		return at_lexer_fail(self, AT_ESYNTAX, token->start,
			"this real is larger than the largest double");
	token->kind = AT_TOKEN_REAL;
	return AT_OK;
}

static const char *skip_digits(const char *c)
{
	while (is_digit(*c))
		c++;
	return c;
}

/*
 * The end of the number at c; *real where it has a point or an exponent. "2em" ends
 * after the 2, and the caller refuses what follows.
 */
static const char *scan_decimal(const char *c, bool *real)
{
	c = skip_digits(c);
	if (*c == '.') {
		*real = true;
		c = skip_digits(c + 1);
	}
	if (*c == 'e' || *c == 'E') {
		const char *exponent = c + 1 + (c[1] == '+' || c[1] == '-');

		if (is_digit(*exponent)) {
			*real = true;
			c = skip_digits(exponent);
		}
	}
	return c;
}

static enum at_status read_number(struct at_lexer *self)
{
	const char *start = self->token.start, *end;
	bool real = false;
	bool hexadecimal = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');

	if (hexadecimal)
		end = start + 2 + strspn(start + 2, "0123456789abcdefABCDEF");
	else
		end = scan_decimal(start, &real);
	self->next = end;
	self->token.length = (size_t)(end - start);
	/* "12ab" and "1.2.3" are refused: two tokens side by side are never right
	   here. */
	if ((hexadecimal && end == start + 2) || continues_name(*end) || *end == '.' ||
		(*end == '\'' && is_digit(end[1]))) {
		while (continues_name(*end) || *end == '.' ||
			(*end == '\'' && is_digit(end[1])))
			end++;
		return at_lexer_fail(self, AT_ESYNTAX, start,
			"\"%.*s\" is not a number",
			(int)(end - start < QUOTED_MAX ? end - start : QUOTED_MAX),
			start);
	}
	if (real)
		return finish_real(self);
	/* C would read 010 as eight, a person as ten. */
	if (!hexadecimal && start[0] == '0' && self->token.length > 1)
		return at_lexer_fail(self, AT_ESYNTAX, start,
			"\"%.*s\" begins with 0: write it without, or as 0x...",
			(int)(self->token.length < QUOTED_MAX ? self->token.length
							      : QUOTED_MAX),
			start);
	return finish_integer(self, end, hexadecimal ? 16 : 10);
}

static enum at_status read_word(struct at_lexer *self)
{
	const char *start = self->token.start;
	const char *end = strchr(start + 1, *start);

	/* There are no escapes, since words consist of letters, digits and "_". */
	if (!end)
		return at_lexer_fail(
			self, AT_ESYNTAX, start, "this word has no closing %c", *start);
	self->token.kind = AT_TOKEN_WORD;
	self->token.start = start + 1;
	self->token.length = (size_t)(end - start) - 1;
	self->next = end + 1;
	return AT_OK;
}

/* With its dots, so that device.l2_bytes is looked up as one name. */
static void read_name(struct at_lexer *self)
{
	const char *c = self->token.start;

	while (continues_name(*c) || (*c == '.' && begins_name(c[1])))
		c++;
	self->token.kind = AT_TOKEN_NAME;
	self->token.length = (size_t)(c - self->token.start);
	self->next = c;
}

static enum at_status read_operator(struct at_lexer *self)
{
	static const char *const doubled[] = { "||", "&&", "==", "!=", "<=", ">=", "<<",
		">>" };
	const char *start = self->token.start;
	uint32_t character;
	size_t length;

	self->token.kind = AT_TOKEN_OPERATOR;
	self->token.length = 1;
	for (size_t i = 0; i < sizeof(doubled) / sizeof(*doubled); i++)
		if (!strncmp(start, doubled[i], 2))
			self->token.length = 2;
	self->next = start + self->token.length;
	if (strchr("|^&<>+-*/%~!?:(),", *start) || self->token.length == 2)
		return AT_OK;
	/* = for == is the likeliest mistake, so it has a message of its own. */
	if (*start == '=')
		return at_lexer_fail(self, AT_ESYNTAX, start,
			"= assigns nothing here: to compare, write ==");
	/* Bytes of another encoding are reported by their number. */
	character = at_character(start, strlen(start), &length);
	if (character > ' ' && at_character_is_shown(character))
		return at_lexer_fail(self, AT_ESYNTAX, start,
			"\"%.*s\" has no meaning in an expression", (int)length, start);
	return at_lexer_fail(self, AT_ESYNTAX, start,
		"byte 0x%02x has no meaning in an expression", (unsigned char)*start);
}

enum at_status at_lexer_next(struct at_lexer *self)
{
	const char *c = self->next;

	/* The operand's text in messages ends here, without the blanks behind it. */
	self->last_end = c;
	c += strspn(c, " \t\r\n");
	self->token = (struct at_token){ .start = c };
	self->next = c;
	if (!*c)
		return AT_OK;
	if (is_digit(*c) || (*c == '.' && is_digit(c[1])))
		return read_number(self);
	if (*c == '"' || *c == '\'')
		return read_word(self);
	if (begins_name(*c)) {
		read_name(self);
		return AT_OK;
	}
	return read_operator(self);
}

enum at_status at_lexer_init(struct at_lexer *self, const char *text, const char *file,
	int line, struct at_error *err)
{
	*self = (struct at_lexer){
		.text = text, .file = file, .line = line, .err = err, .next = text
	};
	return at_lexer_next(self);
}
