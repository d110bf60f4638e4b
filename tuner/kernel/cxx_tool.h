/*
 * The system's C++ compiler as a program: which one it is, its version, and running it.
 * nvcc is run by the same functions (kernel/nvcc_tool.h).
 * Threads: one user at a time.
 */
#ifndef AT_KERNEL_CXX_TOOL_H
#define AT_KERNEL_CXX_TOOL_H

#include "base/hash.h"
#include "base/memory.h"

/* Words of a command line, or other texts in a list, all on the heap; NULL behind the
   last, if there is any. */
struct at_words {
	char **items;
	size_t count;
	size_t capacity;
};

__attribute__((format(printf, 2, 3))) void at_words_add(
	struct at_words *self, const char *format, ...);
void at_words_add_all(struct at_words *self, const char *const *texts, size_t count);
void at_words_release(struct at_words *self);

struct at_cxx_tool {
	struct at_words words; /* the program and its first arguments */
	bool was_asked_for; /* by the environment, so it was not searched for */
	bool clang;
	char version[256]; /* the first line of --version */
};

/*
 * Finds the compiler (see kernel/cxx.h) and its version. AT_EUNAVAILABLE names the
 * programs that were tried. The caller releases *self.
 */
enum at_status at_cxx_tool_find(struct at_cxx_tool *self, struct at_error *err);
/* Zeroes *self; NULL is allowed. */
void at_cxx_tool_release(struct at_cxx_tool *self);

/*
 * Whether the compiler is a script that the user has named ($AUTOTUNE_CXX, $CXX). Such
 * a script is trusted, and runs without a sandbox: it may keep or fetch something
 * between calls.
 */
bool at_cxx_tool_is_script(const struct at_cxx_tool *self);
/* The same for the compiler that at_cxx_tool_find() would find; starts no program. */
bool at_cxx_tool_would_be_script(void);

/*
 * Environment variables that name folders in which compilers find headers and programs
 * of their own, up to a NULL. A compiler may need them, so it gets them, and they are
 * part of the compiler's identity.
 */
extern const char *const at_cxx_tool_folders[];
/*
 * Those among them that name folders of headers. A header that a template finds there
 * counts by its contents, as one that an option leads to.
 */
extern const char *const at_cxx_tool_header_folders[];

/*
 * Hashes what the version does not show and what yet decides the code: the words behind
 * the program ("g++ -O1", "ccache g++"), the text of a script, and at_cxx_tool_folders
 * that are set. Nothing for a program alone.
 */
enum at_status at_cxx_tool_hash(
	const struct at_cxx_tool *self, struct at_hasher *hasher, struct at_error *err);

/*
 * Runs the compiler with the arguments and appends its output to log. *succeeded:
 * it ended with 0; a death by signal is described in the log. It runs in a sandbox
 * (base/sandbox.h): folder is the only place where it may write, temporary files
 * included; NULL: nowhere.
 */
enum at_status at_cxx_tool_run(const struct at_cxx_tool *self, const char *folder,
	const struct at_words *arguments, struct at_strbuf *log, bool *succeeded,
	struct at_error *err);

#endif
