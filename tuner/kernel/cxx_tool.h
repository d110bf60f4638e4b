/*
 * The system's C++ compiler as a program: where it is, what it says.
 * Threads: one user at a time.
 */
#ifndef AT_KERNEL_CXX_TOOL_H
#define AT_KERNEL_CXX_TOOL_H

#include "base/hash.h"
#include "base/memory.h"

#define AT_CXX_TOOL_WORDS 8

struct at_cxx_tool {
	char *words[AT_CXX_TOOL_WORDS]; /* the program and its first arguments */
	size_t word_count;
	bool was_asked_for; /* by the environment: not the first one found */
	bool clang;
	char version[256]; /* the first line of --version */
};

/* AT_EUNAVAILABLE names the places tried. Release with at_cxx_tool_release(). */
enum at_status at_cxx_tool_find(struct at_cxx_tool *self, struct at_error *err);
void at_cxx_tool_release(struct at_cxx_tool *self);

/*
 * Whether the compiler is a script that the user has put there ($AUTOTUNE_CXX, $CXX).
 * It is the user's, and not a compiler: it may keep or fetch something from call to
 * call, and goes without a sandbox.
 */
bool at_cxx_tool_is_script(const struct at_cxx_tool *self);
/* The same of the one that would be found, before any was started. */
bool at_cxx_tool_would_be_script(void);

/*
 * What its version does not say and yet decides what it makes: the words behind the
 * program ("g++ -O1", "ccache g++"), the text of a script. Nothing for a program alone.
 */
enum at_status at_cxx_tool_hash(
	const struct at_cxx_tool *self, struct at_hasher *hasher, struct at_error *err);

/*
 * Runs the tool with arguments[0..count) and appends all that it writes to log.
 * *succeeded says whether it ended with 0; a death by signal is told in the log. It
 * runs in a sandbox (base/sandbox.h): folder is the one place where it may write, its
 * temporary files too; NULL: nowhere.
 */
enum at_status at_cxx_tool_run(const struct at_cxx_tool *self, const char *folder,
	const char *const *arguments, size_t count, struct at_strbuf *log,
	bool *succeeded, struct at_error *err);

#endif
