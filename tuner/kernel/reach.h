/*
 * What a template is made of: itself and every file that it includes; the hash of their
 * contents, and the names in them.
 *
 * Included files are searched for in the folder of the file that includes them, the
 * template's folder, the folder that the tuner runs in, the folders that options
 * add (-I, --include-path), and those of variables that the compiler heeds. Files that
 * options include (-include, --pre-include) count too. Where a name is found in several
 * folders all of the files count: which one a compiler takes is not known here, and one
 * more does no harm. For a directive whose name is a macro, all sources directly in
 * these folders count (*.h, *.cuh, ...). What is not found belongs to the toolkit or
 * the system, and is covered by the toolchain's version.
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
	struct at_hash digest; /* of all contents, not of the places where they lie */
	/* Hash of the contents of the included files alone, in any order; zero: none
	   exist. A source that is rendered from the template has the same. */
	struct at_hash files;
	/* Names may come about in ways that are not seen (a ## b, a directive whose
	   name is a macro, a file in quotes that was not found): any name may
	   matter. */
	bool is_open;
	struct at_hash_index names;
	/* Those among the names that C++ templates give to their parameters: template
	   <int N>. */
	struct at_hash_index parameters;
	/* "#include <NAME>\n" for each that is found nowhere, in whichever file */
	struct at_strbuf toolkit;
};

/*
 * visit() is called for every included file, with its path and contents, both borrowed.
 */
struct at_reach_visitor {
	enum at_status (*visit)(void *context, const char *path, const char *text,
		struct at_error *err);
	void *context;
};

/*
 * Collects what text, a file in `directory` (NULL or "": the folder that the tuner runs
 * in), is made of when compiled with the options.
 * variables: the environment's that name further folders, up to a NULL; NULL: none.
 * Fails with AT_EIO and the like for a file that exists and cannot be read, and with
 * what the visitor (which may be NULL) returns. On failure *out is zeroed; else the
 * caller releases it.
 */
enum at_status at_reach_find(const char *text, const char *directory,
	char *const *options, size_t option_count, const char *const *variables,
	const struct at_reach_visitor *visitor, struct at_reach *out,
	struct at_error *err);
/* Frees what *self points to and zeroes it; NULL is allowed. */
void at_reach_release(struct at_reach *self);

/* Whether the identifier is in one of the files. */
bool at_reach_has(const struct at_reach *self, const char *name);
/* Whether the identifier may matter: it is in one of the files, or is_open is set. */
bool at_reach_mentions(const struct at_reach *self, const char *name);
/* Whether a C++ template in one of the files has a parameter of that name. */
bool at_reach_is_template_parameter(const struct at_reach *self, const char *name);
#endif
