/* Collects the places where NVRTC and the toolkit's headers may be. */
#include "kernel/nvrtc_library.h"
#include "base/file.h"
#include "base/memory.h"
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

/* Takes ownership of text. */
static void list_take(struct at_text_list *list, char *text)
{
	AT_GROW(list->items, list->capacity, list->count + 1);
	list->items[list->count++] = text;
}

static void list_release(struct at_text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

/* Adds root/folder/name if there is such a file. */
static void add_existing(struct at_text_list *list, const char *root,
	const char *folder, const char *name)
{
	struct at_strbuf path = { 0 };

	at_strbuf_addf(&path, "%s/%s/%s", root, folder, name);
	if (!at_file_exists(path.data)) {
		at_strbuf_release(&path);
		return;
	}
	list_take(list, at_strbuf_detach(&path));
}

/*
 * Adds the folder with the toolkit's headers, and the folder in it where CUDA 13 has
 * libcu++'s.
 */
static void add_includes(struct at_nvrtc_places *places, const char *root)
{
	for (size_t i = 0; i < COUNT(include_folders); i++) {
		struct at_strbuf marker = { 0 };
		bool present;

		at_strbuf_addf(&marker, "%s/%s/cuda_fp16.h", root, include_folders[i]);
		present = at_file_exists(marker.data);
		at_strbuf_release(&marker);
		if (!present)
			continue;
		add_existing(&places->includes, root, include_folders[i], "");
		add_existing(&places->includes, root, include_folders[i], "cccl");
		/* the other folders are links to this one */
		return;
	}
}

static void add_root(struct at_nvrtc_places *places, const char *root)
{
	for (size_t i = 0; i < places->roots.count; i++)
		if (!strcmp(places->roots.items[i], root))
			return;
	list_take(&places->roots, at_strdup(root));
	for (size_t i = 0; i < COUNT(library_folders); i++)
		for (size_t j = 0; j < COUNT(library_names); j++)
			add_existing(&places->libraries, root, library_folders[i],
				library_names[j]);
	add_includes(places, root);
}

static void add_variable(struct at_nvrtc_places *places, const char *variable)
{
	const char *value = getenv(variable);

	if (value && value[0])
		add_root(places, value);
}

static void add_loader_names(struct at_nvrtc_places *places)
{
	for (size_t i = 0; i < COUNT(library_names); i++)
		list_take(&places->libraries, at_strdup(library_names[i]));
}

/*
 * Adds the toolkit of the nvcc on PATH: /usr/local/cuda-13.0/bin/nvcc ->
 * /usr/local/cuda-13.0.
 */
static void add_nvcc(struct at_nvrtc_places *places)
{
	char *found = NULL, *nvcc, *folder, *root;

	at_program_find("nvcc", &found);
	/* nvcc may be a link into the toolkit */
	nvcc = found ? realpath(found, NULL) : NULL;
	folder = nvcc ? at_path_directory(nvcc) : NULL;
	root = folder ? at_path_directory(folder) : NULL;
	if (root)
		add_root(places, root);
	free(root);
	free(folder);
	free(found);
	free(nvcc);
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

static void add_pattern(struct at_nvrtc_places *places, const char *pattern)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	qsort(found.gl_pathv, found.gl_pathc, sizeof(*found.gl_pathv), newest_first);
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_root(places, found.gl_pathv[i]);
	globfree(&found);
}

/*
 * Adds pip's packages below the folder that a variable names, such as a virtual
 * environment.
 */
static void add_packages(
	struct at_nvrtc_places *places, const char *variable, const char *below)
{
	struct at_strbuf pattern = { 0 };
	const char *value = getenv(variable);

	if (!value || !value[0])
		return;
	at_strbuf_addf(
		&pattern, "%s%s/lib/python3*/site-packages/nvidia/c*", value, below);
	add_pattern(places, pattern.data);
	at_strbuf_release(&pattern);
}

static void find_everywhere(struct at_nvrtc_places *out)
{
	static const char *const patterns[] = {
		"/usr/local/cuda-*",
		"/opt/cuda",
		"/opt/nvidia/hpc_sdk/Linux_*/*/cuda",
	};

	add_variable(out, "CUDA_HOME");
	add_variable(out, "CUDA_PATH");
	add_loader_names(out);
	add_nvcc(out);
	add_root(out, "/usr/local/cuda");
	for (size_t i = 0; i < COUNT(patterns); i++)
		add_pattern(out, patterns[i]);
	add_root(out, "/usr");
	add_packages(out, "VIRTUAL_ENV", "");
	add_variable(out, "CONDA_PREFIX");
	add_packages(out, "HOME", "/.local");
	add_pattern(out, "/usr/local/lib/python3*/*-packages/nvidia/c*");
}

void at_nvrtc_places_find(struct at_nvrtc_places *out)
{
	const char *chosen = getenv("AUTOTUNE_NVRTC");
	struct at_nvrtc_places all = { 0 };

	find_everywhere(&all);
	memset(out, 0, sizeof(*out));
	if (chosen && chosen[0]) {
		list_release(&all.libraries);
		list_take(&all.libraries, at_strdup(chosen));
	}
	*out = all;
}

void at_nvrtc_places_release(struct at_nvrtc_places *self)
{
	list_release(&self->libraries);
	list_release(&self->includes);
	list_release(&self->roots);
}
