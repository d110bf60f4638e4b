/*
 * JSON, built as a tree and written deterministically (keys in insertion order, reals
 * with 15 significant digits), and read back. The only file that includes the JSON
 * library.
 *
 * Ownership: at_json_set() and at_json_append() take `value` over. Threads: one tree,
 * one thread.
 */
#ifndef AT_BASE_JSON_H
#define AT_BASE_JSON_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct at_json;

enum at_json_kind {
	AT_JSON_END = 0, /* no value */
	AT_JSON_OBJECT,
	AT_JSON_ARRAY,
	AT_JSON_STRING,
	AT_JSON_NUMBER,
	AT_JSON_BOOLEAN,
	AT_JSON_NULL,
};

/* "an object", "a number": for messages; static. */
const char *at_json_kind_name(enum at_json_kind kind);

/* Each makes a value, which the caller owns until it is set or appended. */
struct at_json *at_json_object(void);
struct at_json *at_json_array(void);
struct at_json *at_json_string(
	const char *text); /* if it is not UTF-8, non-ASCII bytes become '?' */
struct at_json *at_json_integer(int64_t value);
struct at_json *at_json_real(double value); /* null if it is not finite */
struct at_json *at_json_known(int64_t value); /* a count; null below 0 (unknown) */
struct at_json *at_json_boolean(bool value);
struct at_json *at_json_null(void);
/* Frees a tree that is not part of another; self may be NULL. */
void at_json_free(struct at_json *self);

/*
 * Adds a member to an object. The value is a text, an integer, a double, a bool or a
 * tree; a NULL text and a double that is not finite become null. A comparison is an int
 * in C: use at_json_boolean().
 */
#define at_json_set(object, key, value) \
	_Generic((value), char * : at_json_set_text, const char * : at_json_set_text, \
		int64_t : at_json_set_integer, uint64_t : at_json_set_count, \
		unsigned : at_json_set_count, \
		double : at_json_set_real, bool : at_json_set_boolean, \
		struct at_json * : at_json_set_tree)(object, key, value)
void at_json_set_text(struct at_json *object, const char *key, const char *value);
void at_json_set_integer(struct at_json *object, const char *key, int64_t value);
void at_json_set_count(struct at_json *object, const char *key, uint64_t value);
void at_json_set_real(struct at_json *object, const char *key, double value);
void at_json_set_boolean(struct at_json *object, const char *key, bool value);
void at_json_set_tree(struct at_json *object, const char *key, struct at_json *value);
void at_json_append(struct at_json *array, struct at_json *value);

/* Appends the text to out: on one line, or indented by `indent` blanks and with a final
   newline. Hidden characters, and those that control terminals, become \uXXXX
   (base/escape.h). */
void at_json_write(const struct at_json *self, int indent, struct at_strbuf *out);
/* Its text on one line, heap; frees the tree. */
char *at_json_finish(struct at_json *self);

/* Parses a text; file names it in errors (AT_ESYNTAX). The caller owns the tree. */
enum at_status at_json_parse(const char *text, size_t size, const char *file,
	struct at_json **out, struct at_error *err);

/* The kind of a value; AT_JSON_END for NULL. */
enum at_json_kind at_json_kind_of(const struct at_json *self);
/* Whether it is a number written as an integer. */
bool at_json_is_whole(const struct at_json *self);
/* A member of an object, and an item of an array; borrowed. NULL if it is absent, or
   the container is of another type. */
const struct at_json *at_json_get(const struct at_json *object, const char *key);
const struct at_json *at_json_at(const struct at_json *array, size_t index);
/* The number of items of an array; 0 for other values. */
size_t at_json_count(const struct at_json *array);
/* The index-th key, in insertion order; NULL after the last. */
const char *at_json_key_at(const struct at_json *object, size_t index);
/*
 * Walks the members of an object in insertion order. *place is NULL before the first
 * call. NULL after the last member, and for other values.
 *
 *   for (void *place = NULL; (value = at_json_next(object, &place, &key));)
 */
const struct at_json *at_json_next(
	const struct at_json *object, void **place, const char **key);
/* The text of a string, borrowed; NULL for other values. */
const char *at_json_text(const struct at_json *self);
/* A number as a double, else fallback. */
double at_json_number(const struct at_json *self, double fallback);
/* Whether it is the literal true. */
bool at_json_is_true(const struct at_json *self);
/* An integer, else fallback. */
int64_t at_json_whole(const struct at_json *self, int64_t fallback);

#endif
