#include "space/spec_load.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "reference";

static bool is_compared(const struct at_argument *argument)
{
	return argument->access == AT_ACCESS_OUT || argument->access == AT_ACCESS_INOUT;
}

/* reference = "kernel" */
static enum at_status load_name(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	struct at_reference *reference = &loader->spec->reference;
	enum at_status status = at_spec_check_identifier(
		loader, node->line, "the reference's kernel", node->text);

	if (status)
		return status;
	reference->kind = AT_REFERENCE_KERNEL;
	reference->call.line = node->line;
	reference->call.kernel = at_strdup(node->text);
	if (!reference->call.kernel)
		return at_fail_memory(loader->err);
	return at_spec_read_argument_names(loader, NULL, what,
		&reference->call.arguments, &reference->call.argument_count);
}

/* reference: { kernel; arguments; block; grid; shared_bytes } */
static enum at_status load_kernel(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char *const keys[] = { "kernel", "arguments", "block", "grid",
		"shared_bytes" };
	struct at_reference *reference = &loader->spec->reference;
	enum at_status status =
		at_spec_check_group(loader, node, what, keys, AT_COUNT_OF(keys));

	reference->kind = AT_REFERENCE_KERNEL;
	reference->call.line = node->line;
	if (!status)
		status = at_spec_get_identifier(
			loader, node, what, "kernel", &reference->call.kernel);
	if (!status)
		status = at_spec_read_launch(
			loader, node, what, &reference->call.launch);
	if (!status)
		status = at_spec_read_argument_names(loader, node, what,
			&reference->call.arguments, &reference->call.argument_count);
	return status;
}

/* reference: { library; function; arguments } */
static enum at_status load_library(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char *const keys[] = { "library", "function", "arguments" };
	struct at_reference *reference = &loader->spec->reference;
	enum at_status status =
		at_spec_check_group(loader, node, what, keys, AT_COUNT_OF(keys));

	reference->kind = AT_REFERENCE_LIBRARY;
	reference->call.line = node->line;
	if (!status)
		status = at_spec_require(
			loader, node, what, "function", "function = \"...\";");
	if (!status)
		status = at_spec_get_path(
			loader, node, what, "library", &reference->library);
	if (!status)
		status = at_spec_get_identifier(
			loader, node, what, "function", &reference->function);
	if (!status)
		status = at_spec_read_argument_names(loader, node, what,
			&reference->call.arguments, &reference->call.argument_count);
	return status;
}

/*
 * reference: { files = ( { argument; path }, ... ) }
 */

static enum at_status check_file_argument(const struct at_spec_loader *loader,
	const struct at_config_node *node, size_t argument)
{
	const struct at_spec *spec = loader->spec;
	const struct at_reference *reference = &spec->reference;

	if (!is_compared(&spec->arguments[argument]))
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"\"files\" of reference: argument \"%.80s\" is never compared: expected one of access \"out\" or \"inout\"",
			spec->arguments[argument].name);
	for (size_t i = 0; i < reference->file_count; i++)
		if (reference->files[i].argument == argument)
			return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
				"\"files\" of reference: argument \"%.80s\" is given twice",
				spec->arguments[argument].name);
	return AT_OK;
}

static enum at_status load_file(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char *const keys[] = { "argument", "path" };
	static const char file[] = "\"files\" of reference";
	struct at_reference *reference = &loader->spec->reference;
	struct at_reference_file *out = &reference->files[reference->file_count];
	const struct at_config_node *name;
	enum at_status status =
		at_spec_check_group(loader, node, file, keys, AT_COUNT_OF(keys));

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
	if (!status)
		status = check_file_argument(loader, name, out->argument);
	if (!status)
		status = at_spec_get_path(loader, node, file, "path", &out->path);
	if (!status)
		reference->file_count++;
	return status;
}

static enum at_status check_files_complete(const struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;

	for (size_t a = 0; a < spec->argument_count; a++) {
		size_t i = 0;

		while (i < spec->reference.file_count &&
			spec->reference.files[i].argument != a)
			i++;
		if (is_compared(&spec->arguments[a]) && i == spec->reference.file_count)
			return at_fail(loader->err, AT_EINVAL, loader->file,
				spec->reference.line,
				"\"files\" of reference has none for argument \"%.80s\": add { argument = \"%.80s\"; path = \"...\"; }",
				spec->arguments[a].name, spec->arguments[a].name);
	}
	return AT_OK;
}

static enum at_status load_files(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char *const keys[] = { "files" };
	struct at_reference *reference = &loader->spec->reference;
	const struct at_config_node *files = at_config_find(node, "files");
	enum at_status status =
		at_spec_check_group(loader, node, what, keys, AT_COUNT_OF(keys));

	reference->kind = AT_REFERENCE_FILE;
	if (!status)
		status = at_spec_check_list(loader, files, "\"files\" of reference",
			"a list of groups ( { argument = ...; path = ...; }, ... )");
	if (status)
		return status;
	reference->files = calloc(files->count + 1, sizeof(*reference->files));
	if (!reference->files)
		return at_fail_memory(loader->err);
	for (size_t i = 0; i < files->count && !status; i++)
		status = load_file(loader, &files->children[i]);
	return status ? status : check_files_complete(loader);
}

/* Nothing to compare with is fine where nothing is compared. */
static enum at_status check_no_output(const struct at_spec_loader *loader)
{
	const struct at_spec *spec = loader->spec;

	if (!spec->kernel)
		return AT_OK;
	for (size_t i = 0; i < spec->argument_count; i++)
		if (is_compared(&spec->arguments[i]))
			return at_fail(loader->err, AT_EINVAL, loader->file,
				spec->kernel_line,
				"kernel has no \"reference\" that argument \"%.80s\" could be compared with: add reference = \"KERNEL\"; or make its access \"scratch\"",
				spec->arguments[i].name);
	return AT_OK;
}

enum at_status at_spec_load_reference(struct at_spec_loader *loader)
{
	static const char *const keys[] = { "kernel", "library", "files", "function",
		"arguments", "block", "grid", "shared_bytes" };
	const struct at_config_node *node =
		at_config_find(at_config_find(loader->root, "kernel"), "reference");
	struct at_reference *reference = &loader->spec->reference;
	enum at_status status;

	if (!node)
		return check_no_output(loader);
	reference->line = node->line;
	if (node->kind == AT_CONFIG_STRING)
		return load_name(loader, node);
	if (node->kind != AT_CONFIG_GROUP)
		return at_spec_fail_type(loader, node, "\"reference\" of kernel",
			"a kernel's name or a group");
	if (at_config_find(node, "kernel"))
		return load_kernel(loader, node);
	if (at_config_find(node, "library"))
		return load_library(loader, node);
	if (at_config_find(node, "files"))
		return load_files(loader, node);
	status = at_spec_check_group(loader, node, what, keys, AT_COUNT_OF(keys));
	if (status)
		return status;
	return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
		"reference has none of \"kernel\", \"library\" and \"files\": expected one");
}
