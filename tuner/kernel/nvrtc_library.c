/* Opens NVRTC, and chooses the toolkit's headers that belong to it. */
#include "kernel/nvrtc_library.h"
#include "base/dynlib.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOL(member, symbol, result, parameters) \
	{ #symbol, offsetof(struct at_nvrtc_functions, member), true },

static const struct at_dynlib_symbol symbols[] = { AT_NVRTC_FUNCTIONS(SYMBOL) };

/*
 * The library, opened once for the process. It is never closed: NVRTC keeps state of
 * its own, and a worker that has compiled once will compile again.
 */
static struct {
	struct at_dynlib handle;
	struct at_dynlib builtins;
	struct at_nvrtc_functions functions;
	struct at_nvrtc_places places;
} library;

static void describe_places(
	const struct at_nvrtc_places *places, struct at_strbuf *what)
{
	at_strbuf_add(what,
		"no NVRTC library: install the CUDA toolkit, or set CUDA_HOME to its folder or AUTOTUNE_NVRTC to the library; looked in ");
	for (size_t i = 0; i < places->roots.count; i++)
		at_strbuf_addf(what, "%s, ", places->roots.items[i]);
	at_strbuf_add(what, "and where the loader looks");
}

static enum at_status open_first(struct at_nvrtc_places *places, struct at_error *err)
{
	struct at_strbuf what = { 0 };
	enum at_status status;
	const char *chosen = getenv("AUTOTUNE_NVRTC");

	if (chosen && chosen[0])
		at_strbuf_add(&what,
			"AUTOTUNE_NVRTC names no NVRTC library that can be opened: correct or unset it");
	else
		describe_places(places, &what);
	status = at_dynlib_open(&library.handle, what.data,
		(const char *const *)places->libraries.items, places->libraries.count,
		symbols, sizeof(symbols) / sizeof(symbols[0]), &library.functions, err);
	at_strbuf_release(&what);
	return status;
}

/*
 * Opens libnvrtc-builtins. NVRTC looks for it by its bare name when it compiles, and
 * some builds of NVRTC (those that pip installs) not even in their own folder. Once the
 * file is open it is found under its bare name. If there is none, NVRTC will say so.
 */
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

/*
 * Keeps the headers of one toolkit only: the library's own if it has some, since those
 * of another may not compile with it, else the first toolkit that was found.
 */
static void keep_own_includes(struct at_text_list *includes, const char *library_path)
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
	const struct at_text_list **includes, struct at_error *err)
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
