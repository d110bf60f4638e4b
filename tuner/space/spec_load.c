#include "space/spec_load.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum {
	FILE_BYTES_MAX = 16 << 20,
};

static const char *const sections[] = { "kernel", "problems", "parameters", "defaults",
	"constraints", "options", "launch", "arguments", "prepare", "finish", "verify",
	"metrics", "search" };

/* Later sections use the names of earlier ones. */
static enum at_status (*const loads[])(struct at_spec_loader *loader) = {
	at_spec_load_parameters,
	at_spec_check_macros,
	at_spec_load_defaults,
	at_spec_load_problems,
	at_spec_load_names,
	at_spec_load_constraints,
	at_spec_load_options,
	at_spec_load_launch,
	at_spec_load_arguments,
	at_spec_load_kernel,
	at_spec_load_reference,
	at_spec_load_calls,
	at_spec_load_verify,
	at_spec_load_metrics,
	at_spec_load_search,
	at_spec_check_sizes,
};

enum at_status at_spec_parse(const char *text, size_t size, const char *path,
	struct at_spec **out, struct at_error *err)
{
	struct at_spec_loader loader = { .file = path, .err = err };
	struct at_config_node *root = NULL;
	struct at_spec *spec = at_spec_new();
	enum at_status status = AT_OK;

	if (!spec)
		return at_fail_memory(err);
	spec->path = at_strdup(path);
	spec->directory = at_path_directory(path);
	if (!spec->path || !spec->directory) {
		status = at_fail_memory(err);
		goto free_spec;
	}
	status = at_config_parse(text, size, path, &root, err);
	if (status)
		goto free_spec;
	loader.spec = spec;
	loader.root = root;
	status = at_spec_check_group(
		&loader, root, "this file", sections, AT_COUNT_OF(sections));
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

enum at_status at_spec_load(
	const char *path, struct at_spec **out, struct at_error *err)
{
	char *text;
	size_t size;
	enum at_status status = at_file_read(path, FILE_BYTES_MAX, &text, &size, err);

	if (status)
		return status;
	status = at_spec_parse(text, size, path, out, err);
	free(text);
	return status;
}
