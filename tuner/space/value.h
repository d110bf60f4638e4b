/*
 * A value of a tuning parameter, a problem size or an expression. Plain data; words are
 * borrowed from the creator of the value.
 */
#ifndef AT_SPACE_VALUE_H
#define AT_SPACE_VALUE_H

#include "base/json.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum at_type {
	AT_TYPE_NONE = 0,
	AT_TYPE_INTEGER, /* 64-bit signed */
	AT_TYPE_BOOLEAN, /* in `integer`, 0 or 1; a number in expressions */
	AT_TYPE_REAL, /* double */
	AT_TYPE_WORD, /* a name such as "ca"; supports only equality */
};

/* A value; `integer` is also the value of a boolean. */
struct at_value {
	enum at_type type;
	union {
		int64_t integer;
		double real;
		const char *word;
	};
};

/* "integer", "boolean", "real", "word", "nothing"; static storage. */
const char *at_type_name(enum at_type type);

/* Same type and same value; integer 1 and real 1.0 differ. */
bool at_value_equal(struct at_value a, struct at_value b);

/* Negative, 0 or positive, as a is less than, equal to or greater than b; both are
   reals, both are words, or neither is. */
int at_value_compare(struct at_value a, struct at_value b);

/* As in a space file and on the command line: 16, true, 0.5, ca. */
void at_value_format(struct at_value value, struct at_strbuf *out);

/* A number, true or false, or a string; null for nothing. The caller owns the
   result. */
struct at_json *at_value_to_json(struct at_value value);

/* The value of a JSON node; its word is borrowed from the tree. Nothing for null, an
   object and an array. */
struct at_value at_value_from_json(const struct at_json *json);

#endif
