/*
 * The sources of a template, itself and every file that it includes: the hash of their
 * contents, and the names in them.
 *
 * Included files are searched for in the folder of the including file, the template's
 * folder, the working folder, folders of options (-I, --include-path), and folders of
 * environment variables that the compiler reads. Files that options include (-include,
 * --pre-include) count too. If several folders have a name, all of the files count:
 * which one a compiler takes is unknown here, and an extra file does no harm. For a
 * directive whose name is a macro, all sources directly in these folders count (*.h,
 * *.cuh, ...). The toolchain's version covers files that are not found, which belong to
 * the toolkit or the system.
 *
 * Threads: pure functions, except that they read files and the environment.
 */
#ifndef AT_KERNEL_REACH_H
#define AT_KERNEL_REACH_H

#include "base/error.h"
#include "base/hash_index.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_reach {
	struct at_hash digest; /* of all contents, not of their paths */
	/* Hash of the included files' contents, in any order; zero: no included files.
	   A source rendered from the template has the same hash. */
	struct at_hash files;
	/* Unseen names are possible (a ## b, a directive whose name is a macro, a file
	   in quotes that was not found): any name may matter. */
	bool is_open;
	struct at_hash_index names;
	/* The names that are parameters of C++ templates: template <int N>. */
	struct at_hash_index parameters;
	/* "#include <NAME>\n" for each header that was not found, in any file */
	struct at_strbuf toolkit;
};

/* visit() is called for every included file; path and contents are borrowed. */
struct at_reach_visitor {
	enum at_status (*visit)(void *context, const char *path, const char *text,
		struct at_error *err);
	void *context;
};

/*
 * Collects the sources of text, a file in `directory` (NULL or "": the working folder),
 * compiled with the options. variables: environment variables that name more folders,
 * up to a NULL; NULL: none. Fails with AT_EIO and the like for an existing file that
 * cannot be read, and with the visitor's status (the visitor may be NULL). On failure
 * *out is zeroed; else the caller releases it.
 */
enum at_status at_reach_find(const char *text, const char *directory,
	char *const *options, size_t option_count, const char *const *variables,
	const struct at_reach_visitor *visitor, struct at_reach *out,
	struct at_error *err);
/* Frees what *self points to and zeroes it; NULL is allowed. */
void at_reach_release(struct at_reach *self);

/* Whether a file contains the identifier. */
bool at_reach_has(const struct at_reach *self, const char *name);
/* Whether the identifier may matter: a file contains it, or is_open is set. */
bool at_reach_mentions(const struct at_reach *self, const char *name);
/* Whether a C++ template in one of the files has a parameter of that name. */
bool at_reach_is_template_parameter(const struct at_reach *self, const char *name);
#endif
