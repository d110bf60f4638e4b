/*
 * A request as the C++ compiler takes it: the dialect, what the options include, the
 * source, and behind it the table of the kernels by which an image is launched. And
 * the way back: what the compiler says of the table, in the words of the space file.
 *
 * Nobody but kernel/cxx.c includes it. Threads: pure functions.
 */
#ifndef AT_KERNEL_CXX_UNIT_H
#define AT_KERNEL_CXX_UNIT_H

#include "base/memory.h"
#include "kernel/compile.h"

/* prelude: the header that is the dialect, or NULL for its text. */
void at_cxx_unit_write(struct at_strbuf *out, const struct at_compile_request *request,
	const char *prelude);

/* The compiler's log, explained, without the private folder's name. Heap; NULL: no
   memory. */
char *at_cxx_unit_log(const struct at_strbuf *raw, const char *folder,
	const struct at_compile_request *request);

#endif
