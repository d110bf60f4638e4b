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

static bool read_structure(struct at_spec_loader *loader,
	const struct at_config_node *node, int depth, struct at_spec_structure *out);

static bool fail_field(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, const char *why)
{
	return at_spec_fail(
		loader, node->line, "field \"%.80s\" of %s: %s", node->text, what, why);
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

bool at_spec_fail_element(
	struct at_spec_loader *loader, int line, const char *what, const char *type)
{
	/* Their sizes differ: the same file would have other buffers on Windows. */
	static const char *const ambiguous[][2] = { { "long", "long long" },
		{ "long int", "long long" }, { "unsigned long", "unsigned long long" },
		{ "ulong", "unsigned long long" } };
	const struct at_config_node *types = at_config_find(loader->root, "types");
	const char *names[AT_ELEMENT_NAMES_MAX + FIELDS_MAX];
	char bare[NAME_MAX_BYTES], suggestion[256];
	size_t count = 0, length;

	for (size_t i = 0; i < AT_COUNT_OF(ambiguous); i++)
		if (!strcmp(type, ambiguous[i][0]))
			return at_spec_fail(loader, line,
				"the type \"%s\" of %s differs in size between systems: write \"%s\"",
				type, what, ambiguous[i][1]);
	if (!strcmp(type, "CUtensorMap"))
		return at_spec_fail(loader, line,
			"the type \"%s\" of %s: a tensor map has kind = \"tensor_map\"; of = \"BUFFER\"; in place of a type",
			type, what);
	while (count < AT_ELEMENT_NAMES_MAX && at_element_name_at(count)) {
		names[count] = at_element_name_at(count);
		count++;
	}
	for (size_t i = 0; types && i < types->count && count < AT_COUNT_OF(names); i++)
		names[count++] = types->children[i].name;
	/* "const struct Cell *" means "Cell". */
	snprintf(bare, sizeof(bare), "%s", type + 6 * !strncmp(type, "const ", 6));
	if (!strncmp(bare, "struct ", 7))
		memmove(bare, bare + 7, strlen(bare + 7) + 1);
	length = strcspn(bare, "*&[");
	while (length && bare[length - 1] == ' ')
		length--;
	bare[length] = '\0';
	return at_spec_fail(loader, line, "unknown type \"%.80s\" of %s%s%s", type,
		what,
		at_spec_suggestion(bare, names, count, suggestion, sizeof(suggestion)),
		strpbrk(type, "*&[")
			? " A buffer has the type of its elements; a pointer, as in \"float *\", is an argument or a field with a \"value\""
		: !strncmp(type, "struct ", 7)
			? "; its fields stand in the section \"types\", and its name alone here"
			: "");
}

static bool add_field(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, const struct at_spec_field *field,
	struct at_spec_structure *out)
{
	if (out->field_count == FIELDS_MAX)
		return at_spec_fail(loader, node->line,
			"%s has more than %d fields, with those of the structures in it",
			what, FIELDS_MAX);
	out->fields[out->field_count++] = *field;
	return true;
}

/* Adds the fields of `inner`, which is a field of `out` with count elements. */
static bool add_structure(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *name,
	size_t count, bool is_array, const struct at_spec_structure *inner,
	struct at_spec_structure *out)
{
	size_t offset = round_up(out->bytes, inner->alignment);
	char index[24] = "";
	bool ok = true;

	if (count > FIELDS_MAX)
		count = FIELDS_MAX + 1; /* add_field() refuses the last */
	for (size_t i = 0; i < count && ok; i++)
		for (size_t k = 0; k < inner->field_count && ok; k++) {
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
			ok = add_field(loader, node, what, &field, out);
		}
	out->bytes = offset + count * inner->bytes;
	if (inner->alignment > out->alignment)
		out->alignment = inner->alignment;
	return ok;
}

/* Appends the field in item `index` of list, "unsigned char kind" or "float
   weights[4]", to out. depth: how many structures contain this one. */
static bool read_field(struct at_spec_loader *loader,
	const struct at_config_node *owner, const struct at_config_node *list,
	size_t index, const char *what, int depth, struct at_spec_structure *out)
{
	const struct at_config_node *node = &list->children[index], *type_node;
	const struct at_config_node *types = at_config_find(loader->root, "types");
	char type[NAME_MAX_BYTES], name[NAME_MAX_BYTES], other[NAME_MAX_BYTES];
	char other_type[NAME_MAX_BYTES], where[200];
	struct at_spec_field field = { 0 };
	struct at_spec_structure inner;
	const char *end, *behind;
	size_t count, alignment;
	bool ok;
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
	snprintf(field.pointee, sizeof(field.pointee), "%s", type);
	if (!at_spec_cut_pointer(field.pointee)) {
		field.pointee[0] = '\0';
	} else if (count > 1) {
		return fail_field(loader, node, what,
			"an array of pointers in a structure is not supported: write a field for each");
	} else if (at_element_find(field.pointee, &field.element, &lanes) ||
		   at_config_find(types, field.pointee)) {
		snprintf(type, sizeof(type), "unsigned long long");
	}
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
		ok = add_field(loader, node, what, &field, out);
	} else if (!type_node) {
		snprintf(where, sizeof(where), "field \"%.60s\" of %s", name, what);
		return at_spec_fail_element(loader, node->line, where, type);
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
		ok = read_structure(loader, type_node, depth + 1, &inner) &&
		     add_structure(loader, node, what, name, count,
			     strchr(end, '[') != NULL, &inner, out);
	}
	if (ok && out->bytes > AT_STRUCTURE_BYTES_MAX)
		return at_spec_fail(loader, node->line, "%s has more than %d bytes",
			what, AT_STRUCTURE_BYTES_MAX);
	return ok;
}

/* Reads align of { fields = ( ... ); align = 16; }, which means __align__(16). */
static bool read_alignment(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_spec_structure *out)
{
	const struct at_config_node *node = at_config_find(group, "align");

	if (!node)
		return true;
	if (node->kind != AT_CONFIG_INTEGER ||
		node->integer < (int64_t)out->alignment ||
		node->integer > ALIGNMENT_MAX || (node->integer & (node->integer - 1)))
		return at_spec_fail(loader, node->line,
			"\"align\" of %s: expected a power of two from %zu to %d", what,
			out->alignment, ALIGNMENT_MAX);
	out->alignment = (size_t)node->integer;
	return true;
}

static bool read_structure(struct at_spec_loader *loader,
	const struct at_config_node *node, int depth, struct at_spec_structure *out)
{
	const struct at_config_node *list = node;
	char what[128], where[160];
	bool ok = true;

	memset(out, 0, sizeof(*out));
	out->alignment = 1;
	snprintf(what, sizeof(what), "the structure \"%.80s\"", node->name);
	if (node->kind == AT_CONFIG_GROUP) {
		ok = at_spec_read(loader, node, what, AT_GROUP_STRUCTURE, NULL);
		list = at_config_find(node, "fields");
	}
	snprintf(where, sizeof(where), "the fields of %s", what);
	ok = ok && at_spec_check_strings(loader, list, where);
	if (ok && (!list->count || list->count > FIELDS_MAX))
		ok = at_spec_fail(loader, node->line,
			"%s has %zu fields: expected 1 to %d", what, list->count,
			FIELDS_MAX);
	for (size_t i = 0; ok && i < list->count; i++)
		ok = read_field(loader, node, list, i, what, depth, out);
	if (ok && node->kind == AT_CONFIG_GROUP)
		ok = read_alignment(loader, node, what, out);
	if (ok)
		out->bytes = round_up(out->bytes, out->alignment);
	return ok;
}

bool at_spec_load_types(struct at_spec_loader *loader)
{
	const struct at_config_node *types = at_config_find(loader->root, "types");
	struct at_spec_structure structure;
	enum at_element element;
	bool ok = true;
	int lanes;

	if (!types)
		return true;
	if (types->kind != AT_CONFIG_GROUP)
		return at_spec_fail_type(loader, types, "\"types\"",
			"a group { NAME = ( \"float3 position\", \"float mass\" ); }");
	for (size_t i = 0; i < types->count && ok; i++) {
		const struct at_config_node *node = &types->children[i];

		if (at_element_find(node->name, &element, &lanes))
			ok = at_spec_fail(loader, node->line,
				"\"types\" has \"%.80s\", which is a type already",
				node->name);
		else
			ok = read_structure(loader, node, 0, &structure);
	}
	return ok;
}

bool at_spec_find_structure(
	struct at_spec_loader *loader, const char *name, struct at_spec_structure *out)
{
	const struct at_config_node *types = at_config_find(loader->root, "types");
	const struct at_config_node *node = NULL;

	memset(out, 0, sizeof(*out));
	if (types && types->kind == AT_CONFIG_GROUP)
		node = at_config_find(types, name);
	return !node || read_structure(loader, node, 0, out);
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
static bool check_field_names(struct at_spec_loader *loader,
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
static bool find_for_field(struct at_spec_loader *loader,
	const struct at_config_node *owner, const char *key, const char *what,
	const struct at_spec_structure *structure, size_t field, struct found *out)
{
	const char *path = structure->fields[field].name, *at = path;
	const struct at_config_node *general = NULL;
	char where[200], step[NAME_MAX_BYTES];
	bool ok = true;
	size_t length;
	long index;

	out->node = at_config_find(owner, key);
	out->group = owner;
	snprintf(where, sizeof(where), "\"%s\" of %s", key, what);
	/* ( "uniform(0, 1)", { mass = ...; } ): what fields without their own get */
	if (out->node && out->node->kind == AT_CONFIG_LIST && out->node->count == 2 &&
		out->node->children[1].kind == AT_CONFIG_GROUP) {
		general = &out->node->children[0];
		out->node = &out->node->children[1];
	}
	while (*at && out->node && out->node->kind == AT_CONFIG_GROUP && ok) {
		const struct at_config_node *group = out->node, *list;
		const char *from = at;

		ok = check_field_names(
			loader, group, where, structure, path, (size_t)(at - path));
		length = next_step(&at, &index);
		snprintf(step, sizeof(step), "%.*s", (int)length, from);
		list = out->node = at_config_find(group, step);
		out->group = group;
		if (!ok || !list || list->kind != AT_CONFIG_LIST || index < 0)
			continue;
		length += (size_t)(from - path);
		if (list->count != count_of_array(structure, path, length))
			ok = at_spec_fail(loader, list->line,
				"%s has %zu values for \"%.*s\": expected %zu", where,
				list->count, (int)length, path,
				count_of_array(structure, path, length));
		else
			out->node = &list->children[index];
	}
	out->is_whole = *at != '\0' || (!out->node && general);
	if (!out->node)
		out->node = general;
	return ok;
}

static bool load_field_fill(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, struct at_argument *field)
{
	bool is_real = at_element_kind(field->element) == AT_ELEMENT_KIND_REAL;

	field->is_unsaid = !node;
	if (!node)
		return at_spec_parse_fill(loader,
			is_real ? "uniform(-1, 1)" : "uniform(0, 100)", field->line,
			field, &field->fill);
	if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(
			loader, node, what, "a string such as \"uniform(-1, 1)\"");
	if (!at_spec_parse_fill(loader, node->text, node->line, field, &field->fill))
		return false;
	if (field->fill.kind == AT_FILL_FILE)
		return at_spec_fail(loader, node->line,
			"%s: a field has no file of its own: fill = \"file('path')\" gives whole structures",
			what);
	return true;
}

static bool load_field_tolerance(struct at_spec_loader *loader,
	const struct at_config_node *owner, const char *key, const char *what,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *field, double *out)
{
	struct found found;
	char where[200];
	bool ok = find_for_field(loader, owner, key, what, structure, index, &found);

	if (!ok || !found.node)
		return ok;
	/* A tolerance for all fields only means the reals: integers have to be equal
	   anyway. */
	if (found.is_whole && at_element_kind(field->element) != AT_ELEMENT_KIND_REAL)
		return true;
	if (!found.node->name)
		return at_spec_fail_type(loader, found.node, what,
			"one tolerance for all structures of an array");
	snprintf(where, sizeof(where), "\"%s\" of %s", found.node->name, field->name);
	return at_spec_read_tolerance(
		loader, found.node, where, !strcmp(key, "rtol"), out);
}

/* For a scalar. Every field needs a value, since one left out would hold anything. */
static bool load_field_value(struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_argument *argument,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *out)
{
	const char *path = structure->fields[index].name, *last = strrchr(path, '.');
	struct found found;
	char what[200];
	bool ok;

	snprintf(what, sizeof(what), "argument \"%.80s\"", argument->name);
	ok = find_for_field(loader, node, "value", what, structure, index, &found);
	if (ok && !found.node)
		ok = at_spec_fail(loader, at_config_find(node, "value")->line,
			"\"value\" of %s says nothing of the field \"%s\": add %s = ...;",
			what, path, last ? last + 1 : path);
	else if (ok && found.is_whole)
		ok = at_spec_fail_type(loader, found.node, what,
			"a group with each field of the structure in \"value\", { FIELD = \"1\"; }");
	if (!ok)
		return false;
	snprintf(what, sizeof(what), "\"%.100s\"", out->name);
	if (structure->fields[index].pointee[0])
		return at_spec_load_pointer(loader, found.node, what,
			structure->fields[index].pointee, out);
	return at_spec_load_values(loader, found.node, what, out);
}

static bool load_field_data(struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_argument *argument,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *out)
{
	struct found found;
	char what[200], owner[128];
	bool ok;

	snprintf(owner, sizeof(owner), "argument \"%.80s\"", argument->name);
	snprintf(what, sizeof(what), "\"fill\" of \"%.150s\"", out->name);
	ok = find_for_field(loader, node, "fill", owner, structure, index, &found) &&
	     load_field_fill(loader, found.node, what, out) &&
	     find_for_field(loader, node, "domain", owner, structure, index, &found);
	if (!ok || !found.node)
		return ok;
	if (found.group == node)
		return at_spec_fail_type(loader, found.node, owner,
			"a group in \"domain\": { FIELD = [ lowest, highest ]; }");
	return at_spec_load_domain(loader, found.node, out);
}

static bool load_field(struct at_spec_loader *loader, const struct at_config_node *node,
	size_t owner, const struct at_spec_structure *structure, size_t index,
	struct at_argument *out)
{
	const struct at_argument *argument = &loader->spec->arguments[owner];
	const struct at_spec_field *field = &structure->fields[index];
	struct at_strbuf name = { 0 };
	char what[128];
	bool ok;

	out->line = argument->line;
	out->rtol = out->atol = NAN;
	out->owner = owner + 1;
	out->offset_bytes = field->offset_bytes;
	out->element = field->element;
	out->lanes = field->lanes;
	out->is_fixed = argument->is_fixed;
	at_strbuf_addf(&name, "%s.%s", argument->name, field->name);
	out->name = at_spec_own(loader->spec, at_strbuf_detach(&name));
	if (argument->access == AT_ACCESS_NONE)
		return load_field_value(loader, node, argument, structure, index, out);
	if (field->pointee[0])
		return at_spec_fail(loader, argument->line,
			"argument \"%.80s\" is a buffer of structures with the pointer \"%.80s\": only a structure with a \"value\" may have pointers",
			argument->name, field->name);
	snprintf(what, sizeof(what), "argument \"%.80s\"", argument->name);
	ok = load_field_tolerance(
		     loader, node, "rtol", what, structure, index, out, &out->rtol) &&
	     load_field_tolerance(
		     loader, node, "atol", what, structure, index, out, &out->atol);
	if (!ok || argument->fill.kind == AT_FILL_FILE ||
		(argument->access != AT_ACCESS_IN &&
			argument->access != AT_ACCESS_INOUT))
		return ok;
	return load_field_data(loader, node, argument, structure, index, out);
}

bool at_spec_load_fields(
	struct at_spec_loader *loader, const struct at_config_node *list)
{
	struct at_spec *spec = loader->spec;
	struct at_spec_structure structure;
	bool ok = true;

	for (size_t i = 0; i < spec->given_count && ok; i++) {
		const struct at_config_node *node = &list->children[i];

		/* Scratch buffers are poisoned as a whole and never compared, so their
		   fields do not matter. */
		if (!spec->arguments[i].has_fields ||
			spec->arguments[i].access == AT_ACCESS_SCRATCH)
			continue;
		ok = at_spec_find_structure(
			loader, at_config_find(node, "type")->text, &structure);
		for (size_t k = 0; k < structure.field_count && ok; k++)
			ok = load_field(loader, node, i, &structure, k,
				&spec->arguments[spec->argument_count++]);
	}
	return ok;
}
