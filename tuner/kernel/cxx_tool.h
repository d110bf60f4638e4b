/*
 * The system's C++ compiler as a program: finding it, its version, and running it. The
 * same functions run nvcc (kernel/nvcc.h).
 *
 * Threads: one user at a time.
 */
#ifndef AT_KERNEL_CXX_TOOL_H
#define AT_KERNEL_CXX_TOOL_H

#include "base/hash.h"
#include "base/memory.h"

/* Words of a command line, or other texts, on the heap; NULL follows the last. */
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
	bool was_asked_for; /* the environment names it, so it was not searched for */
	bool clang;
	char version[256]; /* the first line of --version */
};

/* Finds the compiler (see kernel/cxx.h) and its version. AT_EUNAVAILABLE names the
   programs that were tried. The caller releases *self. */
enum at_status at_cxx_tool_find(struct at_cxx_tool *self, struct at_error *err);
/* Zeroes *self; NULL is allowed. */
void at_cxx_tool_release(struct at_cxx_tool *self);

/* Whether the compiler is a script named by the user ($AUTOTUNE_CXX, $CXX). It is
   trusted and runs without a sandbox: it may store or fetch files between calls. */
bool at_cxx_tool_is_script(const struct at_cxx_tool *self);
/* The same for the compiler that at_cxx_tool_find() would find; starts no program. */
bool at_cxx_tool_would_be_script(void);

/* Environment variables, up to a NULL, that name folders with a compiler's headers and
   programs. They may be needed, so the compiler gets them; they are part of its
   identity. */
extern const char *const at_cxx_tool_folders[];
/* Those that name header folders. A header found there counts by its contents, as if an
   option led to it. */
extern const char *const at_cxx_tool_header_folders[];

/* Hashes what the version does not show but decides the code: the words after the
   program ("g++ -O1", "ccache g++"), the text of a script, and at_cxx_tool_folders that
   are set. Nothing for a program alone. */
enum at_status at_cxx_tool_hash(
	const struct at_cxx_tool *self, struct at_hasher *hasher, struct at_error *err);

/* Runs the compiler with the arguments and appends its output to log. *succeeded: its
   exit status is 0; the log describes a death by signal. It runs in a sandbox
   (base/sandbox.h) and may write only in folder, also temporary files; NULL: nowhere at
   all. */
enum at_status at_cxx_tool_run(const struct at_cxx_tool *self, const char *folder,
	const struct at_words *arguments, struct at_strbuf *log, bool *succeeded,
	struct at_error *err);

#endif
