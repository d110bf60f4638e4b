/*
 * Structures: types = { Particle = ( "float3 position", "float mass" ); }; and the
 * fields of arguments that have such a type. A field is an argument of its own behind
 * all that the file gives: it is filled and compared as one, at its place in the
 * elements of the structure that it belongs to, which has the memory.
 */
#include "space/spec_load.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_MAX_BYTES = 64, /* of a field's type and name */
	COMPONENTS_MAX = AT_STRUCTURE_BYTES_MAX,
};

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

/* "[4]" behind a name; 1 where there is none, 0 where it is none that is known. */
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

/* "unsigned char kind", "float weights[4]": as it is written in the structure. */
static enum at_status read_field(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	struct at_spec_structure *out)
{
	struct at_spec_field *field = &out->fields[out->field_count];
	const char *text = node->text, *end, *name;
	char type[NAME_MAX_BYTES], reason[400], suggestion[256];
	const char *names[AT_ELEMENT_NAMES_MAX];
	size_t length, count = 0, alignment;
	int lanes;

	end = text + strcspn(text, "[;");
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	name = end;
	while (name > text && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	length = (size_t)(name - text);
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	if (!length || name == end || isdigit((unsigned char)*name) ||
		(size_t)(end - name) >= sizeof(field->name) || length >= sizeof(type))
		return fail_field(loader, node, what,
			"expected a type and a name, as in \"float3 position\" or \"int cells[4]\"");
	snprintf(type, sizeof(type), "%.*s", (int)length, text);
	snprintf(field->name, sizeof(field->name), "%.*s", (int)(end - name), name);
	if (!at_element_find(type, &field->element, &lanes) &&
		at_config_find(at_config_find(loader->root, "types"), type))
		return fail_field(loader, node, what,
			"there is no structure in a structure: write its fields here one by one, at their places");
	if (!at_element_find(type, &field->element, &lanes)) {
		while (count < AT_COUNT_OF(names) && at_element_name_at(count)) {
			names[count] = at_element_name_at(count);
			count++;
		}
		snprintf(reason, sizeof(reason), "unknown type \"%s\"%s", type,
			at_spec_suggestion(
				type, names, count, suggestion, sizeof(suggestion)));
		return fail_field(loader, node, what, reason);
	}
	for (size_t i = 0; i < out->field_count; i++)
		if (!strcmp(out->fields[i].name, field->name))
			return fail_field(
				loader, node, what, "the name is given twice");
	count = read_count(end);
	if (!count)
		return fail_field(loader, node, what,
			"expected nothing, or a number as in \"int cells[4]\", behind the name");
	alignment = at_element_alignment(field->element, lanes);
	out->alignment = alignment > out->alignment ? alignment : out->alignment;
	field->offset_bytes = round_up(out->bytes, alignment);
	field->lanes = lanes * (int)count;
	out->bytes = field->offset_bytes +
		     at_element_bytes(field->element) * (size_t)field->lanes;
	out->field_count++;
	if (out->bytes > AT_STRUCTURE_BYTES_MAX)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s has more than %d bytes", what, AT_STRUCTURE_BYTES_MAX);
	return AT_OK;
}

/* { fields = ( ... ); align = 16; }, as with __align__(16) */
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
	const struct at_config_node *node, struct at_spec_structure *out)
{
	const struct at_config_node *list = node;
	char what[128], where[160];
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
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
		status = read_field(loader, &list->children[i], what, out);
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
			status = read_structure(loader, node, &structure);
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
	return node ? read_structure(loader, node, out) : AT_OK;
}

/* ---- the fields of an argument --------------------------------------------------- */

/* A key of an argument that is a group has something for each of some fields. */
static enum at_status check_field_names(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	const struct at_spec_structure *structure)
{
	const char *names[FIELDS_MAX];

	for (size_t i = 0; i < structure->field_count; i++)
		names[i] = structure->fields[i].name;
	return at_spec_check_keys(loader, group, what, names, structure->field_count);
}

/* What the argument's key says for this field; NULL: nothing. */
static enum at_status find_for_field(const struct at_spec_loader *loader,
	const struct at_config_node *owner, const char *key, const char *what,
	const struct at_spec_structure *structure, size_t field,
	const struct at_config_node **out)
{
	const struct at_config_node *node = at_config_find(owner, key);
	char where[200];
	enum at_status status;

	*out = node;
	if (!node || node->kind != AT_CONFIG_GROUP)
		return AT_OK;
	snprintf(where, sizeof(where), "\"%s\" of %s", key, what);
	status = check_field_names(loader, node, where, structure);
	*out = at_config_find(node, structure->fields[field].name);
	return status;
}

static enum at_status load_field_fill(struct at_spec_loader *loader,
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
	if (at_spec_parse_fill(loader, node->text, node->line, field, &field->fill))
		return AT_EINVAL;
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
	const struct at_config_node *node, *own = at_config_find(owner, key);
	char where[200];
	enum at_status status =
		find_for_field(loader, owner, key, what, structure, index, &node);

	if (status || !node)
		return status;
	/* one for all is one for reals: whole numbers are right or wrong */
	if (node == own && at_element_kind(field->element) != AT_ELEMENT_KIND_REAL)
		return AT_OK;
	snprintf(where, sizeof(where), "%s", field->name);
	return at_spec_get_tolerance(loader, node == own ? owner : own, where,
		node->name, !strcmp(key, "rtol"), out);
}

/* Of a scalar: what is left out would be anything, so nothing is. */
static enum at_status load_field_value(struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_argument *argument,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *out)
{
	const struct at_config_node *own;
	char what[200];
	enum at_status status;

	snprintf(what, sizeof(what), "argument \"%.80s\"", argument->name);
	status = find_for_field(loader, node, "value", what, structure, index, &own);
	if (!status && !own)
		status = at_fail(loader->err, AT_EINVAL, loader->file,
			at_config_find(node, "value")->line,
			"\"value\" of %s says nothing of the field \"%s\": add %s = ...;",
			what, structure->fields[index].name,
			structure->fields[index].name);
	if (status)
		return status;
	snprintf(what, sizeof(what), "\"%.100s\"", out->name);
	return at_spec_load_values(loader, own, what, out);
}

static enum at_status load_field(struct at_spec_loader *loader,
	const struct at_config_node *node, size_t owner,
	const struct at_spec_structure *structure, size_t index,
	struct at_argument *out)
{
	const struct at_argument *argument = &loader->spec->arguments[owner];
	const struct at_spec_field *field = &structure->fields[index];
	const struct at_config_node *own;
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
	if (!out->name)
		return at_fail_memory(loader->err);
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
	status = find_for_field(loader, node, "fill", what, structure, index, &own);
	snprintf(what, sizeof(what), "\"fill\" of \"%.80s\"", out->name);
	if (!status)
		status = load_field_fill(loader, own, what, out);
	snprintf(what, sizeof(what), "argument \"%.80s\"", argument->name);
	if (!status)
		status = find_for_field(
			loader, node, "domain", what, structure, index, &own);
	if (status || !own)
		return status;
	if (own == at_config_find(node, "domain"))
		return at_spec_fail_type(loader, own, what,
			"a group in \"domain\": { FIELD = [ lowest, highest ]; }");
	return at_spec_load_domain(loader, own, out);
}

enum at_status at_spec_load_fields(
	struct at_spec_loader *loader, const struct at_config_node *list)
{
	struct at_spec *spec = loader->spec;
	struct at_spec_structure structure;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->given_count && !status; i++) {
		const struct at_config_node *node = &list->children[i];

		/* scratch is only poisoned */
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
