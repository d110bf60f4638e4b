/* The kinds of JSON values, for trees (base/json.h) and for texts that are read from
   front to back (base/json_reader.h). Threads: safe. */
#ifndef AT_BASE_JSON_KIND_H
#define AT_BASE_JSON_KIND_H

enum at_json_kind {
	AT_JSON_END = 0, /* the end of the text, or no value */
	AT_JSON_OBJECT,
	AT_JSON_ARRAY,
	AT_JSON_STRING,
	AT_JSON_NUMBER,
	AT_JSON_BOOLEAN,
	AT_JSON_NULL,
	AT_JSON_ODD, /* something with which no value begins */
};

/* "an object", "a number": for messages; static. */
const char *at_json_kind_name(enum at_json_kind kind);

#endif
