/*
 * What a template is made of: itself and every file that it includes, their contents
 * as one hash, and the names in them.
 *
 * Included files are looked for beside the file that includes them, in the template's
 * folder, in the folder that the tuner runs in, and in those that options add (-I,
 * --include-path); those that options include themselves (-include, --pre-include)
 * count too. Every file found counts, not only the first: which one a compiler takes
 * is its affair, and one more does no harm. For a directive whose name is a macro,
 * all sources in these folders count (*.h, *.cuh, ...), but nothing in folders below
 * them and nothing of another ending. What is found nowhere is the toolkit's or the
 * system's, and stands behind the toolchain's version.
 *
 * Threads: pure, but that it reads files.
 */
#ifndef AT_KERNEL_REACH_H
#define AT_KERNEL_REACH_H

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_reach {
	struct at_hash digest; /* of all contents; not of where they lie */
	/* of the included files' contents alone, in whatever order; zero: there are
	   none. A source that is rendered from the text has the same. */
	struct at_hash files;
	/* Names come about in ways that cannot be seen (a ## b, a directive whose name
	   is a macro, one in quotes that leads nowhere): any name may matter. */
	bool is_open;
	size_t name_count;
	uint64_t *names; /* hashes, ascending */
	/* those among them that C++ templates call their parameters: template <int N>
	 */
	size_t parameter_count;
	uint64_t *parameters;
	/* "#include <NAME>\n" for each that is found nowhere, in whichever file */
	struct at_strbuf toolkit;
};

/* Is shown every file that the text includes, with its contents; both borrowed. */
struct at_reach_visitor {
	enum at_status (*visit)(void *context, const char *path, const char *text,
		struct at_error *err);
	void *context;
};

/*
 * Of text, which lies in directory, compiled with options. AT_EIO and the like for a
 * file that is there and cannot be read; what visitor (may be NULL) returns. *out is
 * zeroed on failure.
 */
enum at_status at_reach_find(const char *text, const char *directory,
	char *const *options, size_t option_count,
	const struct at_reach_visitor *visitor, struct at_reach *out,
	struct at_error *err);
void at_reach_release(struct at_reach *self);

/*
 * Whether options[i], alone or with the one after it, adds a folder to search or a
 * file to include; *value is borrowed.
 */
bool at_reach_option(char *const *options, size_t count, size_t i, bool *is_folder,
	const char **value);

/* Whether the identifier may matter: it is in one of the files. */
bool at_reach_mentions(const struct at_reach *self, const char *name);
/* Whether a C++ template in one of the files calls a parameter of its own so. */
bool at_reach_is_template_parameter(const struct at_reach *self, const char *name);
#endif
