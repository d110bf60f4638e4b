/* The section "arguments": scalars, and buffers with their access and tolerances. */
#include "space/spec_load.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* more than this is a mistake */
#define OUTLIERS_MOST 0.05

enum {
	ARGUMENTS_MAX = 1000, /* a kernel's parameters have at most 32 KiB */
	OBJECT_BYTES_MAX = 4096, /* of all parameters, before CUDA 12.1 */
};

static void load_type(struct at_spec_loader *loader, const struct at_config_node *group,
	const char *what, struct at_argument *argument)
{
	const struct at_config_node *node = at_config_find(group, "type");
	const struct at_config_node *reference =
		at_config_find(group, "reference_type");
	const struct at_spec_structure *structure;
	char where[160], pointee[64];

	snprintf(where, sizeof(where), "\"type\" of %s", what);
	if (node->kind != AT_CONFIG_STRING)
		at_spec_fail_type(loader, node, where, "a string");
	if (strstr(node->text, "${")) {
		at_spec_load_chosen_type(loader, group, what, argument);
		return;
	}
	if (reference)
		at_spec_fail(loader, reference->line,
			"\"reference_type\" of %s: only a type that a parameter chooses, type = \"${T}\", has another for the reference",
			what);
	if (at_element_find(node->text, &argument->element, &argument->lanes))
		return;
	snprintf(pointee, sizeof(pointee), "%s", node->text);
	if (!argument->access && at_spec_cut_pointer(pointee)) {
		/* its target may follow later: load_pointers() */
		argument->is_pointer = argument->is_fixed = true;
		argument->element = AT_ELEMENT_U64;
		return;
	}
	structure = at_spec_find_structure(loader, node->text);
	if (!structure)
		at_spec_fail_element(loader, node->line, what, node->text);
	argument->has_fields = true;
	argument->element = AT_ELEMENT_U8;
	argument->lanes = (int)structure->bytes;
	argument->type = at_spec_copy_text(loader, node->text);
}

/* Scalars and buffers. */

static void load_scalar(struct at_spec_loader *loader,
	const struct at_config_node *value, const char *what,
	struct at_argument *argument)
{
	if (argument->is_pointer)
		return;
	if (value->kind == AT_CONFIG_STRING && !strcmp(value->text, "null")) {
		argument->is_pointer = argument->is_fixed = true;
		argument->has_fields = false;
		argument->element = AT_ELEMENT_U64;
		argument->lanes = 1;
		at_spec_compile(loader, "0", value->line, &argument->value);
		return;
	}
	if (!argument->has_fields) {
		at_spec_load_values(loader, value, what, argument);
		return;
	}
	/* spec_types.c reads the fields' values, since each field is an argument. */
	if (argument->lanes > OBJECT_BYTES_MAX)
		at_spec_fail(loader, argument->line,
			"%s has a \"value\" of %d bytes: expected a structure of at most %d",
			what, argument->lanes, OBJECT_BYTES_MAX);
	if (value->kind != AT_CONFIG_GROUP)
		at_spec_fail(loader, value->line,
			"\"value\" of %s: expected a group with each field of \"%.80s\", { FIELD = \"1\"; }, found %s",
			what, argument->type, at_config_kind_text(value->kind));
}

static void load_fill(struct at_spec_loader *loader, const struct at_config_node *group,
	const char *what, struct at_argument *argument)
{
	const struct at_config_node *node = at_config_find(group, "fill");
	bool real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
	bool is_bool = !strcmp(at_config_find(group, "type")->text, "bool");
	char where[160];

	/* The fields have the fills, except if a file provides whole elements. */
	if (argument->has_fields && !(node && node->kind == AT_CONFIG_STRING &&
					    !strncmp(node->text, "file", 4)))
		return;
	snprintf(where, sizeof(where), "\"fill\" of %s", what);
	/* The default is never zeros, with which many wrong kernels give right results.
	   A bool must be 0 or 1: with other values the behaviour is undefined. */
	argument->has_default_fill = !node && !is_bool;
	if (node)
		at_spec_load_fill(loader, node, where, argument, &argument->fill);
	else
		at_spec_parse_fill(loader,
			real      ? "uniform(-1, 1)"
			: is_bool ? "uniform(0, 1)"
				  : "uniform(0, 100)",
			argument->line, argument, &argument->fill);
}

/* The name of a variable, possibly in namespaces: "blur::weights". */
static void check_symbol(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *symbol)
{
	for (const char *at = symbol; at;) {
		size_t length = strspn(at,
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

		if (!length || (at[0] >= '0' && at[0] <= '9') ||
			(at[length] && strncmp(at + length, "::", 2) != 0))
			at_spec_fail(loader, node->line,
				"\"symbol\" of %s: \"%.80s\" is not the name of a variable: expected C identifiers with \"::\" between them, as in \"weights\" or \"blur::weights\"",
				what, symbol);
		at = at[length] ? at + length + 2 : NULL;
	}
}

/* The fields of a structure have its tolerances. */
static void load_tolerances(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const struct at_config_node *rtol = at_config_find(group, "rtol");
	const struct at_config_node *atol = at_config_find(group, "atol");
	const struct at_config_node *outliers = at_config_find(group, "outliers");

	if (outliers && (argument->has_fields || argument->outliers > OUTLIERS_MOST))
		at_spec_fail(loader, outliers->line,
			argument->has_fields
				? "\"outliers\" of %s: a structure has none"
				: "\"outliers\" of %s is %g: expected the part of its values that rounding may decide, %g at most",
			what, argument->outliers, OUTLIERS_MOST);
	if (argument->has_fields)
		return;
	if (rtol)
		at_spec_read_tolerance(loader, rtol, "rtol", what, &argument->rtol);
	if (atol)
		at_spec_read_tolerance(loader, atol, "atol", what, &argument->atol);
}

/* The copies for a variable or another type, and the fields of a structure, have no row
   padding. */
static void check_rows(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	const struct at_argument *argument)
{
	const struct at_texture_spec *rows = &argument->texture;

	if (!rows->width && !rows->pitch)
		return;
	at_spec_require(loader, group, what, "width", "width = \"W\";");
	at_spec_require(loader, group, what, "pitch", "pitch = \"PITCH\"; in bytes");
	at_spec_check_slots(loader, rows->width, "width", argument->name);
	at_spec_check_slots(loader, rows->pitch, "pitch", argument->name);
	if (argument->has_fields || argument->type_parameter || argument->symbol)
		at_spec_fail(loader, at_config_find(group, "pitch")->line,
			"\"pitch\" of %s: rows have padding only in buffers of numbers, without a \"symbol\" and without a type that a parameter chooses",
			what);
}

static void load_buffer(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const struct at_config_node *domain = at_config_find(group, "domain");

	if (argument->access == AT_ACCESS_IN || argument->access == AT_ACCESS_INOUT)
		load_fill(loader, group, what, argument);
	if (domain && (argument->is_fixed || argument->symbol))
		at_spec_fail(loader, domain->line, "\"domain\" of %s: %s", what,
			argument->is_fixed
				? "what is \"fixed\" has no values but those of its fill"
				: "the contents of an argument with a \"symbol\" are the same in all cases");
	if (domain && argument->fill.kind)
		at_spec_load_domain(loader, domain, argument);
	check_symbol(loader, at_config_find(group, "symbol"), what, argument->symbol);
	check_rows(loader, group, what, argument);
	load_tolerances(loader, group, what, argument);
}

/* The values of "kind", and the names in messages, from AT_ARGUMENT_MAP on. */
static const char *const kinds[][2] = {
	{ "tensor_map", "a tensor map" },
	{ "texture", "a texture" },
	{ "surface", "a surface" },
};

const char *at_argument_described(const struct at_argument *argument)
{
	return kinds[argument->texture.kind][1];
}

/* A tensor map, a texture and a surface describe a buffer, which has type, contents and
   access. */
static void load_described(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	struct at_argument *argument)
{
	const struct at_config_node *kind = at_config_find(node, "kind");
	const struct at_tensor_map_spec *map = &argument->map;
	size_t number = 0;
	char reason[80];
	const struct {
		const char *key;
		size_t count, expected;
	} lists[] = {
		{ "box", map->box.count, map->dims.count },
		{ "strides", map->strides.count, map->dims.count - 1 },
		{ "element_strides", map->steps.count, map->dims.count },
	};

	while (number < AT_COUNT_OF(kinds) && kind->kind == AT_CONFIG_STRING &&
		strcmp(kind->text, kinds[number][0]) != 0)
		number++;
	if (number == AT_COUNT_OF(kinds) || kind->kind != AT_CONFIG_STRING)
		at_spec_fail(loader, kind->line,
			"\"kind\" of %s: expected \"tensor_map\", \"texture\" or \"surface\"; scalars and buffers have none",
			what);
	argument->access = AT_ACCESS_NONE;
	argument->is_fixed = true;
	argument->element = AT_ELEMENT_U64;
	argument->texture.kind = (enum at_texture_kind)number;
	snprintf(reason, sizeof(reason),
		"%s has none: it belongs to the buffer, or to another kind",
		kinds[number][1]);
	at_spec_check_kind(loader, node, what, AT_GROUP_ARGUMENT,
		AT_ARGUMENT_MAP + (unsigned)number, reason);
	if (argument->texture.kind)
		at_spec_require(loader, node, what, "width", "width = \"W\";");
	if (argument->texture.depth && !argument->texture.height)
		at_spec_require(loader, node, what, "height", "height = \"H\";");
	for (size_t i = 0; i < AT_COUNT_OF(lists); i++)
		if (at_config_find(node, lists[i].key) &&
			lists[i].count != lists[i].expected)
			at_spec_fail(loader, at_config_find(node, lists[i].key)->line,
				"\"%s\" of %s has %zu numbers: expected %zu, since \"dims\" has %zu",
				lists[i].key, what, lists[i].count, lists[i].expected,
				map->dims.count);
}

/* Finds the described buffer, which may follow later. */
static void find_buffer(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_argument *argument)
{
	const struct at_config_node *of = at_config_find(node, "of");
	const struct at_argument *buffer;
	char what[128];
	size_t index;

	snprintf(what, sizeof(what), "\"of\" of argument \"%.80s\"", argument->name);
	if (of->kind != AT_CONFIG_STRING)
		at_spec_fail_type(loader, of, what, "a string");
	at_spec_find_argument(loader, of, what, &index);
	buffer = &loader->spec->arguments[index];
	if (buffer->access == AT_ACCESS_NONE)
		at_spec_fail(loader, of->line, "%s: \"%.80s\" is %s: expected a buffer",
			what, buffer->name,
			buffer->value || buffer->has_fields
				? "a scalar"
				: at_argument_described(buffer));
	argument->of = index + 1;
}

static void load_argument(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_argument *argument)
{
	const struct at_config_node *name = at_config_find(node, "name");
	const struct at_config_node *value = at_config_find(node, "value");
	const struct at_config_node *type = at_config_find(node, "type");
	/* an array of pointers also has a value */
	bool is_array = value && type && type->kind == AT_CONFIG_STRING &&
			strchr(type->text, '*');
	bool buffer = at_config_find(node, "count") != NULL && !is_array;
	char what[128] = "an argument";

	argument->line = node->line;
	argument->lanes = 1;
	/* NAN: not given, so those of "verify" apply. */
	argument->rtol = NAN;
	argument->atol = NAN;
	argument->texture.address.value = AT_TEXTURE_CLAMP;
	if (name && name->kind == AT_CONFIG_STRING)
		snprintf(what, sizeof(what), "argument \"%.80s\"", name->text);
	at_spec_read(loader, node, what, AT_GROUP_ARGUMENT, argument);
	if (at_config_find(node, "kind")) {
		load_described(loader, node, what, argument);
		return;
	}
	at_spec_require(loader, node, what, "type", "type = \"float\"; or the like");
	if (buffer == (value != NULL))
		at_spec_fail(loader, node->line,
			"%s has %s \"count\" %s \"value\": expected a count of elements for a buffer or the value of a scalar",
			what, buffer ? "both" : "neither", buffer ? "and" : "nor");
	if (buffer)
		at_spec_require(loader, node, what, "access",
			"access = \"in\", \"out\", \"inout\" or \"scratch\";");
	if (value)
		argument->access = AT_ACCESS_NONE;
	if (argument->stride && !(is_array && argument->count))
		at_spec_fail(loader, at_config_find(node, "stride")->line,
			"\"stride\" of %s: only an array of pointers has one, with \"count\" and \"value\"",
			what);
	at_spec_check_kind(loader, node, what, AT_GROUP_ARGUMENT, argument->access,
		value ? "an argument with a \"value\" is a scalar and has none" : NULL);
	load_type(loader, node, what, argument);
	if (buffer)
		load_buffer(loader, node, what, argument);
	else
		load_scalar(loader, value, what, argument);
}

/* Rejects a name or a symbol that an earlier argument has. */
static void check_twice(
	struct at_spec_loader *loader, const struct at_argument *argument)
{
	const struct at_argument *other = loader->spec->arguments;

	for (; other < argument; other++) {
		if (!strcmp(other->name, argument->name))
			at_spec_fail(loader, argument->line,
				"argument \"%.80s\" is given twice, first in line %d",
				argument->name, other->line);
		if (other->symbol && argument->symbol &&
			!strcmp(other->symbol, argument->symbol))
			at_spec_fail(loader, argument->line,
				"argument \"%.80s\" has the symbol \"%.80s\" of argument \"%.80s\" in line %d",
				argument->name, argument->symbol, other->name,
				other->line);
	}
}

/* An upper bound of the number of fields, for the size of spec->arguments. */
static size_t count_fields(
	struct at_spec_loader *loader, const struct at_config_node *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct at_config_node *type =
			at_config_find(&list->children[i], "type");
		const struct at_spec_structure *structure = NULL;

		if (type && type->kind == AT_CONFIG_STRING)
			structure = at_spec_find_structure(loader, type->text);
		if (structure)
			count += structure->field_count;
	}
	if (count > ARGUMENTS_MAX)
		at_spec_fail(loader, list->line,
			"\"arguments\" have %zu fields of structures: expected %d at the most",
			count, ARGUMENTS_MAX);
	return count;
}

/* Pointers. */

bool at_spec_cut_pointer(char *type)
{
	size_t length = strlen(type);

	if (!length || type[length - 1] != '*')
		return false;
	while (length && (type[length - 1] == '*' || type[length - 1] == ' '))
		if (type[--length] == '*' && strchr(type, '*') != type + length)
			return false;
	type[length] = '\0';
	if (!strncmp(type, "const ", 6))
		memmove(type, type + 6, length - 5);
	return type[0] != '\0';
}

/* Whether the buffer has elements of the named type, or vectors of it. */
static bool has_type(const struct at_argument *buffer, const char *type)
{
	enum at_element element;
	int lanes;

	if (buffer->has_fields)
		return !strcmp(buffer->type, type);
	return at_element_find(type, &element, &lanes) && element == buffer->element;
}

void at_spec_load_pointer(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *pointee,
	struct at_argument *out)
{
	struct at_spec *spec = loader->spec;
	char where[200], name[128];
	struct at_config_node named = *node;
	const struct at_argument *buffer;
	size_t index, length;
	const char *rest;

	out->is_pointer = out->is_fixed = true;
	snprintf(where, sizeof(where), "\"value\" of %s", what);
	if (node->kind != AT_CONFIG_STRING)
		at_spec_fail_type(loader, node, where,
			"a buffer and an offset, \"x + N\", or \"null\"");
	if (!strcmp(node->text, "null")) {
		at_spec_compile(loader, "0", node->line, &out->value);
		return;
	}
	length = strcspn(node->text, " +");
	snprintf(name, sizeof(name), "%.*s", length > 127 ? 127 : (int)length,
		node->text);
	named.text = name;
	at_spec_find_argument(loader, &named, where, &index);
	buffer = &spec->arguments[index];
	if (buffer->access == AT_ACCESS_NONE)
		at_spec_fail(loader, node->line,
			"%s: \"%.80s\" is no buffer: expected an argument with an access",
			where, name);
	if (!has_type(buffer, pointee))
		at_spec_fail(loader, node->line,
			"%s: \"%.80s\" has elements of type \"%s\", and the pointer is to \"%.80s\"",
			where, name,
			buffer->has_fields ? buffer->type
					   : at_element_name(buffer->element),
			pointee);
	out->points_to = index + 1;
	rest = node->text + length;
	rest += strspn(rest, " ");
	if (*rest && *rest != '+')
		at_spec_fail(loader, node->line,
			"%s is \"%.160s\": expected a buffer, or \"%.80s + OFFSET\" in elements",
			where, node->text, name);
	loader->names.has_step = at_config_find(loader->root, "launches") != NULL;
	at_spec_compile(loader, *rest ? rest + 1 : "0", node->line, &out->value);
	loader->names.has_step = false;
	at_spec_note_step(loader, out);
}

/* The arguments that are pointers; fields are read in spec_types.c. */
static void load_pointers(
	struct at_spec_loader *loader, const struct at_config_node *list)
{
	struct at_spec *spec = loader->spec;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_config_node *node = &list->children[i];
		char pointee[64], what[128];

		/* an argument that describes a buffer has no type */
		if (spec->arguments[i].of)
			continue;
		snprintf(what, sizeof(what), "argument \"%.80s\"",
			spec->arguments[i].name);
		snprintf(pointee, sizeof(pointee), "%s",
			at_config_find(node, "type")->text);
		if (spec->arguments[i].is_pointer && !spec->arguments[i].value &&
			at_spec_cut_pointer(pointee))
			at_spec_load_pointer(loader, at_config_find(node, "value"),
				what, pointee, &spec->arguments[i]);
		if (spec->arguments[i].count && spec->arguments[i].is_pointer &&
			!spec->arguments[i].points_to)
			at_spec_fail(loader, spec->arguments[i].line,
				"%s is an array of null pointers: expected pointers to a buffer, value = \"x\"",
				what);
	}
}

void at_spec_load_arguments(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "arguments");
	struct at_spec *spec = loader->spec;

	if (!node)
		return;
	at_spec_check_list(loader, node, "\"arguments\"",
		"a list of groups ( { name = ...; }, ... )");
	if (node->count > ARGUMENTS_MAX)
		at_spec_fail(loader, node->line,
			"\"arguments\" has %zu arguments: expected %d at the most",
			node->count, ARGUMENTS_MAX);
	spec->arguments = at_spec_allocate(loader,
		3 * node->count + count_fields(loader, node) + 1,
		sizeof(*spec->arguments));
	for (size_t i = 0; i < node->count; i++) {
		spec->argument_count++;
		spec->given_count++;
		load_argument(loader, &node->children[i], &spec->arguments[i]);
		check_twice(loader, &spec->arguments[i]);
	}
	for (size_t i = 0; i < node->count; i++)
		if (at_config_find(&node->children[i], "kind"))
			find_buffer(loader, &node->children[i], &spec->arguments[i]);
	load_pointers(loader, node);
	at_spec_add_copies(loader);
	at_spec_load_fields(loader, node);
}

void at_spec_find_argument(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, size_t *out)
{
	const struct at_spec *spec = loader->spec;
	const char *names[ARGUMENTS_MAX + 1];
	char suggestion[256];

	for (size_t i = 0; i < spec->given_count; i++) {
		names[i] = spec->arguments[i].name;
		if (!strcmp(node->text, names[i])) {
			*out = i;
			return;
		}
	}
	at_spec_fail(loader, node->line, "%s: unknown argument \"%.80s\"%s", what,
		node->text,
		at_spec_suggestion(node->text, names, spec->given_count, suggestion,
			sizeof(suggestion)));
}

void at_spec_read_argument_names(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, size_t **out,
	size_t *count)
{
	at_spec_check_strings(loader, node, what);
	if (node->count > ARGUMENTS_MAX)
		at_spec_fail(loader, node->line, "%s: expected %d names at the most",
			what, ARGUMENTS_MAX);
	*out = at_spec_allocate(loader, node->count + 1, sizeof(**out));
	for (size_t i = 0; i < node->count; i++) {
		const struct at_config_node *name = &node->children[i];

		at_spec_find_argument(loader, name, what, &(*out)[i]);
		/* One buffer for two pointers is likely a typo, and wrong if the kernel
		   declares them __restrict__. */
		for (size_t k = 0; k < i; k++)
			if ((*out)[k] == (*out)[i] &&
				loader->spec->arguments[(*out)[i]].count)
				at_spec_fail(loader, name->line,
					"%s: the buffer \"%.80s\" is given twice: name another buffer",
					what, name->text);
		*count = i + 1;
	}
}
