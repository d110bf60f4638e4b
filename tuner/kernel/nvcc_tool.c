/* Finds nvcc, and asks for its version and architectures. */
#include "kernel/nvcc_tool.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/program_path.h"
#include "base/scratch.h"
#include "base/text.h"
#include "kernel/compile.h"
#include "kernel/nvrtc_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCHITECTURE_LIMIT 64 /* more than any nvcc lists */
/* An empty source with the headers that nvcc includes by itself has 2 MiB. */
#define PREPROCESSED_LIMIT_BYTES ((size_t)64 << 20)

/* ---- finding it --------------------------------------------------------- */

/* Takes FOLDER/NAME if it is a program. */
static bool take(struct at_cxx_tool *out, const char *folder, const char *name)
{
	char *path = at_path_join(folder, name);

	if (!at_is_program(path)) {
		free(path);
		return false;
	}
	out->words[0] = path;
	out->word_count = 1;
	return true;
}

static bool take_from_path(struct at_cxx_tool *out, const char *name)
{
	at_program_find(name, &out->words[0]);
	out->word_count = out->words[0] != NULL;
	return out->words[0] != NULL;
}

/*
 * Takes nvcc from a toolkit: $CUDA_HOME or $CUDA_PATH, or a place where NVRTC is looked
 * for.
 */
static bool take_from_root(
	struct at_cxx_tool *out, const char *root, struct at_strbuf *tried)
{
	char *folder = root && root[0] ? at_path_join(root, "bin") : NULL;
	bool found = folder && take(out, folder, "nvcc");

	if (folder && !found)
		at_strbuf_addf(tried, ", %s", folder);
	free(folder);
	return found;
}

static void look_everywhere(
	struct at_cxx_tool *out, bool *found, struct at_strbuf *tried)
{
	struct at_nvrtc_places places = { 0 };
	struct at_strbuf again = { 0 };

	*found = take_from_root(out, getenv("CUDA_HOME"), &again) ||
		 take_from_root(out, getenv("CUDA_PATH"), &again) ||
		 take_from_path(out, "nvcc");
	at_strbuf_release(&again);
	if (*found)
		return;
	at_strbuf_add(tried, "PATH");
	/* CUDA_HOME and CUDA_PATH are the first of these places */
	at_nvrtc_places_find(&places);
	for (size_t i = 0; i < places.roots.count && !*found; i++)
		*found = take_from_root(out, places.roots.items[i], tried);
	at_nvrtc_places_release(&places);
}

enum at_status at_nvcc_find(struct at_cxx_tool *out, struct at_error *err)
{
	const char *chosen = getenv("AUTOTUNE_NVCC");
	struct at_strbuf tried = { 0 };
	enum at_status status = AT_OK;
	bool found;

	memset(out, 0, sizeof(*out));
	if (chosen && chosen[0]) {
		found = take_from_path(out, chosen);
		if (!found)
			status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"AUTOTUNE_NVCC names no program (\"%s\"): correct or unset it",
				chosen);
		return status;
	}
	look_everywhere(out, &found, &tried);
	if (!found && !status)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"no nvcc, which the space asks for (toolchain = \"nvcc\"): install the CUDA toolkit, or set CUDA_HOME to its folder or AUTOTUNE_NVCC to the program; looked in %s",
			at_strbuf_text(&tried));
	at_strbuf_release(&tried);
	return status;
}

/* ---- asking it ---------------------------------------------------------- */

/*
 * Appends a digest of the flags and folders that the user has nvcc add to every call,
 * and which its version does not show.
 */
static void add_flags(struct at_strbuf *out)
{
	static const char *const variables[] = { "NVCC_PREPEND_FLAGS",
		"NVCC_APPEND_FLAGS" };
	struct at_strbuf flags = { 0 };
	char digest[AT_HASH_HEX_SIZE];
	bool some = false;

	for (size_t i = 0; i < AT_COUNT_OF(variables); i++) {
		const char *value = getenv(variables[i]);

		at_strbuf_addf(&flags, "%s\n", value ? value : "");
		some = some || (value && value[0]);
	}
	/* of the compiler that nvcc starts */
	for (size_t i = 0; at_cxx_tool_folders[i]; i++) {
		const char *value = getenv(at_cxx_tool_folders[i]);

		if (!value || !value[0])
			continue;
		at_strbuf_addf(&flags, "%s=%s\n", at_cxx_tool_folders[i], value);
		some = true;
	}
	if (some) {
		at_hash_hex(at_hash_bytes(flags.data, flags.length), digest);
		at_strbuf_addf(out, ", flags %.8s", digest);
	}
	at_strbuf_release(&flags);
}

/*
 * Reads 'autotune_version 13 0 88 "12.2.0"', where the last may also be clang's whole
 * name.
 */
static bool read_versions(const char *text, struct at_strbuf *out)
{
	static const char mark[] = "autotune_version ";
	const char *line = NULL;
	int major, minor, build;
	char host[100];

	/* the last one: lines of headers come before it */
	for (const char *at = text; (at = strstr(at, mark)) != NULL; at++)
		line = at;
	if (!line || sscanf(line + strlen(mark), "%d %d %d \"%99[^\"\n]", &major,
			     &minor, &build, host) != 4)
		return false;
	at_text_flatten(host);
	at_strbuf_addf(out, "nvcc %d.%d.%d, %s%s", major, minor, build,
		host[0] >= '0' && host[0] <= '9' ? "gcc " : "", host);
	return true;
}

/* Reports why nvcc, or its host compiler, failed. */
static enum at_status fail_to_preprocess(const struct at_cxx_tool *tool,
	const struct at_strbuf *log, struct at_error *err)
{
	char line[400];

	at_compile_first_error(at_strbuf_text(log), line, sizeof(line));
	return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
		"%s cannot preprocess a line, so it is no working nvcc%s%s; it needs a host compiler that it knows (g++, or what NVCC_CCBIN names), or set AUTOTUNE_NVCC",
		tool->words[0], line[0] ? ": " : "", line);
}

static enum at_status preprocess(const struct at_cxx_tool *tool,
	const struct at_scratch *scratch, struct at_strbuf *version,
	struct at_error *err)
{
	static const char source[] =
		"autotune_version __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ "
		"__CUDACC_VER_BUILD__ __VERSION__\n";
	char *unit = at_path_join(scratch->path, "version.cu");
	char *written = at_path_join(scratch->path, "version.ii"), *text = NULL;
	struct at_strbuf log = { 0 };
	bool succeeded = false;
	size_t size;
	enum at_status status = AT_OK;

	status = at_file_replace(unit, source, strlen(source), err);
	if (!status) {
		const char *const arguments[] = { "-E", "-o", written, unit };

		status = at_cxx_tool_run(tool, scratch->path, arguments,
			AT_COUNT_OF(arguments), &log, &succeeded, err);
	}
	if (status)
		goto release;
	if (!succeeded ||
		at_file_read_plain(
			written, PREPROCESSED_LIMIT_BYTES, &text, &size, NULL) ||
		!read_versions(text, version))
		status = fail_to_preprocess(tool, &log, err);
release:
	at_strbuf_release(&log);
	free(text);
	free(written);
	free(unit);
	return status;
}

enum at_status at_nvcc_version(char *buffer, size_t size, struct at_error *err)
{
	struct at_scratch scratch = { .lock = -1 };
	struct at_strbuf version = { 0 };
	struct at_cxx_tool tool;
	enum at_status status = at_nvcc_find(&tool, err);

	if (status)
		return status;
	status = at_scratch_make(&scratch, "autotune-nvcc", err);
	if (!status)
		status = preprocess(&tool, &scratch, &version, err);
	add_flags(&version);
	if (!status)
		snprintf(buffer, size, "%s", version.data);
	at_strbuf_release(&version);
	at_scratch_remove(&scratch);
	at_cxx_tool_release(&tool);
	return status;
}

static int ascending(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

enum at_status at_nvcc_architectures(char *buffer, size_t size, struct at_error *err)
{
	static const char *const arguments[] = { "--list-gpu-code" };
	int numbers[ARCHITECTURE_LIMIT];
	struct at_scratch scratch = { .lock = -1 };
	struct at_strbuf text = { 0 };
	size_t count = 0, length = 0;
	struct at_cxx_tool tool;
	bool succeeded = false;
	enum at_status status = at_nvcc_find(&tool, err);

	if (status)
		return status;
	/* nvcc writes temporary files even for this */
	status = at_scratch_make(&scratch, "autotune-nvcc", err);
	if (!status)
		status = at_cxx_tool_run(
			&tool, scratch.path, arguments, 1, &text, &succeeded, err);
	for (const char *at = at_strbuf_text(&text);
		!status && succeeded && count < ARCHITECTURE_LIMIT &&
		(at = strstr(at, "sm_")) != NULL;
		at++) {
		char *end;
		long number = strtol(at + 3, &end, 10);

		/* sm_90a is a variant of sm_90 */
		if (number > 0 && number < 10000 && *end != 'a' && *end != 'f')
			numbers[count++] = (int)number;
	}
	if (!status && !count)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s --list-gpu-code names no architecture; set AUTOTUNE_NVCC to an nvcc of CUDA 11 or later",
			tool.words[0]);
	if (!status)
		qsort(numbers, count, sizeof(*numbers), ascending);
	for (size_t i = 0; i < count && !status; i++) {
		length += (size_t)snprintf(buffer + length, size - length, "%ssm_%d",
			i ? " " : "", numbers[i]);
		if (length >= size)
			status = at_fail(err, AT_EOVERFLOW, NULL, 0,
				"nvcc knows too many architectures: %zu", count);
	}
	at_strbuf_release(&text);
	at_scratch_remove(&scratch);
	at_cxx_tool_release(&tool);
	return status;
}
