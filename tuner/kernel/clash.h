/*
 * What a compiler says of a header that nobody wrote here may be the doing of a macro
 * that we define ahead of it: parameters: { WARPS = [ 1, 2 ]; }, and CUB has a constant
 * of that name. The compiler's words say nothing of that.
 *
 * Threads: pure, but that it reads files.
 */
#ifndef AT_KERNEL_CLASH_H
#define AT_KERNEL_CLASH_H

#include "base/memory.h"
#include "kernel/compile.h"

/* What such a line begins with: at_compile_first_error() puts it behind the error. */
#define AT_CLASH_WORDS "the macro "
#define AT_LACKING_WORDS "there are no "

/*
 * What messages call the lines of macros in front of a template: gcc tells of a macro
 * that a header of the system uses as of an error where it is defined.
 */
#define AT_CLASH_MACROS "<macros of the space>"

/* How many lines of the source are those: all up to the "#line" behind them; 0 where
   none follows, and the first lines are the source's own. */
size_t at_clash_macros(const char *source);

/*
 * Adds a line where the first error of the log lies in a file that is neither the
 * template nor beside it, and a macro of the source's first lines, or one that an
 * option defines, stands in the line that is complained of; or where it lies in those
 * macros themselves.
 */
void at_clash_explain(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out);

#endif
