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
 * How many lines at the beginning of the source are those macros: all up to the "#line"
 * behind them. 0 if none exists: the first lines are then the source's own.
 */
size_t at_clash_macros(const char *source);

/*
 * Appends a line that explains the first error of the log, if a macro may have caused
 * it. Either the error lies in a file that is neither the template nor beside it, and a
 * macro of the source's first lines, or one that an option defines, stands in the line
 * with the error; or the error lies in those macros themselves.
 */
void at_clash_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out);

#endif
