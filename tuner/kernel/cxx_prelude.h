/*
 * The dialect as gcc has parsed it (a precompiled header): reading host_dialect.h and
 * the C headers that it includes is more than a third of what a small kernel's
 * compilation costs. It is made once, kept among the compiled units from run to run,
 * and lies in the run's folder while the run lasts.
 *
 * It changes no code, so that no identity covers it. Wherever it cannot be had or does
 * not fit, the text is compiled as ever: by other compilers, by scripts, with options
 * that headers can see, and in processes that have no folder for it.
 *
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_CXX_PRELUDE_H
#define AT_KERNEL_CXX_PRELUDE_H

#include "kernel/cxx_tool.h"

/*
 * From now on preludes are made. folder: where they lie as long as this run, which
 * removes it. units: the folder of kernel/units.h, or NULL to keep none for the next
 * run. Both must outlive every compilation; folder NULL: none are made any more.
 */
void at_cxx_prelude_keep(const char *units, const char *folder);

/*
 * The header to include ahead of everything else, for a compilation with these flags,
 * and with no others but such as name macros and files; borrowed until the next call.
 * NULL: there is none, and the text has to do.
 */
const char *at_cxx_prelude_find(
	const struct at_cxx_tool *tool, const char *const *flags, size_t count);

/* Whether a compilation failed with this log because the compiler could not use what it
   had made itself. Then none are used in this process any more. */
bool at_cxx_prelude_is_to_blame(const char *log);

#endif
