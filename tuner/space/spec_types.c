/*
 * Structures: types = { Particle = ( "float3 position", "float mass" ); }; and the
 * fields of arguments that have such a type. Each field becomes an argument of its own,
 * behind those that the file gives. It is filled and compared like any argument, but
 * its values lie inside the elements of the argument that has it, which owns the
 * memory.
 */
#include "space/spec_load.h"

#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_MAX_BYTES = 64,
	COMPONENTS_MAX = AT_STRUCTURE_BYTES_MAX,
};

static enum at_status read_structure(const struct at_spec_loader *loader,
	const struct at_config_node *node, int depth, struct at_spec_structure *out);

static enum at_status fail_field(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *why)
{
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"field \"%.80s\" of %s: %s", node->text, what, why);
}

static size_t round_up(size_t value, size_t step)
{
	return (value + step - 1) / step * step;
}

/* The 4 of "[4]" behind a name; 1 for an empty text, 0 for anything else. */
static size_t read_count(const char *text)
{
	char *end;
	unsigned long count;

	if (!*text)
		return 1;
	if (*text != '[' || !isdigit((unsigned char)text[1]))
		return 0;
	count = strtoul(text + 1, &end, 10);
	if (strcmp(end, "]") || count > COMPONENTS_MAX)
		return 0;
	return count;
}

/* Splits "unsigned char kind" or "Vec3 corners[2]" into type and name; *behind gets the
   rest. Returns false unless there are both, and they fit. */
static bool split_field(const char *text, char *type, char *name, const char **behind)
{
	const char *end = text + strcspn(text, "[;"), *from;
	size_t length;

	*behind = end;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	from = end;
	while (from > text && (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
		from--;
	length = (size_t)(from - text);
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	if (!length || from == end || isdigit((unsigned char)*from) ||
		end - from >= NAME_MAX_BYTES || length >= NAME_MAX_BYTES)
		return false;
	snprintf(type, NAME_MAX_BYTES, "%.*s", (int)length, text);
	snprintf(name, NAME_MAX_BYTES, "%.*s", (int)(end - from), from);
	return true;
}

static enum at_status fail_type(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *type)
{
	const struct at_config_node *types = at_config_find(loader->root, "types");
	const char *names[AT_ELEMENT_NAMES_MAX + FIELDS_MAX];
	char reason[400], suggestion[256];
	size_t count = 0;

	while (count < AT_ELEMENT_NAMES_MAX && at_element_name_at(count)) {
		names[count] = at_element_name_at(count);
		count++;
	}
	for (size_t i = 0; types && i < types->count && count < AT_COUNT_OF(names); i++)
		names[count++] = types->children[i].name;
	if (strchr(type, '*'))
		return fail_field(loader, node, what,
			"a structure of the space holds no pointer: have the kernel take the buffer as an argument of its own");
	snprintf(reason, sizeof(reason), "unknown type \"%s\"%s", type,
		at_spec_suggestion(type, names, count, suggestion, sizeof(suggestion)));
	return fail_field(loader, node, what, reason);
}

static enum at_status add_field(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	const struct at_spec_field *field, struct at_spec_structure *out)
{
	if (out->field_count == FIELDS_MAX)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s has more than %d fields, with those of the structures in it",
			what, FIELDS_MAX);
	out->fields[out->field_count++] = *field;
	return AT_OK;
}

/* Adds the fields of `inner`, which is a field of `out` with count elements. */
static enum at_status add_structure(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *name,
	size_t count, bool is_array, const struct at_spec_structure *inner,
	struct at_spec_structure *out)
{
	size_t offset = round_up(out->bytes, inner->alignment);
	char index[24] = "";
	enum at_status status = AT_OK;

	if (count > FIELDS_MAX)
		count = FIELDS_MAX + 1; /* add_field() refuses the last */
	for (size_t i = 0; i < count && !status; i++)
		for (size_t k = 0; k < inner->field_count && !status; k++) {
			struct at_spec_field field = inner->fields[k];
			int length;

			if (is_array)
				snprintf(index, sizeof(index), "[%zu]", i);
			length = snprintf(field.name, sizeof(field.name), "%s%s.%s",
				name, index, inner->fields[k].name);
			if ((size_t)length >= sizeof(field.name))
				return fail_field(loader, node, what,
					"the names of structures and fields are too long");
			field.offset_bytes += offset + i * inner->bytes;
			status = add_field(loader, node, what, &field, out);
		}
	out->bytes = offset + count * inner->bytes;
	if (inner->alignment > out->alignment)
		out->alignment = inner->alignment;
	return status;
}

/* Appends the field in item `index` of list, "unsigned char kind" or "float
   weights[4]", to out. depth: how many structures contain this one. */
static enum at_status read_field(const struct at_spec_loader *loader,
	const struct at_config_node *owner, const struct at_config_node *list,
	size_t index, const char *what, int depth, struct at_spec_structure *out)
{
	const struct at_config_node *node = &list->children[index], *type_node;
	const struct at_config_node *types = at_config_find(loader->root, "types");
	char type[NAME_MAX_BYTES], name[NAME_MAX_BYTES], other[NAME_MAX_BYTES];
	char other_type[NAME_MAX_BYTES];
	struct at_spec_field field = { 0 };
	struct at_spec_structure inner;
	const char *end, *behind;
	size_t count, alignment;
	enum at_status status;
	int lanes;

	if (!split_field(node->text, type, name, &end))
		return fail_field(loader, node, what,
			"expected a type and a name, as in \"float3 position\" or \"int cells[4]\"");
	for (size_t i = 0; i < index; i++)
		if (split_field(list->children[i].text, other_type, other, &behind) &&
			!strcmp(other, name))
			return fail_field(
				loader, node, what, "the name is given twice");
	count = read_count(end);
	if (!count)
		return fail_field(loader, node, what,
			"expected nothing, or a number as in \"int cells[4]\", behind the name");
	type_node = at_config_find(types, type);
	if (at_element_find(type, &field.element, &lanes)) {
		alignment = at_element_alignment(field.element, lanes);
		snprintf(field.name, sizeof(field.name), "%s", name);
		field.offset_bytes = round_up(out->bytes, alignment);
		field.lanes = lanes * (int)count;
		out->alignment =
			alignment > out->alignment ? alignment : out->alignment;
		out->bytes = field.offset_bytes +
			     at_element_bytes(field.element) * (size_t)field.lanes;
		status = add_field(loader, node, what, &field, out);
	} else if (!type_node) {
		return fail_type(loader, node, what, type);
	} else if (type_node >= owner) {
		/* Only structures given before may be used, as in C++: none contains
		   itself. */
		return fail_field(loader, node, what,
			type_node == owner
				? "a structure has none of its own kind in it"
				: "the structure is given further down: put it ahead of this one");
	} else if (depth + 1 >= NESTING_MAX) {
		return fail_field(
			loader, node, what, "too many structures in one another");
	} else {
		status = read_structure(loader, type_node, depth + 1, &inner);
		if (!status)
			status = add_structure(loader, node, what, name, count,
				strchr(end, '[') != NULL, &inner, out);
	}
	if (!status && out->bytes > AT_STRUCTURE_BYTES_MAX)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s has more than %d bytes", what, AT_STRUCTURE_BYTES_MAX);
	return status;
}

/* Reads align of { fields = ( ... ); align = 16; }, which means __align__(16). */
static enum at_status read_alignment(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_spec_structure *out)
{
	const struct at_config_node *node = at_config_find(group, "align");

	if (!node)
		return AT_OK;
	if (node->kind != AT_CONFIG_INTEGER ||
		node->integer < (int64_t)out->alignment ||
		node->integer > ALIGNMENT_MAX || (node->integer & (node->integer - 1)))
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"align\" of %s: expected a power of two from %zu to %d", what,
			out->alignment, ALIGNMENT_MAX);
	out->alignment = (size_t)node->integer;
	return AT_OK;
}

static enum at_status read_structure(const struct at_spec_loader *loader,
	const struct at_config_node *node, int depth, struct at_spec_structure *out)
{
	const struct at_config_node *list = node;
	char what[128], where[160];
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	out->alignment = 1;
	snprintf(what, sizeof(what), "the structure \"%.80s\"", node->name);
	if (node->kind == AT_CONFIG_GROUP) {
		status = at_spec_check_group(loader, node, what, AT_GROUP_STRUCTURE);
		if (!status)
			status = at_spec_require(loader, node, what, "fields",
				"fields = ( \"float3 position\", \"float mass\" );");
		list = at_config_find(node, "fields");
	}
	snprintf(where, sizeof(where), "the fields of %s", what);
	if (!status)
		status = at_spec_check_strings(loader, list, where);
	if (!status && (!list->count || list->count > FIELDS_MAX))
		status = at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s has %zu fields: expected 1 to %d", what, list->count,
			FIELDS_MAX);
	for (size_t i = 0; !status && i < list->count; i++)
		status = read_field(loader, node, list, i, what, depth, out);
	if (!status && node->kind == AT_CONFIG_GROUP)
		status = read_alignment(loader, node, what, out);
	if (!status)
		out->bytes = round_up(out->bytes, out->alignment);
	return status;
}

enum at_status at_spec_load_types(struct at_spec_loader *loader)
{
	const struct at_config_node *types = at_config_find(loader->root, "types");
	struct at_spec_structure structure;
	enum at_element element;
	enum at_status status = AT_OK;
	int lanes;

	if (!types)
		return AT_OK;
	if (types->kind != AT_CONFIG_GROUP)
		return at_spec_fail_type(loader, types, "\"types\"",
			"a group { NAME = ( \"float3 position\", \"float mass\" ); }");
	for (size_t i = 0; i < types->count && !status; i++) {
		const struct at_config_node *node = &types->children[i];

		if (at_element_find(node->name, &element, &lanes))
			status = at_fail(loader->err, AT_EINVAL, loader->file,
				node->line,
				"\"types\" has \"%.80s\", which is a type already",
				node->name);
		else
			status = read_structure(loader, node, 0, &structure);
	}
	return status;
}

enum at_status at_spec_find_structure(const struct at_spec_loader *loader,
	const char *name, struct at_spec_structure *out)
{
	const struct at_config_node *types = at_config_find(loader->root, "types");
	const struct at_config_node *node = NULL;

	memset(out, 0, sizeof(*out));
	if (types && types->kind == AT_CONFIG_GROUP)
		node = at_config_find(types, name);
	return node ? read_structure(loader, node, 0, out) : AT_OK;
}

/* ---- the fields of an argument --------------------------------------------------- */

/* Moves *at behind the first name of a path, "corners" of "corners[1].x", and its dot.
   Returns the name's length; *index gets the number in brackets, or -1. */
static size_t next_step(const char **at, long *index)
{
	size_t length = strcspn(*at, "[.");
	const char *end = *at + length;

	*index = -1;
	if (*end == '[') {
		*index = strtol(end + 1, NULL, 10);
		end += strcspn(end, ".");
	}
	*at = *end ? end + 1 : end;
	return length;
}

bool at_spec_is_field(const char *field, const char *path, bool *is_whole)
{
	long index;

	while (*path && *field) {
		const char *a = field, *b = path;
		size_t length = next_step(&field, &index);

		if (next_step(&path, &index) != length || memcmp(a, b, length) != 0)
			return false;
	}
	*is_whole = *field != '\0';
	return !*path;
}

/* Refuses keys of a group that name no field. The group stands for the fields that
   begin with `prefix`; its keys are the next steps of their paths. */
static enum at_status check_field_names(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	const struct at_spec_structure *structure, const char *prefix, size_t length)
{
	char steps[FIELDS_MAX][NAME_MAX_BYTES];
	const char *names[FIELDS_MAX];
	size_t count = 0;
	long index;

	for (size_t i = 0; i < structure->field_count; i++) {
		const char *at = structure->fields[i].name + length;
		const char *from = at;

		if (strncmp(structure->fields[i].name, prefix, length) != 0)
			continue;
		snprintf(steps[count], NAME_MAX_BYTES, "%.*s",
			(int)next_step(&at, &index), from);
		names[count] = steps[count];
		count += !count || strcmp(steps[count], steps[count - 1]) != 0;
	}
	return at_spec_check_keys(loader, group, what, names, count);
}

/* The number of elements of the array of structures at path[0..length). */
static size_t count_of_array(
	const struct at_spec_structure *structure, const char *path, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < structure->field_count; i++)
		if (!strncmp(structure->fields[i].name, path, length) &&
			structure->fields[i].name[length] == '[') {
			long index = strtol(
				structure->fields[i].name + length + 1, NULL, 10);

			count = (size_t)index >= count ? (size_t)index + 1 : count;
		}
	return count;
}

/* What a key of an argument ("fill", "domain", "value", "rtol", "atol") says about a
   field. */
struct found {
	const struct at_config_node *node; /* NULL: it says nothing */
	const struct at_config_node *group; /* that has node; or the argument */
	bool is_whole; /* said of a structure that contains the field */
};

/*
 * Finds what a key says about a field, as in { position = { x = ...; }; corners = ( { x
 * = ...; }, { x = ...; } ); }. Groups follow the structures; for an array of structures
 * a list has one group per element. What is no group holds for all fields below.
 */
static enum at_status find_for_field(const struct at_spec_loader *loader,
	const struct at_config_node *owner, const char *key, const char *what,
	const struct at_spec_structure *structure, size_t field, struct found *out)
{
	const char *path = structure->fields[field].name, *at = path;
	char where[200], step[NAME_MAX_BYTES];
	enum at_status status = AT_OK;
	size_t length;
	long index;

	out->node = at_config_find(owner, key);
	out->group = owner;
	snprintf(where, sizeof(where), "\"%s\" of %s", key, what);
	while (*at && out->node && out->node->kind == AT_CONFIG_GROUP && !status) {
		const struct at_config_node *group = out->node, *list;
		const char *from = at;

		status = check_field_names(
			loader, group, where, structure, path, (size_t)(at - path));
		length = next_step(&at, &index);
		snprintf(step, sizeof(step), "%.*s", (int)length, from);
		list = out->node = at_config_find(group, step);
		out->group = group;
		if (status || !list || list->kind != AT_CONFIG_LIST || index < 0)
			continue;
		length += (size_t)(from - path);
		if (list->count != count_of_array(structure, path, length))
			status = at_fail(loader->err, AT_EINVAL, loader->file,
				list->line,
				"%s has %zu values for \"%.*s\": expected %zu", where,
				list->count, (int)length, path,
				count_of_array(structure, path, length));
		else
			out->node = &list->children[index];
	}
	out->is_whole = *at != '\0';
	return status;
}

static enum at_status load_field_fill(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, struct at_argument *field)
{
	bool is_real = at_element_kind(field->element) == AT_ELEMENT_KIND_REAL;
	enum at_status status;

	field->is_unsaid = !node;
	if (!node)
		return at_spec_parse_fill(loader,
			is_real ? "uniform(-1, 1)" : "uniform(0, 100)", field->line,
			field, &field->fill);
	if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(
			loader, node, what, "a string such as \"uniform(-1, 1)\"");
	status =
		at_spec_parse_fill(loader, node->text, node->line, field, &field->fill);
	if (status)
		return status;
	if (field->fill.kind == AT_FILL_FILE)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s: a field has no file of its own: fill = \"file('path')\" gives whole structures",
			what);
	return AT_OK;
}

static enum at_status load_field_tolerance(const struct at_spec_loader *loader,
	const struct at_config_node *owner, const char *key, const char *what,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *field, double *out)
{
	struct found found;
	char where[200];
	enum at_status status =
		find_for_field(loader, owner, key, what, structure, index, &found);

	if (status || !found.node)
		return status;
	/* A tolerance for all fields only means the reals: integers have to be equal
	   anyway. */
	if (found.is_whole && at_element_kind(field->element) != AT_ELEMENT_KIND_REAL)
		return AT_OK;
	if (!found.node->name)
		return at_spec_fail_type(loader, found.node, what,
			"one tolerance for all structures of an array");
	snprintf(where, sizeof(where), "%s", field->name);
	return at_spec_get_tolerance(loader, found.group, where, found.node->name,
		!strcmp(key, "rtol"), out);
}

/* For a scalar. Every field needs a value, since one left out would hold anything. */
static enum at_status load_field_value(struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_argument *argument,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *out)
{
	const char *path = structure->fields[index].name, *last = strrchr(path, '.');
	struct found found;
	char what[200];
	enum at_status status;

	snprintf(what, sizeof(what), "argument \"%.80s\"", argument->name);
	status = find_for_field(loader, node, "value", what, structure, index, &found);
	if (!status && !found.node)
		status = at_fail(loader->err, AT_EINVAL, loader->file,
			at_config_find(node, "value")->line,
			"\"value\" of %s says nothing of the field \"%s\": add %s = ...;",
			what, path, last ? last + 1 : path);
	else if (!status && found.is_whole)
		status = at_spec_fail_type(loader, found.node, what,
			"a group with each field of the structure in \"value\", { FIELD = \"1\"; }");
	if (status)
		return status;
	snprintf(what, sizeof(what), "\"%.100s\"", out->name);
	return at_spec_load_values(loader, found.node, what, out);
}

static enum at_status load_field_data(struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_argument *argument,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *out)
{
	struct found found;
	char what[200], owner[128];
	enum at_status status;

	snprintf(owner, sizeof(owner), "argument \"%.80s\"", argument->name);
	snprintf(what, sizeof(what), "\"fill\" of \"%.150s\"", out->name);
	status = find_for_field(loader, node, "fill", owner, structure, index, &found);
	if (!status)
		status = load_field_fill(loader, found.node, what, out);
	if (!status)
		status = find_for_field(
			loader, node, "domain", owner, structure, index, &found);
	if (status || !found.node)
		return status;
	if (found.group == node)
		return at_spec_fail_type(loader, found.node, owner,
			"a group in \"domain\": { FIELD = [ lowest, highest ]; }");
	return at_spec_load_domain(loader, found.node, out);
}

static enum at_status load_field(struct at_spec_loader *loader,
	const struct at_config_node *node, size_t owner,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *out)
{
	const struct at_argument *argument = &loader->spec->arguments[owner];
	const struct at_spec_field *field = &structure->fields[index];
	struct at_strbuf name = { 0 };
	char what[128];
	enum at_status status;

	out->line = argument->line;
	out->rtol = out->atol = NAN;
	out->owner = owner + 1;
	out->offset_bytes = field->offset_bytes;
	out->element = field->element;
	out->lanes = field->lanes;
	out->is_fixed = argument->is_fixed;
	at_strbuf_addf(&name, "%s.%s", argument->name, field->name);
	out->name = at_strbuf_detach(&name);
	if (argument->access == AT_ACCESS_NONE)
		return load_field_value(loader, node, argument, structure, index, out);
	snprintf(what, sizeof(what), "argument \"%.80s\"", argument->name);
	status = load_field_tolerance(
		loader, node, "rtol", what, structure, index, out, &out->rtol);
	if (!status)
		status = load_field_tolerance(
			loader, node, "atol", what, structure, index, out, &out->atol);
	if (status || argument->fill.kind == AT_FILL_FILE ||
		(argument->access != AT_ACCESS_IN &&
			argument->access != AT_ACCESS_INOUT))
		return status;
	return load_field_data(loader, node, argument, structure, index, out);
}

enum at_status at_spec_load_fields(
	struct at_spec_loader *loader, const struct at_config_node *list)
{
	struct at_spec *spec = loader->spec;
	struct at_spec_structure structure;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->given_count && !status; i++) {
		const struct at_config_node *node = &list->children[i];

		/* Scratch buffers are poisoned as a whole and never compared, so their
		   fields matter to nobody. */
		if (!spec->arguments[i].has_fields ||
			spec->arguments[i].access == AT_ACCESS_SCRATCH)
			continue;
		status = at_spec_find_structure(
			loader, at_config_find(node, "type")->text, &structure);
		for (size_t k = 0; k < structure.field_count && !status; k++)
			status = load_field(loader, node, i, &structure, k,
				&spec->arguments[spec->argument_count++]);
	}
	return status;
}
