/* Collects the places where NVRTC and the toolkit's headers may be. */
#include "kernel/nvrtc_library.h"
#include "base/file.h"
#include "base/program_path.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const library_names[] = {
	"libnvrtc.so.13",
	"libnvrtc.so.12",
	"libnvrtc.so",
	"libnvrtc.so.14",
	"libnvrtc.so.11.2",
};

/* below the root of a toolkit, a distribution's /usr or a package of pip */
static const char *const library_folders[] = {
	"lib64",
	"lib",
	"targets/x86_64-linux/lib",
	"targets/sbsa-linux/lib",
	"lib/x86_64-linux-gnu",
	"lib/aarch64-linux-gnu",
};

static const char *const include_folders[] = {
	"include",
	"targets/x86_64-linux/include",
	"targets/sbsa-linux/include",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Takes ownership of text; NULL means that memory ran out. */
static enum at_status list_take(
	struct at_text_list *list, char *text, struct at_error *err)
{
	enum at_status status;

	if (!text)
		return at_fail_memory(err);
	status = AT_RESERVE(list->items, list->capacity, list->count + 1, err);
	if (status)
		free(text);
	else
		list->items[list->count++] = text;
	return status;
}

static void list_release(struct at_text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

/* Adds root/folder/name if there is such a file. */
static enum at_status add_existing(struct at_text_list *list, const char *root,
	const char *folder, const char *name, struct at_error *err)
{
	struct at_strbuf path = { 0 };

	at_strbuf_addf(&path, "%s/%s/%s", root, folder, name);
	if (!path.failed && !at_file_exists(path.data)) {
		at_strbuf_release(&path);
		return AT_OK;
	}
	return list_take(list, at_strbuf_detach(&path), err);
}

/*
 * Adds the folder with the toolkit's headers, and the folder in it where CUDA 13 has
 * libcu++'s.
 */
static enum at_status add_includes(
	struct at_nvrtc_places *places, const char *root, struct at_error *err)
{
	for (size_t i = 0; i < COUNT(include_folders); i++) {
		struct at_strbuf marker = { 0 };
		enum at_status status;
		bool present;

		at_strbuf_addf(&marker, "%s/%s/cuda_fp16.h", root, include_folders[i]);
		present = !marker.failed && at_file_exists(marker.data);
		at_strbuf_release(&marker);
		if (!present)
			continue;
		status = add_existing(
			&places->includes, root, include_folders[i], "", err);
		if (!status)
			status = add_existing(&places->includes, root,
				include_folders[i], "cccl", err);
		/* the other folders are links to this one */
		return status;
	}
	return AT_OK;
}

static enum at_status add_root(
	struct at_nvrtc_places *places, const char *root, struct at_error *err)
{
	enum at_status status;

	for (size_t i = 0; i < places->roots.count; i++)
		if (!strcmp(places->roots.items[i], root))
			return AT_OK;
	status = list_take(&places->roots, at_strdup(root), err);
	for (size_t i = 0; i < COUNT(library_folders) && !status; i++)
		for (size_t j = 0; j < COUNT(library_names) && !status; j++)
			status = add_existing(&places->libraries, root,
				library_folders[i], library_names[j], err);
	return status ? status : add_includes(places, root, err);
}

static enum at_status add_variable(
	struct at_nvrtc_places *places, const char *variable, struct at_error *err)
{
	const char *value = getenv(variable);

	return value && value[0] ? add_root(places, value, err) : AT_OK;
}

static enum at_status add_loader_names(
	struct at_nvrtc_places *places, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < COUNT(library_names) && !status; i++)
		status =
			list_take(&places->libraries, at_strdup(library_names[i]), err);
	return status;
}

/*
 * Adds the toolkit of the nvcc on PATH: /usr/local/cuda-13.0/bin/nvcc ->
 * /usr/local/cuda-13.0.
 */
static enum at_status add_nvcc(struct at_nvrtc_places *places, struct at_error *err)
{
	char *found = NULL, *nvcc, *folder, *root;
	enum at_status status = at_program_find("nvcc", &found, err);

	/* nvcc may be a link into the toolkit */
	nvcc = found ? realpath(found, NULL) : NULL;
	folder = nvcc ? at_path_directory(nvcc) : NULL;
	root = folder ? at_path_directory(folder) : NULL;
	if (root && !status)
		status = add_root(places, root, err);
	free(root);
	free(folder);
	free(found);
	free(nvcc);
	return status;
}

/* The last "-MAJOR.MINOR" of a path as one number, so that 13.0 comes before 9.2. */
static long version_of(const char *path)
{
	const char *dash = strrchr(path, '-');
	int major = 0, minor = 0;

	if (dash)
		(void)!sscanf(dash, "-%d.%d", &major, &minor);
	return major * 1000L + minor;
}

static int newest_first(const void *a, const void *b)
{
	long left = version_of(*(char *const *)a),
	     right = version_of(*(char *const *)b);

	return (left < right) - (left > right);
}

static enum at_status add_pattern(
	struct at_nvrtc_places *places, const char *pattern, struct at_error *err)
{
	enum at_status status = AT_OK;
	glob_t found;

	if (glob(pattern, 0, NULL, &found) != 0)
		return AT_OK;
	qsort(found.gl_pathv, found.gl_pathc, sizeof(*found.gl_pathv), newest_first);
	for (size_t i = 0; i < found.gl_pathc && !status; i++)
		status = add_root(places, found.gl_pathv[i], err);
	globfree(&found);
	return status;
}

/*
 * Adds pip's packages below the folder that a variable names, such as a virtual
 * environment.
 */
static enum at_status add_packages(struct at_nvrtc_places *places, const char *variable,
	const char *below, struct at_error *err)
{
	enum at_status status = AT_OK;
	struct at_strbuf pattern = { 0 };
	const char *value = getenv(variable);

	if (!value || !value[0])
		return AT_OK;
	at_strbuf_addf(
		&pattern, "%s%s/lib/python3*/site-packages/nvidia/c*", value, below);
	if (pattern.failed)
		status = at_fail_memory(err);
	else
		status = add_pattern(places, pattern.data, err);
	at_strbuf_release(&pattern);
	return status;
}

static enum at_status find_everywhere(struct at_nvrtc_places *out, struct at_error *err)
{
	static const char *const patterns[] = {
		"/usr/local/cuda-*",
		"/opt/cuda",
		"/opt/nvidia/hpc_sdk/Linux_*/*/cuda",
	};
	enum at_status status;

	status = add_variable(out, "CUDA_HOME", err);
	if (!status)
		status = add_variable(out, "CUDA_PATH", err);
	if (!status)
		status = add_loader_names(out, err);
	if (!status)
		status = add_nvcc(out, err);
	if (!status)
		status = add_root(out, "/usr/local/cuda", err);
	for (size_t i = 0; i < COUNT(patterns) && !status; i++)
		status = add_pattern(out, patterns[i], err);
	if (!status)
		status = add_root(out, "/usr", err);
	if (!status)
		status = add_packages(out, "VIRTUAL_ENV", "", err);
	if (!status)
		status = add_variable(out, "CONDA_PREFIX", err);
	if (!status)
		status = add_packages(out, "HOME", "/.local", err);
	if (!status)
		status = add_pattern(
			out, "/usr/local/lib/python3*/*-packages/nvidia/c*", err);
	return status;
}

enum at_status at_nvrtc_places_find(struct at_nvrtc_places *out, struct at_error *err)
{
	const char *chosen = getenv("AUTOTUNE_NVRTC");
	struct at_nvrtc_places all = { 0 };
	enum at_status status = find_everywhere(&all, err);

	memset(out, 0, sizeof(*out));
	if (!status && chosen && chosen[0]) {
		list_release(&all.libraries);
		status = list_take(&all.libraries, at_strdup(chosen), err);
	}
	if (status)
		at_nvrtc_places_release(&all);
	else
		*out = all;
	return status;
}

void at_nvrtc_places_release(struct at_nvrtc_places *self)
{
	list_release(&self->libraries);
	list_release(&self->includes);
	list_release(&self->roots);
}
