/*
 * What to do about a compiler option that safe_options.h does not know, where that is
 * something else than trusting the space: options that people bring along from nvcc and
 * gcc, and that are not needed here, or are written otherwise. For messages alone.
 *
 * Threads: pure.
 */
#ifndef AT_KERNEL_OPTION_HINTS_H
#define AT_KERNEL_OPTION_HINTS_H

/* "kernels are compiled with full optimization: leave it out", or NULL. Static. */
const char *at_option_hint(const char *option);

#endif
