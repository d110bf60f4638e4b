/*
 * What to do about a compiler's first error where its words do not say so: a name that
 * comes with a header, that "host" has not, or that is no macro of the space; code of a
 * CPU in a template.
 *
 * Threads: pure.
 */
#ifndef AT_KERNEL_ADVICE_H
#define AT_KERNEL_ADVICE_H

#include "base/memory.h"
#include "kernel/compile.h"
#include "space/spec.h"

/* What such a line begins with: at_compile_first_error() puts it behind the error. */
#define AT_ADVICE_WORDS "hint: "

/* Adds a line, or nothing. */
void at_advice_add(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out);

/* As at_compile_first_error(); where the error is that a size of the space is unknown
   to the compiler, also how it becomes a macro. */
void at_advice_first_error(
	const struct at_spec *spec, const char *log, char *line, size_t size);

#endif
