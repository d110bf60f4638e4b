/*
 * JSON, built as a tree and written deterministically (keys in the order in
 * which they were set; reals with 15 significant digits),
 * and read back. The only place that knows the JSON library.
 *
 * Ownership: at_json_set() and at_json_append() take `value` over, also when
 * they fail. Building fails softly: a failed allocation yields NULL, NULL is
 * accepted everywhere, and at_json_write() reports it.
 * Threads: one tree, one thread.
 */
#ifndef AT_BASE_JSON_H
#define AT_BASE_JSON_H

#include "base/json_kind.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct at_json;

struct at_json *at_json_object(void);
struct at_json *at_json_array(void);
struct at_json *at_json_string(
	const char *text); /* bytes that are no UTF-8 become '?' */
struct at_json *at_json_integer(int64_t value);
struct at_json *at_json_real(double value); /* null unless finite */
struct at_json *at_json_known(int64_t value); /* a count; null below 0: not known */
struct at_json *at_json_boolean(bool value);
struct at_json *at_json_null(void);
void at_json_free(struct at_json *self);

void at_json_set(struct at_json *object, const char *key, struct at_json *value);
void at_json_append(struct at_json *array, struct at_json *value);

/* Appends to out: on one line, or indented by `indent` blanks and a final newline. What
   a terminal would obey or not show is written as \\uXXXX (base/escape.h). Where it
   fails out->failed is set: at_strbuf_detach() has nothing then. */
enum at_status at_json_write(const struct at_json *self, int indent,
	struct at_strbuf *out, struct at_error *err);

/* file names the text in errors: AT_ESYNTAX. The tree becomes the caller's. */
enum at_status at_json_parse(const char *text, size_t size, const char *file,
	struct at_json **out, struct at_error *err);

/* Of NULL: AT_JSON_END. */
enum at_json_kind at_json_kind_of(const struct at_json *self);
/* A number that is an integer. */
bool at_json_is_whole(const struct at_json *self);
/* Borrowed; NULL when absent or of another type. */
const struct at_json *at_json_get(const struct at_json *object, const char *key);
const struct at_json *at_json_at(const struct at_json *array, size_t index);
size_t at_json_count(const struct at_json *array);
/* The index-th key in the order in which they were set; NULL past the last. */
const char *at_json_key_at(const struct at_json *object, size_t index);
const char *at_json_text(const struct at_json *self);
/* fallback when self is NULL or no number. */
double at_json_number(const struct at_json *self, double fallback);
/* True for the literal true alone. */
bool at_json_is_true(const struct at_json *self);
int64_t at_json_whole(const struct at_json *self, int64_t fallback);

#endif
