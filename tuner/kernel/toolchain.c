/* The registry of toolchains, and at_compile(), which does their common work: changed
   files, code for the CPU, clashes of macros, and logs of limited length. */
#include "kernel/toolchain.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/clash.h"
#include "kernel/cubin.h"
#include "kernel/device_code.h"
#include "kernel/job.h"
#include "kernel/reach.h"
#include "kernel/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct at_toolchain *const built_in[] = {
	&at_toolchain_nvrtc,
	&at_toolchain_nvcc,
	&at_toolchain_cxx,
};

enum {
	BUILT_IN_COUNT = AT_COUNT_OF(built_in),
	/* a fixed size needs no clean-up, and no program adds more than a few */
	ADDED_MAX = 8,
};

static const struct at_toolchain *added[ADDED_MAX];
static size_t added_count;

const struct at_toolchain *at_toolchain_at(size_t index)
{
	if (index < BUILT_IN_COUNT)
		return built_in[index];
	index -= BUILT_IN_COUNT;
	return index < added_count ? added[index] : NULL;
}

const struct at_toolchain *at_toolchain_named(const char *name)
{
	const struct at_toolchain *toolchain = NULL;

	for (size_t i = 0; name && (toolchain = at_toolchain_at(i)); i++)
		if (!strcmp(toolchain->name, name))
			break;
	return toolchain;
}

enum at_status at_toolchain_find(
	const char *name, const struct at_toolchain **out, struct at_error *err)
{
	const char *names[BUILT_IN_COUNT + ADDED_MAX];
	const struct at_toolchain *toolchain;
	struct at_strbuf known = { 0 };

	name = name ? name : "";
	*out = at_toolchain_named(name);
	if (*out)
		return AT_OK;
	for (size_t i = 0; (toolchain = at_toolchain_at(i)); i++)
		names[i] = toolchain->name;
	at_text_add_known(&known, name, names, BUILT_IN_COUNT + added_count);
	at_fail(err, AT_ENOENT, NULL, 0, "unknown toolchain \"%s\"%s", name,
		known.data);
	at_strbuf_release(&known);
	return AT_ENOENT;
}

enum at_status at_toolchain_choose(
	const char *own, const char *wanted, const char **name, struct at_error *err)
{
	const struct at_toolchain *one = at_toolchain_named(own), *other;
	enum at_status status;

	*name = own;
	if (!wanted)
		return AT_OK;
	status = at_toolchain_find(wanted, &other, err);
	if (!status && one && one->makes && other->makes &&
		!strcmp(one->makes, other->makes))
		*name = other->name;
	return status;
}

enum at_status at_toolchain_list(const char *name, const int *numbers, size_t count,
	char *buffer, size_t size, struct at_error *err)
{
	size_t length = 0;

	for (size_t i = 0; i < count; i++) {
		length += (size_t)snprintf(buffer + length, size - length, "%ssm_%d",
			i ? " " : "", numbers[i]);
		if (length >= size)
			return at_fail(err, AT_EOVERFLOW, NULL, 0,
				"%s knows too many architectures: %zu", name, count);
	}
	return AT_OK;
}

enum at_status at_toolchain_add(
	const struct at_toolchain *toolchain, struct at_error *err)
{
	size_t length = strlen(toolchain->name);

	if (length == 0 || length >= AT_TOOLCHAIN_NAME_SIZE)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"toolchain \"%s\": expected a name of 1 to %d characters",
			toolchain->name, AT_TOOLCHAIN_NAME_SIZE - 1);
	if (at_toolchain_named(toolchain->name))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"there is a toolchain \"%s\" already", toolchain->name);
	if (added_count == ADDED_MAX)
		return at_fail(err, AT_EOVERFLOW, NULL, 0,
			"toolchain \"%s\": %d were added, and there is no room for more",
			toolchain->name, ADDED_MAX);
	added[added_count++] = toolchain;
	return AT_OK;
}

/* Compares the included files with those for which the request was made. The compiler
   reads the files themselves, and people edit files while a tuning runs: otherwise the
   result would be recorded and cached under the old contents. */
static enum at_status check_files(const struct at_compile_request *request,
	const struct at_toolchain *toolchain, struct at_error *err)
{
	struct at_error reason = { 0 };
	struct at_reach reach;
	bool is_same;

	if (!request->files.low && !request->files.high)
		return AT_OK;
	if (at_reach_find(request->source, request->directory, request->options,
		    request->option_count, toolchain->folders, NULL, &reach, &reason))
		return reason.status == AT_ENOMEM
			       ? at_fail_memory(err)
			       : at_fail(err, AT_EINVAL, reason.file, 0,
					 "was changed while it is in use: %s",
					 reason.text);
	is_same = at_hash_equal(reach.files, request->files);
	at_reach_release(&reach);
	return is_same ? AT_OK
		       : at_fail(err, AT_EINVAL, request->name, 0,
				 "a file that it includes was changed, or removed, while it is in use: run the same command again; what was measured before is kept");
}

/* ---- machine code --------------------------------------------------------------- */

/* The largest cubin that is read; PyTorch's modules have some megabytes. */
#define CUBIN_LIMIT_BYTES ((size_t)16 << 20)

bool at_is_cubin_name(const char *name, size_t length)
{
	static const char ending[] = ".cubin";
	const size_t bytes = sizeof(ending) - 1;

	return length > bytes && !memcmp(name + length - bytes, ending, bytes);
}

/* The file of a unit whose template is machine code: the source then ends with one line
   that includes it (at_template_load()). Heap; NULL for any other source. */
static char *find_cubin(const struct at_compile_request *request)
{
	static const char include[] = "#include \"";
	const char *source = request->source ? request->source : "";
	const char *at = source, *line;
	char *name, *path;

	for (line = source; (line = strchr(line, '\n')) && line[1]; line++)
		at = line + 1;
	if (strncmp(at, include, sizeof(include) - 1) != 0)
		return NULL;
	at += sizeof(include) - 1;
	if (!at_is_cubin_name(at, strcspn(at, "\"\n")))
		return NULL;
	name = at_strndup(at, strcspn(at, "\"\n"));
	path = at_path_join(request->directory ? request->directory : "", name);
	free(name);
	return path;
}

static enum at_status take_cubin(const struct at_compile_request *request,
	const struct at_toolchain *toolchain, const char *path,
	struct at_compile_result *result, struct at_error *err)
{
	struct at_error reason = { 0 };
	char *image = NULL;
	enum at_status status;

	if (!toolchain->makes || strcmp(toolchain->makes, AT_MAKES_CUBIN) != 0)
		status = at_fail(&reason, AT_EINVAL, NULL, 0,
			"machine code for CUDA devices does not run on this device");
	else
		status = at_file_read(
			path, CUBIN_LIMIT_BYTES, &image, &result->image_bytes, &reason);
	if (status == AT_EIO)
		return at_fail(err, status, path, 0, "%s", reason.text);
	result->image = (unsigned char *)image;
	/* Parameter types are not compared with those of the space: a captured launch
	   has only bytes. */
	if (!status)
		status =
			at_cubin_read_kernels(request, NULL, "", NULL, result, &reason);
	if (!status) {
		result->outcome = AT_OUTCOME_OK;
		result->log = at_strdup("");
		return AT_OK;
	}
	at_compile_result_release(result);
	result->outcome = AT_OUTCOME_COMPILE_FAILED;
	result->is_verdict = true;
	result->log = at_strdup(reason.text);
	return AT_OK;
}

static enum at_status compile(const struct at_compile_request *request,
	const void *toolchain, struct at_compile_result *result, struct at_error *err)
{
	return ((const struct at_toolchain *)toolchain)->compile(request, result, err);
}

enum at_status at_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	const struct at_toolchain *toolchain;
	enum at_status status = at_toolchain_find(request->toolchain, &toolchain, err);
	char *cubin = find_cubin(request);

	memset(result, 0, sizeof(*result));
	if (!status)
		status = check_files(request, toolchain, err);
	if (!status && cubin)
		status = take_cubin(request, toolchain, cubin, result, err);
	else if (!status)
		status = at_device_code_compile(
			request, toolchain, compile, toolchain, result, err);
	free(cubin);
	if (!status)
		status = check_files(request, toolchain, err);
	if (!status && result->outcome == AT_OUTCOME_COMPILE_FAILED && result->log) {
		struct at_strbuf text = { 0 };

		/* the compiler does not know the origin of the tuner's macros */
		at_clash_explain(request, result->log, &text);
		at_log_put_ahead(result, &text);
	}
	if (!status && result->log)
		at_compile_log_shorten(result->log, strlen(result->log));
	if (!status && result->image) {
		struct at_image_variables found = { 0 };

		at_image_variables_read(result->image, result->image_bytes, &found);
		result->variable_count = found.count;
		result->variables = found.symbols;
		free(found.addresses);
		free(found.sizes_bytes);
	}
	if (status)
		at_compile_result_release(result);
	else if (result->image)
		result->image_hash = at_hash_bytes(result->image, result->image_bytes);
	return status;
}

enum at_status at_toolchain_version(
	const char *name, char *buffer, size_t size, struct at_error *err)
{
	const struct at_toolchain *toolchain;
	enum at_status status = at_toolchain_find(name, &toolchain, err);

	return status ? status : toolchain->version(buffer, size, err);
}

void at_toolchain_warm(const char *name)
{
	const struct at_toolchain *toolchain = at_toolchain_named(name);

	if (toolchain && toolchain->warm)
		toolchain->warm();
}

bool at_toolchain_has_files(const char *name)
{
	const struct at_toolchain *toolchain = at_toolchain_named(name);

	return toolchain && toolchain->has_files;
}

struct at_hash at_toolchain_unit(const char *name, struct at_hash identity)
{
	const struct at_toolchain *toolchain = at_toolchain_named(name);
	struct at_hash chained[2] = { identity };

	if (!toolchain || !toolchain->machine)
		return identity;
	chained[1] = toolchain->machine();
	return at_hash_bytes(chained, sizeof(chained));
}

enum at_status at_toolchain_architectures(
	const char *name, char *buffer, size_t size, struct at_error *err)
{
	const struct at_toolchain *toolchain;
	enum at_status status = at_toolchain_find(name, &toolchain, err);

	buffer[0] = '\0';
	if (status || !toolchain->architectures)
		return status;
	return toolchain->architectures(buffer, size, err);
}
