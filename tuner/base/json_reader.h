/*
 * Reads a JSON text from front to back without building a tree of it: for files of many
 * megabytes that others wrote. What is wanted of them is a small part, and a tree of
 * the rest takes seconds and five times the text in memory. base/json.h is for all
 * else.
 *
 *   at_json_reader_init(&reader, text, size, "cache.json");
 *   if (at_json_reader_enter(&reader, AT_JSON_OBJECT, &err)) ...
 *   while (at_json_reader_member(&reader, &key, &err))
 *           ... read exactly one value: a scalar, enter() and what is in it, or skip()
 * ...
 *   ... err.status says whether it was the end of the object or an error ...
 *
 * More than the standard has is taken, since Python writes it: NaN, Infinity and
 * -Infinity as numbers.
 *
 * Ownership: the text is the caller's, is changed while it is read (strings are
 * unescaped where they stand) and has to live as long as what is borrowed from it.
 * Threads: one reader, one thread.
 */
#ifndef AT_BASE_JSON_READER_H
#define AT_BASE_JSON_READER_H

#include "base/error.h"
#include "base/json_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Deeper than any file of measurements; a limit, so that skip() needs no memory. */
#define AT_JSON_DEPTH_MAX 64

struct at_json_reader {
	const char *file; /* in errors; borrowed */
	char *at;
	char *end; /* *end is 0 */
	int line;
	/* an object or array has begun, and nothing of it was read */
	bool is_first;
	/* it failed since the text ended too early, for whoever can live with that */
	bool is_cut;
};

struct at_json_scalar {
	enum at_json_kind kind; /* STRING, NUMBER, BOOLEAN or NULL */
	const char *text; /* STRING: borrowed from the reader's text */
	double real; /* NUMBER */
	bool is_whole; /* NUMBER: written as an integer that fits, and `whole` is it */
	int64_t whole; /* and of BOOLEAN 0 or 1 */
};

/* text[size] must be 0. */
void at_json_reader_init(
	struct at_json_reader *self, char *text, size_t size, const char *file);
/* What comes next. */
enum at_json_kind at_json_reader_peek(struct at_json_reader *self);
/* Goes into an object or an array. */
enum at_status at_json_reader_enter(
	struct at_json_reader *self, enum at_json_kind kind, struct at_error *err);
/*
 * The next key of the object, borrowed, or the next item of the array; false after the
 * last, and where err was set.
 */
bool at_json_reader_member(
	struct at_json_reader *self, const char **key, struct at_error *err);
bool at_json_reader_item(struct at_json_reader *self, struct at_error *err);
enum at_status at_json_reader_scalar(
	struct at_json_reader *self, struct at_json_scalar *out, struct at_error *err);
/* A string, or AT_EINVAL that names what it is. Borrowed. */
enum at_status at_json_reader_string(struct at_json_reader *self, const char *what,
	const char **out, struct at_error *err);
/* Goes past one value, whatever it is. */
enum at_status at_json_reader_skip(struct at_json_reader *self, struct at_error *err);

#endif
