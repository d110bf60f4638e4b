#include "space/spec_load.h"

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
	status = at_spec_check_list(
		loader, node, where, "a list of 1 to 3 expressions or integers");
	if (status)
		return status;
	if (node->count < 1 || node->count > 3)
		return at_fail(loader->err, AT_EINVAL, loader->file, node->line,
			"%s: expected 1 to 3 dimensions, found %zu", where,
			node->count);
	for (size_t i = 0; i < node->count && !status; i++) {
		const struct at_config_node *item = &node->children[i];

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

enum at_status at_spec_read_launch(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, struct at_launch *out)
{
	const struct at_config_node *block = at_config_find(group, "block");
	const struct at_config_node *grid = at_config_find(group, "grid");
	const struct at_config_node *shared = at_config_find(group, "shared_bytes");
	enum at_status status = AT_OK;

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
	static const char *const keys[] = { "block", "grid", "shared_bytes" };
	const struct at_config_node *node = at_config_find(loader->root, "launch");
	enum at_status status;

	if (!node)
		return AT_OK;
	status = at_spec_check_group(loader, node, "launch", keys, AT_COUNT_OF(keys));
	if (!status)
		status = at_spec_require(
			loader, node, "launch", "block", "block = ( ... );");
	if (!status)
		status = at_spec_read_launch(
			loader, node, "launch", &loader->spec->launch);
	return status;
}

/*
 * The tuned kernel.
 */

static enum at_status check_kernel_name(
	const struct at_spec_loader *loader, const struct at_config_node *group)
{
	const struct at_spec *spec = loader->spec;
	const struct at_config_node *name = at_config_find(group, "name");
	char what[128];

	for (const char *c = spec->name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
			return at_fail(loader->err, AT_EINVAL, loader->file, name->line,
				"\"name\" of kernel is \"%.80s\": expected letters, digits, \"_\" and \"-\", since files and macros are named for it",
				spec->name);
	if (at_config_find(group, "function"))
		return AT_OK;
	snprintf(what, sizeof(what),
		"\"name\" of kernel, which names the function too while no \"function\" is given");
	return at_spec_check_identifier(loader, name->line, what, spec->name);
}

static enum at_status load_kernel_group(
	struct at_spec_loader *loader, const struct at_config_node *node)
{
	static const char *const keys[] = { "name", "template", "reference", "function",
		"arguments" };
	struct at_spec *spec = loader->spec;
	enum at_status status =
		at_spec_check_group(loader, node, "kernel", keys, AT_COUNT_OF(keys));

	spec->kernel_line = node->line;
	if (!status)
		status = at_spec_require(
			loader, node, "kernel", "name", "name = \"...\";");
	if (!status)
		status = at_spec_require(
			loader, node, "kernel", "template", "template = \"....cu\";");
	if (!status)
		status = at_spec_get_text(loader, node, "kernel", "name", &spec->name);
	if (!status)
		status = check_kernel_name(loader, node);
	if (!status)
		status = at_spec_get_identifier(
			loader, node, "kernel", "function", &spec->kernel);
	if (!status)
		status = at_spec_get_path(
			loader, node, "kernel", "template", &spec->template_path);
	if (!status && !spec->kernel) {
		spec->kernel = at_strdup(spec->name);
		if (!spec->kernel)
			status = at_fail_memory(loader->err);
	}
	return status;
}

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

/* Until kernel.arguments says otherwise, the kernel takes all, in order. */
static enum at_status take_all_arguments(struct at_spec_loader *loader)
{
	struct at_spec *spec = loader->spec;

	spec->kernel_arguments =
		calloc(spec->argument_count + 1, sizeof(*spec->kernel_arguments));
	if (!spec->kernel_arguments)
		return at_fail_memory(loader->err);
	spec->kernel_argument_count = spec->argument_count;
	for (size_t i = 0; i < spec->argument_count; i++)
		spec->kernel_arguments[i] = i;
	return AT_OK;
}

enum at_status at_spec_load_kernel(struct at_spec_loader *loader)
{
	const struct at_config_node *node = at_config_find(loader->root, "kernel");
	struct at_spec *spec = loader->spec;
	enum at_status status;

	if (!node) {
		spec->name = name_of_file(loader->file);
		return spec->name ? take_all_arguments(loader)
				  : at_fail_memory(loader->err);
	}
	status = load_kernel_group(loader, node);
	if (status)
		return status;
	if (!at_config_find(node, "arguments"))
		return take_all_arguments(loader);
	return at_spec_read_argument_names(loader, node, "kernel",
		&spec->kernel_arguments, &spec->kernel_argument_count);
}

/*
 * The kernels before and after.
 */

static enum at_status load_call(
	struct at_spec_loader *loader, const char *section, struct at_call *call)
{
	static const char *const keys[] = { "kernel", "arguments", "block", "grid",
		"shared_bytes" };
	const struct at_config_node *node = at_config_find(loader->root, section);
	enum at_status status;

	if (!node)
		return AT_OK;
	call->line = node->line;
	status = at_spec_check_group(loader, node, section, keys, AT_COUNT_OF(keys));
	if (!status)
		status = at_spec_require(
			loader, node, section, "kernel", "kernel = \"...\";");
	if (!status)
		status = at_spec_require(
			loader, node, section, "block", "block = ( ... );");
	if (!status)
		status = at_spec_get_identifier(
			loader, node, section, "kernel", &call->kernel);
	if (!status)
		status = at_spec_read_launch(loader, node, section, &call->launch);
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
