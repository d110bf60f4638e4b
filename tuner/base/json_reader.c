/* Reads a JSON text from front to back. */
#include "base/json_reader.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void at_json_reader_init(
	struct at_json_reader *self, char *text, size_t size, const char *file)
{
	*self = (struct at_json_reader){ .file = file,
		.at = text + at_text_mark_bytes(text, size),
		.end = text + size,
		.line = 1 };
}

/* What is easily taken for JSON, by the text where it is not. */
static const char *hint_at(const struct at_json_reader *self)
{
	static const struct {
		const char *begin, *hint;
	} hints[] = {
		{ "'", ": texts have double quotes in JSON; is this a dict of Python?" },
		{ "True", ": JSON writes true; is this a dict of Python?" },
		{ "False", ": JSON writes false; is this a dict of Python?" },
		{ "None", ": JSON writes null; is this a dict of Python?" },
		{ "//", ": JSON has no comments" },
		{ "/*", ": JSON has no comments" },
		{ "#", ": JSON has no comments" },
		{ "<<<<<<<", ": a merge of git has left both sides here" },
	};
	size_t left = (size_t)(self->end - self->at);

	for (size_t i = 0; i < AT_COUNT_OF(hints); i++) {
		size_t length = strlen(hints[i].begin);

		if (left >= length && !memcmp(self->at, hints[i].begin, length))
			return hints[i].hint;
	}
	return "";
}

static enum at_status fail(
	struct at_json_reader *self, const char *expected, struct at_error *err)
{
	if (self->at == self->end) {
		self->is_cut = true;
		return at_fail(err, AT_ESYNTAX, self->file, self->line,
			"ends where %s should be", expected);
	}
	return at_fail(err, AT_ESYNTAX, self->file, self->line,
		"expected %s, found '%c'%s", expected,
		(unsigned char)*self->at < ' ' ? '?' : *self->at, hint_at(self));
}

/* Lines are counted here only, since a string in JSON contains no line end. */
static void skip_blanks(struct at_json_reader *self)
{
	for (; self->at < self->end; self->at++) {
		if (*self->at == '\n')
			self->line++;
		else if (*self->at != ' ' && *self->at != '\t' && *self->at != '\r')
			return;
	}
}

enum at_json_kind at_json_reader_peek(struct at_json_reader *self)
{
	skip_blanks(self);
	if (self->at == self->end)
		return AT_JSON_END;
	switch (*self->at) {
	case '{':
		return AT_JSON_OBJECT;
	case '[':
		return AT_JSON_ARRAY;
	case '"':
		return AT_JSON_STRING;
	case 't':
	case 'f':
		return AT_JSON_BOOLEAN;
	case 'n':
		return AT_JSON_NULL;
	case '-':
	case 'N':
	case 'I':
		return AT_JSON_NUMBER;
	default:
		return *self->at >= '0' && *self->at <= '9' ? AT_JSON_NUMBER
							    : AT_JSON_ODD;
	}
}

const char *at_json_kind_name(enum at_json_kind kind)
{
	switch (kind) {
	case AT_JSON_END:
		return "the end";
	case AT_JSON_OBJECT:
		return "an object";
	case AT_JSON_ARRAY:
		return "an array";
	case AT_JSON_STRING:
		return "a string";
	case AT_JSON_NUMBER:
		return "a number";
	case AT_JSON_BOOLEAN:
		return "true or false";
	case AT_JSON_NULL:
		return "null";
	case AT_JSON_ODD:
		break;
	}
	return "a value";
}

enum at_status at_json_reader_enter(
	struct at_json_reader *self, enum at_json_kind kind, struct at_error *err)
{
	if (at_json_reader_peek(self) != kind)
		return fail(self, at_json_kind_name(kind), err);
	self->at++;
	self->is_first = true;
	return AT_OK;
}

/* Whether another member or item follows in a container that ends with `closing`. */
static bool follows(struct at_json_reader *self, char closing, struct at_error *err)
{
	skip_blanks(self);
	if (self->at < self->end && *self->at == closing) {
		self->at++;
		self->is_first = false;
		return false;
	}
	if (self->is_first) {
		self->is_first = false;
		return true;
	}
	if (self->at == self->end || *self->at != ',') {
		fail(self, closing == '}' ? "',' or '}'" : "',' or ']'", err);
		return false;
	}
	self->at++;
	skip_blanks(self);
	return true;
}

/* The number of four hexadecimal digits; -1: they are none. */
static int32_t read_hex(const char *at)
{
	int32_t code = 0;

	for (int i = 0; i < 4; i++) {
		char c = at[i];

		code <<= 4;
		if (c >= '0' && c <= '9')
			code |= c - '0';
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			code |= (c | 32) - 'a' + 10;
		else
			return -1; /* also at the NUL at the text's end */
	}
	return code;
}

/* Writes a code point in UTF-8; returns the place behind it. */
static char *put_utf8(char *to, uint32_t code)
{
	if (code < 0x80) {
		*to++ = (char)code;
	} else if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
		*to++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	} else {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	}
	return to;
}

/* U+FFFD, which stands for what cannot be shown. */
#define REPLACEMENT 0xfffd

/* Decodes the escape at *at, a backslash, and moves behind it; NULL: there is no such
   escape. */
static char *unescape(char **at, char *to)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	char letter = (*at)[1];
	const char *found = letter ? strchr(letters, letter) : NULL;
	int32_t code, low;

	if (found) {
		*at += 2;
		*to++ = meant[found - letters];
		return to;
	}
	code = letter == 'u' ? read_hex(*at + 2) : -1;
	/* \u0000 is refused: a NUL would end the string for its readers */
	if (code <= 0)
		return NULL;
	*at += 6;
	if (code >= 0xd800 && code < 0xdc00 && (*at)[0] == '\\' && (*at)[1] == 'u') {
		low = read_hex(*at + 2);
		if (low >= 0xdc00 && low < 0xe000) {
			*at += 6;
			code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	/* half of a pair alone is no character, and has no UTF-8 */
	if (code >= 0xd800 && code < 0xe000)
		code = REPLACEMENT;
	return put_utf8(to, (uint32_t)code);
}

/* Reads a string in place, since unescaping never makes it longer. The closing quote
   becomes its NUL. */
static enum at_status read_string(
	struct at_json_reader *self, const char **out, struct at_error *err)
{
	char *to;

	if (self->at == self->end || *self->at != '"')
		return fail(self, "a string", err);
	*out = to = ++self->at;
	while (*self->at != '"') {
		if (self->at == self->end)
			return fail(self, "the end of a string", err);
		if ((unsigned char)*self->at < ' ')
			return fail(self, "the end of a string on its line", err);
		if (*self->at != '\\') {
			*to++ = *self->at++;
			continue;
		}
		to = unescape(&self->at, to);
		if (!to) {
			/* if the end of the text cut the escape short, it counts as
			   cut */
			to = self->at + 1;
			if (*to == 'u')
				to += 1 + strspn(to + 1, "0123456789abcdefABCDEF");
			if (to == self->end)
				self->at = to;
			return fail(self, "an escape of JSON", err);
		}
	}
	*to = '\0';
	self->at++;
	return AT_OK;
}

bool at_json_reader_member(
	struct at_json_reader *self, const char **key, struct at_error *err)
{
	if (!follows(self, '}', err) || read_string(self, key, err))
		return false;
	skip_blanks(self);
	if (self->at == self->end || *self->at != ':') {
		fail(self, "':'", err);
		return false;
	}
	self->at++;
	return true;
}

bool at_json_reader_item(struct at_json_reader *self, struct at_error *err)
{
	return follows(self, ']', err);
}

/* Takes a word if it comes next. */
static bool take(struct at_json_reader *self, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(self->end - self->at) < length ||
		memcmp(self->at, word, length) != 0) {
		/* if the end of the text cut the word short, it counts as cut */
		if ((size_t)(self->end - self->at) < length &&
			!memcmp(self->at, word, (size_t)(self->end - self->at)))
			self->at = self->end;
		return false;
	}
	self->at += length;
	return true;
}

static enum at_status read_number(
	struct at_json_reader *self, struct at_json_scalar *out, struct at_error *err)
{
	char *digits = self->at + (*self->at == '-'), *end;
	bool is_negative = *self->at == '-';

	if (*digits == 'N' || *digits == 'I') {
		bool is_nan = *digits == 'N';

		self->at = digits;
		if (!take(self, is_nan ? "NaN" : "Infinity"))
			return fail(self, "a number", err);
		out->real = is_nan        ? (double)NAN
			    : is_negative ? -(double)INFINITY
					  : (double)INFINITY;
		return AT_OK;
	}
	/* strtod() would accept 0x10 and "nan", too */
	if (*digits < '0' || *digits > '9' || (digits[1] | 32) == 'x') {
		self->at = digits;
		return fail(self, "a digit", err);
	}
	end = digits;
	while (*end >= '0' && *end <= '9')
		end++;
	if (*end != '.' && (*end | 32) != 'e') {
		errno = 0;
		out->whole = strtoll(self->at, NULL, 10);
		out->is_whole = !errno;
	}
	out->real = out->is_whole ? (double)out->whole : strtod(self->at, &end);
	/* "1e" at the end of the text is a number that was cut short */
	self->at = end;
	if (end + strspn(end, "+-.eE") == self->end && end != self->end) {
		self->at = self->end;
		return fail(self, "the end of a number", err);
	}
	return AT_OK;
}

enum at_status at_json_reader_scalar(
	struct at_json_reader *self, struct at_json_scalar *out, struct at_error *err)
{
	*out = (struct at_json_scalar){ .kind = at_json_reader_peek(self) };
	switch (out->kind) {
	case AT_JSON_STRING:
		return read_string(self, &out->text, err);
	case AT_JSON_NUMBER:
		return read_number(self, out, err);
	case AT_JSON_BOOLEAN:
		out->whole = *self->at == 't';
		if (take(self, out->whole ? "true" : "false"))
			return AT_OK;
		break;
	case AT_JSON_NULL:
		if (take(self, "null"))
			return AT_OK;
		break;
	case AT_JSON_END:
	case AT_JSON_OBJECT:
	case AT_JSON_ARRAY:
	case AT_JSON_ODD:
		break;
	}
	return fail(self, "a plain value", err);
}

enum at_status at_json_reader_string(struct at_json_reader *self, const char *what,
	const char **out, struct at_error *err)
{
	enum at_json_kind kind = at_json_reader_peek(self);

	if (kind != AT_JSON_STRING && kind != AT_JSON_END && kind != AT_JSON_ODD)
		return at_fail(err, AT_EINVAL, self->file, self->line,
			"\"%s\" should be a string, and is %s", what,
			at_json_kind_name(kind));
	return read_string(self, out, err);
}

/* Skips a string and leaves it as it is, since it may be read later. */
static enum at_status skip_string(struct at_json_reader *self, struct at_error *err)
{
	for (self->at++; *self->at != '"'; self->at++) {
		if (*self->at == '\\' && self->at + 1 < self->end)
			self->at++;
		if (self->at >= self->end)
			return fail(self, "the end of a string", err);
		if ((unsigned char)*self->at < ' ')
			return fail(self, "the end of a string on its line", err);
	}
	self->at++;
	return AT_OK;
}

/* Counts and matches brackets only. What stands between them is not checked, since
   skipping would then take as long as reading. */
enum at_status at_json_reader_skip(struct at_json_reader *self, struct at_error *err)
{
	char closing[AT_JSON_DEPTH_MAX];
	size_t depth = 0;
	struct at_json_scalar ignored;
	enum at_status status;

	for (;;) {
		enum at_json_kind kind = at_json_reader_peek(self);

		if (kind == AT_JSON_OBJECT || kind == AT_JSON_ARRAY) {
			if (depth == AT_JSON_DEPTH_MAX)
				return at_fail(err, AT_ESYNTAX, self->file, self->line,
					"is nested more than %d deep",
					AT_JSON_DEPTH_MAX);
			closing[depth++] = kind == AT_JSON_OBJECT ? '}' : ']';
			self->at++;
		} else if (kind == AT_JSON_STRING) {
			status = skip_string(self, err);
			if (status)
				return status;
		} else if (depth == 0) {
			return at_json_reader_scalar(self, &ignored, err);
		} else if (kind == AT_JSON_END) {
			return fail(
				self, closing[depth - 1] == '}' ? "'}'" : "']'", err);
		} else if (*self->at == '}' || *self->at == ']') {
			if (*self->at != closing[--depth])
				return fail(self, closing[depth] == '}' ? "'}'" : "']'",
					err);
			self->at++;
		} else {
			self->at++;
		}
		if (depth == 0)
			return AT_OK;
	}
}
