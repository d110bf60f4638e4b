/*
 * Warnings about a template and its space: code that compiles but does not do what it
 * says.
 *
 *   UNROLL                     neither the template nor the space reads the parameter
 *   #if LAYOUT == aos          false for every value: aos is no macro, LAYOUT_aos is
 *   extern __shared__ x[];     no launch of the space has shared_bytes
 *
 * Warnings must be certain. For example, a macro made by ## may read any parameter, so
 * a template with ## gets no warning about parameters.
 *
 * Threads: pure functions, except that they read files.
 */
#ifndef AT_KERNEL_LINT_H
#define AT_KERNEL_LINT_H

#include "kernel/source.h"

/* Called with each warning, which has file, line and text and is borrowed. */
typedef void at_lint_listener(void *context, const struct at_error *warning);

/* Calls the listener for each warning. The options of the space count as written,
   whatever their conditions. Fails only for lack of memory, or for an existing file
   that cannot be read. */
enum at_status at_lint_check(const struct at_spec *spec,
	const struct at_template *template, at_lint_listener *listener, void *context,
	struct at_error *err);

#endif
