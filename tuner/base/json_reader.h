/*
 * Reads a JSON text from front to back without building a tree: for files of many
 * megabytes that others wrote. Only a small part of them is needed, and a tree of all
 * takes seconds and five times the text's memory. For everything else there is
 * base/json.h.
 *
 *   at_json_reader_init(&reader, text, size, "cache.json");
 *   if (at_json_reader_enter(&reader, AT_JSON_OBJECT, &err)) ...
 *   while (at_json_reader_member(&reader, &key, &err))
 *           ... read exactly one value: scalar(), enter() and its contents, or skip()
 *   ... err.status says whether it was the end of the object or an error ...
 *
 * Beyond the standard it accepts what Python writes: the numbers NaN, Infinity and
 * -Infinity.
 *
 * Ownership: the text is the caller's. It is changed while it is read, since strings
 * are unescaped in place, and must live as long as strings that are borrowed from it.
 * Threads: one reader, one thread.
 */
#ifndef AT_BASE_JSON_READER_H
#define AT_BASE_JSON_READER_H

#include "base/error.h"
#include "base/json_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Deeper than any file of measurements. With a limit skip() needs no memory. */
#define AT_JSON_DEPTH_MAX 64

struct at_json_reader {
	const char *file; /* name in errors; borrowed */
	char *at; /* the next character */
	char *end; /* of the text; *end is 0 */
	int line; /* from 1 */
	/* an object or array was entered, and nothing of it was read yet */
	bool is_first;
	/* it failed because the text ended too early; some callers accept such a
	   text */
	bool is_cut;
};

/* A value that is no object and no array. */
struct at_json_scalar {
	enum at_json_kind kind; /* STRING, NUMBER, BOOLEAN or NULL */
	const char *text; /* STRING: borrowed from the reader's text */
	double real; /* NUMBER */
	bool is_whole; /* NUMBER: written as an integer that fits into `whole` */
	int64_t whole; /* of such a NUMBER; of BOOLEAN 0 or 1 */
};

/* Begins at the start of a text; text[size] must be 0. */
void at_json_reader_init(
	struct at_json_reader *self, char *text, size_t size, const char *file);
/* The kind of the next value, which is not read. */
enum at_json_kind at_json_reader_peek(struct at_json_reader *self);
/* Enters the object or array that comes next. */
enum at_status at_json_reader_enter(
	struct at_json_reader *self, enum at_json_kind kind, struct at_error *err);
/* Moves to the next member of an object, whose key is borrowed, or to the next item of
   an array. False behind the last one, and on an error, when err is set. */
bool at_json_reader_member(
	struct at_json_reader *self, const char **key, struct at_error *err);
bool at_json_reader_item(struct at_json_reader *self, struct at_error *err);
/* Reads a value that is no object and no array. */
enum at_status at_json_reader_scalar(
	struct at_json_reader *self, struct at_json_scalar *out, struct at_error *err);
/* Reads a string, which is borrowed. AT_EINVAL: it is no string; `what` names it in the
   message. */
enum at_status at_json_reader_string(struct at_json_reader *self, const char *what,
	const char **out, struct at_error *err);
/* Skips one value of any kind. */
enum at_status at_json_reader_skip(struct at_json_reader *self, struct at_error *err);

#endif
