/* Reads values of a result file, and says what is wrong with one: see
   shipped_values.h. */
#include "record/shipped_values.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Where an interval has no width, as clocks have steps, a value that is the product of
   two rounded factors may lie this far beside it. */
#define ROUNDING 1e-12

void at_reading_fail(struct at_reading *self, const char *key, const char *format, ...)
{
	char text[600];
	va_list arguments;

	if (self->status)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	self->status = at_fail(self->err, AT_EINVAL, self->path, 0, "%s%.100s: %s",
		self->place, key, text);
}

void at_reading_fail_kind(struct at_reading *self, const char *key,
	const char *expected, const struct at_json *found)
{
	const char *text = at_json_text(found);

	if (!found)
		at_reading_fail(self, key, "is not there; expected %s", expected);
	else if (text)
		at_reading_fail(
			self, key, "expected %s; found \"%.60s\"", expected, text);
	else if (at_json_kind_of(found) == AT_JSON_NUMBER)
		at_reading_fail(self, key, "expected %s; found %.15g", expected,
			at_json_number(found, 0));
	else
		at_reading_fail(self, key, "expected %s; found %s", expected,
			at_json_kind_name(at_json_kind_of(found)));
}

/* ---- the whole text ------------------------------------------------------------ */

/* Whether the escape at `at` stands for a character that is not printable; *length: the
   length of the escape in the text. */
static bool is_hidden_escape(const char *at, const char *end, size_t *length)
{
	unsigned code, low;

	*length = 2;
	if (end - at > 1 && strchr("bfnrt", at[1]))
		return true;
	if (end - at < 6 || at[1] != 'u' || sscanf(at + 2, "%4x", &code) != 1)
		return false;
	*length = 6;
	if (code >= 0xd800 && code < 0xdc00 && end - at >= 12 && at[6] == '\\' &&
		at[7] == 'u' && sscanf(at + 8, "%4x", &low) == 1 && low >= 0xdc00 &&
		low < 0xe000) {
		*length = 12;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	return !at_character_is_shown(code);
}

void at_reading_check_characters(struct at_reading *self, const char *text, size_t size)
{
	const char *end = text + size;
	size_t length;
	int line = 1;

	for (const char *at = text + at_text_mark_bytes(text, size);
		at < end && !self->status; at += length) {
		uint32_t character = at_character(at, (size_t)(end - at), &length);

		if (*at == '\\') {
			if (is_hidden_escape(at, end, &length))
				self->status = at_fail(self->err, AT_EINVAL, self->path,
					line,
					"has a control character in a text, which no result has; found \"%.*s\"",
					(int)length, at);
		} else if (*at == '\n') {
			line++;
		} else if (*at != '\t' && *at != '\r' &&
			   !at_character_is_shown(character)) {
			self->status = at_fail(self->err, AT_EINVAL, self->path, line,
				"has a control character, which no result has; found byte 0x%02x",
				(unsigned char)*at);
		}
	}
}

/* ---- values --------------------------------------------------------------------- */

bool at_reading_is_null(const struct at_json *node)
{
	enum at_json_kind kind = at_json_kind_of(node);

	return kind == AT_JSON_END || kind == AT_JSON_NULL;
}

const struct at_json *at_reading_kind(struct at_reading *self,
	const struct at_json *object, const char *key, enum at_json_kind kind,
	bool is_needed)
{
	const struct at_json *found = at_json_get(object, key);

	if (self->status || (!is_needed && at_reading_is_null(found)))
		return NULL;
	if (at_json_kind_of(found) == kind)
		return found;
	at_reading_fail_kind(self, key, at_json_kind_name(kind), found);
	return NULL;
}

char *at_reading_text(struct at_reading *self, const struct at_json *object,
	const char *key, size_t least, size_t size)
{
	const struct at_json *found =
		at_reading_kind(self, object, key, AT_JSON_STRING, least > 0);
	const char *text = found ? at_json_text(found) : "";
	char *copy;

	if (self->status)
		return NULL;
	if (strlen(text) < least || strlen(text) >= size) {
		at_reading_fail(self, key,
			"is a text of %zu bytes; expected %zu to %zu", strlen(text),
			least, size - 1);
		return NULL;
	}
	copy = at_strdup(text);
	return copy;
}

int64_t at_reading_count(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed, int64_t least)
{
	const struct at_json *found = at_json_get(object, key);
	int64_t value = at_json_whole(found, -1);

	if (self->status || (!is_needed && at_reading_is_null(found)))
		return -1;
	if (value < least)
		at_reading_fail_kind(self, key,
			least ? "an integer above 0" : "an integer from 0", found);
	return value;
}

double at_reading_positive(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed)
{
	const struct at_json *found = at_json_get(object, key);
	double value = at_json_number(found, (double)NAN);

	if (self->status || (!is_needed && at_reading_is_null(found)))
		return (double)NAN;
	if (!(value >= 1 / AT_READING_POSITIVE_MAX && value <= AT_READING_POSITIVE_MAX))
		at_reading_fail_kind(self, key, "a number above 0", found);
	return value;
}

bool at_reading_flag(struct at_reading *self, const struct at_json *object,
	const char *key, bool otherwise)
{
	const struct at_json *found =
		at_reading_kind(self, object, key, AT_JSON_BOOLEAN, false);

	return found ? at_json_is_true(found) : otherwise;
}

struct at_score at_reading_score(struct at_reading *self, const struct at_json *object,
	const char *const keys[3], bool is_needed)
{
	struct at_score score = {
		at_reading_positive(self, object, keys[0], is_needed),
		at_reading_positive(self, object, keys[1], false),
		at_reading_positive(self, object, keys[2], false),
	};

	if (isnan(score.low) != isnan(score.high))
		at_reading_fail(self, isnan(score.low) ? keys[1] : keys[2],
			"is not there, but the other end of the interval is");
	else if (score.low > score.high || score.value < score.low * (1 - ROUNDING) ||
		 score.value > score.high * (1 + ROUNDING))
		at_reading_fail(self, keys[0],
			"%.15g is not in its interval, %s %.15g to %s %.15g",
			score.value, keys[1], score.low, keys[2], score.high);
	return score;
}

void at_reading_check_identifier(
	struct at_reading *self, const char *key, const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char others[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	if (!name[0] || !strchr(letters, name[0]) ||
		strspn(name, others) != strlen(name) ||
		strlen(name) > AT_READING_NAME_BYTES)
		at_reading_fail(self, key,
			"expected names as C has them; found \"%.60s\"", name);
}

/* Checks {"BLOCK_X": 16, "CACHE": "cg"}. */
static void check_values(
	struct at_reading *self, const char *key, const struct at_json *object)
{
	for (size_t i = 0; !self->status; i++) {
		const char *name = at_json_key_at(object, i);
		const struct at_json *value;
		const char *text;

		if (!name)
			return;
		if (i == AT_READING_MEMBERS)
			at_reading_fail(self, key, "has more than %d members",
				AT_READING_MEMBERS);
		at_reading_check_identifier(self, key, name);
		value = at_json_get(object, name);
		text = at_json_text(value);
		switch (at_json_kind_of(value)) {
		case AT_JSON_NUMBER:
		case AT_JSON_BOOLEAN:
			break;
		case AT_JSON_STRING:
			if (strlen(text) <= AT_READING_NAME_BYTES)
				break;
			at_reading_fail(self, key, "the value of %.60s has %zu bytes",
				name, strlen(text));
			break;
		case AT_JSON_END:
		case AT_JSON_OBJECT:
		case AT_JSON_ARRAY:
		case AT_JSON_NULL:
			at_reading_fail(self, key,
				"%.60s: expected a number, a text, true or false; found %s",
				name, at_json_kind_name(at_json_kind_of(value)));
		}
	}
}

char *at_reading_keep(struct at_reading *self, const struct at_json *value)
{
	struct at_strbuf text = { 0 };
	char *line;

	if (self->status)
		return NULL;
	if (value)
		at_json_write(value, 0, &text);
	line = value ? at_strbuf_detach(&text) : at_strdup("");
	at_strbuf_release(&text);
	return line;
}

char *at_reading_values(struct at_reading *self, const struct at_json *object,
	const char *key, bool is_needed)
{
	const struct at_json *found =
		at_reading_kind(self, object, key, AT_JSON_OBJECT, is_needed);

	if (found)
		check_values(self, key, found);
	return at_reading_keep(self, found);
}
