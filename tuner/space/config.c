/* Makes nodes of libconfig's tree, with the names and lines that the scan noted. */
#include "space/config.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/wire.h"
#include "space/config_read.h"
#include "space/config_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least bytes of a node in the tree: its kind, and a number of children. */
#define NODE_BYTES 8

struct builder {
	const struct at_config_scan *scan;
	struct at_wire_reader tree;
	size_t next_value; /* the tree has the order of the scan's values */
	const char *path;
	struct at_error *err;
};

/* Recursive; the scan limits the depth. */
static void release_node(struct at_config_node *self)
{
	for (size_t i = 0; i < self->count; i++)
		release_node(&self->children[i]);
	free(self->children);
	free(self->name);
	free(self->text);
}

/*
 * Refuses control characters. They can come from escapes, which the scan does not look
 * into, and would do harm in a path, an option or a message.
 */
static enum at_status check_string(
	const struct builder *builder, const struct at_config_node *node)
{
	const char *text = node->text;
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
	return AT_OK;
}

/* The bytes are not what config_read.c writes: it had no memory, or half a tree. */
static enum at_status fail_odd(const struct builder *builder)
{
	return at_fail(builder->err, AT_ENOMEM, builder->path, 0,
		"out of memory while libconfig read it");
}

static enum at_status build_node(
	struct builder *builder, struct at_config_node *node, bool is_group);

/*
 * Builds a node's children. node is zeroed and stays valid for release_node() whatever
 * happens: children are zeroed before they are counted, and counted before they are
 * built.
 */
static enum at_status build_children(
	struct builder *builder, struct at_config_node *node)
{
	size_t count = at_wire_get_count(&builder->tree, NODE_BYTES);
	enum at_status status = AT_OK;

	if (count > builder->scan->value_count - builder->next_value)
		return fail_odd(builder);
	if (!count)
		return AT_OK;
	node->children = at_calloc(count, sizeof(*node->children));
	node->count = count;
	for (size_t i = 0; i < count && !status; i++) {
		struct at_config_node *child = &node->children[i];
		const struct at_config_value *value;

		if (builder->next_value == builder->scan->value_count)
			return fail_odd(builder);
		value = &builder->scan->values[builder->next_value++];
		/* every setting of a group has a name, on which at_config_find()
		   relies */
		if ((node->kind == AT_CONFIG_GROUP) != (value->name != NULL))
			return fail_odd(builder);
		child->line = value->line;
		if (value->name)
			child->name = at_strndup(value->name, value->name_length);
		status = build_node(builder, child, value->is_group);
	}
	return status;
}

/* *text is on the heap, and "" where the text is empty. */
static enum at_status take_text(struct builder *builder, char **text)
{
	struct at_wire_reader *tree = &builder->tree;

	*text = at_wire_get_text(tree);
	return tree->failed || !*text ? fail_odd(builder) : AT_OK;
}

static enum at_status build_node(
	struct builder *builder, struct at_config_node *node, bool is_group)
{
	struct at_wire_reader *tree = &builder->tree;
	enum at_config_kind kind =
		(enum at_config_kind)at_wire_get_below(tree, AT_CONFIG_STRING + 1);
	enum at_status status;

	if (is_group && kind != AT_CONFIG_LIST)
		return fail_odd(builder);
	node->kind = is_group ? AT_CONFIG_GROUP : kind;
	switch (kind) {
	case AT_CONFIG_NONE:
		return at_fail(builder->err, AT_ESYNTAX, builder->path, node->line,
			"libconfig read a value of a type that it does not document");
	case AT_CONFIG_GROUP: /* not from libconfig */
		return fail_odd(builder);
	case AT_CONFIG_LIST:
	case AT_CONFIG_ARRAY:
		return build_children(builder, node);
	case AT_CONFIG_INTEGER:
	case AT_CONFIG_BOOLEAN:
		node->integer = at_wire_get_i64(tree);
		break;
	case AT_CONFIG_REAL:
		node->real = at_wire_get_real(tree);
		if (!isfinite(node->real))
			return fail_odd(builder);
		break;
	case AT_CONFIG_STRING:
		status = take_text(builder, &node->text);
		return status ? status : check_string(builder, node);
	}
	return tree->failed ? fail_odd(builder) : AT_OK;
}

static enum at_status build_tree(struct builder *builder, struct at_config_node **out)
{
	struct at_config_node *root = at_calloc(1, sizeof(*root));
	enum at_status status;

	root->line = 1; /* for messages about the file as a whole */
	status = build_node(builder, root, true);
	/* libconfig may have lost some values for lack of memory; a partial tree is
	   refused. */
	if (!status && (!at_wire_done(&builder->tree) ||
			       builder->next_value != builder->scan->value_count))
		status = fail_odd(builder);
	if (status)
		at_config_free(root);
	else
		*out = root;
	return status;
}

enum at_status at_config_parse(const char *text, size_t size, const char *path,
	struct at_config_node **out, struct at_error *err)
{
	struct at_config_scan scan = { 0 };
	struct builder builder = { .scan = &scan, .path = path, .err = err };
	struct at_strbuf tree = { 0 };
	enum at_status status = at_config_scan(&scan, text, size, path, err);

	/* The scan refuses what libconfig would, so an error here is one that the scan
	   missed. */
	if (!status)
		status = at_config_read(at_strbuf_text(&scan.text), path, &tree, err);
	if (!status) {
		at_wire_reader_init(&builder.tree, at_strbuf_text(&tree), tree.length);
		status = build_tree(&builder, out);
	}
	at_strbuf_release(&tree);
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
