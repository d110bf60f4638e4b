/*
 * The dialect as a precompiled header of gcc: reading host_dialect.h and the C headers
 * that it includes is more than a third of the cost of compiling a small kernel. The
 * header is made once, kept among the compiled units from run to run, and lies in the
 * run's folder while the run lasts.
 *
 * It does not change the code, so it is no part of any identity. Where it cannot be
 * used, the dialect is compiled as text: with other compilers, with scripts, with
 * options that headers can see, and in processes that have no folder for it.
 *
 * Threads: one compilation at a time in a process.
 */
#ifndef AT_KERNEL_CXX_PRELUDE_H
#define AT_KERNEL_CXX_PRELUDE_H

#include "kernel/job.h"

/*
 * From now on precompiled headers are made and used. folder: the run's folder, where
 * they lie and with which they are removed. units: the folder of kernel/units.h, or
 * NULL to keep none for the next run. Both texts must outlive every compilation. folder
 * NULL: none are made any more.
 */
void at_cxx_prelude_keep(const char *units, const char *folder);

/*
 * The header to include ahead of everything else in a compilation with these flags
 * (others may only define macros and name files); borrowed until the next call. NULL:
 * none exists, and the dialect must be included as text.
 */
const char *at_cxx_prelude_find(
	const struct at_cxx_tool *tool, const struct at_words *flags);

/*
 * Whether a compilation failed with this log because the compiler could not use the
 * header that it had made itself. If so, none are used in this process any more.
 */
bool at_cxx_prelude_is_to_blame(const char *log);

#endif
