/*
 * Advice about compiler options that kernel/safe_options.h does not know, where
 * trusting the space is not the right answer: options that people are used to from nvcc
 * and gcc, and that are not needed here or are written differently. Used in messages
 * only.
 *
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_OPTION_HINTS_H
#define AT_KERNEL_OPTION_HINTS_H

/*
 * The advice, as "kernels are compiled with full optimization: leave it out", in static
 * storage; NULL where there is none.
 */
const char *at_option_hint(const char *option);

#endif
