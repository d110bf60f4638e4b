/*
 * How a template reads the parameters of a space: what looks as if a parameter did
 * something, and does not. All of it compiles and is tuned without a word, over
 * configurations that are one and the same kernel.
 *
 *   #if LAYOUT == aos       false for every value: aos is no macro, LAYOUT_aos is
 *   #ifdef PADDED           true for every value, 0 too: each parameter is a macro
 *   #define BLOCK 16        from here on the parameter's value is gone
 *   UNROLL                  nowhere: neither in the template nor in the launch
 *
 * Lexemes are looked at, not what conditions come to: what could be meant is passed
 * over. A sound template must not be warned of.
 *
 * Threads: pure, but that it reads files.
 */
#ifndef AT_KERNEL_READING_H
#define AT_KERNEL_READING_H

#include "kernel/source.h"

/* The warning's file, line and text; borrowed. */
typedef void at_reading_listener(void *context, const struct at_error *warning);

/*
 * Tells the listener of each, those of the template first. The space's options count
 * as they are written, whatever their conditions. Fails only where a file that is
 * there cannot be read, or for memory.
 */
enum at_status at_reading_check(const struct at_spec *spec,
	const struct at_template *template, at_reading_listener *listener,
	void *context, struct at_error *err);

#endif
