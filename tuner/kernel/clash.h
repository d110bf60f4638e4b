/*
 * Explains compile errors that a macro of the tuner causes in someone else's header.
 * For example, parameters: { WARPS = [ 1, 2 ]; } defines a macro WARPS before the
 * template, and CUB has a constant WARPS. The compiler's message does not mention the
 * macro.
 *
 * Threads: pure functions, except that they read files.
 */
#ifndef AT_KERNEL_CLASH_H
#define AT_KERNEL_CLASH_H

#include "base/memory.h"
#include "kernel/compile.h"
#include "kernel/scan.h"

/* The first words of an explanation; at_compile_first_error() appends it. */
#define AT_CLASH_WORDS "the macro "

/* The file name in messages for the macro lines before a template. gcc reports some
   errors at the definition of a macro that a system header uses. */
#define AT_CLASH_MACROS "<macros of the space>"
/* The same for macros of options. */
#define AT_CLASH_OPTIONS "<macros of the options>"

/* Whether the source begins with those macros, followed by a "#line" of the template.
   Otherwise the first lines are the source's own. */
bool at_clash_has_macros(const char *source);

/* Whether this line of AT_CLASH_MACROS defines a macro of the tuner; sets *name. */
bool at_clash_defines(const struct at_compile_request *request, const char *file,
	size_t line, struct at_lexeme *name);

/* The line "FILE:12:5: note: in expansion of macro" in which gcc names the use of a
   macro; the error itself is at the definition. log: the text after that error. NULL:
   gcc names no use, as in system headers and in files found by -idirafter. */
const char *at_clash_use(const char *log);

/* Appends a line that explains the first error of the log, if a macro may have caused
   it. The error must lie in the macros themselves; or outside the template and its
   folder, on a line with a macro of the source's first lines or of an option. */
void at_clash_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out);

#endif
