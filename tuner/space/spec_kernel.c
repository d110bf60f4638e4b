/* The section "kernel" with its reference, and "launch", "prepare" and "finish": which
   kernels and functions are called with which arguments. */
#include "space/spec_load.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Launch geometry.
 */

static enum at_status load_dimensions(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	struct at_expression *out[3], size_t *rank)
{
	const struct at_config_node *node = at_config_find(group, key);
	char where[160];
	enum at_status status;

	if (!node)
		return AT_OK;
	snprintf(where, sizeof(where), "\"%s\" of %s", key, what);
	status = at_spec_check_dimensions(loader, node, where);
	if (status)
		return status;
	status = at_spec_check_list_of_strings(
		loader, node, where, "a list of 1 to 3 expressions or integers");
	if (status)
		return status;
	if (node->count < 1 || node->count > 3)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s: expected 1 to 3 dimensions, found %zu", where,
			node->count);
	for (size_t i = 0; i < node->count && !status; i++) {
		const struct at_config_node *item = &node->children[i];

		/* A constant is checked here, where its line is known; an expression
		   when it is evaluated. */
		if (item->kind == AT_CONFIG_INTEGER && item->integer < 1)
			return at_fail(loader->err, AT_EINVAL, loader->file, item->line,
				"%s: dimension %zu is %lld: expected 1 or more", where,
				i + 1, (long long)item->integer);
		if (item->kind != AT_CONFIG_INTEGER && item->kind != AT_CONFIG_STRING)
			return at_spec_fail_type(loader, item, where,
				"a list of 1 to 3 expressions or integers");
		status = at_spec_compile_node(loader, item, where, &out[i]);
		if (!status)
			*rank = i + 1;
	}
	return status;
}

/* Reads block, grid and shared_bytes of a group; without any of them *out stays
   zeroed. */
static enum at_status read_launch(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, struct at_launch *out)
{
	const struct at_config_node *block = at_config_find(group, "block");
	const struct at_config_node *grid = at_config_find(group, "grid");
	const struct at_config_node *shared = at_config_find(group, "shared_bytes");
	enum at_status status = AT_OK;

	/* A reference may leave its launch out; it then gets a default one (struct
	   at_reference). */
	if (!block && !grid && !shared)
		return AT_OK;
	out->line = group->line;
	status = at_spec_require(loader, group, what, "block", "block = ( ... );");
	if (!status)
		status =
			at_spec_require(loader, group, what, "grid", "grid = ( ... );");
	if (!status)
		status = load_dimensions(
			loader, group, what, "block", out->block, &out->block_rank);
	if (!status)
		status = load_dimensions(
			loader, group, what, "grid", out->grid, &out->grid_rank);
	if (!status)
		status = at_spec_get_expression(
			loader, group, what, "shared_bytes", &out->shared_bytes);
	return status;
}

enum at_status at_spec_load_launch(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "launch");
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_group(loader, node, "launch", AT_GROUP_LAUNCH);
	/* Without this, an empty group would count as no launch at all. */
	if (!status)
		status = at_spec_require(
			loader, node, "launch", "block", "block = ( ... );");
	if (!status)
		status = read_launch(loader, node, "launch", &loader->spec->launch);
	return status;
}

/*
 * The tuned kernel.
 */

/* "spaces/gemm.cfg" -> "gemm" */
static char *name_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	size_t length = strlen(file);

	if (length > 4 && !strcmp(file + length - 4, ".cfg"))
		length -= 4;
	return at_strndup(file, length);
}

/* The kernel takes all arguments in order unless kernel.arguments says otherwise. */
static void take_all_arguments(struct at_spec_loader *loader)
{
	struct at_spec *spec = loader->spec;

	spec->kernel_arguments =
		at_calloc(spec->given_count + 1, sizeof(*spec->kernel_arguments));
	spec->kernel_argument_count = spec->given_count;
	for (size_t i = 0; i < spec->given_count; i++)
		spec->kernel_arguments[i] = i;
}

/* Without "function", the name is the function's as well. Files are then named for the
   bare name: "scale" of "tools::scale<BLOCK>". */
static enum at_status take_function(struct at_spec_loader *loader, int line)
{
	struct at_spec *spec = loader->spec;
	const char *bare;
	size_t length;
	enum at_status status = at_spec_check_kernel(loader, line,
		at_kernel_arguments(spec->name)
			? "\"name\" of kernel"
			: "\"name\" of kernel, which names the function too while no \"function\" is given",
		spec->name);

	if (status)
		return status;
	spec->kernel = spec->name;
	bare = at_kernel_bare_name(spec->kernel, &length);
	spec->name = at_strndup(bare, length);
	return AT_OK;
}

enum at_status at_spec_load_kernel(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "kernel");
	const struct at_config_node *function;
	struct at_spec *spec = loader->spec;
	enum at_status status;
	bool is_plain;
	int line;

	if (!node) {
		spec->name = name_of_file(loader->file);
		take_all_arguments(loader);
		return AT_OK;
	}
	spec->kernel_line = node->line;
	status = at_spec_check_group(loader, node, "kernel", AT_GROUP_KERNEL);
	if (!status)
		status = at_spec_require(
			loader, node, "kernel", "name", "name = \"...\";");
	if (!status)
		status = at_spec_require(
			loader, node, "kernel", "template", "template = \"....cu\";");
	if (!status)
		status = at_spec_get_text(loader, node, "kernel", "name", &spec->name);
	if (status)
		return status;
	line = at_config_find(node, "name")->line;
	function = at_config_find(node, "function");
	is_plain = function || !(strchr(spec->name, '<') || strstr(spec->name, "::"));
	for (const char *c = spec->name; is_plain && *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
			return at_fail(loader->err, AT_EINVAL, loader->file, line,
				"\"name\" of kernel is \"%.80s\": expected letters, digits, \"_\" and \"-\", since files and macros are named for it",
				spec->name);
	/* A name that does not serve as the function's may have dashes. */
	if (!function)
		status = take_function(loader, line);
	if (!status && function)
		status = at_spec_get_kernel(
			loader, node, "kernel", "function", &spec->kernel);
	if (!status)
		status = at_spec_get_path(
			loader, node, "kernel", "template", &spec->template_path);
	if (status)
		return status;
	if (!at_config_find(node, "arguments")) {
		take_all_arguments(loader);
		return AT_OK;
	}
	return at_spec_read_argument_names(loader, node, "kernel",
		&spec->kernel_arguments, &spec->kernel_argument_count);
}

/*
 * The kernels before and after.
 */

/*
 * Reads `prepare` or `finish`. Where it names no arguments it gets those of the tuned
 * kernel, so the kernel must be loaded before.
 */
static enum at_status load_call(
	struct at_spec_loader *loader, const char *section, struct at_call *call)
{
	const struct at_config_node *node = at_config_find(loader->root, section);
	enum at_status status;

	if (!node)
		return AT_OK;
	call->line = node->line;
	status = at_spec_check_group(loader, node, section, AT_GROUP_CALL);
	if (!status)
		status = at_spec_require(
			loader, node, section, "kernel", "kernel = \"...\";");
	if (!status)
		status = at_spec_require(
			loader, node, section, "block", "block = ( ... );");
	if (!status)
		status = at_spec_get_kernel(
			loader, node, section, "kernel", &call->kernel);
	if (!status)
		status = read_launch(loader, node, section, &call->launch);
	if (!status)
		status = at_spec_read_argument_names(
			loader, node, section, &call->arguments, &call->argument_count);
	return status;
}

enum at_status at_spec_load_calls(struct at_spec_loader *loader)
{
	enum at_status status = load_call(loader, "prepare", &loader->spec->prepare);

	return status ? status : load_call(loader, "finish", &loader->spec->finish);
}

/*
 * The reference: what the outputs of a configuration are compared with.
 */

static const char reference_what[] = "reference";

/* reference = "kernel" */
static enum at_status load_reference_name(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_reference *reference = &loader->spec->reference;
	enum at_status status = at_spec_check_kernel(
		loader, node->line, "the reference's kernel", node->text);

	if (status)
		return status;
	reference->kind = AT_REFERENCE_KERNEL;
	reference->call.line = node->line;
	reference->call.kernel = at_strdup(node->text);
	return at_spec_read_argument_names(loader, NULL, reference_what,
		&reference->call.arguments, &reference->call.argument_count);
}

/* reference: { kernel; arguments; block; grid; shared_bytes } */
static enum at_status load_reference_kernel(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_reference *reference = &loader->spec->reference;
	enum at_status status = at_spec_check_group(
		loader, node, reference_what, AT_GROUP_REFERENCE_KERNEL);

	reference->kind = AT_REFERENCE_KERNEL;
	reference->call.line = node->line;
	if (!status)
		status = at_spec_get_kernel(loader, node, reference_what, "kernel",
			&reference->call.kernel);
	if (!status)
		status = read_launch(
			loader, node, reference_what, &reference->call.launch);
	if (!status)
		status = at_spec_read_argument_names(loader, node, reference_what,
			&reference->call.arguments, &reference->call.argument_count);
	return status;
}

/* reference: { library; function; arguments } */
static enum at_status load_reference_library(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_reference *reference = &loader->spec->reference;
	enum at_status status = at_spec_check_group(
		loader, node, reference_what, AT_GROUP_REFERENCE_LIBRARY);

	reference->kind = AT_REFERENCE_LIBRARY;
	reference->call.line = node->line;
	if (!status)
		status = at_spec_require(loader, node, reference_what, "function",
			"function = \"...\";");
	if (!status)
		status = at_spec_get_path(
			loader, node, reference_what, "library", &reference->library);
	if (!status)
		status = at_spec_get_identifier(
			loader, node, reference_what, "function", &reference->function);
	if (!status)
		status = at_spec_read_argument_names(loader, node, reference_what,
			&reference->call.arguments, &reference->call.argument_count);
	return status;
}

/* { argument; path } */
static enum at_status load_reference_file(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char file[] = "\"files\" of reference";
	const struct at_spec *spec = loader->spec;
	struct at_reference *reference = &loader->spec->reference;
	struct at_reference_file *out = &reference->files[reference->file_count];
	const struct at_config_node *name;
	enum at_status status =
		at_spec_check_group(loader, node, file, AT_GROUP_REFERENCE_FILE);

	if (!status)
		status = at_spec_require(
			loader, node, file, "argument", "argument = \"...\";");
	if (!status)
		status = at_spec_require(loader, node, file, "path", "path = \"...\";");
	if (status)
		return status;
	name = at_config_find(node, "argument");
	if (name->kind != AT_CONFIG_STRING)
		return at_spec_fail_type(loader, name, file, "an argument's name");
	status = at_spec_find_argument(loader, name, file, &out->argument);
	if (status)
		return status;
	if (!at_spec_is_compared(&spec->arguments[out->argument]))
		return at_fail(loader->err, AT_EINVAL, loader->file, name->line,
			"\"files\" of reference: argument \"%.80s\" is never compared: expected one of access \"out\" or \"inout\"",
			spec->arguments[out->argument].name);
	for (size_t i = 0; i < reference->file_count; i++)
		if (reference->files[i].argument == out->argument)
			return at_fail(loader->err, AT_EINVAL, loader->file, name->line,
				"\"files\" of reference: argument \"%.80s\" is given twice",
				spec->arguments[out->argument].name);
	status = at_spec_get_path(loader, node, file, "path", &out->path);
	if (!status)
		reference->file_count++;
	return status;
}

/* reference: { files = ( { argument; path }, ... ) } */
static enum at_status load_reference_files(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	const struct at_spec *spec = loader->spec;
	struct at_reference *reference = &loader->spec->reference;
	const struct at_config_node *files = at_config_find(node, "files");
	enum at_status status = at_spec_check_group(
		loader, node, reference_what, AT_GROUP_REFERENCE_FILES);

	reference->kind = AT_REFERENCE_FILE;
	if (!status)
		status = at_spec_check_list(loader, files, "\"files\" of reference",
			"a list of groups ( { argument = ...; path = ...; }, ... )");
	if (status)
		return status;
	reference->files = at_calloc(files->count + 1, sizeof(*reference->files));
	for (size_t i = 0; i < files->count && !status; i++)
		status = load_reference_file(loader, &files->children[i]);
	/* Without a file, nothing would be compared with that output. */
	for (size_t a = 0; a < spec->argument_count && !status; a++) {
		size_t i = 0;

		while (i < reference->file_count && reference->files[i].argument != a)
			i++;
		if (at_spec_is_compared(&spec->arguments[a]) &&
			i == reference->file_count)
			status = at_fail(loader->err, AT_EINVAL, loader->file,
				reference->line,
				"\"files\" of reference has none for argument \"%.80s\": add { argument = \"%.80s\"; path = \"...\"; }",
				spec->arguments[a].name, spec->arguments[a].name);
	}
	return status;
}

/*
 * No reference is fine where there is no output. With one, every wrong kernel would
 * pass.
 */
static enum at_status check_no_output(const struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;

	if (!spec->kernel)
		return AT_OK;
	for (size_t i = 0; i < spec->argument_count; i++)
		if (at_spec_is_compared(&spec->arguments[i]))
			return at_fail(loader->err, AT_EINVAL, loader->file,
				spec->kernel_line,
				"kernel has no \"reference\" that argument \"%.80s\" could be compared with: add reference = \"KERNEL\"; or make its access \"scratch\"",
				spec->arguments[i].name);
	return AT_OK;
}

/* A reference needs at least one output to be compared with. */
static enum at_status check_outputs(
	const struct at_spec_loader *loader, const struct at_config_node *node)
{
	const struct at_spec *spec = loader->spec;
	const struct at_config_node *arguments =
		at_config_find(loader->root, "arguments");
	bool any = !spec->argument_count;

	for (size_t i = 0; i < spec->argument_count; i++)
		any |= spec->arguments[i].access == AT_ACCESS_OUT ||
		       spec->arguments[i].access == AT_ACCESS_INOUT;
	return any ? AT_OK
		   : at_fail(loader->err, AT_EINVAL, loader->file,
			     arguments ? arguments->line : node->line,
			     "no argument is an output that the reference could be compared in: give one the access \"out\" or \"inout\"");
}

enum at_status at_spec_load_reference(struct at_spec_loader *loader)
{
	const struct at_config_node *node =
		at_config_find(at_config_find(loader->root, "kernel"), "reference");
	struct at_reference *reference = &loader->spec->reference;
	enum at_status status;

	if (!node)
		return check_no_output(loader);
	status = check_outputs(loader, node);
	if (status)
		return status;
	reference->line = node->line;
	if (node->kind == AT_CONFIG_STRING)
		return load_reference_name(loader, node);
	if (node->kind != AT_CONFIG_GROUP)
		return at_spec_fail_type(loader, node, "\"reference\" of kernel",
			"a kernel's name or a group");
	if (at_config_find(node, "kernel"))
		return load_reference_kernel(loader, node);
	if (at_config_find(node, "library"))
		return load_reference_library(loader, node);
	if (at_config_find(node, "files"))
		return load_reference_files(loader, node);
	/* A misspelt key is the likely reason, so unknown keys are reported first. */
	status = at_spec_check_group(loader, node, reference_what, AT_GROUP_REFERENCE);
	if (status)
		return status;
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"reference has none of \"kernel\", \"library\" and \"files\": expected one");
}
