/*
 * Explains errors that a macro of ours causes in a header of somebody else's. An
 * example: parameters: { WARPS = [ 1, 2 ]; } defines a macro WARPS ahead of the
 * template, and CUB has a constant of that name. The compiler's message says nothing of
 * the macro.
 *
 * Threads: pure functions, except that they read files.
 */
#ifndef AT_KERNEL_CLASH_H
#define AT_KERNEL_CLASH_H

#include "base/memory.h"
#include "kernel/compile.h"
#include "kernel/scan.h"

/* How such an explanation begins; at_compile_first_error() appends it to the error. */
#define AT_CLASH_WORDS "the macro "

/*
 * The file name that messages have for the lines of macros in front of a template: gcc
 * reports some errors, of a macro that a system header uses, where the macro is
 * defined.
 */
#define AT_CLASH_MACROS "<macros of the space>"
/* The same for macros of options. */
#define AT_CLASH_OPTIONS "<macros of the options>"

/*
 * Whether the source begins with those macros: a "#line" of the template follows.
 * Otherwise the first lines are the source's own.
 */
bool at_clash_has_macros(const char *source);

/*
 * Whether a line of that file of messages defines one of those macros; its name.
 */
bool at_clash_defines(const struct at_compile_request *request, const char *file,
	size_t line, struct at_lexeme *name);

/*
 * The line "FILE:12:5: note: in expansion of macro" of a log, in which gcc names the
 * place that uses a macro: the error itself is where the macro is defined. log: what
 * follows that error. NULL: gcc names no such place, as in headers of the system, and
 * in files that -idirafter finds.
 */
const char *at_clash_use(const char *log);

/*
 * Appends a line that explains the first error of the log, if a macro may have caused
 * it. Either the error lies in a file that is neither the template nor beside it, and a
 * macro of the source's first lines, or one that an option defines, stands in the line
 * with the error; or the error lies in those macros themselves.
 */
void at_clash_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out);

#endif
