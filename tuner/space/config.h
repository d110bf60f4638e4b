/*
 * A text in libconfig's syntax as a tree of plain nodes with their lines.
 *
 *   struct at_config_node *root;
 *   at_config_parse(text, size, "spaces/a.cfg", &root, &err);
 *   at_config_find(root, "parameters") ...
 *   at_config_free(root);
 *
 * Stricter than libconfig where that would change or hide something: every integer is
 * 64-bit and must fit, a string ends on its line (adjacent strings are joined), a
 * comment must be closed, @include is an error. Must not know: what a space is.
 * Threads: a tree is constant; any number of threads may read it.
 */
#ifndef AT_SPACE_CONFIG_H
#define AT_SPACE_CONFIG_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum at_config_kind {
	AT_CONFIG_NONE = 0,
	AT_CONFIG_GROUP, /* { name = value; } */
	AT_CONFIG_LIST, /* ( value, value ) */
	AT_CONFIG_ARRAY, /* [ value, value ]: scalars of one type */
	AT_CONFIG_INTEGER,
	AT_CONFIG_REAL,
	AT_CONFIG_BOOLEAN,
	AT_CONFIG_STRING,
};

/* A setting, or an element of a list or an array. */
struct at_config_node {
	enum at_config_kind kind;
	int line;
	char *name; /* NULL for the root and for elements of lists and arrays */
	int64_t integer; /* integers; booleans 0 or 1 */
	double real; /* finite */
	char *text; /* strings; no control characters except the tab */
	size_t count; /* children of groups, lists and arrays */
	struct at_config_node *children;
};

/*
 * Parses a text. *out gets the root, a group, which the caller frees. path is only for
 * messages. Rejects nesting deeper than 32, more than 1000 settings in one group, many
 * groups of hundreds, more than a million values, an empty text, and non-text bytes.
 */
enum at_status at_config_parse(const char *text, size_t size, const char *path,
	struct at_config_node **out, struct at_error *err);
void at_config_free(struct at_config_node *self);

/* The setting of that name in a group; NULL if absent, or self is NULL. */
const struct at_config_node *at_config_find(
	const struct at_config_node *self, const char *name);

/* "an integer", "a list", ...; static storage. */
const char *at_config_kind_text(enum at_config_kind kind);

#endif
