/*
 * A request as source text for the C++ compiler: the dialect, macros and files of
 * options, the source, and behind it the table of kernels by which an image is
 * launched. Also the way back: the compiler's errors about that table are put into the
 * words of the space file.
 *
 * Only kernel/cxx*.c include it.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_CXX_UNIT_H
#define AT_KERNEL_CXX_UNIT_H

#include "base/memory.h"
#include "kernel/compile.h"

#include <stdbool.h>

/* Whether a macro of an option, "NAME" or "NAME=VALUE", is a line of the source behind
   the dialect. Else it is one of the compiler's command line, ahead of it: what system
   headers and the dialect itself ask for. */
bool at_cxx_unit_has_macro(const char *text);

/*
 * Appends the source text. prelude: the precompiled dialect to include
 * (kernel/cxx_prelude.h); NULL: the dialect is written as text.
 */
void at_cxx_unit_write(struct at_strbuf *out, const struct at_compile_request *request,
	const char *prelude);

/*
 * The compiler's log with explanations, and without the name of the private folder. On
 * the heap.
 */
char *at_cxx_unit_log(const struct at_strbuf *raw, const char *folder,
	const struct at_compile_request *request);

#endif
