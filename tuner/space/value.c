/* Values: comparing and writing them. */
#include "space/value.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *at_type_name(enum at_type type)
{
	switch (type) {
	case AT_TYPE_NONE:
		break;
	case AT_TYPE_INTEGER:
		return "integer";
	case AT_TYPE_BOOLEAN:
		return "boolean";
	case AT_TYPE_REAL:
		return "real";
	case AT_TYPE_WORD:
		return "word";
	}
	return "nothing";
}

/* No conversion: callers that treat 1 and 1.0 as equal convert first. */
int at_value_compare(struct at_value a, struct at_value b)
{
	if (a.type == AT_TYPE_REAL)
		return (a.real > b.real) - (a.real < b.real);
	if (a.type == AT_TYPE_WORD)
		return strcmp(a.word, b.word);
	return (a.integer > b.integer) - (a.integer < b.integer);
}

bool at_value_equal(struct at_value a, struct at_value b)
{
	if (a.type != b.type)
		return false;
	switch (a.type) {
	case AT_TYPE_NONE:
		break;
	case AT_TYPE_INTEGER:
	case AT_TYPE_BOOLEAN:
		return a.integer == b.integer;
	case AT_TYPE_REAL:
		return a.real == b.real;
	case AT_TYPE_WORD:
		return !strcmp(a.word, b.word);
	}
	return true;
}

void at_value_format(struct at_value value, struct at_strbuf *out)
{
	char text[32];

	switch (value.type) {
	case AT_TYPE_NONE:
		at_strbuf_add(out, "nothing");
		break;
	case AT_TYPE_INTEGER:
		at_strbuf_addf(out, "%" PRId64, value.integer);
		break;
	case AT_TYPE_BOOLEAN:
		at_strbuf_add(out, value.integer ? "true" : "false");
		break;
	case AT_TYPE_REAL:
		/* the shortest text that reads back as the same double */
		at_text_shortest_real(value.real, text, sizeof(text));
		at_strbuf_add(out, text);
		/* "1" would read back as an integer */
		if (isfinite(value.real) && !strpbrk(text, ".e"))
			at_strbuf_add(out, ".0");
		break;
	case AT_TYPE_WORD:
		at_strbuf_add(out, value.word);
		break;
	}
}

struct at_json *at_value_to_json(struct at_value value)
{
	switch (value.type) {
	case AT_TYPE_INTEGER:
		return at_json_integer(value.integer);
	case AT_TYPE_BOOLEAN:
		return at_json_boolean(value.integer != 0);
	case AT_TYPE_REAL:
		return at_json_real(value.real);
	case AT_TYPE_WORD:
		return at_json_string(value.word);
	case AT_TYPE_NONE:
		break;
	}
	return at_json_null();
}

struct at_value at_value_from_json(const struct at_json *json)
{
	switch (at_json_kind_of(json)) {
	case AT_JSON_STRING:
		return (struct at_value){ .type = AT_TYPE_WORD,
			.word = at_json_text(json) };
	case AT_JSON_BOOLEAN:
		return (struct at_value){ .type = AT_TYPE_BOOLEAN,
			.integer = at_json_is_true(json) };
	case AT_JSON_NUMBER:
		if (at_json_is_whole(json))
			return (struct at_value){ .type = AT_TYPE_INTEGER,
				.integer = at_json_whole(json, 0) };
		return (struct at_value){ .type = AT_TYPE_REAL,
			.real = at_json_number(json, 0) };
	case AT_JSON_END:
	case AT_JSON_OBJECT:
	case AT_JSON_ARRAY:
	case AT_JSON_NULL:
		break;
	}
	return (struct at_value){ .type = AT_TYPE_NONE };
}
