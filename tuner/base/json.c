/* JSON trees by the library Jansson. */
#include "base/json.h"

#include "base/escape.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <jansson.h>
#include <pthread.h>
#include <string.h>

/* struct at_json is never defined: it is the library's json_t */
static json_t *node(struct at_json *self)
{
	return (json_t *)self;
}

static const json_t *const_node(const struct at_json *self)
{
	return (const json_t *)self;
}

static void set_memory(void)
{
	json_set_alloc_funcs(at_malloc, free);
}

/* The library's reader mishandles a failed allocation. */
static void begin(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, set_memory);
}

struct at_json *at_json_object(void)
{
	begin();
	return (struct at_json *)json_object();
}

struct at_json *at_json_array(void)
{
	begin();
	return (struct at_json *)json_array();
}

struct at_json *at_json_string(const char *text)
{
	json_t *value;
	char *plain;

	begin();
	value = json_string(text);
	if (value)
		return (struct at_json *)value;
	plain = at_strdup(text);
	for (char *c = plain; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	value = json_string(plain);
	free(plain);
	return (struct at_json *)value;
}

struct at_json *at_json_integer(int64_t value)
{
	begin();
	return (struct at_json *)json_integer(value);
}

struct at_json *at_json_known(int64_t value)
{
	return value < 0 ? at_json_null() : at_json_integer(value);
}

struct at_json *at_json_real(double value)
{
	begin();
	return (struct at_json *)(isfinite(value) ? json_real(value) : json_null());
}

struct at_json *at_json_boolean(bool value)
{
	return (struct at_json *)json_boolean(value);
}

struct at_json *at_json_null(void)
{
	return (struct at_json *)json_null();
}

void at_json_free(struct at_json *self)
{
	json_decref(node(self));
}

void at_json_set_tree(struct at_json *object, const char *key, struct at_json *value)
{
	assert(object && value);
	/* keys are constants of this program, so their check is skipped */
	if (json_object_set_new_nocheck(node(object), key, node(value)))
		at_memory_out();
}

void at_json_set_text(struct at_json *object, const char *key, const char *value)
{
	at_json_set_tree(object, key, value ? at_json_string(value) : at_json_null());
}

void at_json_set_integer(struct at_json *object, const char *key, int64_t value)
{
	at_json_set_tree(object, key, at_json_integer(value));
}

void at_json_set_count(struct at_json *object, const char *key, uint64_t value)
{
	at_json_set_integer(object, key, (int64_t)value);
}

void at_json_set_real(struct at_json *object, const char *key, double value)
{
	at_json_set_tree(object, key, at_json_real(value));
}

void at_json_set_boolean(struct at_json *object, const char *key, bool value)
{
	at_json_set_tree(object, key, at_json_boolean(value));
}

void at_json_append(struct at_json *array, struct at_json *value)
{
	assert(array && value);
	if (json_array_append_new(node(array), node(value)))
		at_memory_out();
}

/* The library passes whole characters. */
static int collect(const char *data, size_t size, void *out)
{
	at_escape_json(out, data, size);
	return 0;
}

void at_json_write(const struct at_json *self, int indent, struct at_strbuf *out)
{
	/* 15 digits: a decimal of 15 digits is preserved, and 0.1 does not become
	   0.10000000000000001 */
	json_dump_callback(const_node(self), collect, out,
		JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY | JSON_INDENT(indent));
	if (indent)
		at_strbuf_add_char(out, '\n');
}

char *at_json_finish(struct at_json *self)
{
	struct at_strbuf text = { 0 };

	at_json_write(self, 0, &text);
	at_json_free(self);
	return at_strbuf_detach(&text);
}

enum at_status at_json_parse(const char *text, size_t size, const char *file,
	struct at_json **out, struct at_error *err)
{
	size_t mark_bytes = at_text_mark_bytes(text, size);
	json_error_t error;
	json_t *root;

	begin();
	/* duplicate keys are errors, since readers differ in their choice */
	root = json_loadb(
		text + mark_bytes, size - mark_bytes, JSON_REJECT_DUPLICATES, &error);
	if (!root) {
		/* the message quotes the text, with its line ends */
		at_text_flatten(error.text);
		return at_fail(err, AT_ESYNTAX, file, error.line, "%s", error.text);
	}
	*out = (struct at_json *)root;
	return AT_OK;
}

enum at_json_kind at_json_kind_of(const struct at_json *self)
{
	if (!self)
		return AT_JSON_END;
	switch (json_typeof(const_node(self))) {
	case JSON_OBJECT:
		return AT_JSON_OBJECT;
	case JSON_ARRAY:
		return AT_JSON_ARRAY;
	case JSON_STRING:
		return AT_JSON_STRING;
	case JSON_INTEGER:
	case JSON_REAL:
		return AT_JSON_NUMBER;
	case JSON_TRUE:
	case JSON_FALSE:
		return AT_JSON_BOOLEAN;
	case JSON_NULL:
		return AT_JSON_NULL;
	}
	return AT_JSON_END;
}

const char *at_json_kind_name(enum at_json_kind kind)
{
	switch (kind) {
	case AT_JSON_END:
		break;
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
	}
	return "nothing";
}

bool at_json_is_whole(const struct at_json *self)
{
	return json_is_integer(const_node(self));
}

const struct at_json *at_json_get(const struct at_json *object, const char *key)
{
	return (const struct at_json *)json_object_get(const_node(object), key);
}

const struct at_json *at_json_at(const struct at_json *array, size_t index)
{
	return (const struct at_json *)json_array_get(const_node(array), index);
}

size_t at_json_count(const struct at_json *array)
{
	return json_array_size(const_node(array));
}

const char *at_json_key_at(const struct at_json *object, size_t index)
{
	/* the library's iterator takes no const pointer, but changes nothing */
	json_t *members = (json_t *)(uintptr_t)const_node(object);
	void *at = json_object_iter(members);

	for (; at && index > 0; index--)
		at = json_object_iter_next(members, at);
	return at ? json_object_iter_key(at) : NULL;
}

const struct at_json *at_json_next(
	const struct at_json *object, void **place, const char **key)
{
	/* the library's iterator takes no const pointer, but changes nothing */
	json_t *members = (json_t *)(uintptr_t)const_node(object);

	*place = *place ? json_object_iter_next(members, *place)
			: json_object_iter(members);
	*key = json_object_iter_key(*place);
	return (const struct at_json *)json_object_iter_value(*place);
}

const char *at_json_text(const struct at_json *self)
{
	return json_string_value(const_node(self));
}

double at_json_number(const struct at_json *self, double fallback)
{
	return json_is_number(const_node(self)) ? json_number_value(const_node(self))
						: fallback;
}

int64_t at_json_whole(const struct at_json *self, int64_t fallback)
{
	return json_is_integer(const_node(self)) ? json_integer_value(const_node(self))
						 : fallback;
}

bool at_json_is_true(const struct at_json *self)
{
	return json_is_true(const_node(self));
}
