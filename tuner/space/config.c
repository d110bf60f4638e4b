/* libconfig's tree as ours, with the lines that the scan noted. */
#include "space/config.h"

#include "base/escape.h"
#include "base/memory.h"
#include "space/config_scan.h"

#include <assert.h>
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

struct builder {
	const struct at_config_scan *scan;
	size_t next_line; /* values come in the order in which the scan met them */
	const char *path;
	struct at_error *err;
};

/* Recursive, as deep as the scan lets a text nest. */
static void release_node(struct at_config_node *self)
{
	for (size_t i = 0; i < self->count; i++)
		release_node(&self->children[i]);
	free(self->children);
	free(self->name);
	free(self->text);
}

/*
 * Control characters can come from escapes, which the scan does not look into. In a
 * path, an option or a message they would do harm.
 */
static enum at_status copy_string(
	struct at_config_node *node, const char *text, struct builder *builder)
{
	size_t size = strlen(text), length;

	for (size_t i = 0; i < size; i += length) {
		uint32_t character = at_character(text + i, size - i, &length);

		if (text[i] == '\t' || at_character_is_shown(character))
			continue;
		if (character == AT_NO_CHARACTER)
			return at_fail(builder->err, AT_EINVAL, builder->path,
				node->line,
				"a string holds the byte 0x%02x, which is no UTF-8; expected one line of text",
				(unsigned char)text[i]);
		return at_fail(builder->err, AT_EINVAL, builder->path, node->line,
			"a string holds the control character 0x%02x; expected one line of text",
			(unsigned)character);
	}
	node->text = at_strdup(text);
	return node->text ? AT_OK : at_fail_memory(builder->err);
}

static enum at_status build_node(struct builder *builder, config_setting_t *setting,
	struct at_config_node *node);

/*
 * node is zeroed, and consistent for release_node() whatever happens: children are
 * zeroed before they are counted, and counted before they are built.
 */
static enum at_status build_children(
	struct builder *builder, config_setting_t *setting, struct at_config_node *node)
{
	size_t count = (size_t)config_setting_length(setting);
	enum at_status status = AT_OK;

	if (!count)
		return AT_OK;
	node->children = calloc(count, sizeof(*node->children));
	if (!node->children)
		return at_fail_memory(builder->err);
	node->count = count;
	for (size_t i = 0; i < count && !status; i++) {
		struct at_config_node *child = &node->children[i];

		assert(builder->next_line < builder->scan->line_count);
		child->line = builder->scan->lines[builder->next_line++];
		status = build_node(
			builder, config_setting_get_elem(setting, (unsigned)i), child);
	}
	return status;
}

static enum at_status build_node(
	struct builder *builder, config_setting_t *setting, struct at_config_node *node)
{
	const char *name = config_setting_name(setting);

	if (name) {
		node->name = at_strdup(name);
		if (!node->name)
			return at_fail_memory(builder->err);
	}
	switch (config_setting_type(setting)) {
	case CONFIG_TYPE_GROUP:
		node->kind = AT_CONFIG_GROUP;
		return build_children(builder, setting, node);
	case CONFIG_TYPE_LIST:
		node->kind = AT_CONFIG_LIST;
		return build_children(builder, setting, node);
	case CONFIG_TYPE_ARRAY:
		node->kind = AT_CONFIG_ARRAY;
		return build_children(builder, setting, node);
	case CONFIG_TYPE_INT64: /* the scan leaves none of CONFIG_TYPE_INT */
		node->kind = AT_CONFIG_INTEGER;
		node->integer = config_setting_get_int64(setting);
		return AT_OK;
	case CONFIG_TYPE_FLOAT:
		node->kind = AT_CONFIG_REAL;
		node->real = config_setting_get_float(setting);
		return AT_OK;
	case CONFIG_TYPE_BOOL:
		node->kind = AT_CONFIG_BOOLEAN;
		node->integer = config_setting_get_bool(setting) != 0;
		return AT_OK;
	case CONFIG_TYPE_STRING:
		node->kind = AT_CONFIG_STRING;
		return copy_string(node, config_setting_get_string(setting), builder);
	}
	/* never so far: a newer libconfig may have more types */
	return at_fail(builder->err, AT_ESYNTAX, builder->path, node->line,
		"libconfig read a value of a type that it does not document");
}

enum at_status at_config_parse(const char *text, size_t size, const char *path,
	struct at_config_node **out, struct at_error *err)
{
	struct at_config_scan scan = { 0 };
	struct builder builder = { .scan = &scan, .path = path, .err = err };
	struct at_config_node *root = NULL;
	config_t config;
	enum at_status status = at_config_scan(&scan, text, size, path, err);

	if (status)
		goto release_scan;
	config_init(&config);
	/* the scan refuses what libconfig would: this is for what it overlooks */
	if (!config_read_string(&config, at_strbuf_text(&scan.text))) {
		status = at_fail(err, AT_ESYNTAX, path, config_error_line(&config),
			"libconfig says: %s", config_error_text(&config));
		goto destroy_config;
	}
	root = calloc(1, sizeof(*root));
	if (!root) {
		status = at_fail_memory(err);
		goto destroy_config;
	}
	root->line = 1; /* for "has no ..." of the file as a whole */
	status = build_node(&builder, config_root_setting(&config), root);
	if (status)
		at_config_free(root);
	else
		*out = root;
destroy_config:
	config_destroy(&config);
release_scan:
	at_config_scan_release(&scan);
	return status;
}

void at_config_free(struct at_config_node *self)
{
	if (!self)
		return;
	release_node(self);
	free(self);
}

const struct at_config_node *at_config_find(
	const struct at_config_node *self, const char *name)
{
	if (!self || self->kind != AT_CONFIG_GROUP)
		return NULL;
	for (size_t i = 0; i < self->count; i++)
		if (!strcmp(self->children[i].name, name))
			return &self->children[i];
	return NULL;
}

const char *at_config_kind_text(enum at_config_kind kind)
{
	switch (kind) {
	case AT_CONFIG_NONE:
		break;
	case AT_CONFIG_GROUP:
		return "a group";
	case AT_CONFIG_LIST:
		return "a list";
	case AT_CONFIG_ARRAY:
		return "an array";
	case AT_CONFIG_INTEGER:
		return "an integer";
	case AT_CONFIG_REAL:
		return "a real";
	case AT_CONFIG_BOOLEAN:
		return "a boolean";
	case AT_CONFIG_STRING:
		return "a string";
	}
	return "nothing";
}
