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
	ARGUMENTS_MAX = 1000, /* a kernel's parameters have 32 KiB at most */
	OBJECT_BYTES_MAX = 4096, /* of all parameters, before CUDA 12.1 */
};

/*
 * Types.
 */

/*
 * Names of types that have different sizes on different systems: the same file would
 * have other buffers on Windows. They are refused.
 */
static const struct {
	const char *text;
	const char *hint;
} ambiguous[] = {
	{ "long", "long long" },
	{ "long int", "long long" },
	{ "unsigned long", "unsigned long long" },
	{ "ulong", "unsigned long long" },
};

static enum at_status load_type(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const struct at_config_node *node = at_config_find(group, "type");
	const struct at_config_node *types = at_config_find(loader->root, "types");
	const char *names[AT_ELEMENT_NAMES_MAX];
	struct at_spec_structure structure;
	char where[160], suggestion[256];
	size_t count = 0;
	enum at_status status = at_spec_require(
		loader, group, what, "type", "type = \"float\"; or the like");

	if (status)
		return status;
	snprintf(where, sizeof(where), "\"type\" of %s", what);
	if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(loader, node, where, "a string");
	if (at_element_find(node->text, &argument->element, &argument->lanes))
		return AT_OK;
	for (size_t i = 0; i < AT_COUNT_OF(ambiguous); i++)
		if (!strcmp(node->text, ambiguous[i].text))
			return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
				"\"type\" of %s is \"%s\", whose size differs between systems: write \"%s\"",
				what, node->text, ambiguous[i].hint);
	status = at_spec_find_structure(loader, node->text, &structure);
	if (status || structure.field_count) {
		argument->has_fields = true;
		argument->element = AT_ELEMENT_U8;
		argument->lanes = (int)structure.bytes;
		argument->type = at_strdup(node->text);
		return status;
	}
	if (!strncmp(node->text, "struct ", 7))
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"type\" of %s is \"%.80s\": write \"%.80s\", and its fields in the section \"types\"",
			what, node->text, node->text + 7);
	if (strpbrk(node->text, "*&[") || !strncmp(node->text, "const ", 6))
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"type\" of %s is \"%.80s\": expected that of one element, as in \"float\"; count makes it a buffer, and access = \"in\" one that is only read",
			what, node->text);
	while (at_element_name_at(count)) {
		names[count] = at_element_name_at(count);
		count++;
	}
	for (size_t i = 0; types && i < types->count && count < AT_COUNT_OF(names); i++)
		names[count++] = types->children[i].name;
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"unknown type \"%.80s\" of %s%s", node->text, what,
		at_spec_suggestion(
			node->text, names, count, suggestion, sizeof(suggestion)));
}

/*
 * Scalars and buffers.
 */

static const struct {
	const char *text;
	enum at_access access;
} accesses[] = {
	{ "in", AT_ACCESS_IN },
	{ "out", AT_ACCESS_OUT },
	{ "inout", AT_ACCESS_INOUT },
	{ "scratch", AT_ACCESS_SCRATCH },
};

static enum at_status load_access(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const char *names[AT_COUNT_OF(accesses)];
	char suggestion[128], where[160];
	const struct at_config_node *node = at_config_find(group, "access");
	enum at_status status = at_spec_require(loader, group, what, "access",
		"access = \"in\", \"out\", \"inout\" or \"scratch\";");

	if (status)
		return status;
	snprintf(where, sizeof(where), "\"access\" of %s", what);
	if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(loader, node, where, "a string");
	for (size_t i = 0; i < AT_COUNT_OF(accesses); i++) {
		names[i] = accesses[i].text;
		if (!strcmp(node->text, names[i])) {
			argument->access = accesses[i].access;
			return AT_OK;
		}
	}
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"unknown access \"%.80s\" of %s%s", node->text, what,
		at_spec_suggestion(node->text, names, AT_COUNT_OF(accesses), suggestion,
			sizeof(suggestion)));
}

/* Refuses a key that has no meaning here: if it were ignored, its author would believe
   that it works. */
static enum at_status refuse_key(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	const char *why)
{
	const struct at_config_node *node = at_config_find(group, key);

	if (!node)
		return AT_OK;
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"\"%s\" of %s: %s", key, what, why);
}

/* Checks the value of a scalar that is a structure; its fields' values are read in
   spec_types.c, since each field is an argument of its own. */
static enum at_status check_object(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	const struct at_argument *argument)
{
	if (argument->lanes > OBJECT_BYTES_MAX)
		return at_fail(loader->err, AT_EINVAL, loader->file, argument->line,
			"%s has a \"value\" of %d bytes: expected a structure of at most %d",
			what, argument->lanes, OBJECT_BYTES_MAX);
	if (node->kind != AT_CONFIG_GROUP)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"value\" of %s: expected a group with each field of \"%.80s\", { FIELD = \"1\"; }, found %s",
			what, argument->type, at_config_kind_text(node->kind));
	return AT_OK;
}

static enum at_status load_scalar(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	static const char *const refused[] = { "access", "fill", "domain", "symbol",
		"rtol", "atol", "outliers" };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < AT_COUNT_OF(refused) && !status; i++)
		status = refuse_key(loader, group, what, refused[i],
			"an argument with a \"value\" is a scalar and has none");
	if (!status)
		status = at_spec_get_boolean(
			loader, group, what, "fixed", &argument->is_fixed);
	if (status)
		return status;
	return argument->has_fields
		       ? check_object(
				 loader, at_config_find(group, "value"), what, argument)
		       : at_spec_load_values(loader, at_config_find(group, "value"),
				 what, argument);
}

static bool argument_is_bool(const struct at_config_node *group)
{
	const struct at_config_node *type = at_config_find(group, "type");

	return type && type->kind == AT_CONFIG_STRING && !strcmp(type->text, "bool");
}

static enum at_status load_fill(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const struct at_config_node *node = at_config_find(group, "fill");
	bool real = at_element_kind(argument->element) == AT_ELEMENT_KIND_REAL;
	char where[160];

	/* Outputs and scratch are poisoned instead, so that elements that a kernel does
	   not write show. */
	if (argument->access != AT_ACCESS_IN && argument->access != AT_ACCESS_INOUT) {
		static const char *const refused[] = { "fill", "fixed", "domain" };
		enum at_status status = AT_OK;

		for (size_t i = 0; i < AT_COUNT_OF(refused) && !status; i++)
			status = refuse_key(loader, group, what, refused[i],
				argument->access == AT_ACCESS_OUT && !i
					? "only buffers of access \"in\" and \"inout\" are filled: \"inout\" is also what a kernel adds to"
					: "only buffers of access \"in\" and \"inout\" are filled");
		return status;
	}
	/* The fields have the fills, except where a file gives whole elements. */
	if (argument->has_fields && (!node || node->kind == AT_CONFIG_GROUP))
		return AT_OK;
	if (argument->has_fields && node->kind == AT_CONFIG_STRING &&
		strncmp(node->text, "file", 4) != 0)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"fill\" of %s: expected \"file('path')\", or a group { FIELD = \"uniform(-1, 1)\"; } for a structure",
			what);
	/* The default is never zeros, with which many wrong kernels give right results.
	   A bool is only 0 or 1: compilers may do anything with another value. */
	argument->is_unsaid = !node && !argument_is_bool(group);
	if (!node)
		return at_spec_parse_fill(loader,
			real                  ? "uniform(-1, 1)"
			: argument->is_unsaid ? "uniform(0, 100)"
					      : "uniform(0, 1)",
			argument->line, argument, &argument->fill);
	snprintf(where, sizeof(where), "\"fill\" of %s", what);
	if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(
			loader, node, where, "a string such as \"uniform(-1, 1)\"");
	return at_spec_parse_fill(
		loader, node->text, node->line, argument, &argument->fill);
}

/* Reads what other data an input may get in proofs: `fixed` and `domain`. */
static enum at_status load_data(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const struct at_config_node *domain = at_config_find(group, "domain");
	enum at_status status =
		at_spec_get_boolean(loader, group, what, "fixed", &argument->is_fixed);

	if (status || !domain || (argument->has_fields && !argument->fill.kind))
		return status;
	if (argument->is_fixed)
		return refuse_key(loader, group, what, "domain",
			"what is \"fixed\" has no values but those of its fill");
	return at_spec_load_domain(loader, domain, argument);
}

/* The part of an output's values that may be wrong by any amount. */
static enum at_status load_outliers(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	enum at_status status = at_spec_get_tolerance(
		loader, group, what, "outliers", false, &argument->outliers);

	if (!status && argument->outliers > OUTLIERS_MOST)
		status = at_fail(loader->err, AT_EINVAL, loader->file,
			at_config_find(group, "outliers")->line,
			"\"outliers\" of %s is %g: expected the part of its values that rounding may decide, %g at most",
			what, argument->outliers, OUTLIERS_MOST);
	return status;
}

/*
 * The name of a variable, perhaps in namespaces: "blur::weights".
 */
static enum at_status load_symbol(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const struct at_config_node *node = at_config_find(group, "symbol");
	enum at_status status =
		at_spec_get_text(loader, group, what, "symbol", &argument->symbol);
	const char *at = argument->symbol;

	while (!status && at) {
		size_t length = strspn(at,
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

		if (!length || (at[0] >= '0' && at[0] <= '9') ||
			(at[length] && strncmp(at + length, "::", 2) != 0))
			return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
				"\"symbol\" of %s: \"%.80s\" is not the name of a variable: expected C identifiers with \"::\" between them, as in \"weights\" or \"blur::weights\"",
				what, argument->symbol);
		at = at[length] ? at + length + 2 : NULL;
	}
	return status;
}

static enum at_status load_buffer(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument)
{
	const char *uncompared =
		"only buffers of access \"out\" and \"inout\" are compared";
	bool compared;
	enum at_status status = load_access(loader, group, what, argument);

	if (!status)
		status = at_spec_get_expression(
			loader, group, what, "count", &argument->count);
	if (!status)
		status = load_fill(loader, group, what, argument);
	if (!status && (argument->fill.kind ||
			       (argument->has_fields &&
				       (argument->access == AT_ACCESS_IN ||
					       argument->access == AT_ACCESS_INOUT))))
		status = load_data(loader, group, what, argument);
	/* An output's variable would be written by the kernel, and nothing compares
	   it. */
	if (!status && argument->access != AT_ACCESS_IN)
		status = refuse_key(loader, group, what, "symbol",
			"only buffers of access \"in\" are copied into a variable of the template");
	if (!status)
		status = load_symbol(loader, group, what, argument);
	if (!status && argument->symbol)
		status = refuse_key(loader, group, what, "domain",
			"the contents of an argument with a \"symbol\" are the same in all cases");
	compared = at_spec_is_compared(argument);
	if (!status && !compared)
		status = refuse_key(loader, group, what, "rtol", uncompared);
	if (!status && !compared)
		status = refuse_key(loader, group, what, "atol", uncompared);
	if (!status && (!compared || argument->has_fields))
		status = refuse_key(loader, group, what, "outliers",
			compared ? "a structure has none" : uncompared);
	/* The fields of a structure have the tolerances. */
	if (!status && !argument->has_fields)
		status = at_spec_get_tolerance(
			loader, group, what, "rtol", true, &argument->rtol);
	if (!status && !argument->has_fields)
		status = at_spec_get_tolerance(
			loader, group, what, "atol", false, &argument->atol);
	return status ? status : load_outliers(loader, group, what, argument);
}

/*
 * The section.
 */

static enum at_status load_argument(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_argument *argument)
{
	bool buffer = at_config_find(node, "count") != NULL;
	char what[128];
	enum at_status status;

	argument->line = node->line;
	argument->lanes = 1;
	/* NAN: not given, so that those of "verify" hold. */
	argument->rtol = NAN;
	argument->atol = NAN;
	status = at_spec_check_group(loader, node, "\"arguments\"", AT_GROUP_ARGUMENT);
	if (!status)
		status = at_spec_require(
			loader, node, "an argument", "name", "name = \"...\";");
	if (!status)
		status = at_spec_get_identifier(
			loader, node, "an argument", "name", &argument->name);
	if (status)
		return status;
	snprintf(what, sizeof(what), "argument \"%.80s\"", argument->name);
	if (buffer == (at_config_find(node, "value") != NULL))
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s has %s \"count\" %s \"value\": expected a count of elements for a buffer or the value of a scalar",
			what, buffer ? "both" : "neither", buffer ? "and" : "nor");
	status = load_type(loader, node, what, argument);
	if (status)
		return status;
	return buffer ? load_buffer(loader, node, what, argument)
		      : load_scalar(loader, node, what, argument);
}

/* Refuses a name or a symbol that an argument before this one has. */
static enum at_status check_twice(
	const struct at_spec_loader *loader, const struct at_argument *argument)
{
	const struct at_argument *other = loader->spec->arguments;

	for (; other < argument; other++) {
		if (!strcmp(other->name, argument->name))
			return at_fail(loader->err, AT_EINVAL, loader->file,
				argument->line,
				"argument \"%.80s\" is given twice, first in line %d",
				argument->name, other->line);
		if (other->symbol && argument->symbol &&
			!strcmp(other->symbol, argument->symbol))
			return at_fail(loader->err, AT_EINVAL, loader->file,
				argument->line,
				"argument \"%.80s\" has the symbol \"%.80s\" of argument \"%.80s\" in line %d",
				argument->name, argument->symbol, other->name,
				other->line);
	}
	return AT_OK;
}

/* An upper bound of the number of fields, for the size of spec->arguments. */
static enum at_status count_fields(const struct at_spec_loader *loader,
	const struct at_config_node *list, size_t *out)
{
	struct at_spec_structure structure;
	enum at_status status = AT_OK;

	*out = 0;
	for (size_t i = 0; i < list->count && !status; i++) {
		const struct at_config_node *type = NULL;

		if (list->children[i].kind == AT_CONFIG_GROUP)
			type = at_config_find(&list->children[i], "type");
		if (!type || type->kind != AT_CONFIG_STRING)
			continue;
		status = at_spec_find_structure(loader, type->text, &structure);
		*out += structure.field_count;
	}
	if (!status && *out > ARGUMENTS_MAX)
		status = at_fail(loader->err, AT_EINVAL, loader->file, list->line,
			"\"arguments\" have %zu fields of structures: expected %d at the most",
			*out, ARGUMENTS_MAX);
	return status;
}

enum at_status at_spec_load_arguments(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "arguments");
	struct at_spec *spec = loader->spec;
	enum at_status status;
	size_t fields;

	if (!node)
		return AT_OK;
	status = at_spec_check_list(loader, node, "\"arguments\"",
		"a list of groups ( { name = ...; }, ... )");
	if (!status && node->count > ARGUMENTS_MAX)
		status = at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"arguments\" has %zu arguments: expected %d at the most",
			node->count, ARGUMENTS_MAX);
	if (status)
		return status;
	status = count_fields(loader, node, &fields);
	if (status)
		return status;
	spec->arguments = at_calloc(node->count + fields + 1, sizeof(*spec->arguments));
	/* Counted before it is read, so that at_spec_free() also frees an argument that
	   was read in part. */
	for (size_t i = 0; i < node->count && !status; i++) {
		spec->argument_count++;
		spec->given_count++;
		status = load_argument(loader, &node->children[i], &spec->arguments[i]);
		if (!status)
			status = check_twice(loader, &spec->arguments[i]);
	}
	return status ? status : at_spec_load_fields(loader, node);
}

enum at_status at_spec_find_argument(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, size_t *out)
{
	const struct at_spec *spec = loader->spec;
	const char *names[ARGUMENTS_MAX + 1];
	char suggestion[256];

	for (size_t i = 0; i < spec->given_count; i++) {
		names[i] = spec->arguments[i].name;
		if (!strcmp(node->text, names[i])) {
			*out = i;
			return AT_OK;
		}
	}
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"%s: unknown argument \"%.80s\"%s", what, node->text,
		at_spec_suggestion(node->text, names, spec->given_count, suggestion,
			sizeof(suggestion)));
}

enum at_status at_spec_read_argument_names(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, size_t **out,
	size_t *count)
{
	const struct at_config_node *node = at_config_find(group, "arguments");
	const struct at_spec *spec = loader->spec;
	size_t wanted = node ? node->count : spec->kernel_argument_count;
	char where[160];
	enum at_status status = AT_OK;

	snprintf(where, sizeof(where), "\"arguments\" of %s", what);
	if (node)
		status = at_spec_check_strings(loader, node, where);
	if (!status && node && wanted > ARGUMENTS_MAX)
		status = at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s: expected %d names at the most", where, ARGUMENTS_MAX);
	if (status)
		return status;
	*out = at_calloc(wanted + 1, sizeof(**out));
	for (size_t i = 0; i < wanted && !status; i++) {
		if (node)
			status = at_spec_find_argument(
				loader, &node->children[i], where, &(*out)[i]);
		else
			(*out)[i] = spec->kernel_arguments[i];
		/*
		 * One buffer behind two pointers is more likely a typo than meant,
		 * and wrong where the kernel declares them __restrict__.
		 */
		for (size_t k = 0; node && k < i && !status; k++)
			if ((*out)[k] == (*out)[i])
				status = at_fail(loader->err, AT_EINVAL, loader->file,
					node->children[i].line,
					"%s: \"%.80s\" is given twice", where,
					node->children[i].text);
		*count = i + 1;
	}
	return status;
}
