/* Collects the places where NVRTC and the toolkit's headers may be, opens NVRTC, and
   chooses the matching headers. */
#include "kernel/nvrtc_library.h"
#include "base/dynlib.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/program_path.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------- */

static const char *const library_names[] = {
	"libnvrtc.so.13",
	"libnvrtc.so.12",
	"libnvrtc.so",
	"libnvrtc.so.14",
	"libnvrtc.so.11.2",
};

/* below the root of a toolkit, a distribution's /usr or a pip package */
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

/* Adds root/folder/name if there is such a file. */
static void add_existing(
	struct at_words *list, const char *root, const char *folder, const char *name)
{
	at_words_add(list, "%s/%s/%s", root, folder, name);
	if (!at_file_exists(list->items[list->count - 1]))
		free(list->items[--list->count]);
}

/* Adds the folder with the toolkit's headers, and CUDA 13's subfolder for libcu++. */
static void add_includes(struct at_nvrtc_places *places, const char *root)
{
	for (size_t i = 0; i < AT_COUNT_OF(include_folders); i++) {
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

/* root NULL: none. */
static void add_root(struct at_nvrtc_places *places, const char *root)
{
	if (!root)
		return;
	for (size_t i = 0; i < places->roots.count; i++)
		if (!strcmp(places->roots.items[i], root))
			return;
	at_words_add(&places->roots, "%s", root);
	for (size_t i = 0; i < AT_COUNT_OF(library_folders); i++)
		for (size_t j = 0; j < AT_COUNT_OF(library_names); j++)
			add_existing(&places->libraries, root, library_folders[i],
				library_names[j]);
	add_includes(places, root);
}

/* Adds the toolkit of the nvcc on PATH: /usr/local/cuda-13.0 of its folder bin. */
static void add_nvcc(struct at_nvrtc_places *places)
{
	char *found = NULL, *nvcc, *folder, *root;

	at_program_find("nvcc", &found);
	/* nvcc may be a link into the toolkit */
	nvcc = found ? realpath(found, NULL) : NULL;
	folder = nvcc ? at_path_directory(nvcc) : NULL;
	root = folder ? at_path_directory(folder) : NULL;
	add_root(places, root);
	free(root);
	free(folder);
	free(found);
	free(nvcc);
}

/* The last "-MAJOR.MINOR" of a path as one number, so that 13.0 sorts before 9.2. */
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

/* Adds pip's packages below the folder in a variable, such as a virtual environment. */
static void add_packages(
	struct at_nvrtc_places *places, const char *variable, const char *below)
{
	struct at_strbuf pattern = { 0 };
	const char *value = at_environment(variable);

	if (!value)
		return;
	at_strbuf_addf(
		&pattern, "%s%s/lib/python3*/site-packages/nvidia/c*", value, below);
	add_pattern(places, pattern.data);
	at_strbuf_release(&pattern);
}

void at_nvrtc_places_find(struct at_nvrtc_places *out)
{
	static const char *const patterns[] = {
		"/usr/local/cuda-*",
		"/opt/cuda",
		"/opt/nvidia/hpc_sdk/Linux_*/*/cuda",
	};
	const char *chosen = at_environment("AUTOTUNE_NVRTC");

	memset(out, 0, sizeof(*out));
	add_root(out, at_environment("CUDA_HOME"));
	add_root(out, at_environment("CUDA_PATH"));
	/* the loader's places */
	at_words_add_all(&out->libraries, library_names, AT_COUNT_OF(library_names));
	add_nvcc(out);
	add_root(out, "/usr/local/cuda");
	for (size_t i = 0; i < AT_COUNT_OF(patterns); i++)
		add_pattern(out, patterns[i]);
	add_root(out, "/usr");
	add_packages(out, "VIRTUAL_ENV", "");
	add_root(out, at_environment("CONDA_PREFIX"));
	add_packages(out, "HOME", "/.local");
	add_pattern(out, "/usr/local/lib/python3*/*-packages/nvidia/c*");
	if (chosen) {
		at_words_release(&out->libraries);
		at_words_add(&out->libraries, "%s", chosen);
	}
}

void at_nvrtc_places_release(struct at_nvrtc_places *self)
{
	at_words_release(&self->libraries);
	at_words_release(&self->includes);
	at_words_release(&self->roots);
}

/* ---- the library ------------------------------------------------------------------
 */

#define SYMBOL(member, symbol, is_required) \
	{ #symbol, offsetof(struct at_nvrtc_functions, member), is_required },
#define REQUIRED(member, symbol, result, parameters) SYMBOL(member, symbol, true)
#define LATER(member, symbol, result, parameters) SYMBOL(member, symbol, false)

static const struct at_dynlib_symbol symbols[] = { AT_NVRTC_FUNCTIONS(REQUIRED)
		AT_NVRTC_LATER_FUNCTIONS(LATER) };

/* The library, opened once per process and never closed: NVRTC keeps state of its own,
   and a worker that has compiled once will compile again. */
static struct {
	struct at_dynlib handle;
	struct at_dynlib builtins;
	struct at_nvrtc_functions functions;
	struct at_nvrtc_places places;
} library;

static enum at_status open_first(struct at_nvrtc_places *places, struct at_error *err)
{
	struct at_strbuf what = { 0 };
	enum at_status status;
	const char *chosen = at_environment("AUTOTUNE_NVRTC");

	if (chosen) {
		at_strbuf_add(&what,
			"AUTOTUNE_NVRTC names no NVRTC library that can be opened: correct or unset it");
	} else {
		at_strbuf_add(&what,
			"no NVRTC library: install the CUDA toolkit, or set CUDA_HOME to its folder or AUTOTUNE_NVRTC to the library; looked in ");
		for (size_t i = 0; i < places->roots.count; i++)
			at_strbuf_addf(&what, "%s, ", places->roots.items[i]);
		at_strbuf_add(&what, "and where the loader looks");
	}
	status = at_dynlib_open(&library.handle, what.data,
		(const char *const *)places->libraries.items, places->libraries.count,
		symbols, sizeof(symbols) / sizeof(symbols[0]), &library.functions, err);
	at_strbuf_release(&what);
	return status;
}

/* Opens libnvrtc-builtins. When NVRTC compiles, it looks for this library by its bare
   name; some builds of NVRTC (those of pip) do not even search their own folder. Once
   the file is open, the bare name finds it. If it does not exist, NVRTC will say so. */
static void open_builtins(void)
{
	struct at_strbuf path = { 0 };
	char *folder;
	int major, minor;

	if (!strchr(library.handle.path, '/') ||
		library.functions.version(&major, &minor))
		return;
	folder = at_path_directory(library.handle.path);
	if (folder)
		at_strbuf_addf(
			&path, "%s/libnvrtc-builtins.so.%d.%d", folder, major, minor);
	if (folder)
		(void)!at_dynlib_open(&library.builtins, "",
			(const char *const[]){ path.data }, 1, NULL, 0, NULL, NULL);
	at_strbuf_release(&path);
	free(folder);
}

/* Whether both paths begin with the same `length` bytes, followed by a slash. */
static bool same_root(const char *a, const char *b, size_t length)
{
	return !strncmp(a, b, length) && a[length] == '/' && b[length] == '/';
}

/* The length of ROOT in ROOT/include/... or ROOT/targets/.../include/... */
static size_t root_length(const char *include)
{
	const char *target = strstr(include, "/targets/");
	const char *end = target ? target : strstr(include, "/include/");

	return end ? (size_t)(end - include) : strlen(include);
}

/* Keeps the headers of one toolkit only: the library's own if present, since another
   toolkit's may not compile with it; else the first toolkit that was found. */
static void keep_own_includes(struct at_words *includes, const char *library_path)
{
	size_t chosen = 0, kept = 0, length;
	const char *own;

	if (!includes->count)
		return;
	for (size_t i = includes->count; i-- > 0;)
		if (same_root(includes->items[i], library_path,
			    root_length(includes->items[i])))
			chosen = i;
	own = includes->items[chosen];
	length = root_length(own);
	for (size_t i = chosen; i < includes->count; i++) {
		char *include = includes->items[i];

		if (!same_root(include, own, length))
			continue;
		includes->items[i] = includes->items[kept];
		includes->items[kept++] = include;
	}
	while (includes->count > kept)
		free(includes->items[--includes->count]);
}

enum at_status at_nvrtc_open(const struct at_nvrtc_functions **functions,
	const struct at_words **includes, struct at_error *err)
{
	struct at_nvrtc_places places;
	enum at_status status = AT_OK;

	if (!library.handle.handle) {
		at_nvrtc_places_find(&places);
		status = open_first(&places, err);
		if (status) {
			at_nvrtc_places_release(&places);
			return status;
		}
		open_builtins();
		keep_own_includes(&places.includes, library.handle.path);
		library.places = places;
	}
	*functions = &library.functions;
	*includes = &library.places.includes;
	return AT_OK;
}
