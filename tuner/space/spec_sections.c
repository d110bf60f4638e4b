#include "space/spec_load.h"

#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum at_status at_spec_load_constraints(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "constraints");
	struct at_spec *spec = loader->spec;
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_strings(loader, node, "\"constraints\"");
	if (status)
		return status;
	spec->constraints = calloc(node->count + 1, sizeof(*spec->constraints));
	if (!spec->constraints)
		return at_fail_memory(loader->err);
	for (size_t i = 0; i < node->count && !status; i++) {
		struct at_constraint *constraint = &spec->constraints[i];

		constraint->line = node->children[i].line;
		status = at_spec_compile(loader, node->children[i].text,
			constraint->line, &constraint->expression);
		if (!status)
			spec->constraint_count++;
	}
	return status;
}

/*
 * Options of the compiler.
 */

static enum at_status check_reference(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *name, size_t length)
{
	struct at_names names = at_spec_names_view(&loader->names);
	enum at_type type;
	char wrong[96];
	const char *nearest;
	int slot;

	if (!name)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"the option \"%.200s\" has a \"${\" without its \"}\"",
			node->text);
	slot = names.find(names.context, name, length, &type);
	if (slot >= 0) {
		at_spec_note_size(loader, slot, node->line);
		return AT_OK;
	}
	snprintf(wrong, sizeof(wrong), "%.*s", length > 80 ? 80 : (int)length, name);
	nearest = names.nearest(names.context, wrong);
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"unknown name \"%s\" in the option \"%.200s\"%s%s%s", wrong, node->text,
		nearest ? ", did you mean \""
			: ", expected a parameter, a size or device.",
		nearest ? nearest : "NAME", nearest ? "\"?" : "");
}

static enum at_status load_option_text(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, struct at_option *option)
{
	const char *position = node->text, *name;
	enum at_status status = AT_OK;
	size_t length;

	if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(loader, node, what, "a string");
	if (!node->text[0])
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s is empty", what);
	while (!status && at_spec_next_reference(&position, &name, &length))
		status = check_reference(loader, node, name, length);
	if (status)
		return status;
	option->line = node->line;
	option->text = at_strdup(node->text);
	return option->text ? AT_OK : at_fail_memory(loader->err);
}

static enum at_status load_option(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_option *option)
{
	static const char *const keys[] = { "option", "when" };
	static const char what[] = "a group in \"options\"";
	enum at_status status;

	if (node->kind == AT_CONFIG_STRING)
		return load_option_text(
			loader, node, "a string in \"options\"", option);
	if (node->kind != AT_CONFIG_GROUP)
		return at_spec_fail_type(loader, node, "an item of \"options\"",
			"a string or { option = \"...\"; when = \"...\"; }");
	status = at_spec_check_group(loader, node, what, keys, AT_COUNT_OF(keys));
	if (!status)
		status = at_spec_require(
			loader, node, what, "option", "option = \"...\";");
	if (!status)
		status = at_spec_require(loader, node, what, "when",
			"when = \"...\"; or write the option as a string");
	if (!status)
		status = load_option_text(loader, at_config_find(node, "option"),
			"\"option\" in \"options\"", option);
	if (!status)
		status = at_spec_get_expression(
			loader, node, "an option", "when", &option->when);
	return status;
}

enum at_status at_spec_load_options(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "options");
	struct at_spec *spec = loader->spec;
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_list(
		loader, node, "\"options\"", "a list of strings or groups");
	if (status)
		return status;
	spec->options = calloc(node->count + 1, sizeof(*spec->options));
	if (!spec->options)
		return at_fail_memory(loader->err);
	for (size_t i = 0; i < node->count && !status; i++) {
		spec->option_count++;
		status = load_option(loader, &node->children[i], &spec->options[i]);
	}
	return status;
}

enum at_status at_spec_load_metrics(struct at_spec_loader *loader)
{
	static const char *const keys[] = { "flops", "bytes" };
	const struct at_config_node *node = at_config_find(loader->root, "metrics");
	struct at_spec *spec = loader->spec;
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_group(loader, node, "metrics", keys, AT_COUNT_OF(keys));
	if (!status)
		status = at_spec_get_expression(
			loader, node, "metrics", "flops", &spec->flops);
	if (!status)
		status = at_spec_get_expression(
			loader, node, "metrics", "bytes", &spec->bytes);
	return status;
}

/*
 * Search.
 */

/* The same error at the place where the budget or the deadline stands. */
static enum at_status fail_at(const struct at_spec_loader *loader,
	const struct at_config_node *node, const struct at_error *inner)
{
	return at_fail(loader->err, inner->status, loader->file, node->line, "%s",
		inner->text);
}

static enum at_status load_budget(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_search_defaults *search = &loader->spec->search;
	struct at_error inner = { 0 };
	uint64_t evaluations;
	double seconds;
	char number[32];

	if (!node)
		return AT_OK;
	if (node->kind != AT_CONFIG_STRING && node->kind != AT_CONFIG_INTEGER)
		return at_spec_fail_type(loader, node, "\"budget\" of search",
			"a string such as \"200\", \"90s\" or \"200,10m\"");
	snprintf(number, sizeof(number), "%lld", (long long)node->integer);
	search->budget = at_strdup(node->text ? node->text : number);
	if (!search->budget)
		return at_fail_memory(loader->err);
	if (at_budget_parse(search->budget, &evaluations, &seconds, &inner))
		return fail_at(loader, node, &inner);
	return AT_OK;
}

/* "10s", or a number of seconds. */
static enum at_status load_deadline(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	double *seconds = &loader->spec->search.deadline_seconds;
	uint64_t evaluations = 0;

	if (!node)
		return AT_OK;
	if (node->kind == AT_CONFIG_INTEGER)
		*seconds = (double)node->integer;
	else if (node->kind == AT_CONFIG_REAL)
		*seconds = node->real;
	else if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(loader, node, "\"deadline\" of search",
			"seconds or a string such as \"10s\"");
	else if (at_budget_parse(node->text, &evaluations, seconds, NULL) ||
		 evaluations)
		*seconds = 0;
	if (*seconds > 0)
		return AT_OK;
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"\"deadline\" of search: expected seconds above 0, or a string such as \"10s\" or \"2m\"");
}

static enum at_status load_samples(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_search_defaults *search = &loader->spec->search;
	const struct at_config_node *items;

	if (!node)
		return AT_OK;
	items = node->children;
	if ((node->kind != AT_CONFIG_ARRAY && node->kind != AT_CONFIG_LIST) ||
		node->count != 2 || items[0].kind != AT_CONFIG_INTEGER ||
		items[1].kind != AT_CONFIG_INTEGER || items[0].integer < 1 ||
		items[1].integer < items[0].integer || items[1].integer > 1000000)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"samples\" of search: expected [ minimum, maximum ] with 1 <= minimum <= maximum <= 1000000");
	search->samples_min = (int)items[0].integer;
	search->samples_max = (int)items[1].integer;
	return AT_OK;
}

static enum at_status load_cache(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char *const modes[] = { "cold", "warm" };
	char suggestion[64];

	if (!node)
		return AT_OK;
	if (node->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(
			loader, node, "\"cache\" of search", "\"cold\" or \"warm\"");
	if (!strcmp(node->text, "warm"))
		loader->spec->search.cache = AT_CACHE_WARM;
	else if (strcmp(node->text, "cold"))
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"unknown cache \"%.80s\" in search%s", node->text,
			at_spec_suggestion(node->text, modes, AT_COUNT_OF(modes),
				suggestion, sizeof(suggestion)));
	return AT_OK;
}

enum at_status at_spec_load_search(struct at_spec_loader *loader)
{
	static const char *const keys[] = { "strategy", "budget", "deadline", "samples",
		"cache" };
	const struct at_config_node *node = at_config_find(loader->root, "search");
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_group(loader, node, "search", keys, AT_COUNT_OF(keys));
	if (!status)
		status = at_spec_get_text(loader, node, "search", "strategy",
			&loader->spec->search.strategy);
	if (!status)
		status = load_budget(loader, at_config_find(node, "budget"));
	if (!status)
		status = load_deadline(loader, at_config_find(node, "deadline"));
	if (!status)
		status = load_samples(loader, at_config_find(node, "samples"));
	if (!status)
		status = load_cache(loader, at_config_find(node, "cache"));
	return status;
}
