/*
 * Warnings about how a template reads the parameters of its space: what looks as if a
 * parameter had an effect, and has none. All of that compiles, and would be tuned
 * without a message, over configurations that are the same kernel.
 *
 *   #if LAYOUT == aos       false for every value: aos is no macro, LAYOUT_aos is
 *   #ifdef PADDED           true for every value, 0 too: each parameter is a macro
 *   #define BLOCK 16        from here on the parameter's value is gone
 *   UNROLL                  nowhere: neither in the template nor in the launch
 *
 * Only lexemes are looked at; conditions are not evaluated. What may be intended is
 * passed over: a sound template must not be warned about.
 *
 * Threads: pure functions, except that they read files.
 */
#ifndef AT_KERNEL_LINT_H
#define AT_KERNEL_LINT_H

#include "kernel/source.h"

/* Called with each warning, which has file, line and text; the warning is borrowed. */
typedef void at_lint_listener(void *context, const struct at_error *warning);

/*
 * Calls the listener for each warning, those of the template first. The options of the
 * space count as they are written, whatever their conditions. Fails only for memory, or
 * where a file that exists cannot be read.
 */
enum at_status at_lint_check(const struct at_spec *spec,
	const struct at_template *template, at_lint_listener *listener, void *context,
	struct at_error *err);

#endif
