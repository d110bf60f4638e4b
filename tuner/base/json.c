/* JSON trees by the library Jansson. */
#include "base/json.h"

#include "base/escape.h"
#include "base/text.h"
#include "base/tracked.h"

#include <math.h>
#include <stdatomic.h>
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

struct at_json *at_json_object(void)
{
	return (struct at_json *)json_object();
}

struct at_json *at_json_array(void)
{
	return (struct at_json *)json_array();
}

struct at_json *at_json_string(const char *text)
{
	json_t *value = json_string(text);
	char *plain;

	if (value)
		return (struct at_json *)value;
	plain = at_strdup(text);
	if (!plain)
		return NULL;
	for (char *c = plain; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	value = json_string(plain);
	free(plain);
	return (struct at_json *)value;
}

struct at_json *at_json_integer(int64_t value)
{
	return (struct at_json *)json_integer(value);
}

struct at_json *at_json_known(int64_t value)
{
	return value < 0 ? at_json_null() : at_json_integer(value);
}

struct at_json *at_json_real(double value)
{
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

/*
 * When a value cannot be added, the container is emptied and gets this key, which
 * at_json_write() finds. No object of ours has such a key, and at_json_parse() refuses
 * it, so that no text can contain it.
 */
static const char broken[] = "\x01out of memory";

/* Not even the mark could be added: from now on no tree in this process is known to be
   complete. */
static atomic_bool lost;

static void mark_broken(json_t *container)
{
	json_t *marked = container;

	if (json_is_array(container)) {
		json_array_clear(container);
		marked = json_object();
		if (json_array_append(container, marked))
			lost = true;
		json_decref(marked); /* the array owns it, if it was appended */
	}
	if (!lost && json_is_object(marked)) {
		json_object_clear(marked);
		if (!json_object_set_new(marked, broken, json_null()))
			return;
	}
	lost = true;
}

/* Whether a tree contains the mark. */
static bool is_broken(const json_t *self)
{
	const char *key;
	json_t *child;
	size_t i;

	/* the library's macros take no const pointers, but change nothing */
	if (json_is_object(self)) {
		json_object_foreach((json_t *)self, key,
			child) if (key[0] == broken[0] || is_broken(child)) return true;
	} else if (json_is_array(self)) {
		json_array_foreach(self, i, child) if (is_broken(child)) return true;
	}
	return false;
}

void at_json_set(struct at_json *object, const char *key, struct at_json *value)
{
	if (object && json_object_set_new(node(object), key, node(value)))
		mark_broken(node(object));
	else if (!object)
		json_decref(node(value));
}

void at_json_append(struct at_json *array, struct at_json *value)
{
	if (array && json_array_append_new(node(array), node(value)))
		mark_broken(node(array));
	else if (!array)
		json_decref(node(value));
}

/* ---- writing --------------------------------------------------------------------- */

/*
 * Trees are written here and not by the library, which hands over a few bytes at a time
 * and copies objects to walk them: an evaluation is written as fast as it is recorded
 * then. What needs care, numbers that are no integers and strings with anything to
 * escape, is the library's.
 */
struct writing {
	struct at_strbuf *out;
	size_t indent; /* blanks for each depth; 0: all in one line */
};

/* The library hands over whole characters. */
static int collect(const char *data, size_t size, void *out)
{
	at_escape_json(out, data, size);
	return 0;
}

static bool write_by_library(struct writing *self, const json_t *value)
{
	/* 15 digits: a decimal of 15 digits is written as it was read, and 0.1 does not
	   become 0.10000000000000001 */
	return !json_dump_callback(
		value, collect, self->out, JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY);
}

bool at_json_is_plain(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\')
			return false;
	return true;
}

static bool write_string(struct writing *self, const json_t *value)
{
	const char *text = json_string_value(value);
	size_t size = json_string_length(value);

	if (!at_json_is_plain(text, size))
		return write_by_library(self, value);
	at_strbuf_add_char(self->out, '"');
	at_strbuf_add_bytes(self->out, text, size);
	at_strbuf_add_char(self->out, '"');
	return true;
}

/* Keys have no type of their own. */
static bool write_key(struct writing *self, const char *key)
{
	json_t *string;
	bool written;

	if (!at_json_is_plain(key, strlen(key))) {
		string = json_string_nocheck(key);
		written = string && write_by_library(self, string);
		json_decref(string);
		return written;
	}
	at_strbuf_add_char(self->out, '"');
	at_strbuf_add(self->out, key);
	at_strbuf_add_char(self->out, '"');
	return true;
}

/* What stands ahead of an element, or of the end of a container that is not empty. */
static void begin_line(struct writing *self, size_t depth, const char *otherwise)
{
	if (!self->indent) {
		at_strbuf_add(self->out, otherwise);
		return;
	}
	at_strbuf_add_char(self->out, '\n');
	for (size_t i = 0; i < depth * self->indent; i++)
		at_strbuf_add_char(self->out, ' ');
}

/* False: the tree has the mark, or memory ran out. */
static bool write_value(struct writing *self, const json_t *value, size_t depth)
{
	struct at_strbuf *out = self->out;
	bool is_first = true;
	const char *key;
	json_t *child;
	size_t i;

	switch (json_typeof(value)) {
	case JSON_OBJECT:
		at_strbuf_add_char(out, '{');
		/* the library's macros take no const pointers, but change nothing */
		json_object_foreach((json_t *)(uintptr_t)value, key, child)
		{
			at_strbuf_add(out, is_first ? "" : ",");
			begin_line(self, depth + 1, is_first ? "" : " ");
			is_first = false;
			if (key[0] == broken[0] || !write_key(self, key))
				return false;
			at_strbuf_add(out, ": ");
			if (!write_value(self, child, depth + 1))
				return false;
		}
		if (!is_first)
			begin_line(self, depth, "");
		at_strbuf_add_char(out, '}');
		return true;
	case JSON_ARRAY:
		at_strbuf_add_char(out, '[');
		json_array_foreach(value, i, child)
		{
			at_strbuf_add(out, i ? "," : "");
			begin_line(self, depth + 1, i ? " " : "");
			if (!write_value(self, child, depth + 1))
				return false;
		}
		if (json_array_size(value) > 0)
			begin_line(self, depth, "");
		at_strbuf_add_char(out, ']');
		return true;
	case JSON_STRING:
		return write_string(self, value);
	case JSON_INTEGER:
		at_strbuf_add_integer(out, json_integer_value(value));
		return true;
	case JSON_TRUE:
		at_strbuf_add(out, "true");
		return true;
	case JSON_FALSE:
		at_strbuf_add(out, "false");
		return true;
	case JSON_NULL:
		at_strbuf_add(out, "null");
		return true;
	case JSON_REAL:
		return write_by_library(self, value);
	}
	return false;
}

enum at_status at_json_write(const struct at_json *self, int indent,
	struct at_strbuf *out, struct at_error *err)
{
	struct writing writing = { out, (size_t)indent };

	if (!self || lost || !write_value(&writing, const_node(self), 0))
		out->failed = true;
	if (indent)
		at_strbuf_add_char(out, '\n');
	return out->failed ? at_fail_memory(err) : AT_OK;
}

static void use_tracked_memory(void)
{
	json_set_alloc_funcs(at_tracked_malloc, at_tracked_free);
}

enum at_status at_json_parse(const char *text, size_t size, const char *file,
	struct at_json **out, struct at_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	size_t mark_bytes = at_text_mark_bytes(text, size);
	struct at_tracked tracked = { 0 };
	json_error_t error;
	json_t *root;

	/* Without memory the library's reader leaves characters out of strings, calls
	   correct texts wrong, or ends the process. */
	pthread_once(&once, use_tracked_memory);
	if (setjmp(tracked.exhausted))
		return at_fail_memory(err);
	at_tracked_begin(&tracked);
	/* duplicate keys are refused, since readers would differ in which one they
	   take */
	root = json_loadb(
		text + mark_bytes, size - mark_bytes, JSON_REJECT_DUPLICATES, &error);
	at_tracked_end(&tracked);
	if (!root && json_error_code(&error) == json_error_out_of_memory)
		return at_fail_memory(err);
	if (!root) {
		/* the message quotes the text, with its line ends */
		at_text_flatten(error.text);
		return at_fail(err, AT_ESYNTAX, file, error.line, "%s", error.text);
	}
	if (is_broken(root)) {
		json_decref(root);
		return at_fail(err, AT_ESYNTAX, file, 1,
			"has a key that begins with a control character");
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
