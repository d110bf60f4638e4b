/* What a JSON value is: of a tree (base/json.h) and of a text that is read from front
   to back (base/json_reader.h). Threads: safe. */
#ifndef AT_BASE_JSON_KIND_H
#define AT_BASE_JSON_KIND_H

enum at_json_kind {
	AT_JSON_END = 0, /* of the text; nothing is there */
	AT_JSON_OBJECT,
	AT_JSON_ARRAY,
	AT_JSON_STRING,
	AT_JSON_NUMBER,
	AT_JSON_BOOLEAN,
	AT_JSON_NULL,
	AT_JSON_ODD, /* nothing that a value begins with */
};

/* "an object", "a number": for messages; static storage. */
const char *at_json_kind_name(enum at_json_kind kind);

#endif
