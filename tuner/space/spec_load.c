/* Loads a whole space file, section by section; has the loaders of the small
   sections. */
#include "space/spec_load.h"

#include "base/file.h"
#include "base/file_kind.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FILE_BYTES_MAX = 16 << 20, /* a larger file is a binary or a log, not a space */
	SAMPLES_MAX = 1000000, /* their times are kept in memory, 8 bytes each */
};

/* Sections that are little more than a list. */

static enum at_status load_constraints(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "constraints");
	struct at_spec *spec = loader->spec;
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_strings(loader, node, "\"constraints\"");
	if (status)
		return status;
	spec->constraints = at_calloc(node->count + 1, sizeof(*spec->constraints));
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

static enum at_status load_toolchain(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "toolchain");

	if (node)
		loader->spec->toolchain_line = node->line;
	return at_spec_get_text(loader, loader->root, "this file", "toolchain",
		&loader->spec->toolchain);
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

/* Refuses "$BLOCK" and "{BLOCK}": the compiler would get it as it is, which is hardly
   meant. */
static enum at_status check_references(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_names names = at_spec_names_view(&loader->names);
	enum at_type type;

	for (const char *at = node->text; *(at += strcspn(at, "${")); at++) {
		size_t length = strcspn(at + 1, " \t$+-*/=,;:()[]{}<>'\"");
		bool is_half =
			*at == '$' ||
			(at[length + 1] == '}' && (at == node->text || at[-1] != '$'));

		if (length && is_half &&
			names.find(names.context, at + 1, length, &type) >= 0)
			return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
				"the option \"%.200s\": write ${%.*s}, with a dollar and braces",
				node->text, (int)length, at + 1);
	}
	return AT_OK;
}

/* Refuses an option that defines a parameter, or undefines it: parameters are macros
   already, and the option would be overruled. */
static enum at_status check_macro(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char *const forms[] = { "-D", "--define-macro=", "-U",
		"--undefine-macro=" };
	struct at_names names = at_spec_names_view(&loader->names);
	enum at_type type;

	for (size_t i = 0; i < AT_COUNT_OF(forms); i++) {
		const char *name = node->text + strlen(forms[i]);
		size_t length;
		int slot;

		if (strncmp(node->text, forms[i], strlen(forms[i])) != 0)
			continue;
		name += strspn(name, " ");
		length = strcspn(name, "= ");
		slot = length ? names.find(names.context, name, length, &type) : -1;
		if (slot >= 0 && (size_t)slot < loader->spec->parameter_count)
			return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
				"the option \"%.200s\" %s the parameter %.*s, which is a macro already: leave it out",
				node->text, i < 2 ? "defines" : "undefines",
				(int)length, name);
	}
	return AT_OK;
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
	/* Names are checked here, where the line is known; values are put in later. */
	while (!status && at_spec_next_reference(&position, &name, &length))
		status = check_reference(loader, node, name, length);
	if (!status)
		status = check_references(loader, node);
	if (!status)
		status = check_macro(loader, node);
	if (status)
		return status;
	option->line = node->line;
	option->text = at_strdup(node->text);
	return AT_OK;
}

static enum at_status load_option(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_option *option)
{
	static const char group[] = "a group in \"options\"";
	enum at_status status;

	if (node->kind == AT_CONFIG_STRING)
		return load_option_text(
			loader, node, "a string in \"options\"", option);
	if (node->kind != AT_CONFIG_GROUP)
		return at_spec_fail_type(loader, node, "an item of \"options\"",
			"a string or { option = \"...\"; when = \"...\"; }");
	status = at_spec_check_group(loader, node, group, AT_GROUP_OPTION);
	if (!status)
		status = at_spec_require(
			loader, node, group, "option", "option = \"...\";");
	if (!status)
		status = at_spec_require(loader, node, group, "when",
			"when = \"...\"; or write the option as a string");
	if (!status)
		status = load_option_text(loader, at_config_find(node, "option"),
			"\"option\" in \"options\"", option);
	if (!status)
		status = at_spec_get_expression(
			loader, node, "an option", "when", &option->when);
	return status;
}

static enum at_status load_options(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "options");
	struct at_spec *spec = loader->spec;
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_list_of_strings(
		loader, node, "\"options\"", "a list of strings or groups");
	if (status)
		return status;
	spec->options = at_calloc(node->count + 1, sizeof(*spec->options));
	/* Counted before it is read, so that at_spec_free() also frees an option that
	   was read in part. */
	for (size_t i = 0; i < node->count && !status; i++) {
		spec->option_count++;
		status = load_option(loader, &node->children[i], &spec->options[i]);
	}
	return status;
}

static enum at_status load_metrics(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "metrics");
	struct at_spec *spec = loader->spec;
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_group(loader, node, "metrics", AT_GROUP_METRICS);
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

static enum at_status load_budget(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_search_defaults *search = &loader->spec->search;
	struct at_error inner = { 0 };
	enum at_status status;
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
	/* Read only to report errors at the budget's line. */
	status = at_budget_parse(search->budget, &evaluations, &seconds, &inner);
	return status ? at_fail(loader->err, status, loader->file, node->line, "%s",
				inner.text)
		      : AT_OK;
}

/* Reads "10s" or a number of seconds; a number of evaluations is refused. */
static enum at_status load_deadline(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	double *seconds = &loader->spec->search.deadline_seconds;
	uint64_t evaluations = 0;
	char meant[16];

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
	if (node->kind == AT_CONFIG_STRING &&
		at_text_meant_time(node->text, "smh", meant, sizeof(meant)))
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"deadline\" of search: \"%.80s\" is not how a time is written; did you mean \"%s\"?",
			node->text, meant);
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
		items[1].integer < items[0].integer || items[1].integer > SAMPLES_MAX)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"samples\" of search: expected [ minimum, maximum ] with 1 <= minimum <= maximum <= %d",
			SAMPLES_MAX);
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

static enum at_status load_search(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "search");
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_group(loader, node, "search", AT_GROUP_SEARCH);
	if (!status)
		status = at_spec_get_text(loader, node, "search", "strategy",
			&loader->spec->search.strategy);
	if (at_config_find(node, "strategy"))
		loader->spec->search.strategy_line =
			at_config_find(node, "strategy")->line;
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

/*
 * The whole file.
 */

/*
 * In this order because sections use names of earlier ones: problems are checked
 * against parameters, expressions use both, kernels take arguments, and `prepare` and
 * `finish` take those of the tuned kernel. Sizes are checked once all their uses are
 * known.
 */
static enum at_status (*const loads[])(struct at_spec_loader *loader) = {
	at_spec_load_parameters,
	at_spec_check_macros,
	at_spec_load_defaults,
	at_spec_load_problems,
	at_spec_load_names,
	load_constraints,
	load_toolchain,
	load_options,
	at_spec_load_launch,
	at_spec_load_types,
	at_spec_load_arguments,
	at_spec_load_kernel,
	at_spec_load_reference,
	at_spec_load_calls,
	at_spec_load_domain_section,
	at_spec_load_verify,
	load_metrics,
	load_search,
	at_spec_check_sizes,
	at_spec_load_remarks,
};

enum at_status at_spec_parse(const char *text, size_t size, const char *path,
	struct at_spec **out, struct at_error *err)
{
	struct at_spec_loader loader = { .file = path, .err = err };
	struct at_config_node *root = NULL;
	struct at_spec *spec = at_spec_new();
	enum at_status status = AT_OK;

	spec->path = at_strdup(path);
	spec->directory = at_path_directory(path);
	spec->text_hash = at_hash_bytes(text, size);
	status = at_config_parse(text, size, path, &root, err);
	if (status)
		goto free_spec;
	loader.spec = spec;
	loader.root = root;
	status = at_spec_check_group(&loader, root, "this file", AT_GROUP_FILE);
	for (size_t i = 0; i < AT_COUNT_OF(loads) && !status; i++)
		status = loads[i](&loader);
	if (!status) {
		*out = spec;
		spec = NULL;
	}
	at_spec_names_release(&loader.names);
	free(loader.size_lines);
	at_config_free(root);
free_spec:
	at_spec_free(spec);
	return status;
}

/* Another kind of file was given, as its name says too. */
static enum at_status fail_kind(
	const char *path, enum at_file_kind kind, struct at_error *err)
{
	const char *is = at_file_kind_text(kind);

	if (kind == AT_FILE_SOURCE)
		return at_fail(err, AT_EINVAL, path, 0,
			"%s: name the space file (.cfg) whose template it is", is);
	if (kind == AT_FILE_JSON)
		return at_fail(err, AT_EINVAL, path, 0,
			"%s, no space file (.cfg): recordings are for simulate, import and --device replay:FILE, result files for compare",
			is);
	return at_fail(err, AT_EINVAL, path, 0, "%s, no space file (.cfg)", is);
}

enum at_status at_spec_load(
	const char *path, struct at_spec **out, struct at_error *err)
{
	struct at_error own = { 0 };
	char *text;
	size_t size;
	enum at_status status = at_file_read(path, FILE_BYTES_MAX, &text, &size, err);

	if (status)
		return status;
	status = at_spec_parse(text, size, path, out, &own);
	free(text);
	if (status == AT_ESYNTAX && at_file_kind_of(path) != AT_FILE_OTHER &&
		at_file_kind_of(path) != AT_FILE_SPACE)
		return fail_kind(path, at_file_kind_of(path), err);
	if (status && err && !err->status)
		*err = own;
	return status;
}
