/*
 * Structures: types = { Particle = ( "float3 position", "float mass" ); }; and the
 * fields of arguments of such a type. Each field becomes an argument after those of the
 * file. It is filled and compared like any argument, but its values lie inside the
 * elements of the structure argument, which owns the memory.
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

static _Noreturn void fail_field(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *why)
{
	at_spec_fail(
		loader, node->line, "field \"%.80s\" of %s: %s", node->text, what, why);
}

static size_t round_up(size_t value, size_t step)
{
	return (value + step - 1) / step * step;
}

/* The 4 of "[4]" after a name; 1 for an empty text, 0 for any other text. */
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
   rest. False unless both exist and fit. */
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

void at_spec_fail_element(
	struct at_spec_loader *loader, int line, const char *what, const char *type)
{
	/* Their sizes differ: on Windows the same file would define other buffers. */
	static const char *const ambiguous[][2] = { { "long", "long long" },
		{ "long int", "long long" }, { "unsigned long", "unsigned long long" },
		{ "ulong", "unsigned long long" } };
	static const char *const described[][3] = {
		{ "CUtensorMap", "tensor map", "tensor_map" },
		{ "cudaTextureObject_t", "texture", "texture" },
		{ "CUtexObject", "texture", "texture" },
		{ "cudaSurfaceObject_t", "surface", "surface" },
		{ "CUsurfObject", "surface", "surface" },
	};
	const struct at_config_node *types = at_config_find(loader->root, "types");
	const char *names[AT_ELEMENT_NAMES_MAX + FIELDS_MAX];
	char bare[NAME_MAX_BYTES], suggestion[256];
	size_t count = 0, length;

	for (size_t i = 0; i < AT_COUNT_OF(ambiguous); i++)
		if (!strcmp(type, ambiguous[i][0]))
			at_spec_fail(loader, line,
				"the type \"%s\" of %s differs in size between systems: write \"%s\"",
				type, what, ambiguous[i][1]);
	for (size_t i = 0; i < AT_COUNT_OF(described); i++)
		if (!strcmp(type, described[i][0]))
			at_spec_fail(loader, line,
				"the type \"%s\" of %s: a %s has kind = \"%s\"; of = \"BUFFER\"; in place of a type",
				type, what, described[i][1], described[i][2]);
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
	at_spec_fail(loader, line, "unknown type \"%.80s\" of %s%s%s", type, what,
		at_spec_suggestion(bare, names, count, suggestion, sizeof(suggestion)),
		strpbrk(type, "*&[")
			? " A buffer has the type of its elements; a pointer, as in \"float *\", is an argument or a field with a \"value\""
		: !strncmp(type, "struct ", 7)
			? "; its fields stand in the section \"types\", and its name alone here"
			: "");
}

static void add_field(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, const struct at_spec_field *field,
	struct at_spec_structure *out)
{
	if (out->field_count == FIELDS_MAX)
		at_spec_fail(loader, node->line,
			"%s has more than %d fields, with those of the structures in it",
			what, FIELDS_MAX);
	AT_GROW(out->fields, out->capacity, out->field_count + 1);
	out->fields[out->field_count++] = *field;
}

/* Adds the fields of `inner`, a field of `out` with count elements. */
static void add_structure(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *name,
	size_t count, bool is_array, const struct at_spec_structure *inner,
	struct at_spec_structure *out)
{
	size_t offset = round_up(out->bytes, inner->alignment);
	char index[24] = "";

	if (count > FIELDS_MAX)
		count = FIELDS_MAX + 1; /* add_field() rejects the last */
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < inner->field_count; k++) {
			struct at_spec_field field = inner->fields[k];
			int length;

			if (is_array)
				snprintf(index, sizeof(index), "[%zu]", i);
			length = snprintf(field.name, sizeof(field.name), "%s%s.%s",
				name, index, inner->fields[k].name);
			if ((size_t)length >= sizeof(field.name))
				fail_field(loader, node, what,
					"the names of structures and fields are too long");
			field.offset_bytes += offset + i * inner->bytes;
			add_field(loader, node, what, &field, out);
		}
	out->bytes = offset + count * inner->bytes;
	if (inner->alignment > out->alignment)
		out->alignment = inner->alignment;
}

/* Appends the field in item `index` of list, "unsigned char kind" or "float
   weights[4]", to out. */
static void read_field(struct at_spec_loader *loader, const struct at_config_node *list,
	size_t index, const char *what, struct at_spec_structure *out)
{
	const struct at_config_node *node = &list->children[index];
	const struct at_config_node *types = at_config_find(loader->root, "types");
	char type[NAME_MAX_BYTES], name[NAME_MAX_BYTES], other[NAME_MAX_BYTES];
	char other_type[NAME_MAX_BYTES], where[200];
	struct at_spec_field field = { 0 };
	const struct at_spec_structure *inner;
	const char *end, *behind;
	size_t count, alignment;
	int lanes;

	if (!split_field(node->text, type, name, &end))
		fail_field(loader, node, what,
			"expected a type and a name, as in \"float3 position\" or \"int cells[4]\"");
	for (size_t i = 0; i < index; i++)
		if (split_field(list->children[i].text, other_type, other, &behind) &&
			!strcmp(other, name))
			fail_field(loader, node, what, "the name is given twice");
	count = read_count(end);
	if (!count)
		fail_field(loader, node, what,
			"expected nothing, or a number as in \"int cells[4]\", behind the name");
	snprintf(field.pointee, sizeof(field.pointee), "%s", type);
	if (!at_spec_cut_pointer(field.pointee))
		field.pointee[0] = '\0';
	else if (count > 1)
		fail_field(loader, node, what,
			"an array of pointers in a structure is not supported: write a field for each");
	else if (at_element_find(field.pointee, &field.element, &lanes) ||
		 at_config_find(types, field.pointee))
		snprintf(type, sizeof(type), "unsigned long long");
	inner = at_spec_find_structure(loader, type);
	if (at_element_find(type, &field.element, &lanes)) {
		alignment = at_element_alignment(field.element, lanes);
		snprintf(field.name, sizeof(field.name), "%s", name);
		field.offset_bytes = round_up(out->bytes, alignment);
		field.lanes = lanes * (int)count;
		out->alignment =
			alignment > out->alignment ? alignment : out->alignment;
		out->bytes = field.offset_bytes +
			     at_element_bytes(field.element) * (size_t)field.lanes;
		add_field(loader, node, what, &field, out);
	} else if (inner) {
		add_structure(loader, node, what, name, count, strchr(end, '[') != NULL,
			inner, out);
	} else if (at_config_find(types, type)) {
		/* Only earlier structures are allowed, as in C++: no structure contains
		   itself. */
		fail_field(loader, node, what,
			!strcmp(type, out->name)
				? "a structure has none of its own kind in it"
				: "the structure is given further down: put it ahead of this one");
	} else {
		snprintf(where, sizeof(where), "field \"%.60s\" of %s", name, what);
		at_spec_fail_element(loader, node->line, where, type);
	}
	if (out->bytes > AT_STRUCTURE_BYTES_MAX)
		at_spec_fail(loader, node->line, "%s has more than %d bytes", what,
			AT_STRUCTURE_BYTES_MAX);
}

static void read_structure(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_spec_structure *out)
{
	const struct at_config_node *list = node,
				    *align = at_config_find(node, "align");
	char what[128], where[160];

	snprintf(what, sizeof(what), "the structure \"%.80s\"", node->name);
	if (node->kind == AT_CONFIG_GROUP) {
		at_spec_read(loader, node, what, AT_GROUP_STRUCTURE, NULL);
		list = at_config_find(node, "fields");
	}
	snprintf(where, sizeof(where), "the fields of %s", what);
	at_spec_check_strings(loader, list, where);
	if (!list->count || list->count > FIELDS_MAX)
		at_spec_fail(loader, node->line, "%s has %zu fields: expected 1 to %d",
			what, list->count, FIELDS_MAX);
	for (size_t i = 0; i < list->count; i++)
		read_field(loader, list, i, what, out);
	if (align) {
		/* { fields = ( ... ); align = 16; } means __align__(16) */
		if (align->kind != AT_CONFIG_INTEGER ||
			align->integer < (int64_t)out->alignment ||
			align->integer > ALIGNMENT_MAX ||
			(align->integer & (align->integer - 1)))
			at_spec_fail(loader, align->line,
				"\"align\" of %s: expected a power of two from %zu to %d",
				what, out->alignment, ALIGNMENT_MAX);
		out->alignment = (size_t)align->integer;
	}
	out->bytes = round_up(out->bytes, out->alignment);
}

void at_spec_load_types(struct at_spec_loader *loader)
{
	const struct at_config_node *types = at_config_find(loader->root, "types");
	enum at_element element;
	int lanes;

	if (!types)
		return;
	if (types->kind != AT_CONFIG_GROUP)
		at_spec_fail_type(loader, types, "\"types\"",
			"a group { NAME = ( \"float3 position\", \"float mass\" ); }");
	loader->structures = at_calloc(types->count + 1, sizeof(*loader->structures));
	for (size_t i = 0; i < types->count; i++) {
		const struct at_config_node *node = &types->children[i];
		struct at_spec_structure *out = &loader->structures[i];

		if (at_element_find(node->name, &element, &lanes))
			at_spec_fail(loader, node->line,
				"\"types\" has \"%.80s\", which is a type already",
				node->name);
		out->name = node->name;
		out->alignment = 1;
		read_structure(loader, node, out);
		loader->structure_count++;
	}
}

const struct at_spec_structure *at_spec_find_structure(
	const struct at_spec_loader *loader, const char *name)
{
	for (size_t i = 0; i < loader->structure_count; i++)
		if (!strcmp(loader->structures[i].name, name))
			return &loader->structures[i];
	return NULL;
}

void at_spec_release_types(struct at_spec_loader *loader)
{
	/* the structure after the last may have fields if it is invalid */
	for (size_t i = 0; loader->structures && i <= loader->structure_count; i++)
		free(loader->structures[i].fields);
	free(loader->structures);
}

/* ---- the fields of an argument --------------------------------------------------- */

/* Moves *at past the first name of a path, "corners" of "corners[1].x", and its dot.
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

/* Rejects keys of a group that name no field. The group stands for the fields that
   begin with `prefix`; its keys are the next steps of their paths. */
static void check_field_names(struct at_spec_loader *loader,
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
	at_spec_check_keys(loader, group, what, names, count);
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

/* A group's setting for a field, under a key of an argument ("fill", "domain", "value",
   "rtol", "atol"), or under the argument's name in a data set. */
struct found {
	const struct at_config_node *node; /* NULL: not set */
	const struct at_config_node *group; /* of the node, or the first group */
	bool is_whole; /* set for a structure that contains the field */
};

/*
 * Finds the setting, as in { position = { x = ...; }; corners = ( { x = ...; }, { x =
 * ...; } ); }. Groups follow the structures; for an array of structures a list has one
 * group per element. A value that is not a group holds for all fields below.
 */
static struct found find_for_field(struct at_spec_loader *loader,
	const struct at_config_node *owner, const char *key, const char *what,
	const struct at_spec_structure *structure, size_t field)
{
	const char *path = structure->fields[field].name, *at = path;
	const struct at_config_node *general = NULL;
	struct found out = { .node = at_config_find(owner, key), .group = owner };
	char where[200], step[NAME_MAX_BYTES];
	size_t length;
	long index;

	snprintf(where, sizeof(where), "\"%s\" of %s", key, what);
	/* ( "uniform(0, 1)", { mass = ...; } ): the first item is the default */
	if (out.node && out.node->kind == AT_CONFIG_LIST && out.node->count == 2 &&
		out.node->children[1].kind == AT_CONFIG_GROUP) {
		general = &out.node->children[0];
		out.node = &out.node->children[1];
	}
	while (*at && out.node && out.node->kind == AT_CONFIG_GROUP) {
		const struct at_config_node *list;
		const char *from = at;

		out.group = out.node;
		check_field_names(
			loader, out.group, where, structure, path, (size_t)(at - path));
		length = next_step(&at, &index);
		snprintf(step, sizeof(step), "%.*s", (int)length, from);
		list = out.node = at_config_find(out.group, step);
		if (!list || list->kind != AT_CONFIG_LIST || index < 0)
			continue;
		length += (size_t)(from - path);
		if (list->count != count_of_array(structure, path, length))
			at_spec_fail(loader, list->line,
				"%s has %zu values for \"%.*s\": expected %zu", where,
				list->count, (int)length, path,
				count_of_array(structure, path, length));
		out.node = &list->children[index];
	}
	out.is_whole = *at != '\0' || (!out.node && general);
	if (!out.node)
		out.node = general;
	return out;
}

static void load_fill(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, const struct at_argument *field, struct at_fill *fill)
{
	at_spec_load_fill(loader, node, what, field, fill);
	if (fill->kind == AT_FILL_FILE)
		at_spec_fail(loader, node->line,
			"%s: a field has no file of its own: \"file('path')\" in place of the group gives whole structures",
			what);
}

void at_spec_load_field_fills(struct at_spec_loader *loader,
	const struct at_config_node *set, const char *what, size_t owner,
	struct at_fill *fills)
{
	const struct at_spec *spec = loader->spec;
	const struct at_argument *argument = &spec->arguments[owner];
	const struct at_spec_structure *structure =
		at_spec_find_structure(loader, argument->type);
	size_t count = 0, filled = 0;

	for (size_t i = spec->given_count; i < spec->argument_count; i++) {
		const struct at_argument *field = &spec->arguments[i];
		struct found found;

		if (field->owner != owner + 1)
			continue;
		found = find_for_field(
			loader, set, argument->name, what, structure, count++);
		if (!found.node || !field->fill.kind)
			continue;
		load_fill(loader, found.node, what, field, &fills[i]);
		filled++;
	}
	if (!filled)
		at_spec_fail(loader, set->line,
			"%s fills \"%.80s\", which has no field that is filled", what,
			argument->name);
}

/* A field of an argument, and the file's settings for it. */
struct field {
	struct at_spec_loader *loader;
	const struct at_config_node *node; /* of the argument */
	const char *what;
	const struct at_spec_structure *structure;
	size_t index;
	struct at_argument *out;
};

static struct found find(const struct field *self, const char *key)
{
	return find_for_field(self->loader, self->node, key, self->what,
		self->structure, self->index);
}

static void load_tolerance(const struct field *self, const char *key, double *out)
{
	const struct found found = find(self, key);

	/* A tolerance for all fields applies only to reals: integers must be equal
	   anyway. */
	if (!found.node || (found.is_whole && at_element_kind(self->out->element) !=
						      AT_ELEMENT_KIND_REAL))
		return;
	if (!found.node->name)
		at_spec_fail_type(self->loader, found.node, self->what,
			"one tolerance for all structures of an array");
	at_spec_read_tolerance(self->loader, found.node, key, self->out->name, out);
}

/* For a scalar. Every field needs a value: an omitted field would be undefined. */
static void load_value(const struct field *self)
{
	const struct at_spec_field *field = &self->structure->fields[self->index];
	const struct found found = find(self, "value");
	const char *last = strrchr(field->name, '.');
	char what[200];

	if (!found.node)
		at_spec_fail(self->loader, at_config_find(self->node, "value")->line,
			"\"value\" of %s says nothing of the field \"%s\": add %s = ...;",
			self->what, field->name, last ? last + 1 : field->name);
	if (found.is_whole)
		at_spec_fail_type(self->loader, found.node, self->what,
			"a group with each field of the structure in \"value\", { FIELD = \"1\"; }");
	snprintf(what, sizeof(what), "\"%.100s\"", self->out->name);
	if (field->pointee[0])
		at_spec_load_pointer(
			self->loader, found.node, what, field->pointee, self->out);
	else
		at_spec_load_values(self->loader, found.node, what, self->out);
}

static void load_data(const struct field *self)
{
	const bool is_real =
		at_element_kind(self->out->element) == AT_ELEMENT_KIND_REAL;
	struct found found = find(self, "fill");
	char what[200];

	self->out->has_default_fill = !found.node;
	snprintf(what, sizeof(what), "\"fill\" of \"%.150s\"", self->out->name);
	if (found.node)
		load_fill(self->loader, found.node, what, self->out, &self->out->fill);
	else
		at_spec_parse_fill(self->loader,
			is_real ? "uniform(-1, 1)" : "uniform(0, 100)", self->out->line,
			self->out, &self->out->fill);
	found = find(self, "domain");
	if (found.node && found.group == self->node)
		at_spec_fail_type(self->loader, found.node, self->what,
			"a group in \"domain\": { FIELD = [ lowest, highest ]; }");
	if (found.node)
		at_spec_load_domain(self->loader, found.node, self->out);
}

static void load_field(const struct field *self, const struct at_argument *argument)
{
	const struct at_spec_field *field = &self->structure->fields[self->index];
	struct at_spec *spec = self->loader->spec;
	struct at_argument *out = self->out;
	struct at_strbuf name = { 0 };

	out->line = argument->line;
	out->rtol = out->atol = NAN;
	out->owner = (size_t)(argument - spec->arguments) + 1;
	out->offset_bytes = field->offset_bytes;
	out->element = field->element;
	out->lanes = field->lanes;
	out->is_fixed = argument->is_fixed;
	at_strbuf_addf(&name, "%s.%s", argument->name, field->name);
	out->name = at_spec_own(spec, at_strbuf_detach(&name));
	if (argument->access == AT_ACCESS_NONE) {
		load_value(self);
		return;
	}
	if (field->pointee[0])
		at_spec_fail(self->loader, argument->line,
			"argument \"%.80s\" is a buffer of structures with the pointer \"%.80s\": only a structure with a \"value\" may have pointers",
			argument->name, field->name);
	load_tolerance(self, "rtol", &out->rtol);
	load_tolerance(self, "atol", &out->atol);
	if (argument->fill.kind != AT_FILL_FILE &&
		(argument->access == AT_ACCESS_IN ||
			argument->access == AT_ACCESS_INOUT))
		load_data(self);
}

void at_spec_load_fields(
	struct at_spec_loader *loader, const struct at_config_node *list)
{
	struct at_spec *spec = loader->spec;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		char what[128];
		struct field field = {
			.loader = loader, .node = &list->children[i], .what = what
		};

		/* Scratch buffers are poisoned as a whole and never compared, so their
		   fields do not matter. */
		if (!argument->has_fields || argument->access == AT_ACCESS_SCRATCH)
			continue;
		snprintf(what, sizeof(what), "argument \"%.80s\"", argument->name);
		field.structure = at_spec_find_structure(loader, argument->type);
		for (; field.index < field.structure->field_count; field.index++) {
			field.out = &spec->arguments[spec->argument_count++];
			load_field(&field, argument);
		}
	}
}
