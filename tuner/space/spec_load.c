/* Loads a whole space file, section by section, and contains the loaders of small
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
	SAMPLES_MAX = 1000000, /* their times are held in memory, 8 bytes each */
};

/* Sections that are little more than a list. */

static void load_constraints(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "constraints");
	struct at_spec *spec = loader->spec;
	const size_t count = node ? node->count : 0;

	if (node)
		at_spec_check_strings(loader, node, "\"constraints\"");
	spec->constraints = at_spec_allocate(
		loader, count + loader->range_count + 1, sizeof(*spec->constraints));
	for (size_t i = 0; i < count; i++) {
		struct at_constraint *constraint = &spec->constraints[i];

		constraint->line = node->children[i].line;
		at_spec_compile(loader, node->children[i].text, constraint->line,
			&constraint->expression);
		spec->constraint_count++;
	}
	at_spec_add_range_constraints(loader);
}

/* Options of the compiler. */

/* Returns the slot of a ${NAME} in a text, an option or a path. */
static int check_reference(struct at_spec_loader *loader, int line, const char *what,
	const char *text, const char *name, size_t length)
{
	/* without those of "let" */
	const struct at_spec_names slots = { .count = loader->names.count,
		.items = loader->names.items };
	struct at_names names = at_spec_names_view(&slots);
	enum at_type type;
	char wrong[96];
	const char *nearest;
	int slot;

	if (!name)
		at_spec_fail(loader, line,
			"the %s \"%.200s\" has a \"${\" without its \"}\"", what, text);
	slot = at_names_find(&names, name, length, &type);
	if (slot >= 0) {
		at_spec_note_read(loader, slot, line);
		return slot;
	}
	snprintf(wrong, sizeof(wrong), "%.*s", length > 80 ? 80 : (int)length, name);
	nearest = at_names_nearest(&names, wrong);
	at_spec_fail(loader, line, "unknown name \"%s\" in the %s \"%.200s\"%s%s%s",
		wrong, what, text,
		nearest ? ", did you mean \""
			: ", expected a parameter, a size or device.",
		nearest ? nearest : "NAME", nearest ? "\"?" : "");
}

void at_spec_check_path(struct at_spec_loader *loader, const char *text, int line)
{
	const struct at_spec *spec = loader->spec;
	const char *position = text, *name;
	size_t length;

	while (at_spec_next_reference(&position, &name, &length)) {
		size_t slot = (size_t)check_reference(
			loader, line, "path", text, name, length);

		if (slot < spec->parameter_count ||
			slot >= spec->parameter_count + spec->size_count)
			at_spec_fail(loader, line,
				"the path \"%.200s\" uses \"%.*s\": expected only sizes of problems",
				text, (int)length, name);
	}
}

/* Rejects "$BLOCK" and "{BLOCK}": the compiler would get them unchanged, which is
   hardly intended. */
static void check_references(
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
			at_names_find(&names, at + 1, length, &type) >= 0)
			at_spec_fail(loader, node->line,
				"the option \"%.200s\": write ${%.*s}, with a dollar and braces",
				node->text, (int)length, at + 1);
	}
}

/* Rejects an option that defines or undefines a parameter: parameters are already
   macros and would override the option. */
static void check_macro(
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
		slot = length ? at_names_find(&names, name, length, &type) : -1;
		if (slot >= 0 && (size_t)slot < loader->spec->parameter_count)
			at_spec_fail(loader, node->line,
				"the option \"%.200s\" %s the parameter %.*s, which is a macro already: leave it out",
				node->text, i < 2 ? "defines" : "undefines",
				(int)length, name);
	}
}

static void load_option(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_option *option)
{
	const char *position, *name;
	size_t length;

	if (node->kind == AT_CONFIG_STRING && !node->text[0])
		at_spec_fail(loader, node->line, "a string in \"options\" is empty");
	if (node->kind == AT_CONFIG_STRING) {
		option->text = at_spec_copy_text(loader, node->text);
	} else if (node->kind != AT_CONFIG_GROUP) {
		at_spec_fail_type(loader, node, "an item of \"options\"",
			"a string or { option = \"...\"; when = \"...\"; }");
	} else {
		at_spec_read(loader, node, "a group in \"options\"", AT_GROUP_OPTION,
			option);
		node = at_config_find(node, "option");
	}
	option->line = node->line;
	/* Names are checked here, where the line is known; values are substituted
	   later. */
	position = node->text;
	while (at_spec_next_reference(&position, &name, &length))
		check_reference(loader, node->line, "option", node->text, name, length);
	check_references(loader, node);
	check_macro(loader, node);
}

static void load_options(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "options");
	struct at_spec *spec = loader->spec;

	if (!node)
		return;
	at_spec_check_list_of_strings(
		loader, node, "\"options\"", "a list of strings or groups");
	spec->options =
		at_spec_allocate(loader, node->count + 1, sizeof(*spec->options));
	spec->option_count = node->count;
	for (size_t i = 0; i < node->count; i++)
		load_option(loader, &node->children[i], &spec->options[i]);
}

/* Groups that contain only expressions. */
static void load_metrics_and_board(struct at_spec_loader *loader)
{
	const struct at_config_node *metrics = at_config_find(loader->root, "metrics");
	const struct at_config_node *board = at_config_find(loader->root, "board");

	if (metrics)
		at_spec_read(
			loader, metrics, "metrics", AT_GROUP_METRICS, loader->spec);
	if (board)
		at_spec_read(loader, board, "board", AT_GROUP_BOARD, loader->spec);
}

/* Search. */

static void load_budget(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_search_defaults *search = &loader->spec->search;
	struct at_error inner = { 0 };
	uint64_t evaluations;
	double seconds;
	char number[32];

	if (node->kind != AT_CONFIG_STRING && node->kind != AT_CONFIG_INTEGER)
		at_spec_fail_type(loader, node, "\"budget\" of search",
			"a string such as \"200\", \"90s\" or \"200,10m\"");
	snprintf(number, sizeof(number), "%lld", (long long)node->integer);
	search->budget = at_spec_copy_text(loader, node->text ? node->text : number);
	/* Parsed only to report errors at the budget's line. */
	if (at_budget_parse(search->budget, &evaluations, &seconds, &inner))
		at_spec_fail(loader, node->line, "%s", inner.text);
}

/* Reads "10s" or a number of seconds; rejects a number of evaluations. */
static void load_deadline(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	double *seconds = &loader->spec->search.deadline_seconds;
	uint64_t evaluations = 0;
	char meant[16];

	if (node->kind == AT_CONFIG_INTEGER)
		*seconds = (double)node->integer;
	else if (node->kind == AT_CONFIG_REAL)
		*seconds = node->real;
	else if (node->kind != AT_CONFIG_STRING)
		at_spec_fail_type(loader, node, "\"deadline\" of search",
			"seconds or a string such as \"10s\"");
	else if (at_budget_parse(node->text, &evaluations, seconds, NULL) ||
		 evaluations)
		*seconds = 0;
	if (*seconds > 0)
		return;
	if (node->kind == AT_CONFIG_STRING &&
		at_text_meant_time(node->text, "smh", meant, sizeof(meant)))
		at_spec_fail(loader, node->line,
			"\"deadline\" of search: \"%.80s\" is not how a time is written; did you mean \"%s\"?",
			node->text, meant);
	at_spec_fail(loader, node->line,
		"\"deadline\" of search: expected seconds above 0, or a string such as \"10s\" or \"2m\"");
}

static void load_samples(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_search_defaults *search = &loader->spec->search;
	const struct at_config_node *items = node->children;

	if ((node->kind != AT_CONFIG_ARRAY && node->kind != AT_CONFIG_LIST) ||
		node->count != 2 || items[0].kind != AT_CONFIG_INTEGER ||
		items[1].kind != AT_CONFIG_INTEGER || items[0].integer < 1 ||
		items[1].integer < items[0].integer || items[1].integer > SAMPLES_MAX)
		at_spec_fail(loader, node->line,
			"\"samples\" of search: expected [ minimum, maximum ] with 1 <= minimum <= maximum <= %d",
			SAMPLES_MAX);
	search->samples_min = (int)items[0].integer;
	search->samples_max = (int)items[1].integer;
}

static void load_objective(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	const struct at_objective *objective =
		node->text ? at_objective_find(node->text) : NULL;

	if (!objective)
		at_spec_fail(loader, node->line,
			"\"objective\" of search: expected \"time\", \"energy\" or \"edp\" (energy times time)");
	loader->spec->search.objective = objective;
}

static void load_search(struct at_spec_loader *loader)
{
	static const struct {
		const char *key;
		void (*load)(struct at_spec_loader *loader,
			const struct at_config_node *node);
	} others[] = {
		{ "budget", load_budget },
		{ "deadline", load_deadline },
		{ "samples", load_samples },
		{ "objective", load_objective },
	};
	const struct at_config_node *group = at_config_find(loader->root, "search");
	const struct at_config_node *node = at_config_find(group, "strategy");

	loader->spec->search.objective = &at_objective_time;
	if (!group)
		return;
	at_spec_read(loader, group, "search", AT_GROUP_SEARCH, &loader->spec->search);
	if (node)
		loader->spec->search.strategy_line = node->line;
	for (size_t i = 0; i < AT_COUNT_OF(others); i++) {
		node = at_config_find(group, others[i].key);
		if (node)
			others[i].load(loader, node);
	}
}

/*
 * In this order because sections use names of earlier ones: problems are checked
 * against parameters, ranges end at sizes, expressions use both, kernels take
 * arguments, and calls without arguments take those of "kernel". Sizes are checked
 * after all their uses.
 */
static void (*const loads[])(struct at_spec_loader *loader) = {
	at_spec_load_parameters,
	at_spec_check_macros,
	at_spec_load_problems,
	at_spec_load_ranges,
	at_spec_load_defaults,
	at_spec_load_names,
	at_spec_load_definitions,
	load_constraints,
	load_options,
	at_spec_load_types,
	at_spec_load_arguments,
	at_spec_load_launch,
	at_spec_load_kernel,
	at_spec_load_calls,
	at_spec_load_reference,
	at_spec_load_domain_section,
	at_spec_load_verify,
	load_metrics_and_board,
	load_search,
	at_spec_check_sizes,
	at_spec_load_remarks,
	at_spec_load_defaults_of_problems,
};

static void load(struct at_spec_loader *loader)
{
	if (setjmp(loader->failed))
		return;
	at_spec_read(loader, loader->root, "this file", AT_GROUP_FILE, loader->spec);
	for (size_t i = 0; i < AT_COUNT_OF(loads); i++)
		loads[i](loader);
}

/* more: the root of another file, more_path, or NULL. */
static enum at_status parse(const char *text, size_t size, const char *path,
	const struct at_config_node *more, const char *more_path, struct at_spec **out,
	struct at_error *err)
{
	struct at_error own = { 0 };
	struct at_spec_loader loader = {
		.file = path, .more = more, .more_file = more_path, .err = &own
	};
	struct at_config_node *root = NULL;
	struct at_spec *spec = at_spec_new();
	enum at_status status;

	spec->path = at_spec_own(spec, at_strdup(path));
	spec->directory = at_spec_own(spec, at_path_directory(path));
	spec->text_hash = at_hash_bytes(text, size);
	loader.spec = spec;
	status = at_config_parse(text, size, path, &root, &own);
	loader.root = root;
	if (at_config_find(root, "toolchain"))
		spec->toolchain_line = at_config_find(root, "toolchain")->line;
	if (!status)
		load(&loader);
	status = own.status;
	if (!status)
		*out = spec;
	else if (err && !err->status)
		*err = own;
	at_spec_names_release(&loader.names);
	at_spec_names_release(&loader.domain_names);
	at_spec_release_types(&loader);
	free(loader.size_lines);
	at_config_free(root);
	if (status)
		at_spec_free(spec);
	return status;
}

enum at_status at_spec_parse(const char *text, size_t size, const char *path,
	struct at_spec **out, struct at_error *err)
{
	return parse(text, size, path, NULL, NULL, out, err);
}

/* The file is of another kind, as its name also shows. */
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
	return at_spec_load_more(path, NULL, out, err);
}

enum at_status at_spec_load_more(const char *path, const char *more_path,
	struct at_spec **out, struct at_error *err)
{
	struct at_config_node *more = NULL;
	struct at_error own = { 0 };
	char *text, *more_text = NULL;
	size_t size;
	enum at_status status = at_file_read(path, FILE_BYTES_MAX, &text, &size, err);

	if (status)
		return status;
	if (more_path) {
		size_t more_size;

		status = at_file_read(
			more_path, FILE_BYTES_MAX, &more_text, &more_size, &own);
		if (!status)
			status = at_config_parse(
				more_text, more_size, more_path, &more, &own);
	}
	if (!status)
		status = parse(text, size, path, more, more_path, out, &own);
	at_config_free(more);
	free(more_text);
	free(text);
	if (status == AT_ESYNTAX && at_file_kind_of(path) != AT_FILE_OTHER &&
		at_file_kind_of(path) != AT_FILE_SPACE)
		return fail_kind(path, at_file_kind_of(path), err);
	if (status && err && !err->status)
		*err = own;
	return status;
}
