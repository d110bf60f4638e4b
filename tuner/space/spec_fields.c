/* Reads the settings of a group by key and checks their types; makes texts for
   messages. */
#include "space/spec_load.h"

#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum at_status at_spec_fail_type(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected)
{
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"%s: expected %s, found %s", what, expected,
		at_config_kind_text(node->kind));
}

/* Suggests a similar name, else lists all names. */
const char *at_spec_suggestion(const char *wrong, const char *const *names,
	size_t count, char *buffer, size_t size)
{
	const char *nearest = at_text_nearest(wrong, names, count);
	size_t length;

	if (nearest) {
		snprintf(buffer, size, ", did you mean \"%s\"?", nearest);
		return buffer;
	}
	snprintf(buffer, size, ", expected ");
	for (size_t i = 0; i < count; i++) {
		const char *between = i == 0 ? "" : i + 1 < count ? ", " : " or ";

		length = strlen(buffer);
		/* 6 bytes: ", ..." and the end, in case the next name does not fit */
		if (length + strlen(between) + strlen(names[i]) + 6 > size) {
			snprintf(buffer + length, size - length, ", ...");
			break;
		}
		snprintf(buffer + length, size - length, "%s%s", between, names[i]);
	}
	if (count == 0)
		snprintf(buffer, size, ", and there are none");
	return buffer;
}

/*
 * Suggests what an unknown key may have meant, in this order: a key of the group that
 * differs in its last letter only ("option" and "options" are keys of different
 * groups); the same key of another group; a similar key here or elsewhere; else lists
 * the group's keys. Beside the sections, the same key of another group comes first:
 * "name" is that of a kernel or a problem there, but what a reference calls "kernel".
 */
static const char *meant_key(enum at_spec_group group, const char *wrong,
	const char *const *keys, size_t count, char *buffer, size_t size)
{
	const char *nearest = at_text_nearest(wrong, keys, count);
	size_t length = strlen(wrong), known = nearest ? strlen(nearest) : 0;
	bool is_plural = known && known + 1 >= length && length + 1 >= known &&
			 !strncmp(wrong, nearest, known < length ? known : length);

	if (!is_plural && group == AT_GROUP_FILE &&
		at_spec_key_home(group, wrong, buffer, size)[0])
		return buffer;
	if (!is_plural && group && at_spec_key_home(group, wrong, buffer, size)[0])
		return buffer;
	if (!nearest && group && at_spec_key_near_home(group, wrong, buffer, size)[0])
		return buffer;
	return at_spec_suggestion(wrong, keys, count, buffer, size);
}

/* An unknown key is an error: ignored, a typo would change the result unnoticed. */
static enum at_status check_keys(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, enum at_spec_group group,
	const char *const *keys, size_t key_count)
{
	char suggestion[256];

	if (node->kind != AT_CONFIG_GROUP)
		return at_spec_fail_type(loader, node, what, "a group { ... }");
	for (size_t i = 0; i < node->count; i++) {
		const struct at_config_node *child = &node->children[i];
		size_t known = 0;

		while (known < key_count && strcmp(keys[known], child->name))
			known++;
		if (known == key_count)
			return at_fail(loader->err, AT_EINVAL, loader->file,
				child->line, "unknown key \"%.80s\" in %s%s",
				child->name, what,
				meant_key(group, child->name, keys, key_count,
					suggestion, sizeof(suggestion)));
	}
	return AT_OK;
}

enum at_status at_spec_check_group(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, enum at_spec_group group)
{
	size_t count;
	const char *const *keys = at_spec_keys(group, &count);

	return check_keys(loader, node, what, group, keys, count);
}

enum at_status at_spec_check_keys(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *const *keys,
	size_t key_count)
{
	return check_keys(loader, node, what, AT_GROUP_NONE, keys, key_count);
}

enum at_status at_spec_check_no_section(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what)
{
	char home[256];

	if (!at_spec_has_key(AT_GROUP_FILE, node->name) ||
		at_config_find(loader->root, node->name))
		return AT_OK;
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"\"%.80s\" in %s is a section of its own%s", node->name, what,
		at_spec_key_home(AT_GROUP_NONE, node->name, home, sizeof(home)));
}

/* Lists and arrays are both accepted, since the kind of bracket makes no difference
   here. */
enum at_status at_spec_check_list(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected)
{
	if (node->kind != AT_CONFIG_LIST && node->kind != AT_CONFIG_ARRAY)
		return at_spec_fail_type(loader, node, what, expected);
	return AT_OK;
}

enum at_status at_spec_check_list_of_strings(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected)
{
	if (node->kind != AT_CONFIG_STRING)
		return at_spec_check_list(loader, node, what, expected);
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"%s: expected %s, found a string: write ( \"%.100s\" )", what, expected,
		node->text);
}

enum at_status at_spec_check_strings(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what)
{
	enum at_status status =
		at_spec_check_list_of_strings(loader, node, what, "a list of strings");

	for (size_t i = 0; i < node->count && !status; i++) {
		const struct at_config_node *item = &node->children[i];

		if (item->kind != AT_CONFIG_STRING)
			status = at_spec_fail_type(
				loader, item, what, "a list of strings");
		else if (!item->text[0])
			status = at_fail(loader->err, AT_EINVAL, loader->file,
				item->line, "%s: a string in the list is empty", what);
	}
	return status;
}

enum at_status at_spec_require(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	const char *hint)
{
	if (at_config_find(group, key))
		return AT_OK;
	return at_fail(loader->err, AT_EINVAL, loader->file, group->line,
		"%s has no \"%s\": add %s", what, key, hint);
}

static const char *key_text(
	const char *key, const char *what, char *buffer, size_t size)
{
	snprintf(buffer, size, "\"%s\" of %s", key, what);
	return buffer;
}

/*
 * Finds a setting that is a string and not empty; *out is NULL when it is absent. An
 * empty name or path is refused here, since it would fail later, far from its line.
 */
static enum at_status find_text(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	const struct at_config_node **out)
{
	const struct at_config_node *node = at_config_find(group, key);
	char where[160];

	*out = node;
	if (!node)
		return AT_OK;
	key_text(key, what, where, sizeof(where));
	if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(loader, node, where, "a string");
	if (!node->text[0])
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s is empty", where);
	return AT_OK;
}

enum at_status at_spec_get_text(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	char **out)
{
	const struct at_config_node *node;
	enum at_status status = find_text(loader, group, what, key, &node);

	if (status || !node)
		return status;
	*out = at_strdup(node->text);
	return AT_OK;
}

enum at_status at_spec_get_identifier(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	char **out)
{
	const struct at_config_node *node;
	char where[160];
	enum at_status status = find_text(loader, group, what, key, &node);

	if (status || !node)
		return status;
	status = at_spec_check_identifier(loader, node->line,
		key_text(key, what, where, sizeof(where)), node->text);
	if (status)
		return status;
	*out = at_strdup(node->text);
	return AT_OK;
}

enum at_status at_spec_get_path(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	char **out)
{
	const struct at_config_node *node;
	enum at_status status = find_text(loader, group, what, key, &node);

	if (status || !node)
		return status;
	/* Not relative to the working folder, so that a file means the same from
	   everywhere. */
	*out = at_path_join(loader->spec->directory, node->text);
	return AT_OK;
}

enum at_status at_spec_get_tolerance(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	bool is_relative, double *out)
{
	const struct at_config_node *node = at_config_find(group, key);
	char where[160];
	double value;

	if (!node)
		return AT_OK;
	key_text(key, what, where, sizeof(where));
	if (node->kind != AT_CONFIG_REAL && node->kind != AT_CONFIG_INTEGER)
		return at_spec_fail_type(loader, node, where, "a number");
	value = node->kind == AT_CONFIG_REAL ? node->real : (double)node->integer;
	/* 0 means equal; NaN and infinity cannot be written */
	if (value < 0)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s is negative: expected 0 or more", where);
	if (is_relative && value >= 1)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s is %g: from 1 on zeros are right for any value: expected less, as in 1e-4",
			where, value);
	*out = value;
	return AT_OK;
}

enum at_status at_spec_get_boolean(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	bool *out)
{
	const struct at_config_node *node = at_config_find(group, key);
	char where[160];

	if (!node)
		return AT_OK;
	if (node->kind != AT_CONFIG_BOOLEAN)
		return at_spec_fail_type(loader, node,
			key_text(key, what, where, sizeof(where)), "true or false");
	*out = node->integer != 0;
	return AT_OK;
}

/*
 * A number is compiled from its text, so that there is only one way and messages can
 * quote the text.
 */
enum at_status at_spec_compile_node(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, struct at_expression **out)
{
	const char *source = node->text;
	char text[64];

	switch (node->kind) {
	case AT_CONFIG_STRING:
		if (!node->text[0])
			return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
				"%s is empty: expected an expression", what);
		break;
	case AT_CONFIG_INTEGER:
		snprintf(text, sizeof(text), "%lld", (long long)node->integer);
		source = text;
		break;
	case AT_CONFIG_BOOLEAN:
		source = node->integer ? "true" : "false";
		break;
	case AT_CONFIG_REAL:
		at_text_shortest_real(node->real, text, sizeof(text));
		/* without a point it would become an integer */
		if (!strpbrk(text, ".e"))
			strcat(text, ".0");
		source = text;
		break;
	case AT_CONFIG_NONE:
	case AT_CONFIG_GROUP:
	case AT_CONFIG_LIST:
	case AT_CONFIG_ARRAY:
		return at_spec_fail_type(
			loader, node, what, "an expression or a number");
	}
	return at_spec_compile(loader, source, node->line, out);
}

/* The most bytes of a scalar: what struct at_measure_binding holds. */
#define VALUE_BYTES_MAX 16

enum at_status at_spec_load_values(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	struct at_argument *argument)
{
	bool is_list = node->kind == AT_CONFIG_LIST || node->kind == AT_CONFIG_ARRAY;
	size_t bytes = at_element_bytes(argument->element) * (size_t)argument->lanes;
	enum at_status status = AT_OK;
	char where[160];

	if (bytes > VALUE_BYTES_MAX || argument->lanes > 4)
		return at_fail(loader->err, AT_EINVAL, loader->file, argument->line,
			"%s has a \"value\" of %zu bytes: expected at most %d, and 4 components; larger ones are buffers",
			what, bytes, VALUE_BYTES_MAX);
	if ((is_list ? node->count : 1) != (size_t)argument->lanes)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			argument->lanes == 1
				? "\"value\" of %s: expected one number or expression"
				: "\"value\" of %s: expected a list of %d, one a component",
			what, argument->lanes);
	snprintf(where, sizeof(where), "\"value\" of %s", what);
	if (!is_list)
		return at_spec_compile_node(loader, node, where, &argument->value);
	for (size_t i = 0; i < node->count && !status; i++)
		status = at_spec_compile_node(loader, &node->children[i], where,
			i ? &argument->more_values[i - 1] : &argument->value);
	return status;
}

enum at_status at_spec_get_expression(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	struct at_expression **out)
{
	const struct at_config_node *node = at_config_find(group, key);
	char where[160];

	if (!node)
		return AT_OK;
	return at_spec_compile_node(
		loader, node, key_text(key, what, where, sizeof(where)), out);
}

/*
 * Values.
 */

struct at_value at_spec_scalar(const struct at_config_node *node)
{
	switch (node->kind) {
	case AT_CONFIG_INTEGER:
		return (struct at_value){ .type = AT_TYPE_INTEGER,
			.integer = node->integer };
	case AT_CONFIG_BOOLEAN:
		return (struct at_value){ .type = AT_TYPE_BOOLEAN,
			.integer = node->integer };
	case AT_CONFIG_REAL:
		return (struct at_value){ .type = AT_TYPE_REAL, .real = node->real };
	case AT_CONFIG_STRING:
		return (struct at_value){ .type = AT_TYPE_WORD, .word = node->text };
	case AT_CONFIG_NONE:
	case AT_CONFIG_GROUP:
	case AT_CONFIG_LIST:
	case AT_CONFIG_ARRAY:
		break;
	}
	return (struct at_value){ .type = AT_TYPE_NONE };
}

const char *at_spec_value_text(struct at_value value, char *buffer, size_t size)
{
	struct at_strbuf text = { 0 };

	at_value_format(value, &text);
	/* A message without its value is still correct. */
	snprintf(buffer, size, "%s", at_strbuf_text(&text));
	at_strbuf_release(&text);
	return buffer;
}

const char *at_spec_values_text(
	const struct at_parameter *parameter, char *buffer, size_t size)
{
	char value[64];

	buffer[0] = '\0';
	for (size_t i = 0; i < parameter->value_count; i++) {
		size_t length = strlen(buffer);

		at_spec_value_text(parameter->values[i], value, sizeof(value));
		if (length + strlen(value) + 8 > size) {
			snprintf(buffer + length, size - length, ", ...");
			break;
		}
		snprintf(buffer + length, size - length, "%s%s", i ? ", " : "", value);
	}
	return buffer;
}

bool at_spec_exact_real(int64_t integer, double *out)
{
	*out = (double)integer;
	/* INT64_MAX rounds up to 2^63; converting that back would be undefined. */
	return *out < 0x1p63 && (int64_t)*out == integer;
}

bool at_spec_find_value(
	const struct at_parameter *parameter, struct at_value value, size_t *index)
{
	double real;

	/* Somebody who writes 1 for 1.0 means that value. */
	if (parameter->type == AT_TYPE_REAL && value.type == AT_TYPE_INTEGER &&
		at_spec_exact_real(value.integer, &real))
		value = (struct at_value){ .type = AT_TYPE_REAL, .real = real };
	for (size_t i = 0; i < parameter->value_count; i++)
		if (at_value_equal(parameter->values[i], value)) {
			*index = i;
			return true;
		}
	return false;
}
