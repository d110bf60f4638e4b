#include "space/spec_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Defaults: one of its values for every parameter.
 */

/* A setting of `defaults` as a value; words are borrowed. NONE for no scalar. */
static struct at_value value_of(const struct at_config_node *node)
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

static enum at_status check_default_names(
	const struct at_spec_loader *loader, const struct at_config_node *node)
{
	const struct at_spec *spec = loader->spec;
	const char **names = calloc(spec->parameter_count, sizeof(*names));
	enum at_status status;

	if (!names)
		return at_fail_memory(loader->err);
	for (size_t i = 0; i < spec->parameter_count; i++)
		names[i] = spec->parameters[i].name;
	status = at_spec_check_group(
		loader, node, "\"defaults\"", names, spec->parameter_count);
	free(names);
	return status;
}

static enum at_status load_default(const struct at_spec_loader *loader,
	const struct at_config_node *group, const struct at_parameter *parameter,
	uint16_t *out)
{
	const struct at_config_node *node = at_config_find(group, parameter->name);
	char values[200], text[100];
	struct at_value value = { .type = AT_TYPE_NONE };
	size_t index;

	if (node)
		value = value_of(node);
	if (value.type != AT_TYPE_NONE &&
		at_spec_find_value(parameter, value, &index)) {
		*out = (uint16_t)index;
		return AT_OK;
	}
	at_spec_values_text(parameter, values, sizeof(values));
	if (!node)
		return at_fail(loader->err, AT_EINVAL, loader->file, group->line,
			"\"defaults\" has no value for parameter \"%.80s\": expected one of %s",
			parameter->name, values);
	if (value.type == AT_TYPE_NONE)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"default of parameter \"%.80s\": expected one of %s, found %s",
			parameter->name, values, at_config_kind_text(node->kind));
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"default of parameter \"%.80s\" is %s: expected one of %s",
		parameter->name, at_spec_value_text(value, text, sizeof(text)), values);
}

enum at_status at_spec_load_defaults(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "defaults");
	struct at_spec *spec = loader->spec;
	enum at_status status;

	spec->defaults = calloc(spec->parameter_count, sizeof(*spec->defaults));
	if (!spec->defaults)
		return at_fail_memory(loader->err);
	if (!node)
		return AT_OK;
	status = check_default_names(loader, node);
	for (size_t i = 0; i < spec->parameter_count && !status; i++)
		status = load_default(
			loader, node, &spec->parameters[i], &spec->defaults[i]);
	spec->has_defaults = true;
	return status;
}

/*
 * Macros: a parameter is one of its own name, and each of its words another.
 */

struct macro {
	char *name;
	const struct at_parameter *parameter;
	const char *word; /* NULL for the parameter itself */
};

static int compare_macros(const void *left, const void *right)
{
	return strcmp(((const struct macro *)left)->name,
		((const struct macro *)right)->name);
}

static size_t count_macros(const struct at_spec *spec)
{
	size_t count = spec->parameter_count;

	for (size_t i = 0; i < spec->parameter_count; i++)
		if (spec->parameters[i].type == AT_TYPE_WORD)
			count += spec->parameters[i].value_count;
	return count;
}

static bool add_macro(
	struct macro *macro, const struct at_parameter *parameter, const char *word)
{
	struct at_strbuf name = { 0 };

	at_strbuf_addf(
		&name, "%s%s%s", parameter->name, word ? "_" : "", word ? word : "");
	*macro = (struct macro){ at_strbuf_detach(&name), parameter, word };
	return macro->name != NULL;
}

/* False when memory ran out; the names made so far are the caller's all the same. */
static bool make_macros(const struct at_spec *spec, struct macro *macros)
{
	size_t count = 0;

	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];

		if (!add_macro(&macros[count++], parameter, NULL))
			return false;
		for (size_t v = 0;
			parameter->type == AT_TYPE_WORD && v < parameter->value_count;
			v++)
			if (!add_macro(&macros[count++], parameter,
				    parameter->values[v].word))
				return false;
	}
	return true;
}

static enum at_status fail_macro(const struct at_spec_loader *loader,
	const struct macro *a, const struct macro *b)
{
	const struct macro *word = a->word ? a : b;
	const struct macro *other = a->word ? b : a;

	return at_fail(loader->err, AT_EINVAL, loader->file, word->parameter->line,
		"the word \"%.80s\" of parameter \"%.80s\" becomes the macro %.160s, which parameter \"%.80s\" of line %d becomes too: rename one",
		word->word, word->parameter->name, word->name, other->parameter->name,
		other->parameter->line);
}

enum at_status at_spec_check_macros(struct at_spec_loader *loader)
{
	size_t count = count_macros(loader->spec);
	struct macro *macros = calloc(count, sizeof(*macros));
	enum at_status status = AT_OK;

	if (!macros)
		return at_fail_memory(loader->err);
	if (make_macros(loader->spec, macros))
		qsort(macros, count, sizeof(*macros), compare_macros);
	else
		status = at_fail_memory(loader->err);
	for (size_t i = 1; i < count && !status; i++)
		if (!strcmp(macros[i - 1].name, macros[i].name))
			status = fail_macro(loader, &macros[i - 1], &macros[i]);
	for (size_t i = 0; i < count; i++)
		free(macros[i].name);
	free(macros);
	return status;
}
